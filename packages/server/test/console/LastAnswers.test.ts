import { assert, describe, it } from "@effect/vitest"
import { ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as LastAnswers from "../../src/console/LastAnswers.ts"
import { follow } from "../../src/console/LiveStreams.ts"

const manager = `0x${"1".repeat(40)}` as const
const composition = {
  ...{ manager, network: null, name: "wallet.poolComposition" },
  payload: { wallet: `0x${"2".repeat(40)}`, network: "base", pool: `0x${"3".repeat(40)}` }
}
const unreachable = new ExecutionFailure({
  errorType: "rpc_unavailable",
  message: "The base network cannot be reached."
})
const refused = new ValidationFailure({ code: "1005", message: "The wallet is not in your list." })
const dayMillis = 24 * 60 * 60_000

/** Collects the items of a new stream up to its first read, and its failure, where it ends with one. */
const opened = (last: LastAnswers.LastAnswer, answer: Effect.Effect<unknown, Failure>) =>
  Effect.gen(function*() {
    const items = new Array<unknown>()
    const stream = follow({
      ...{ last, load: answer, takesPatches: true },
      textOf: (data) => Effect.succeed(JSON.stringify(data)),
      changed: yield* Queue.sliding<void>(1)
    })
    yield* stream.pipe(
      Stream.takeUntil(({ read_at }) => read_at === undefined),
      Stream.runForEach((item) => Effect.sync(() => items.push(item))),
      Effect.catch((failure) => Effect.sync(() => items.push(failure)))
    )
    return items
  })

describe("the last answer of a network", () => {
  it.effect("precedes the failure of a stream that is opened while the network does not answer", () =>
    Effect.gen(function*() {
      const { of } = LastAnswers.make()
      assert.deepStrictEqual(yield* opened(of(composition), Effect.fail(unreachable)), [unreachable])
      yield* TestClock.setTime(1_000)
      assert.deepStrictEqual(yield* opened(of(composition), Effect.succeed({ total: 1 })), [{ data: { total: 1 } }])
      yield* TestClock.setTime(2_000)
      assert.deepStrictEqual(yield* opened(of(composition), Effect.succeed({ total: 2 })), [{ data: { total: 2 } }])
      yield* TestClock.setTime(3_000)
      assert.deepStrictEqual(yield* opened(of(composition), Effect.fail(unreachable)), [
        { data: { total: 2 }, read_at: 2_000 },
        unreachable
      ])
    }))

  it.effect("is current for as long as a stream reads it unchanged", () =>
    Effect.gen(function*() {
      const last = LastAnswers.make().of(composition)
      const changed = yield* Queue.unbounded<void>()
      yield* TestClock.setTime(1_000)
      const stream = follow({
        ...{ changed, last, takesPatches: true },
        load: Effect.succeed(1),
        textOf: () => Effect.succeed("1")
      })
      yield* Stream.runDrain(Stream.take(
        Stream.tap(stream, () => Effect.andThen(TestClock.adjust(500), Queue.offer(changed, undefined))),
        3
      ))
      assert.deepStrictEqual((yield* opened(last, Effect.fail(unreachable)))[0], { data: 1, read_at: 2_000 })
    }))

  it.effect("is not given to another manager, to another read, or with a refusal", () =>
    Effect.gen(function*() {
      const { of } = LastAnswers.make()
      yield* opened(of(composition), Effect.succeed("mine"))
      const others = [
        { ...composition, manager: `0x${"9".repeat(40)}` as const },
        { ...composition, network: "base" },
        { ...composition, name: "wallet.isPoolTrader" },
        { ...composition, payload: { ...composition.payload, network: "optimism" } }
      ]
      for (const other of others) {
        assert.deepStrictEqual(yield* opened(of(other), Effect.fail(unreachable)), [unreachable])
      }
      assert.deepStrictEqual(yield* opened(of(composition), Effect.fail(refused)), [refused])
    }))

  it.effect("is too old after a day", () =>
    Effect.gen(function*() {
      const { of } = LastAnswers.make()
      yield* opened(of(composition), Effect.succeed("old"))
      yield* TestClock.setTime(dayMillis)
      assert.strictEqual((yield* opened(of(composition), Effect.fail(unreachable))).length, 2)
      yield* TestClock.setTime(dayMillis + 1)
      assert.deepStrictEqual(yield* opened(of(composition), Effect.fail(unreachable)), [unreachable])
    }))

  it.effect("is the last whole one, where a read answers without what it could not read", () =>
    Effect.gen(function*() {
      const last = LastAnswers.make().of({ manager, network: null, name: "gasBalances", payload: { network: "base" } })
      const whole = [{ balance: "1" }, { balance: "2" }]
      const partial = [{ balance: "1" }, { balance: null }]
      yield* opened(last, Effect.succeed(whole))
      const expected = [{ data: whole, read_at: 0 }, { data: partial }]
      assert.deepStrictEqual(yield* opened(last, Effect.succeed(partial)), expected)
      assert.deepStrictEqual(yield* opened(last, Effect.succeed(partial)), expected)
    }))

  it.effect("is not kept of reads about no network, and makes room for newer ones", () =>
    Effect.gen(function*() {
      const { of } = LastAnswers.make()
      const wallets = { manager, network: null, name: "manager.getAssociatedGasWallets", payload: {} }
      yield* opened(of(wallets), Effect.succeed("all"))
      assert.deepStrictEqual(yield* opened(of(wallets), Effect.fail(unreachable)), [unreachable])
      const numbered = (pool: number) => of({ ...composition, payload: { ...composition.payload, pool } })
      for (let pool = 0; pool <= 16; pool++) numbered(pool).note({ data: pool, size: 1_000_000, now: 0 })
      assert.deepStrictEqual(yield* opened(numbered(0), Effect.fail(unreachable)), [unreachable])
      assert.deepStrictEqual((yield* opened(numbered(1), Effect.fail(unreachable)))[0], { data: 1, read_at: 0 })
      // Noted again, an answer counts once.
      for (let times = 0; times < 20; times++) numbered(1).note({ data: times, size: 1_000_000, now: 0 })
      assert.deepStrictEqual((yield* opened(numbered(2), Effect.fail(unreachable)))[0], { data: 2, read_at: 0 })
    }))
})
