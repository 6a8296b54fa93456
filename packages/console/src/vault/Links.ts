/** The vaults linked to the manager's gas wallets, and what they hold. */
import { useLive } from "../Live.ts"

export const useLinks = () => useLive(["links"], (client) => client.live.links())

export type Link = NonNullable<ReturnType<typeof useLinks>["data"]>[number]

export const useComposition = ({ network, pool, wallet }: Link) =>
  useLive(["composition", wallet, network, pool], (client) => client.live["wallet.poolComposition"]({ wallet, network, pool }))
