/** The bots of the manager's wallets as the pages ask for them. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../Calls.ts"

export const useBots = () => useQuery({ queryKey: ["bots"], queryFn: ({ signal }) => call((client) => client.manager.getAllBots({}), signal), refetchInterval: 3_000 })

export type Bot = NonNullable<ReturnType<typeof useBots>["data"]>["bots"][number]
