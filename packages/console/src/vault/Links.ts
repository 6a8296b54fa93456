/** The vaults linked to the manager's gas wallets. */
import { useLive } from "../Live.ts"

export const useLinks = () => useLive(["links"], (client) => client.live.links())

export type Link = NonNullable<ReturnType<typeof useLinks>["data"]>[number]
