import { assert, describe, it } from "@effect/vitest"
import { ApprovalPolicy, noApprovals } from "@vault-trader/core/change-approval/ApprovalSettings"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as HealthChecks from "../../src/gate/HealthChecks.ts"

describe("the readiness of a process where changes need approvals", () => {
  it.effect("is degraded while settings wait for theirs, and names them", () =>
    Effect.gen(function*() {
      const database = { waiting: true }
      const sql = (() => Effect.succeed([{ alive: true, waiting: database.waiting }])) as never
      const provided = Effect.provideService(SqlClient.SqlClient, sql)
      const check = yield* HealthChecks.make(["base"], () => Effect.succeed("ok" as const)).pipe(
        Effect.provideService(ApprovalPolicy, { ...noApprovals, approvers: [`0x${"ab".repeat(20)}`], needed: 1 }),
        provided
      )
      const checks = { database: "ok", runners: "ok", networks: { base: "ok" } } as const
      assert.deepStrictEqual(yield* provided(check(undefined)), {
        status: "degraded",
        checks: { ...checks, approvals: "waiting" }
      })
      database.waiting = false
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* provided(check(undefined)), {
        status: "ready",
        checks: { ...checks, approvals: "ok" }
      })
    }))
})
