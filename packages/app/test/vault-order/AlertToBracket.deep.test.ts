/** A chart's alert becomes a sliced position in two vaults and an exchange account, and its brackets close all three. */
import { assert, layer } from "@effect/vitest"
import * as Arbitrageur from "@vault-trader/devnet/devnet/Arbitrageur"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { holds, registered } from "@vault-trader/testing/harness/ExchangeSetup"
import { type Fields, Running, rows, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

/** One vault on each, so that the two do not move each other's pools. */
const networks = ["base", "optimism"] as const
const pair = "WETH-USDC"
/** Whole USDC of each vault: the devnet's pools bear about a third of it within `maxImpact` percent. */
const invested = 200_000n
const maxImpact = 1

/** Moves the price on the chain, at the oracle and in the pools, and at the exchange. */
const moveTo = (usd: number) =>
  Effect.flatMap(Devnet, (devnet) => {
    devnet.exchange.books.setPrice("ETH", "USDT", usd)
    return Effect.orDie(movePrices(devnet, networks.map((network) => ({ network, symbol: "WETH", usd }))))
  })

/** A wallet with an account at the exchange and two vaults, whose bots hold, and a token that drives all three. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const devnet = yield* Devnet
  const account = yield* registered({ balances: { USDT: 10_000 } })
  const { address, apiKey } = account.gas
  const vaults = yield* Effect.forEach(networks, (network) =>
    Effect.gen(function*() {
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
      const pool = yield* OnChain.createVault(network, invested)
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
      const bot = { pair, side: "hold", max_usd: 1_000_000, max_impact: maxImpact, slippage: 2 }
      succeeded(yield* ask("/setBot", { json: { apiKey, network, pool, ...bot } }))
      return { network, pool }
    }))
  succeeded(yield* account.set({ pair: "ETH-USDT", side: "hold", take_profit: 10, stop_loss: 10 }))
  const token = succeeded(
    yield* ask("/createWebhookToken", { json: { apiKey, ...vaults[0], pair } })
  )
  const bots = [...vaults.map((vault) => ({ ...vault, pair })), { subaccount: "main", pair: "ETH-USDT" }]
  succeeded(yield* ask("/setWebhookToken", { json: { apiKey, token_id: token["token_id"], bots } }))
  const alert = (raw: string) =>
    Effect.map(
      ask(String(token["path"]), { raw, headers: { "content-type": "text/plain" } }),
      (answer) => succeeded(answer)["results"] as ReadonlyArray<Fields>
    )
  return {
    ...account,
    address,
    alert,
    apiKey,
    ask,
    vaults,
    sent: Effect.forEach(networks, (network) => OnChain.transactionCount(network, address))
  }
})

/** Returns the trades of a vault: each is an intent with one transaction. */
const tradesOf = ({ network, pool }: { readonly network: string; readonly pool: string }) =>
  rows(`select tx_hash from intents where network = '${network}' and pool = '${pool}' and tx_hash is not null`)

/** Waits until the exchange account has at most a hundredth of an asset left to convert. */
const untilSpent = (account: Parameters<typeof holds>[0], asset: string, most: number) =>
  until(
    `${asset} at the exchange to be spent`,
    Effect.sync(() => Number(holds(account, asset)) <= most ? true as const : undefined)
  )

const env = { BOT_CHECK_SECONDS: "1", ORDER_CHECK_SECONDS: "1", EXCHANGE_CHECK_SECONDS: "1" }

layer(running({ env, networks }), { timeout: 240_000, excludeTestServices: true })("a chart's alert", (it) => {
  it.effect("becomes a sliced position in two vaults and an exchange account, and their brackets close it", () =>
    Effect.gen(function*() {
      yield* moveTo(3000)
      const { alert, apiKey, ask, bots, sent, there, vaults } = yield* scene
      const devnet = yield* Devnet

      // The exchange fills a part of the first order; the rest is ordered at a later check.
      devnet.exchange.inject("partialFill", 1)
      const entered = yield* alert("order buy @ 1 filled on ETHUSD. New strategy position is 1")
      assert.deepStrictEqual(entered.map(({ kind, state }) => [kind, state]), [
        ["threshold", "accepted"],
        ["threshold", "accepted"],
        ["exchange", "accepted"]
      ])
      for (const { network, pool } of vaults) {
        yield* until(
          "the position",
          // Others trade the pools back to the oracle's price between two slices.
          Effect.andThen(
            Arbitrageur.pass(devnet),
            Effect.map(
              OnChain.balanceOf(network, "USDC", pool),
              (left) => left <= invested * 10n ** 4n ? true as const : undefined
            )
          )
        )
        assert.isAbove((yield* tradesOf({ network, pool })).length, 2, "the position was not sliced")
      }
      yield* untilSpent(there, "USDT", 100)
      assert.isAbove(there.orders.length, 1, "the exchange's book bore all of it")

      // The position is the brackets' from here: the bots keep it as it is.
      yield* alert("hold")
      yield* until(
        "the bots to hold",
        Effect.map(
          rows(`select 1 from intents where status in ('accepted', 'submitted')`),
          ({ length }) => length === 0 ? true as const : undefined
        )
      )
      const brackets = yield* Effect.forEach(vaults, ({ network, pool }) =>
        Effect.map(
          ask("/placeOrder", {
            json: {
              ...{ apiKey, network, pool, pair, type: "bracket", side: "sell", share: 100, reduce_only: true },
              ...{ stop_price: "2700", take_profit_price: "3300", max_impact: 2, slippage: 3 }
            }
          }),
          (answer) => String((succeeded(answer)["data"] as Fields)["id"])
        ))
      yield* moveTo(3400)
      for (const order of brackets) {
        const closed = yield* until(
          "the bracket's end",
          Effect.andThen(
            Arbitrageur.pass(devnet),
            Effect.map(ask("/getOrder", { query: { apiKey, order } }), (answer) => {
              const found = succeeded(answer)
              return (found["data"] as Fields)["state"] === "done" ? found : undefined
            })
          )
        )
        const data = closed["data"] as Fields
        assert.deepInclude(data["trigger"] as Fields, { condition: "profit" })
        assert.isAbove(Number(data["average_price"]), 3300)
        const slices = closed["slices"] as ReadonlyArray<Fields>
        assert.isAbove(slices.length, 1, "the bracket was not sliced")
        assert.isTrue(slices.every(({ state }) => state === "succeeded"))
      }
      // The account's own bracket closes what the alert had bought there: no alert has asked for it.
      yield* untilSpent(there, "ETH", 0.02)
      const exchangeBot = yield* until(
        "the exchange bot's exit to end",
        Effect.map(bots, ([bot]) => (bot?.["exit"] as Fields | null)?.["state"] === "closed" ? bot : undefined)
      )
      assert.deepInclude(exchangeBot["exit"] as Fields, { condition: "take_profit" })
      assert.strictEqual(exchangeBot["side"], "neutral")
      // The chart's own exit comes late, and finds nothing to do.
      const before = yield* sent
      const sales = there.orders.length
      yield* alert("order sell @ 1 filled on ETHUSD. New strategy position is 0")
      yield* until(
        "all turns to end",
        Effect.map(
          rows(`select 1 from intents where status in ('accepted', 'submitted')`),
          ({ length }) => length === 0 ? true as const : undefined
        )
      )
      yield* until(
        "the exchange bot's turn to end",
        Effect.map(
          rows(`select 1 from exchange_orders where status in ('accepted', 'decided', 'sending')`),
          ({ length }) => length === 0 ? true as const : undefined
        )
      )
      assert.strictEqual(there.orders.length, sales)
      assert.deepStrictEqual(yield* sent, before)

      // The books: every transaction of the wallet is an intent, and what the vaults have is all in USDC, with a gain.
      const trades = yield* Effect.forEach(vaults, tradesOf)
      assert.deepStrictEqual(
        trades.map((all) => new Set(all.map(({ tx_hash }) => tx_hash)).size),
        before
      )
      for (const { network, pool } of vaults) {
        assert.strictEqual(yield* OnChain.balanceOf(network, "WETH", pool), 0n)
        assert.isAbove(Number(yield* OnChain.balanceOf(network, "USDC", pool)), Number(invested) * 1e6)
      }
      assert.isAbove(Number(holds(there, "USDT")), 10_000)
      const ids = there.orders.map(({ clientId }) => clientId)
      assert.strictEqual(new Set(ids).size, ids.length)
    }))
})
