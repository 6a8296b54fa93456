import { assert, describe, it } from "@effect/vitest"
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import type { Address } from "@vault-trader/core/chain/Address"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { LedgerUnknown } from "../../src/wire/ServiceUnavailable.ts"
import * as RequestState from "../../src/wire/RequestState.ts"
import { IdempotentWrites } from "../../src/gate/IdempotentWrites.ts"

const wallet: Address = `0x${"aa".repeat(20)}`
const name = { ledger: "requests", text: "k" } as const
const nothingSent = new ExecutionFailure({ errorType: "rpc_unavailable", message: "The node hangs. Nothing was sent." })

const gone = new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })

/** An in-memory ledger that fails while it is unavailable. */
const scene = Effect.gen(function*() {
  const ledger = { id: undefined as string | undefined, isAway: false }
  const stores = Layer.merge(
    Layer.mock(ChargeStore, {}),
    Layer.mock(IntentStore, {
      findByIdempotencyKey: () =>
        Effect.suspend(() => ledger.isAway ? gone : Effect.succeed(Option.fromNullishOr(ledger.id)))
    })
  )
  const writes = yield* Effect.provide(IdempotentWrites, Layer.provide(IdempotentWrites.layer, stores))
  /** A request with the key. `work` is its admission and handler, run if the key is unused. */
  const request = (work: Effect.Effect<string, ExecutionFailure>, how: Partial<RequestState.State> = {}) =>
    Effect.flatMap(
      RequestState.begin,
      (state) =>
        writes.settled(Effect.flatMap(
          writes.named(wallet, name),
          Option.match({ onNone: () => work, onSome: (id) => Effect.succeed(`ledger: ${id}`) })
        )).pipe(
          Effect.provideService(RequestState.RequestState, { ...state, name, ...how })
        )
    )
  /** Commits the request to the ledger. */
  const accept = Effect.andThen(Effect.sync(() => ledger.id = "0190-1"), RequestState.note("settled"))
  return { ledger, request, accept }
})

const defectOf = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.isFailure(exit) ? Result.getOrUndefined(Cause.findDefect(exit.cause)) : undefined

describe("a write with an idempotency key", () => {
  it.effect("is refused as without a key, when the ledger does not have the key", () =>
    Effect.gen(function*() {
      const { request } = yield* scene
      assert.strictEqual(yield* Effect.flip(request(nothingSent)), nothingSent)
    }))

  it.effect("is answered from the ledger when it was accepted elsewhere while this request failed", () =>
    Effect.gen(function*() {
      const { ledger, request } = yield* scene
      const meanwhile = Effect.andThen(Effect.sync(() => ledger.id = "0190-1"), nothingSent)
      assert.strictEqual(yield* request(meanwhile), "ledger: 0190-1")
    }))

  it.effect("is not refused while another request with the key may still be accepted", () =>
    Effect.gen(function*() {
      const { accept, request } = yield* scene
      const nodeAnswers = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        request(Deferred.await(nodeAnswers).pipe(Effect.andThen(accept), Effect.as("accepted")))
      )
      yield* Effect.yieldNow
      const second = yield* Effect.forkChild(request(nothingSent))
      yield* TestClock.adjust("10 seconds")
      assert.isUndefined(second.pollUnsafe())
      yield* Deferred.succeed(nodeAnswers, undefined)
      assert.strictEqual(yield* Fiber.join(first), "accepted")
      assert.strictEqual(yield* Fiber.join(second), "ledger: 0190-1")
    }))

  it.effect("is not refused while the commit of a request whose caller disconnected is in progress", () =>
    Effect.gen(function*() {
      const { accept, request } = yield* scene
      const [begun, databaseAnswers] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const commit = RequestState.committed(
        Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(databaseAnswers)), Effect.andThen(accept))
      )
      const first = yield* Effect.forkChild(request(Effect.as(commit, "accepted")))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      const second = yield* Effect.forkChild(request(nothingSent))
      yield* TestClock.adjust("10 seconds")
      assert.isUndefined(second.pollUnsafe())
      yield* Deferred.succeed(databaseAnswers, undefined)
      assert.strictEqual(yield* Fiber.join(second), "ledger: 0190-1")
    }))

  it.effect("is reported as unknown when another request with the key is still in progress at its deadline", () =>
    Effect.gen(function*() {
      const { request } = yield* scene
      yield* Effect.forkChild(request(Effect.never))
      yield* Effect.yieldNow
      const second = yield* Effect.forkChild(Effect.exit(request(nothingSent)))
      yield* TestClock.adjust("25 seconds")
      assert.instanceOf(defectOf(yield* Fiber.join(second)), LedgerUnknown)
    }))

  it.effect("does not wait for another request that fails as well", () =>
    Effect.gen(function*() {
      const { request } = yield* scene
      const failures = yield* Effect.all([Effect.flip(request(nothingSent)), Effect.flip(request(nothingSent))], {
        concurrency: 2
      })
      assert.deepStrictEqual(failures, [nothingSent, nothingSent])
    }))

  it.effect("is reported as unknown when an actor may have made its change and the ledger does not have it", () =>
    Effect.gen(function*() {
      const { request } = yield* scene
      const exit = yield* Effect.exit(request(Effect.andThen(RequestState.note("doubtful"), nothingSent)))
      assert.instanceOf(defectOf(exit), LedgerUnknown)
    }))

  it.effect("ends in the database's failure when the ledger cannot be queried, at first or again", () =>
    Effect.gen(function*() {
      const { ledger, request } = yield* scene
      const goesAway = Effect.andThen(Effect.sync(() => ledger.isAway = true), nothingSent)
      assert.instanceOf(defectOf(yield* Effect.exit(request(goesAway))), SqlError)
      assert.instanceOf(defectOf(yield* Effect.exit(request(Effect.succeed("accepted")))), SqlError)
    }))

  it.effect("releases its claim however it ends", () =>
    Effect.gen(function*() {
      const { request } = yield* scene
      const interrupted = yield* Effect.forkChild(request(Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(interrupted)
      yield* Effect.exit(request(Effect.die("a bug")))
      assert.strictEqual(yield* Effect.flip(request(nothingSent)), nothingSent)
    }))
})
