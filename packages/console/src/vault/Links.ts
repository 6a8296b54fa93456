/** The vaults linked to the manager's gas wallets. */
import { useLive } from "../connection/useLive.ts"

export const useLinks = () => useLive(["links"], (client) => client.live.links())

export type Link = NonNullable<ReturnType<typeof useLinks>["data"]>[number]
