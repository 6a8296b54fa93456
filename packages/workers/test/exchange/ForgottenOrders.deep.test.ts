import { assert, layer } from "@effect/vitest"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as Decimal from "@vault-trader/devnet/exchange/Decimal"
import * as Prices from "@vault-trader/devnet/exchange/Prices"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { customer, held, implied, life, over, persisting, Stage } from "./TestAccount.ts"

const first = { USDT: 10_000, BTC: 1 }
const terms = {
  ...{ pair: "BTC-USDT", strategy: "custom", idempotencyKey: null } as const,
  ...{ maxUsd: BigDecimal.fromStringUnsafe("1000000"), takeProfit: null as number | null, stopLoss: null }
}

/** The rows of one account, as a copy of the database has them. */
const copied = ["exchange_bots", "exchange_orders"] as const

/** An account with a bitcoin of its own, its actor, and copies of its rows that are put back. */
const scene = Effect.gen(function*() {
  const made = yield* customer(first)
  const store = yield* ExchangeStore
  const ledger = yield* ExchangeOrderStore
  const sql = yield* SqlClient.SqlClient
  const move = (usd: number) => Effect.sync(() => made.desk.books.setPrice("BTC", "USDT", usd))
  yield* move(50_000)
  let scope = yield* Scope.make()
  let actor = yield* Scope.provide(life(made.id), scope)
  const { account } = yield* persisting(actor.register({ ...made.account, credentials: made.credentials }))
  const set = (side: "long" | "neutral" | "hold", share = 100, takeProfit: number | null = null) =>
    Effect.suspend(() => persisting(actor.setSide({ ...terms, wallet: made.wallet, side, share, takeProfit })))
  const bot = Effect.map(Effect.orDie(store.bots(account.id)), ([found]) => {
    if (found === undefined) throw new Error("the account has no bot")
    return found
  })
  /** Wakes the account until its bot is as asked. */
  const woken = (until: (now: Effect.Success<typeof bot>) => boolean): Effect.Effect<Effect.Success<typeof bot>> =>
    Effect.gen(function*() {
      yield* Effect.ignore(actor.wake())
      const now = yield* bot
      if (until(now)) return now
      yield* Effect.sleep("30 millis")
      return yield* woken(until)
    })
  const rowsOf = (table: string) =>
    sql<{ readonly rows: string }>`select coalesce(jsonb_agg(t), '[]')::text as rows from ${sql(table)} t
      where account_id = ${account.id}`
  /** Copies the account's rows; what it returns ends the actor, puts them back, and starts the next one. */
  const backup = Effect.map(Effect.forEach(copied, rowsOf), (rows) =>
    Effect.gen(function*() {
      yield* Scope.close(scope, Exit.void)
      yield* sql`delete from charges where wallet = ${made.wallet}`
      for (const [index, table] of copied.entries()) {
        yield* sql`delete from ${sql(table)} where account_id = ${account.id}`
        yield* sql`insert into ${sql(table)} select * from jsonb_populate_recordset(null::${sql(table)},
          ${rows[index]?.[0]?.rows ?? "[]"}::jsonb)`
      }
      scope = yield* Scope.make()
      actor = yield* Scope.provide(life(made.id), scope)
    }))
  const sold = Effect.map(
    Effect.orDie(ledger.executed(account.id, "BTC/USDT")),
    (all) =>
      all.filter(({ side }) => side === "sell").reduce(
        (sum, { filled }) => sum + Number(BigDecimal.format(filled ?? BigDecimal.fromBigInt(0n))),
        0
      )
  )
  const charges = Effect.map(
    sql<{ readonly count: number }>`select count(*)::int as count from charges where wallet = ${made.wallet}`,
    ([row]) => row?.count ?? 0
  )
  return { ...made, account, backup, bot, charges, move, set, sold, woken }
})

const isPaused = ({ active }: { readonly active: boolean }) => !active

