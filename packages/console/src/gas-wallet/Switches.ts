/** The kill switches that are on: of the manager's wallets, of the vaults whose bots they set, of the whole service. */
import { useLive } from "../connection/useLive.ts"

export const useSwitches = () => useLive(["switches"], (client) => client.live.switches())
