/** What a vault holds. */
import { useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { call } from "../Calls.ts"

export const useComposition = (about: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined) =>
  useQuery({
    queryKey: ["composition", about?.wallet, about?.network, about?.pool],
    enabled: about !== undefined,
    queryFn: ({ signal }) => {
      const { network, pool, wallet } = about as NonNullable<typeof about>
      return call((client) => client.wallet.poolComposition({ wallet, network, pool }), signal)
    },
    refetchInterval: 15_000
  })
