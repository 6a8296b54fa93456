/** Live queries for the manager's bots of all kinds. Runs of an index are queried one index at a time. */
import { useCallback } from "react"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"

export const botsKey = ["bots"]

export const useBots = () => useLive(botsKey, (client) => client.live["manager.getAllBots"]({}))

type All = NonNullable<ReturnType<typeof useBots>["data"]>
export type Bot = All["bots"][number]
export type Index = All["index_bots"][number]

/** Returns a function from a wallet's address to its display name. */
export const useOwner = () => {
  const wallets = useWallets().data
  return useCallback((address: string): string => {
    const wallet = wallets?.find((each) => each.address === address)
    return wallet === undefined ? `${address.slice(0, 8)}…` : nameOf(wallet)
  }, [wallets])
}

/** Follows the turns of a vault's bots, newest first; on paper, what they would have traded. */
export const useTurns = ({ network, pool, wallet }: VaultRef) =>
  useLive(
    ["turns", wallet, network, pool],
    (client) => client.live["wallet.getIntents"]({ wallet, network, pool, limit: 50 }),
    ({ intents }) => intents.filter(({ endpoint }) => endpoint === "setBot")
  )

/** Follows the latest signals that came for a vault's bots. */
export const useSignals = ({ network, pool, wallet }: VaultRef) =>
  useLive(
    ["signals", wallet, network, pool],
    (client) => client.live["wallet.getSignals"]({ wallet, network, pool, limit: 20 }),
    ({ signals }) => signals
  )

export type SignalEntry = NonNullable<ReturnType<typeof useSignals>["data"]>[number]

/** Follows the chart alert tokens of a vault's bot on a pair, without the secret tokens themselves. */
export const useAlertTokens = ({ network, pool, wallet }: VaultRef, pair: string) =>
  useLive(
    ["alertTokens", wallet, network, pool, pair],
    (client) => client.live["wallet.getWebhookTokens"]({ wallet }),
    ({ tokens }) => tokens.filter((token) => token.network === network && token.pool === pool && token.pair === pair)
  )
