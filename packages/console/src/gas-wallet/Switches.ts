/** The kill switches that are on: of the manager's wallets, of the vaults whose bots they set, of the whole service. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../Calls.ts"

export const useSwitches = () => useQuery({ queryKey: ["switches"], queryFn: ({ signal }) => call((client) => client.switches(), signal) })
