import { assert, describe, it } from "@effect/vitest"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Cause from "effect/Cause"
import { AlreadyProcessingMessage, MailboxFull, PersistenceError } from "effect/cluster/ClusterError"
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as EntityType from "effect/cluster/EntityType"
import * as ShardId from "effect/cluster/ShardId"
import * as Snowflake from "effect/cluster/Snowflake"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { read, awaitOutcome, write, query } from "../../src/gate/ActorCall.ts"

const address = EntityAddress.EntityAddress.make({
  shardId: ShardId.make("default", 1),
  entityType: EntityType.EntityType.make("Vault"),
  entityId: EntityId.make("base/0x01")
})

describe("asking an actor", () => {
  it.effect("tells a full mailbox, and whatever else keeps it from being asked, as busy with nothing accepted", () =>
    Effect.forEach([
      new MailboxFull({ address }),
      new AlreadyProcessingMessage({ address, envelopeId: Snowflake.Snowflake("1") }),
      new PersistenceError({ cause: "gone" })
    ], (unreachable) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(read(Effect.fail(unreachable)))
        assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "busy")
        assert.include(failure.message, "nothing was accepted")
      })))

  it.effect("tells an actor that ends on the way as busy, and leaves its caller's own end alone", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(read(Effect.interrupt))
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "busy")
      const fiber = yield* Effect.forkChild(read(Effect.never))
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }))

  it.effect("does not say of a change whose actor ends on the way, or is silent, that it was not made", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(write(Effect.interrupt))
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "busy")
      assert.include(failure.message, "not known whether the change was made")
      const late = yield* Effect.forkChild(Effect.flip(write(Effect.never)))
      yield* TestClock.adjust("20 seconds")
      const silence = yield* Fiber.join(late)
      assert.strictEqual(silence._tag === "ExecutionFailure" ? silence.errorType : silence.code, "rpc_unavailable")
      assert.include(silence.message, "not known whether the change was made")
      assert.include((yield* Effect.flip(write(Effect.fail(new MailboxFull({ address }))))).message, "nothing was accepted")
    }))

  it.effect("tells silence as rpc_unavailable, after a while", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Effect.flip(read(Effect.never)))
      yield* TestClock.adjust("20 seconds")
      const failure = yield* Fiber.join(fiber)
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "rpc_unavailable")
    }))

  it.effect("hands on what the actor itself says, and its bugs", () =>
    Effect.gen(function*() {
      const refused = new ValidationFailure({ code: "1004", message: "pool: is none" })
      const failed = new ExecutionFailure({ errorType: "vault_paused", message: "It is paused." })
      assert.strictEqual(yield* Effect.flip(read(Effect.fail(refused))), refused)
      assert.strictEqual(yield* Effect.flip(read(Effect.fail(failed))), failed)
      const exit = yield* Effect.exit(read(Effect.die("a bug")))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))
})

describe("waiting for what an actor makes of a committed request", () => {
  const waiting = { ending: { started: Effect.never, track: (request) => request, drain: Effect.void }, seconds: 25 } satisfies Parameters<typeof awaitOutcome>[1]
  /** An actor that moves so many times before it answers. */
  const moving = (times: number) => {
    let asked = 0
    return Effect.suspend(() => asked++ < times ? Effect.interrupt : Effect.succeed(asked))
  }

  it.effect("asks again, wherever the actor lives then, when it ends on the way", () =>
    Effect.gen(function*() {
      const answer = yield* Effect.forkChild(awaitOutcome(moving(3), waiting))
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* Fiber.join(answer), Option.some(4))
    }))

  it.effect("says pending when it goes on moving for as long as an answer may take", () =>
    Effect.gen(function*() {
      const answer = yield* Effect.forkChild(awaitOutcome(moving(Infinity), waiting))
      yield* TestClock.adjust("24 seconds")
      assert.isUndefined(answer.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(answer), Option.none())
    }))

  it.effect("leaves its caller's own end alone", () =>
    Effect.gen(function*() {
      const caller = yield* Effect.forkChild(awaitOutcome(Effect.never, waiting))
      yield* Fiber.interrupt(caller)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(caller)))
    }))
})

describe("asking the database", () => {
  it.effect("ends as a failing database when it says nothing", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Effect.exit(query(Effect.never)))
      yield* TestClock.adjust("10 seconds")
      const exit = yield* Fiber.join(fiber)
      assert.isTrue(Exit.isFailure(exit) && exit.cause.reasons.every((reason) => Cause.isDieReason(reason) && reason.defect instanceof SqlError))
    }))
})
