import { assert, layer } from "@effect/vitest"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import type { Account } from "@vault-trader/devnet/exchange/ExchangeLedger"
import type { Fault } from "@vault-trader/devnet/exchange/ExchangeFault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { Ccxt } from "../../src/ccxt/Ccxt.ts"
import { customer, held, implied, life, over, persisting, Stage, windowMillis } from "./TestAccount.ts"

const first = { USDT: 10_000 }
const terms = {
  pair: "BTC-USDT",
  strategy: "custom",
  maxUsd: BigDecimal.fromStringUnsafe("1000000"),
  share: 100,
  idempotencyKey: null
} as const

/** A customer with a registered account, and the account's actor. */
const scene = Effect.gen(function*() {
  const made = yield* customer(first)
  made.desk.books.setPrice("BTC", "USDT", 50_000)
  const actor = yield* life(made.id)
  yield* persisting(actor.register({ ...made.account, credentials: made.credentials }))
  const set = (side: "long" | "neutral", more: Partial<typeof terms> = {}) =>
    persisting(actor.setSide({ ...terms, ...more, wallet: made.wallet, side }))
  const turn = (side: "long" | "neutral") =>
    Effect.gen(function*() {
      const { intentId } = yield* set(side)
      yield* over(intentId)
      return yield* rowOf(intentId)
    })
  return { ...made, actor, set, turn }
})

const rowOf = (id: string) =>
  Effect.flatMap(
    ExchangeOrderStore,
    (store) => Effect.flatMap(Effect.orDie(store.find(id)), (found) => Effect.orDie(Effect.fromOption(found)))
  )

/** Waits until the exchange has accepted this many orders. */
const taken = (there: Account, count: number) =>
  Effect.gen(function*() {
    while (there.orders.length < count) yield* Effect.sleep("5 millis")
  })

const placed = (desk: { readonly seen: () => ReadonlyArray<{ readonly method: string; readonly path: string }> }) =>
  desk.seen().filter(({ method, path }) => method === "POST" && path === "/api/v3/order").length