layer(Stage, { timeout: 120_000, excludeTestServices: true })("orders that a restored copy has forgotten", (it) => {
  it.effect("a bracket's sale is adopted and charged once; nothing of the customer's own is sold in its place", () =>
    Effect.gen(function*() {
      const { backup, charges, move, set, sold, there, wallet, woken } = yield* scene
      const bought = yield* set("long", 100, 10)
      yield* over(bought.intentId)
      const restore = yield* backup
      yield* move(60_000)
      yield* woken(({ exit }) => exit?.ended === true)
      const [placed, balances] = [there.orders.length, held({ there })]
      yield* restore
      assert.strictEqual(yield* sold, 0)
      const { exit, pausedReason } = yield* woken(isPaused)
      assert.isNull(exit)
      assert.match(pausedReason ?? "", /has executed an order of this bot that the database had forgotten/)
      assert.closeTo(yield* sold, 0.199, 0.001)
      assert.strictEqual(yield* charges, 1)
      assert.deepStrictEqual([there.orders.length, held({ there })], [placed, balances])
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
      // Set again, it begins from the ledger as it is: the position is closed, and the bracket sells nothing.
      yield* set("hold", 100, 10)
      yield* woken(({ active, lastDecision }) => active && lastDecision?.action === "hold")
      assert.lengthOf(there.orders, placed)
    }))

  it.effect("half of a balance that was sold is not halved again", () =>
    Effect.gen(function*() {
      const { backup, bot, set, sold, there, woken } = yield* scene
      yield* over((yield* set("hold")).intentId)
      const restore = yield* backup
      yield* over((yield* set("neutral", 50)).intentId)
      assert.closeTo(yield* sold, 0.5, 0.0001)
      const placed = there.orders.length
      yield* restore
      yield* woken(isPaused)
      assert.closeTo(yield* sold, 0.5, 0.0001)
      assert.lengthOf(there.orders, placed)
      assert.strictEqual((yield* bot).side, "hold")
    }))

  for (const status of ["accepted", "decided"] as const) {
    it.effect(`one that the copy has as ${status} is completed by the exchange's answer, not sent again`, () =>
      Effect.gen(function*() {
        const { account, backup, charges, set, sold, there, woken } = yield* scene
        const sql = yield* SqlClient.SqlClient
        const { intentId } = yield* set("neutral", 50)
        yield* over(intentId)
        const placed = there.orders.length
        // The copy was made before the order was sent.
        yield* status === "accepted"
          ? sql`update exchange_orders set status = 'accepted', side = null, amount = null, limit_price = null,
              client_id = null, exchange_order_id = null, filled = null, sent_at = null where account_id = ${account.id}`
          : sql`update exchange_orders set status = 'decided', exchange_order_id = null, filled = null, sent_at = null
              where account_id = ${account.id}`
        yield* (yield* backup)
        yield* Effect.race(over(intentId), woken(() => false))
        yield* woken(({ active }) => active === (status === "decided"))
        assert.closeTo(yield* sold, 0.5, 0.0001)
        assert.lengthOf(there.orders, placed)
        assert.strictEqual(yield* charges, 1)
      }))
  }

  it.effect("orders of another user of the account change nothing: the bot continues", () =>
    Effect.gen(function*() {
      const { backup, bot, desk, set, there, woken } = yield* scene
      yield* over((yield* set("neutral", 50)).intentId)
      const listing = Prices.listings.find(({ base, quote }) => base === "BTC" && quote === "USDT")
      assert.isDefined(listing)
      desk.books.place(there, {
        ...{ listing, clientId: "web_2b1c", side: "SELL", type: "MARKET", timeInForce: "GTC", price: undefined },
        ...{ quantity: Decimal.parse("0.1"), quoteQuantity: undefined, time: desk.now() }
      }, 100n)
      yield* (yield* backup)
      const placed = there.orders.length
      desk.forget()
      yield* woken(() => desk.seen().filter(({ path }) => path === "/api/v3/account").length > 2)
      assert.isTrue((yield* bot).active)
      assert.lengthOf(there.orders, placed)
      // It was compared once.
      assert.lengthOf(desk.seen().filter(({ path }) => path === "/api/v3/myTrades"), 1)
    }))
})
