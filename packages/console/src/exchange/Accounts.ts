/**
 * Live queries for exchange accounts of the manager's gas wallets, and for an account's orders. Responses never contain
 * credentials.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { call, type Client } from "../connection/RpcConnection.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLives } from "../connection/useLive.ts"
import { useLivePages } from "../shell/useLivePages.ts"

export const useAccounts = () => {
  const wallets = useWallets().data
  const live = useLives(
    wallets?.map(({ address: wallet }) =>
      [
        ["exchangeAccounts", wallet],
        (client: Client) => client.live["wallet.getAllCEXSubaccounts"]({ wallet })
      ] as const
    )
  )
  const data = live.data?.flatMap(({ subaccounts }, index) => {
    const wallet = wallets?.[index]
    return wallet === undefined
      ? []
      : subaccounts.map((account) => ({ ...account, wallet: wallet.address, owner: nameOf(wallet) }))
  })
  return { ...live, data }
}

export type Account = NonNullable<ReturnType<typeof useAccounts>["data"]>[number]
export type ExchangeBot = Account["bots"][number]

/** The parameters that identify an account. */
export const accountRefOf = (
  { subaccount_name, wallet }: { readonly wallet: Address; readonly subaccount_name: string }
) => ({ wallet, subaccount_name })

const pageSize = 20

/** Follows an account's orders, newest first. */
export const useOrders = (account: Account) => {
  const about = accountRefOf(account)
  return useLivePages({
    key: ["exchangeOrders", about],
    newest: (client) => client.live["wallet.getCEXOrders"]({ ...about, limit: pageSize }),
    older: (cursor) => call((client) => client.wallet.getCEXOrders({ ...about, limit: pageSize, cursor })),
    rowsOf: ({ cursor, orders }) => ({ rows: orders, cursor }),
    idOf: ({ intent_id }) => intent_id
  })
}

export type Order = ReturnType<typeof useOrders>["rows"][number]
