/** The exchange accounts connected to the manager's gas wallets, and the orders of one. Credentials are never answered with. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import { call } from "../Calls.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"

export const useAccounts = () => {
  const wallets = useWallets().data
  return useQuery({
    queryKey: ["exchangeAccounts", wallets?.map(({ address }) => address)],
    enabled: wallets !== undefined,
    refetchInterval: 3_000,
    queryFn: async ({ signal }) => {
      const each = await Promise.all((wallets ?? []).map(async (wallet) => {
        const { subaccounts } = await call((client) => client.wallet.getAllCEXSubaccounts({ wallet: wallet.address }), signal)
        return subaccounts.map((account) => ({ ...account, wallet: wallet.address, owner: nameOf(wallet) }))
      }))
      return each.flat()
    }
  })
}

export type Account = NonNullable<ReturnType<typeof useAccounts>["data"]>[number]
export type ExchangeBot = Account["bots"][number]

/** An account among those of its wallet. */
export const aboutOf = ({ subaccount_name, wallet }: { readonly wallet: Address; readonly subaccount_name: string }) => ({ wallet, subaccount_name })

/** Newest first, a page at a time. */
export const useOrders = (account: Account) =>
  useInfiniteQuery({
    queryKey: ["exchangeOrders", account.wallet, account.subaccount_name],
    queryFn: ({ pageParam, signal }) =>
      call((client) => client.wallet.getCEXOrders({ ...aboutOf(account), limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: 5_000
  })
export type Order = NonNullable<ReturnType<typeof useOrders>["data"]>["pages"][number]["orders"][number]