layer(Stage, { timeout: 240_000, excludeTestServices: true })("an exchange order", (it) => {
  for (
    const fault of ["timeoutAfterAcceptance", "serverError", "lateAcceptance"] as const satisfies ReadonlyArray<Fault>
  ) {
    it.effect(`that was accepted without a response (${fault}) is found by its id, sent once, and counted once`, () =>
      Effect.gen(function*() {
        const { desk, there, turn, wallet } = yield* scene
        desk.forget()
        desk.lateness = 1200
        desk.inject(fault, 1)
        const row = yield* turn("long")
        // An order that arrives too late is not accepted at all.
        if (fault === "lateAcceptance" && there.orders.length === 0) return assert.strictEqual(row.status, "lost")
        assert.deepInclude({ ...row }, { status: "closed", side: "buy" })
        assert.deepStrictEqual(there.orders.map(({ clientId }) => clientId), [row.clientId])
        assert.strictEqual(placed(desk), 1)
        assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
      }))
  }

  it.effect("that never arrived is abandoned once it would be too old, and the bot decides again under another id", () =>
    Effect.gen(function*() {
      const { actor, desk, there, turn } = yield* scene
      desk.inject("timeoutBefore", 1)
      const row = yield* turn("long")
      assert.strictEqual(row.status, "lost")
      assert.lengthOf(there.orders, 0)
      yield* actor.wake()
      yield* taken(there, 1)
      assert.notStrictEqual(there.orders[0]?.clientId, row.clientId)
    }))

  it.effect("that is sent late for any reason is too old for the exchange", () =>
    Effect.gen(function*() {
      const { credentials, there } = yield* scene
      const client = yield* Effect.flatMap(Ccxt, ({ holder }) =>
        holder({ exchange: "binance", testnet: false, credentials }))
      yield* client.balances
      const order = {
        symbol: "BTC/USDT",
        side: "buy",
        amount: BigDecimal.fromStringUnsafe("0.01"),
        limit: BigDecimal.fromStringUnsafe("51000"),
        clientId: "vlate"
      } as const
      const refused = yield* Effect.flip(client.place({ ...order, stamp: (yield* client.stamp) - 2 * windowMillis }))
      assert.match(refused.reason, /outside of the recvWindow/)
      assert.lengthOf(there.orders, 0)
      yield* client.place({ ...order, stamp: yield* client.stamp })
      assert.lengthOf(there.orders, 1)
    }))

  it.effect("is queried again when the exchange was unavailable for the first query", () =>
    Effect.gen(function*() {
      const { credentials, desk } = yield* scene
      const client = yield* Effect.flatMap(Ccxt, ({ holder }) =>
        holder({ exchange: "binance", testnet: false, credentials }))
      desk.inject("maintenance")
      yield* Effect.flip(client.find("BTC/USDT", "vnone"))
      desk.heal()
      assert.isTrue(Option.isNone(yield* client.find("BTC/USDT", "vnone")))
    }))

  it.effect("is sent once the exchange's clock is known, however wrong it is", () =>
    Effect.gen(function*() {
      const { actor, desk, set, there } = yield* scene
      desk.skew(45_000)
      const { intentId } = yield* set("long")
      const woken = Effect.forever(Effect.andThen(actor.wake(), Effect.sleep("50 millis")))
      yield* Effect.raceFirst(over(intentId), woken).pipe(Effect.ensuring(Effect.sync(() => desk.skew(0))))
      assert.strictEqual((yield* rowOf(intentId)).status, "closed")
      assert.lengthOf(there.orders, 1)
    }))

  it.effect("that is half filled is recorded as half, and the bot trades the rest at a later check", () =>
    Effect.gen(function*() {
      const { actor, desk, there, turn, wallet } = yield* scene
      desk.inject("partialFill", 1)
      const row = yield* turn("long")
      assert.match(row.message ?? "", /^Bought 0\.0\d+ BTC for .* The rest of 0\.\d+ BTC expired\.$/)
      yield* actor.wake()
      yield* taken(there, 2)
      yield* actor.wake()
      const { intentId } = yield* persisting(actor.setSide({ ...terms, wallet, side: "long" }))
      yield* over(intentId)
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
      const whole = BigDecimal.fromStringUnsafe(held({ there })["USDT"] ?? "")
      assert.isTrue(BigDecimal.isLessThan(whole, BigDecimal.fromStringUnsafe("100")), "about all of it is BTC")
    }))

  it.effect("survives its actor at any point: the next actor queries it and never sends it again", () =>
    Effect.gen(function*() {
      const { desk, id, there, wallet } = yield* scene
      desk.inject("timeoutAfterAcceptance", 1)
      desk.forget()
      const scope = yield* Scope.make()
      const actor = yield* Scope.provide(life(id), scope)
      const { intentId } = yield* persisting(actor.setSide({ ...terms, wallet, side: "long" }))
      yield* taken(there, 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* rowOf(intentId)).status, "sending")
      yield* Effect.flatMap(life(id), (next) => next.wake())
      yield* over(intentId)
      assert.strictEqual((yield* rowOf(intentId)).status, "closed")
      assert.strictEqual(placed(desk), 1)
      assert.lengthOf(there.orders, 1)
    }))

  it.effect("is sent by only one of two actors of the same account", () =>
    Effect.gen(function*() {
      const { desk, id, there, wallet } = yield* scene
      desk.forget()
      const [one, other] = yield* Effect.all([life(id), life(id)])
      const { intentId } = yield* persisting(one.setSide({ ...terms, wallet, side: "long" }))
      yield* Effect.all([one.wake(), other.wake(), other.wake()], { concurrency: "unbounded" })
      yield* over(intentId)
      yield* Effect.all([one.wake(), other.wake()], { concurrency: "unbounded" })
      assert.strictEqual(placed(desk), 1)
      assert.deepStrictEqual(held({ there }), yield* implied(wallet, first))
    }))

  it.effect("is not sent while a kill switch is on, and the turn reports it", () =>
    Effect.gen(function*() {
      const { there, turn, wallet } = yield* scene
      const { pause, resume } = yield* Effect.provide(KillSwitch, KillSwitch.layer)
      yield* Effect.orDie(pause(`wallet/${wallet}`, "audit"))
      const row = yield* turn("long")
      assert.deepStrictEqual(
        Option.fromNullishOr(row.failure),
        Option.some({ errorType: "paused", message: "Signing is stopped for this wallet (audit). Nothing was sent." })
      )
      assert.lengthOf(there.orders, 0)
      yield* Effect.orDie(resume(`wallet/${wallet}`))
      assert.strictEqual((yield* turn("neutral")).status, "held")
    }))
})
