/** The manager's bots of all kinds as the pages ask for them. Runs of an index are asked for one by one. */
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLive } from "../connection/useLive.ts"
import type { Place } from "../vault/Place.ts"

export const useBots = () => useLive(["bots"], (client) => client.live["manager.getAllBots"]({}))

type All = NonNullable<ReturnType<typeof useBots>["data"]>
export type Bot = All["bots"][number]
export type Index = All["index_bots"][number]

/** How a wallet of the list is called, by its address. */
export const useOwner = () => {
  const wallets = useWallets().data
  return (address: string): string => {
    const wallet = wallets?.find((each) => each.address === address)
    return wallet === undefined ? `${address.slice(0, 8)}…` : nameOf(wallet)
  }
}

/** What the bots of a vault did at each turn, newest first; on paper, what they would have done. */
export const useTurns = ({ network, pool, wallet }: Place) =>
  useLive(
    ["turns", wallet, network, pool],
    (client) => client.live["wallet.getIntents"]({ wallet, network, pool, limit: 50 }),
    ({ intents }) => intents.filter(({ endpoint }) => endpoint === "setBot")
  )

/** The tokens that may stand in chart alerts of a vault's bot on a pair, without the tokens themselves. */
export const useAlertTokens = ({ network, pool, wallet }: Place, pair: string) =>
  useLive(
    ["alertTokens", wallet, network, pool, pair],
    (client) => client.live["wallet.getWebhookTokens"]({ wallet }),
    ({ tokens }) => tokens.filter((token) => token.network === network && token.pool === pool && token.pair === pair)
  )
