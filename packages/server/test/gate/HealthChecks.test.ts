import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { bounded, make } from "../../src/gate/HealthChecks.ts"

/** A database that answers the write probe with this result, and of whose runners one is alive or none. */
const databaseOf = (probe: Effect.Effect<unknown, SqlError>, isRunnerAlive: boolean) => {
  const sql = (strings: TemplateStringsArray | string) =>
    String(strings).includes("write_probes") ? probe : Effect.succeed([{ alive: isRunnerAlive }])
  return sql as never
}

const failure = (code: string) => Object.assign(new Error("PostgreSQL"), { code })
const diskFull = new SqlError({ reason: new UnknownError({ cause: failure("53100"), message: "no space" }) })
const stopping = new SqlError({ reason: new ConnectionError({ cause: failure("57P01"), message: "stopping" }) })

describe("readiness", () => {
  const readyWith = (probe: Effect.Effect<unknown, SqlError>, isRunnerAlive: boolean) =>
    Effect.flatMap(make(["base"], () => Effect.succeed("ok" as const)), (check) => check(undefined)).pipe(
      Effect.provideService(SqlClient.SqlClient, databaseOf(probe, isRunnerAlive))
    )

  it.effect("needs a runner whose heartbeat is fresh", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* readyWith(Effect.void, true)).status, "ready")
      const { checks, reason, status } = yield* readyWith(Effect.void, false)
      assert.deepStrictEqual([status, reason, checks.runners], ["not ready", "runners", "none"])
    }))

  it.effect("is degraded while a network's endpoints contradict each other", () =>
    Effect.gen(function*() {
      const check = yield* make(["base"], () => Effect.succeed("disputed" as const))
      const { checks, status } = yield* check("base")
      assert.deepStrictEqual([status, checks.networks.base], ["degraded", "disputed"])
    }).pipe(Effect.provideService(SqlClient.SqlClient, databaseOf(Effect.void, true))))

  it.effect("needs a database that takes writes, and says whether it refuses them or does not answer", () =>
    Effect.gen(function*() {
      for (const [error, state] of [[diskFull, "no writes"], [stopping, "no answer"]] as const) {
        const { checks, reason, status } = yield* readyWith(error, true)
        assert.deepStrictEqual([status, reason, checks.database], ["not ready", "database", state])
      }
    }))
})

describe("a bounded check", () => {
  it.effect("has no result after two seconds, although the statement cannot be interrupted, and starts again after ten", () =>
    Effect.gen(function*() {
      let runs = 0
      const check = yield* bounded(Effect.uninterruptible(Effect.suspend(() => {
        runs++
        return runs === 1 ? Effect.delay(Effect.succeed("late"), "1 hour") : Effect.succeed("answered")
      })))
      for (const seconds of [0, 2, 4]) {
        const fiber = yield* Effect.forkChild(check)
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(yield* Fiber.join(fiber), Option.none(), `${seconds}`)
      }
      assert.strictEqual(runs, 1)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* check, Option.some("answered"))
      assert.strictEqual(runs, 2)
      yield* TestClock.adjust("1 hour")
    }))

  it.effect("runs once for concurrent callers, and again a second later", () =>
    Effect.gen(function*() {
      let runs = 0
      const check = yield* bounded(Effect.delay(Effect.sync(() => ++runs), "1 second"))
      const all = yield* Effect.forkChild(Effect.all([check, check, check], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(all), [Option.some(1), Option.some(1), Option.some(1)])
      yield* TestClock.adjust("1 second")
      const later = yield* Effect.forkChild(check)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(later), Option.some(2))
    }))
})
