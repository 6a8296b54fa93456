/** Live queries for the manager's gas wallets. */
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

/**
 * Below this USD value of native token on a network, a wallet is low: enough for a few dozen trades on cheap networks,
 * one on ethereum.
 */
export const lowUsd = 2

export const useWallets = () =>
  useLive(["wallets"], (client) => client.live["manager.getAssociatedGasWallets"]({}), ({ wallets }) => wallets)

export type Wallet = NonNullable<ReturnType<typeof useWallets>["data"]>[number]

export const useBalances = () =>
  useLive(["balances"], (client) => client.live["manager.getAllGasBalance"]({}), ({ balances }) => balances)

/** Returns a wallet's label, or its shortened address. */
export const nameOf = ({ address, label }: { readonly address: string; readonly label: string | null }): string =>
  label ?? `${address.slice(0, 8)}…${address.slice(-6)}`

/** Follows the service's price of a network's native token, with its age. */
export const useNativePrice = (network: Network) =>
  useLive(["native-price", network], (client) => client.live["manager.token-price"]({ network }))
