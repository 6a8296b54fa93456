import { assert, layer } from "@effect/vitest"
import { confirmMillis } from "@vault-trader/core/exchange/ExchangeBracket"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { waits } from "../../src/exchange/BracketCheck.ts"
import { customer, held, implied, life, over, persisting, Stage } from "./TestAccount.ts"

const first = { USDT: 10_000, BTC: 1 }
const big = BigDecimal.fromStringUnsafe
const terms = {
  ...{ pair: "BTC-USDT", strategy: "custom", share: 100, idempotencyKey: null } as const,
  ...{ maxUsd: big("1000000"), takeProfit: 10, stopLoss: 5 }
}

/** An account that holds a bitcoin of its own and has bought with all of its USDT at 50,000, and its actor. */
const scene = Effect.gen(function*() {
  const made = yield* customer(first)
  const store = yield* ExchangeStore
  const ledger = yield* ExchangeOrderStore
  const move = (usd: number) => Effect.sync(() => made.desk.books.setPrice("BTC", "USDT", usd))
  yield* move(50_000)
  const scope = yield* Scope.make()
  const actor = yield* Scope.provide(life(made.id), scope)
  const { account } = yield* persisting(actor.register({ ...made.account, credentials: made.credentials }))
  const set = (more: Partial<typeof terms> & { readonly side: "long" | "neutral" | "hold" }) =>
    persisting(actor.setSide({ ...terms, wallet: made.wallet, ...more }))
  const bought = yield* set({ side: "long" })
  yield* over(bought.intentId)
  const bot = Effect.flatMap(
    Effect.orDie(store.bots(account.id)),
    ([found]) => Effect.fromOption(Option.fromNullishOr(found))
  ).pipe(
    Effect.orDie
  )
  /** Wakes the account until its bot is as asked. */
  const woken = (
    until: (now: Effect.Success<typeof bot>) => boolean,
    by: Pick<Effect.Success<ReturnType<typeof life>>, "wake"> = actor
  ): Effect.Effect<Effect.Success<typeof bot>> =>
    Effect.gen(function*() {
      yield* Effect.ignore(by.wake())
      const now = yield* bot
      if (until(now)) return now
      yield* Effect.sleep("30 millis")
      return yield* woken(until, by)
    })
  const sales = Effect.map(
    Effect.orDie(ledger.executed(account.id, "BTC/USDT")),
    (all) => all.filter(({ side }) => side === "sell")
  )
  return { ...made, account, actor, bot, die: Scope.close(scope, Exit.void), move, sales, set, store, woken }
})

const isClosed = ({ exit }: { readonly exit: { readonly ended: boolean } | null }) => exit?.ended === true

