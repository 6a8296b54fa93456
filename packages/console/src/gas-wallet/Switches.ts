/**
 * Follows the active kill switches of the manager's wallets, of the vaults whose bots they set, and of the whole
 * service.
 */
import { useLive } from "../connection/useLive.ts"

export const useSwitches = () => useLive(["switches"], (client) => client.live.switches())
