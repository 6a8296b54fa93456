/** The vaults linked to the manager's gas wallets. */
import { useQuery } from "@tanstack/react-query"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { call } from "../Calls.ts"

export const useLinks = () => {
  const wallets = useWallets().data
  return useQuery({
    queryKey: ["links", wallets?.map(({ address }) => address)],
    enabled: wallets !== undefined,
    refetchInterval: 15_000,
    queryFn: async ({ signal }) => {
      const each = await Promise.all((wallets ?? []).map(async (wallet) => {
        const { pools } = await call((client) => client.wallet.getGasWalletPools({ wallet: wallet.address }), signal)
        return pools.map((pool) => ({ ...pool, wallet: wallet.address, label: wallet.label }))
      }))
      return each.flat()
    }
  })
}

export type Link = NonNullable<ReturnType<typeof useLinks>["data"]>[number]
