/** Live queries for the manager's gas wallets. */
import type { Network } from "@vault-trader/core/chain/Network"
import { useByNetwork } from "../connection/useByNetwork.ts"
import type { Client } from "../connection/RpcConnection.ts"
import type { RowOf } from "../connection/Wire.ts"
import { useLive } from "../connection/useLive.ts"

/**
 * Below this USD value of native token on a network, a wallet is low: enough for a few dozen trades on cheap networks,
 * one on ethereum.
 */
export const lowUsd = 2

export const useWallets = () =>
  useLive(["wallets"], (client) => client.live["manager.getAssociatedGasWallets"]({}), ({ wallets }) => wallets)

export type Wallet = NonNullable<ReturnType<typeof useWallets>["data"]>[number]

/** A balance that was read before its network stopped answering. */
interface LastKnown {
  readonly balance: string
  readonly balance_usd: number | null
  readonly at: number
}

/** Follows the balances on every network. One that cannot be read has its last known value, with its time. */
export const useBalances = () =>
  useByNetwork<ReadonlyArray<Row>, Balance>(
    "balances",
    (network) => (client: Client) => client.live.gasBalances({ network }),
    () => (old, next, at) => next.map((row) => ({ ...row, last: row.balance === null ? lastOf(row, old, at) : null }))
  )

type Row = RowOf<Client["live"]["gasBalances"]>
export type Balance = Row & { readonly last: LastKnown | null }

const lastOf = ({ address }: Row, old: ReadonlyArray<Balance> | undefined, at: number): LastKnown | null => {
  const before = old?.find((each) => each.address === address)
  return before === undefined || before.balance === null
    ? before?.last ?? null
    : { balance: before.balance, balance_usd: before.balance_usd ?? null, at }
}

/** Returns a wallet's label, or its shortened address. */
export const nameOf = ({ address, label }: { readonly address: string; readonly label: string | null }): string =>
  label ?? `${address.slice(0, 8)}…${address.slice(-6)}`

/** Follows the service's price of a network's native token, with its age. */
export const useNativePrice = (network: Network) =>
  useLive(["native-price", network], (client) => client.live["manager.token-price"]({ network }))
