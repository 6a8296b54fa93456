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

describe("calling an actor", () => {
  it.effect("reports a full mailbox, and other delivery failures, as busy with nothing accepted", () =>
    Effect.forEach([
      new MailboxFull({ address }),
      new AlreadyProcessingMessage({ address, envelopeId: Snowflake.Snowflake("1") }),
      new PersistenceError({ cause: "gone" })
    ], (unreachable) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(read(Effect.fail(unreachable)))
        assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "busy")
        assert.include(failure.message, "Nothing was accepted")
      })))

  it.effect("reports an actor that stops as busy, and does not catch its caller's interruption", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(read(Effect.interrupt))
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "busy")
      const fiber = yield* Effect.forkChild(read(Effect.never))
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }))

  it.effect("does not claim that a change was not made if its actor stops or is silent", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(write(Effect.interrupt))
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "busy")
      assert.include(failure.message, "not known whether the change was made")
      const late = yield* Effect.forkChild(Effect.flip(write(Effect.never)))
      yield* TestClock.adjust("20 seconds")
      const silence = yield* Fiber.join(late)
      assert.strictEqual(silence._tag === "ExecutionFailure" ? silence.errorType : silence.code, "rpc_unavailable")
      assert.include(silence.message, "not known whether the change was made")
      assert.include(
        (yield* Effect.flip(write(Effect.fail(new MailboxFull({ address }))))).message,
        "Nothing was accepted"
      )
    }))

  it.effect("reports a silent actor as rpc_unavailable after the timeout", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Effect.flip(read(Effect.never)))
      yield* TestClock.adjust("20 seconds")
      const failure = yield* Fiber.join(fiber)
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure.code, "rpc_unavailable")
    }))

  it.effect("passes on the actor's failures and defects", () =>
    Effect.gen(function*() {
      const refused = new ValidationFailure({ code: "1004", message: "pool: is none" })
      const failed = new ExecutionFailure({ errorType: "vault_paused", message: "It is paused." })
      assert.strictEqual(yield* Effect.flip(read(Effect.fail(refused))), refused)
      assert.strictEqual(yield* Effect.flip(read(Effect.fail(failed))), failed)
      const exit = yield* Effect.exit(read(Effect.die("a bug")))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))
})

describe("waiting for the outcome of a committed request", () => {
  const waiting = {
    ending: { started: Effect.never, track: (request) => request, enter: () => () => undefined, drain: Effect.void },
    seconds: 25
  } satisfies Parameters<typeof awaitOutcome>[1]
  /** An actor that moves the given number of times before it answers. */
  const moving = (times: number) => {
    let calls = 0
    return Effect.suspend(() => calls++ < times ? Effect.interrupt : Effect.succeed(calls))
  }

  it.effect("calls again, on the actor's new runner, when the actor stops", () =>
    Effect.gen(function*() {
      const answer = yield* Effect.forkChild(awaitOutcome(moving(3), waiting))
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* Fiber.join(answer), Option.some(4))
    }))

  it.effect("returns none when the actor keeps moving until the timeout", () =>
    Effect.gen(function*() {
      const answer = yield* Effect.forkChild(awaitOutcome(moving(Infinity), waiting))
      yield* TestClock.adjust("24 seconds")
      assert.isUndefined(answer.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(answer), Option.none())
    }))

  it.effect("does not catch its caller's interruption", () =>
    Effect.gen(function*() {
      const caller = yield* Effect.forkChild(awaitOutcome(Effect.never, waiting))
      yield* Fiber.interrupt(caller)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(caller)))
    }))
})

describe("querying the database", () => {
  it.effect("fails like a failing database when it does not respond", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Effect.exit(query(Effect.never)))
      yield* TestClock.adjust("10 seconds")
      const exit = yield* Fiber.join(fiber)
      assert.isTrue(
        Exit.isFailure(exit) &&
          exit.cause.reasons.every((reason) => Cause.isDieReason(reason) && reason.defect instanceof SqlError)
      )
    }))
})
