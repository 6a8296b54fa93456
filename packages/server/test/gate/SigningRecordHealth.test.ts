import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as HealthChecks from "../../src/gate/HealthChecks.ts"

/** A database that accepts writes and has a runner. */
const sql = (() => Effect.succeed([{ alive: true }])) as never

describe("the readiness of a process that signs", () => {
  it.effect("follows its signing record; a process without one does not list it", () =>
    Effect.gen(function*() {
      let state: "ok" | "not writable" = "ok"
      const own = yield* HealthChecks.make(["base"], () => Effect.succeed("ok" as const)).pipe(
        Effect.provideService(HealthChecks.ProcessChecks, { signingRecord: Effect.sync(() => state) })
      )
      const checks = { database: "ok", runners: "ok", networks: { base: "ok" } } as const
      assert.deepStrictEqual(yield* own(undefined), { status: "ready", checks: { ...checks, signingRecord: "ok" } })
      state = "not writable"
      assert.deepStrictEqual(yield* own("base"), {
        status: "not ready",
        reason: "signing record",
        checks: { ...checks, signingRecord: "not writable" }
      })
      const remote = yield* HealthChecks.make(["base"], () => Effect.succeed("ok" as const)).pipe(
        Effect.provideService(HealthChecks.ProcessChecks, {
          signer: Effect.succeed("no answer" as const),
          signingRecord: Effect.succeed("ok" as const)
        })
      )
      assert.deepStrictEqual(yield* remote(undefined), {
        status: "not ready",
        reason: "signer",
        checks: { ...checks, signer: "no answer", signingRecord: "ok" }
      })
      const without = yield* HealthChecks.make(["base"], () => Effect.succeed("ok" as const))
      assert.deepStrictEqual(yield* without(undefined), { status: "ready", checks })
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql)))
})
