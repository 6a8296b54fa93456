/** The signed-in manager and what the service offers; read once a session. */
import { useQuery } from "@tanstack/react-query"
import { call } from "./RpcConnection.ts"

export const useWhoAmI = () =>
  useQuery({
    queryKey: ["whoAmI"],
    queryFn: ({ signal }) => call((client) => client.whoAmI(), signal),
    refetchInterval: false,
    staleTime: Infinity
  })