layer(Stage, { timeout: 120_000, excludeTestServices: true })("the bracket of an exchange bot", (it) => {
  it.effect("sells what the bot bought, and nothing of what was there before, once its price is reached", () =>
    Effect.gen(function*() {
      const { bot, move, sales, set, there, wallet, woken } = yield* scene
      yield* move(54_000)
      yield* woken(({ lastDecision }) => lastDecision?.action === "hold")
      assert.isNull((yield* bot).exit)
      // A bot that holds keeps its bracket.
      yield* set({ side: "hold" })
      yield* move(56_000)
      const { exit, side } = yield* woken(isClosed)
      assert.deepInclude({ ...exit }, { condition: "take_profit", ended: true })
      assert.strictEqual(side, "neutral")
      const [sale] = yield* sales
      assert.match(sale?.message ?? "", /^Sold 0\.1\d+ BTC/)
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
      const left = Number(held({ there })["BTC"])
      assert.isTrue(left >= 1 && left < 1.001, `${left} BTC`)
      // It buys again only when it is set again.
      yield* move(40_000)
      yield* woken(() => true)
      assert.lengthOf(yield* sales, 1)
      const again = yield* set({ side: "long" })
      yield* over(again.intentId)
      assert.isNull((yield* bot).exit)
    }))

  it.effect("that a price jumped over sells at the price there is, in orders of at most max_usd", () =>
    Effect.gen(function*() {
      const { move, sales, set, there, wallet, woken } = yield* scene
      yield* set({ side: "long", maxUsd: big("3000") })
      yield* move(30_000)
      const { exit } = yield* woken(isClosed)
      assert.strictEqual(exit?.condition, "stop_loss")
      const all = yield* sales
      assert.lengthOf(all, 2)
      for (const { cost } of all) assert.isTrue(BigDecimal.isLessThanOrEqualTo(cost ?? big("0"), big("3000")))
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
      assert.isAtLeast(Number(held({ there })["BTC"]), 1)
    }))

  it.effect("sells once when its actor dies between the trigger and the order", () =>
    Effect.gen(function*() {
      const { bot, die, id, move, sales, store, there, wallet, woken } = yield* scene
      yield* die
      yield* move(47_000)
      // The last commit of the actor before it dies.
      const before = yield* bot
      const exit = {
        ...{ condition: "stop_loss", entry: "50000", price: "47000", amount: "0.198" } as const,
        at: "2026-01-01T00:00:00.000Z"
      }
      assert.isTrue(Option.isSome(yield* Effect.orDie(store.beginExit(before, exit))))
      assert.isTrue(Option.isNone(yield* Effect.orDie(store.beginExit(before, exit))), "it was triggered twice")
      // The price comes back: what was triggered stays so.
      yield* move(52_000)
      yield* woken(isClosed, yield* life(id))
      const all = yield* sales
      assert.deepStrictEqual(all.map(({ filled }) => BigDecimal.format(filled ?? big("0"))), ["0.198"])
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
    }))

  it.effect("sells once when its actor dies before the exchange's answer, and the half that was not filled afterwards", () =>
    Effect.gen(function*() {
      const { actor, desk, die, id, move, sales, there, wallet, woken } = yield* scene
      const placed = there.orders.length
      desk.inject("timeoutAfterAcceptance", 1)
      yield* move(47_000)
      while (there.orders.length === placed) {
        yield* actor.wake()
        yield* Effect.sleep("20 millis")
      }
      yield* die
      desk.inject("partialFill", 1)
      yield* woken(isClosed, yield* life(id))
      const ids = there.orders.map(({ clientId }) => clientId)
      assert.strictEqual(new Set(ids).size, ids.length)
      const sold = (yield* sales).reduce((sum, { filled }) => sum + Number(BigDecimal.format(filled ?? big("0"))), 0)
      assert.closeTo(sold, 0.1986, 0.001)
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
    }))

  it.effect("sells nothing on a wick between two checks, nor on a tiny order in an empty book, however long", () =>
    Effect.gen(function*() {
      const { bot, desk, move, sales, woken } = yield* scene
      const reads = (pattern: RegExp) => woken(({ lastDecision }) => pattern.test(lastDecision?.reason ?? ""))
      desk.heal()
      yield* woken(({ lastDecision }) => lastDecision?.action === "hold")
      const isHeld = ({ exit, side }: Effect.Success<typeof bot>) => exit === null && side === "long"
      for (const wick of [{ bid: 30_000, ask: 30_010, last: 30_000 }, { bid: 70_000, ask: 70_010, last: 70_000 }]) {
        desk.misquote(wick)
        yield* reads(/is confirmed by the next check, or was a wrong price/)
        desk.heal()
        assert.isTrue(isHeld(yield* reads(/^(?!.*wrong price)/)))
      }
      desk.misquote({ bid: 20_000 })
      yield* reads(/The bid of \d+\.?\d* USDT is far from the last trade at 50000/)
      const until = Date.now() + confirmMillis + 1_000
      assert.isTrue(isHeld(yield* woken(() => Date.now() > until)))
      assert.lengthOf(yield* sales, 0)
      // The price is really there: it is sold.
      desk.heal()
      yield* move(45_000)
      assert.strictEqual((yield* woken(isClosed)).exit?.condition, "stop_loss")
      assert.lengthOf(yield* sales, 1)
    }))

  it.effect("tries again later after a failure, without end, and never pauses itself", () =>
    Effect.gen(function*() {
      const { bot, die, store } = yield* scene
      yield* die
      const now = Date.parse("2026-01-01T00:00:00.000Z")
      const failed = (failures: number) =>
        Effect.map(bot, (found) => ({
          ...found,
          failures,
          exit: null,
          lastDecision: { action: "failed" as const, reason: "refused", at: new Date(now).toISOString() }
        }))
      const exit = {
        ...{ condition: "stop_loss", entry: "50000", price: "47000", amount: "0.1" } as const,
        at: "2026-01-01T00:00:00.000Z"
      }
      assert.isFalse(waits(yield* failed(1), now))
      const begun = Option.getOrThrow(yield* Effect.orDie(store.beginExit(yield* bot, exit)))
      for (const [failures, seconds] of [[1, 15], [3, 60], [30, 900]] as const) {
        const found = { ...(yield* failed(failures)), exit: begun.exit }
        assert.isTrue(waits(found, now + seconds * 1000 - 1))
        assert.isFalse(waits(found, now + seconds * 1000))
      }
      const decision = { action: "failed" as const, reason: "refused", at: new Date(now).toISOString() }
      for (let left = 5; left > 0; left--) {
        yield* Effect.orDie(store.recordEnd(begun.id, { decision, orderId: null, counts: "retried", owed: null }))
      }
      const { active, failures } = yield* bot
      assert.deepStrictEqual([active, failures], [true, 5])
    }))

  it.effect("is watched after the bot has paused itself, which buys nothing, and not after it was deactivated", () =>
    Effect.gen(function*() {
      const { account, actor, bot, move, sales, set, store, there, wallet, woken } = yield* scene
      const { id } = yield* bot
      const failure = (reason: string) =>
        store.recordEnd(id, {
          decision: { action: "failed", reason, at: "2026-01-01T00:00:00.000Z" },
          ...{ orderId: null, counts: "failed", owed: null } as const
        })
      const pause = Effect.orDie(Effect.forEach(["one", "two", "three"], failure, { discard: true }))

      yield* pause
      yield* persisting(actor.deactivate({ wallet, pair: "BTC-USDT" }))
      yield* move(40_000)
      assert.notInclude((yield* Effect.orDie(store.due(0, 1))).map((each) => each.id), account.id)
      yield* woken(() => true)
      assert.lengthOf(yield* sales, 0)

      yield* move(50_000)
      yield* over((yield* set({ side: "long" })).intentId)
      yield* pause
      assert.deepInclude(yield* bot, {
        ...{ active: false, watching: true, failures: 3 },
        pausedReason:
          "It failed 3 times in a row; set it again to resume it. Its take-profit and stop-loss are still " +
          "watched. Last failure: three"
      })
      assert.include((yield* Effect.orDie(store.due(0, 1))).map((each) => each.id), account.id)
      // More money for it to spend, which it leaves.
      const placed = there.orders.length
      there.balances.get("USDT")!.free += 5_000n * 100_000_000n
      const watched = yield* woken(({ failures }) => failures === 0)
      assert.match(
        watched.lastDecision?.reason ?? "",
        /^The bot has paused itself; its take-profit and stop-loss are watched/
      )
      assert.strictEqual(there.orders.length, placed)

      yield* move(46_000)
      const { active, exit } = yield* woken(isClosed)
      assert.deepStrictEqual([active, exit?.condition], [false, "stop_loss"])
      assert.lengthOf(yield* sales, 1)
      // It stays paused until it is set again.
      yield* move(40_000)
      yield* woken(() => true)
      assert.strictEqual(there.orders.length, placed + 1)
      yield* set({ side: "long" })
      assert.deepInclude(yield* bot, { active: true, watching: false, pausedReason: null })
    }))

  it.effect("waits between attempts to read the prices of a paused bot", () =>
    Effect.gen(function*() {
      const { bot } = yield* scene
      const at = "2026-01-01T00:00:00.000Z"
      const now = Date.parse(at)
      const paused = { ...(yield* bot), active: false, watching: true, failures: 3 }
      const failed = { ...paused, lastDecision: { action: "failed" as const, reason: "refused", at } }
      assert.isTrue(waits(failed, now + 59_999))
      assert.isFalse(waits(failed, now + 60_000))
      assert.isFalse(waits({ ...failed, watching: false }, now))
      assert.isFalse(waits({ ...failed, failures: 0 }, now))
    }))

  it.effect("is refused for a bot that follows a strategy", () =>
    Effect.gen(function*() {
      const { actor, wallet } = yield* scene
      const refused = yield* Effect.flip(actor.setStrategy({ wallet, pair: "BTC-USDT", strategy: "trend" }))
      assert.match("message" in refused ? refused.message : "", /take_profit or stop_loss .* cannot follow trend/)
    }))
})
