/** The manager's bots as the pages follow them. */
import { useLive } from "../Live.ts"

export const useBots = () => useLive(["bots"], (client) => client.live["manager.getAllBots"]({}))

export type Bot = NonNullable<ReturnType<typeof useBots>["data"]>["bots"][number]
