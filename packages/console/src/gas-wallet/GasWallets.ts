/** The manager's gas wallets as the pages follow them. */
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

/** Under this many USD of native token on a network a wallet is low: a few dozen trades on the cheap networks, one on ethereum. */
export const lowUsd = 2

export const useWallets = () => useLive(["wallets"], (client) => client.live["manager.getAssociatedGasWallets"]({}), ({ wallets }) => wallets)

export type Wallet = NonNullable<ReturnType<typeof useWallets>["data"]>[number]

export const useBalances = () => useLive(["balances"], (client) => client.live["manager.getAllGasBalance"]({}), ({ balances }) => balances)

/** A wallet as people know it. */
export const nameOf = ({ address, label }: { readonly address: string; readonly label: string | null }): string =>
  label ?? `${address.slice(0, 8)}…${address.slice(-6)}`

/** What a network's native token is worth by the service's own price, and how old that is. */
export const useNativePrice = (network: Network) => useLive(["native-price", network], (client) => client.live["manager.token-price"]({ network }))
