import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Notifications } from "@vault-trader/core/storage/Notifications"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { KeyCache } from "../../src/gate/KeyCache.ts"

const wallet: Address = `0x${"ab".repeat(20)}`
const key = Redacted.make("6f9619ff-8b86-4011-b42d-00c04fc964ff")
const caller = { keyId: "key", wallet }

/** A database that notifies: its state, and the services that use it. */
const database = Effect.sync(() => {
  const state = { isSilent: false, listeners: [] as Array<Queue.Queue<string, SqlError>> }
  const notify = (payload: string) =>
    Effect.forEach(state.listeners, (listener) => Queue.offer(listener, payload), { discard: true })
  const end = Effect.suspend(() => {
    const gone = new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })
    return Effect.forEach(state.listeners.splice(0), (listener) => Queue.fail(listener, gone), { discard: true })
  })
  const sql = (_: unknown, __: string, payload: string) => state.isSilent ? Effect.void : notify(payload)
  const services = Layer.mergeAll(
    // The cache only notifies through it.
    Layer.succeed(SqlClient.SqlClient, sql as never),
    Layer.succeed(Notifications, {
      listen: () =>
        Effect.gen(function*() {
          const queue = yield* Queue.unbounded<string, SqlError>()
          state.listeners.push(queue)
          return queue
        }).pipe(Effect.map(Queue.take))
    })
  )
  return { state, notify, end, layer: KeyCache.layer.pipe(Layer.provide(services)) }
})

/** Looks the key up; the second result is the number of lookups that reached the store so far. */
const lookups = () => {
  let count = 0
  const read = Effect.sync(() => {
    count++
    return Option.some(caller)
  })
  return (lookup = read) =>
    Effect.flatMap(KeyCache, (cache) => Effect.map(cache.caller(key, lookup), (found) => [found, count] as const))
}

const found = Option.some(caller)

describe("the keys in memory", () => {
  it.effect("serve further reads, and are forgotten by the notification of their end and by their own server", () =>
    Effect.gen(function*() {
      const { layer, notify } = yield* database
      yield* Effect.gen(function*() {
        const ask = lookups()
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* ask(), [found, 1])
        assert.deepStrictEqual(yield* ask(), [found, 1])
        yield* notify(`ended/0x${"cd".repeat(20)}`)
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(yield* ask(), [found, 1])
        yield* notify(`ended/${wallet}`)
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(yield* ask(), [found, 2])
        yield* (yield* KeyCache).forget(wallet)
        assert.deepStrictEqual(yield* ask(), [found, 3])
      }).pipe(Effect.provide(layer))
    }))

  it.effect("does not keep a caller whose key may have ended while it was looked up, nor an unknown key", () =>
    Effect.gen(function*() {
      const { layer } = yield* database
      yield* Effect.gen(function*() {
        const ask = lookups()
        const cache = yield* KeyCache
        yield* TestClock.adjust("1 second")
        yield* ask(Effect.as(cache.forget(wallet), found))
        yield* ask(Effect.succeedNone)
        assert.deepStrictEqual(yield* ask(), [found, 1])
      }).pipe(Effect.provide(layer))
    }))

  it.effect("are not used once notifications of its own have not come back for four seconds, and again after one has", () =>
    Effect.gen(function*() {
      const { layer, state } = yield* database
      yield* Effect.gen(function*() {
        const ask = lookups()
        yield* TestClock.adjust("1 second")
        yield* ask()
        state.isSilent = true
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* ask(), [found, 1])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* ask(), [found, 2])
        state.isSilent = false
        yield* TestClock.adjust("1 second")
        yield* ask()
        assert.deepStrictEqual(yield* ask(), [found, 2])
      }).pipe(Effect.provide(layer))
    }))

  it.effect("are cleared when the connection ends, which is opened again", () =>
    Effect.gen(function*() {
      const { end, layer } = yield* database
      yield* Effect.gen(function*() {
        const ask = lookups()
        yield* TestClock.adjust("1 second")
        yield* ask()
        yield* end
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(yield* ask(), [found, 2])
        assert.deepStrictEqual(yield* ask(), [found, 3])
        yield* TestClock.adjust("2 seconds")
        yield* ask()
        assert.deepStrictEqual(yield* ask(), [found, 4])
      }).pipe(Effect.provide(layer))
    }))

  it.effect("are not kept where the database does not notify", () =>
    Effect.gen(function*() {
      const ask = lookups()
      yield* TestClock.adjust("1 second")
      yield* ask()
      assert.deepStrictEqual(yield* ask(), [found, 2])
    }).pipe(
      Effect.provide(Layer.provide(KeyCache.layer, Layer.succeed(SqlClient.SqlClient, (() => Effect.void) as never)))
    ))
})
