/** Who may trade a vault, as the chain tells. */
import { useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { call } from "../Calls.ts"

export const useAuthority = (about: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined) =>
  useQuery({
    queryKey: ["authority", about?.wallet, about?.network, about?.pool],
    enabled: about !== undefined,
    queryFn: async ({ signal }) => {
      const { network, pool, wallet } = about as NonNullable<typeof about>
      return (await call((client) => client.wallet.isPoolTrader({ wallet, network, pool, trader: wallet }), signal)).data
    },
    refetchInterval: 5_000,
    retry: false
  })
