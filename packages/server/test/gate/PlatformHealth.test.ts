import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as HealthChecks from "../../src/gate/HealthChecks.ts"

/** A database that accepts writes and has a runner. */
const sql = (() => Effect.succeed([{ alive: true }])) as never

describe("the readiness of a network", () => {
  it.effect("needs the vault platform's factory, not only a node", () =>
    Effect.gen(function*() {
      const stateOf = (network: string): HealthChecks.NetworkState => network === "base" ? "no platform" : "ok"
      const check = yield* HealthChecks.make(["base", "polygon"], (network) => Effect.sync(() => stateOf(network)))
      const checks = {
        database: "ok",
        runners: "ok",
        networks: { base: "no platform", polygon: "ok" }
      } as const
      assert.deepStrictEqual(yield* check("base"), { status: "not ready", reason: "networks", checks })
      assert.deepStrictEqual(yield* check(undefined), { status: "degraded", checks })

      const alone = yield* HealthChecks.make(["base"], () => Effect.succeed("no platform" as const))
      assert.strictEqual((yield* alone(undefined)).status, "not ready")
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql)))
})
