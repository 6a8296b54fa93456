import { assert, describe, it } from "@effect/vitest"
import { LastUseStore, type TimedUse } from "@vault-trader/core/gas-wallet/LastUseStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { LastUse } from "../../src/gate/LastUse.ts"

const gone = new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })

/** A service over a store that records its batches; it fails while `fails` says so. */
const recorded = (batches: Array<ReadonlyArray<TimedUse>>, fails: () => boolean = () => false) =>
  LastUse.layer.pipe(
    Layer.provide(Layer.succeed(LastUseStore, {
      put: (uses) =>
        Effect.suspend(() => {
          batches.push(uses)
          return fails() ? Effect.fail(gone) : Effect.void
        })
    }))
  )

describe("LastUse", () => {
  it.effect("stores a thousand uses of a minute in one write, and a use of the next minute again", () => {
    const batches: Array<ReadonlyArray<TimedUse>> = []
    return Effect.gen(function*() {
      const { note } = yield* LastUse
      for (let use = 0; use < 1_000; use++) yield* note({ _tag: "key", id: "one" })
      yield* note({ _tag: "session", id: "one" })
      assert.deepStrictEqual(batches, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(batches.map((uses) => uses.map(({ _tag, id }) => `${_tag} ${id}`)), [[
        "key one",
        "session one"
      ]])
      yield* note({ _tag: "key", id: "one" })
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(batches, 1)
      yield* TestClock.adjust("1 minute")
      yield* note({ _tag: "key", id: "one" })
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(batches.map((uses) => uses.length), [2, 1])
    }).pipe(Effect.provide(recorded(batches)))
  })

  it.effect("stores a manager's uses of two wallets separately", () => {
    const batches: Array<ReadonlyArray<TimedUse>> = []
    return Effect.gen(function*() {
      const { note } = yield* LastUse
      const id = `0x${"aa".repeat(20)}` as const
      for (const byte of ["01", "02", "01"]) yield* note({ _tag: "manager", id, wallet: `0x${byte.repeat(20)}` })
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf(batches[0] ?? [], 2)
    }).pipe(Effect.provide(recorded(batches)))
  })

  it.effect("forgets what a failing database does not store, and continues", () => {
    const batches: Array<ReadonlyArray<TimedUse>> = []
    let fails = true
    return Effect.gen(function*() {
      const { note } = yield* LastUse
      yield* note({ _tag: "key", id: "one" })
      yield* TestClock.adjust("1 minute")
      fails = false
      yield* note({ _tag: "key", id: "one" })
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf(batches, 2)
    }).pipe(Effect.provide(recorded(batches, () => fails)))
  })
})
