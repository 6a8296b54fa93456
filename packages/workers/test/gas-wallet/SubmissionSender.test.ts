import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestLane from "./TestLane.ts"

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a departure", (it) => {
  it.effect("gives a call at least the gas that its planner estimated, however long ago, and more where the node estimates more", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const bench = yield* TestLane.make()
      yield* bench.mining
      const lane = yield* bench.open
      const limitOf = (gas: bigint) =>
        Effect.gen(function*() {
          const key = yield* bench.put({ estimate: { gas, at: 0 } })
          yield* lane.submit(key)
          const [row] = yield* sql<
            { readonly gas: string }
          >`select gas_limit::text as gas from attempts where submission_key = ${key}`
          return BigInt(row?.gas ?? 0)
        })
      assert.strictEqual(yield* limitOf(500_000n), 600_000n)
      assert.isAtLeast(Number(yield* limitOf(1n)), 21_000)
    }))
})
