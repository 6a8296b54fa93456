/** What is stopped, as the pages follow it. */
import { useLive } from "../Live.ts"

export const useSwitches = () => useLive(["switches"], (client) => client.live.switches())
