import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import * as Cause from "effect/Cause"
import { LedgerUnknown } from "@vault-trader/server/wire/ServiceUnavailable"
import { limited } from "../../src/RepeatedEntries.ts"

const away = (why: string) =>
  Cause.die(new SqlError({ reason: new ConnectionError({ cause: new Error(why), message: "no connection" }) }))

/** Logs through a limited logger; returns what was written. */
const logged = (work: Effect.Effect<void>) =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const scope = yield* Scope.make()
    const logger = yield* Scope.provide(limited(Logger.make(({ message }) => void lines.push(String(message)))), scope)
    yield* Effect.provide(work, Logger.layer([logger]))
    yield* Scope.close(scope, Exit.void)
    return lines
  })

const failed = (text: string, cause: Cause.Cause<unknown>) => Effect.logError(text, cause)

describe("log entries about the database", () => {
  it.effect("are written once a second and cause, with their number", () =>
    Effect.gen(function*() {
      const lines = yield* logged(Effect.gen(function*() {
        for (let second = 0; second < 3; second += 1) {
          for (let n = 0; n < 100; n += 1) {
            yield* failed(`request ${second}.${n}`, away("refused"))
            yield* failed(`round ${second}.${n}`, away("reset"))
          }
          yield* TestClock.adjust("1 second")
        }
      }))
      const counted = "(the last of 99 entries of this cause)"
      const more = "(the last of 100 entries of this cause)"
      assert.deepStrictEqual(lines, [
        "request 0.0",
        "round 0.0",
        `request 0.99 ${counted}`,
        `round 0.99 ${counted}`,
        `request 1.99 ${more}`,
        `round 1.99 ${more}`,
        `request 2.99 ${more}`,
        `round 2.99 ${more}`
      ])
    }))

  it.effect("begin again after a second without any, and the last ones are written when the process ends", () =>
    Effect.gen(function*() {
      const lines = yield* logged(Effect.gen(function*() {
        yield* failed("first", away("refused"))
        yield* TestClock.adjust("2 seconds")
        yield* failed("second", away("refused"))
        yield* failed("third", away("refused"))
      }))
      assert.deepStrictEqual(lines, ["first", "second", "third"])
    }))

  it.effect("hide no bug, no other level, and no entry without a cause", () =>
    Effect.gen(function*() {
      const lines = yield* logged(Effect.gen(function*() {
        for (const name of ["one", "two"]) {
          yield* failed(`bug ${name}`, Cause.die(new Error("a bug")))
          yield* Effect.logWarning(`plain ${name}`)
        }
        yield* failed("error", away("refused"))
        yield* Effect.logWarning("warning", away("refused"))
        yield* failed("unknown", Cause.die(new LedgerUnknown()))
        yield* failed("unknown again", Cause.die(new LedgerUnknown()))
      }))
      assert.deepStrictEqual(lines, [
        "bug one",
        "plain one",
        "bug two",
        "plain two",
        "error",
        "warning",
        "unknown",
        "unknown again"
      ])
    }))
})
