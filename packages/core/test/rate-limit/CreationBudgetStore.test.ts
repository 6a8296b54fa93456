import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Creation, CreationBudgetStore } from "../../src/rate-limit/CreationBudgetStore.ts"
import { ServerStore } from "../../src/rate-limit/ServerStore.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import { Database } from "../storage/Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(CreationBudgetStore.layer, ServerStore.layer, RetentionStore.layer),
  Database
)

const limits = { perHour: 40, perHourOfClient: 4 }

/** Takes this many at once from the store of one server process, and returns how many were taken. */
const taken = (
  { take }: CreationBudgetStore["Service"],
  creation: Creation,
  clientOf: (index: number) => string,
  count = 100
) =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: count }, (_, index) => clientOf(index)),
      (client) => take({ creation, client, ...limits }),
      { concurrency: 10 }
    ),
    (results) => results.filter((result) => result === undefined).length
  )

/** A server process of its own on the same database. */
const anotherServer = Effect.provide(CreationBudgetStore, Layer.fresh(CreationBudgetStore.layer))

const empty = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from rate_limits`)
const pass = (minutes: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update rate_limits set at = at - make_interval(mins => ${minutes})`
  )

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the budget of creations", (it) => {
  it.effect("is exact over servers that take from it at once, and a restart does not refill it", () =>
    Effect.gen(function*() {
      yield* empty
      const [one, two] = [yield* CreationBudgetStore, yield* anotherServer]
      const both = yield* Effect.all(
        [taken(one, "wallets", (index) => `${index}`), taken(two, "wallets", (index) => `other ${index}`)],
        { concurrency: 2 }
      )
      assert.strictEqual(both[0] + both[1], limits.perHour)
      assert.strictEqual(yield* taken(yield* anotherServer, "wallets", () => "after a restart", 5), 0)
      // The other budget is separate.
      assert.strictEqual(yield* taken(one, "signIns", () => "after a restart", 1), 1)
    }))

  it.effect("gives one client its part, whichever servers it asks", () =>
    Effect.gen(function*() {
      yield* empty
      const [one, two] = [yield* CreationBudgetStore, yield* anotherServer]
      const both = yield* Effect.all([taken(one, "wallets", () => "a"), taken(two, "wallets", () => "a")], {
        concurrency: 2
      })
      assert.strictEqual(both[0] + both[1], limits.perHourOfClient)
      const { perHour, tokens } = (yield* one.take({ creation: "wallets", client: "a", ...limits }))!
      assert.strictEqual(perHour, limits.perHourOfClient)
      assert.isBelow(tokens, 1)
      assert.strictEqual(yield* taken(two, "wallets", () => "b"), limits.perHourOfClient)
    }))

  it.effect("is regained over the hour, and never exceeds the configured number", () =>
    Effect.gen(function*() {
      yield* empty
      const store = yield* CreationBudgetStore
      assert.strictEqual(yield* taken(store, "wallets", String), limits.perHour)
      yield* pass(15)
      assert.strictEqual(yield* taken(store, "wallets", (index) => `later ${index}`), limits.perHour / 4)
      yield* pass(600)
      assert.strictEqual(yield* taken(store, "wallets", (index) => `next day ${index}`), limits.perHour)
      // Lowered by the operator while it was full; a clock that was set back takes nothing away.
      yield* pass(600)
      const lowered = { creation: "wallets", perHour: 1, perHourOfClient: 1 } as const
      assert.isUndefined(yield* store.take({ ...lowered, client: "x" }))
      assert.isDefined(yield* store.take({ ...lowered, client: "y" }))
      yield* empty
      assert.isUndefined(yield* store.take({ ...lowered, perHour: 2, client: "x" }))
      yield* pass(-60)
      assert.isUndefined(yield* store.take({ ...lowered, perHour: 2, client: "y" }))
    }))

  it.effect("stores no more rows than creations, and they are removed when they are full", () =>
    Effect.gen(function*() {
      yield* empty
      const sql = yield* SqlClient.SqlClient
      const store = yield* CreationBudgetStore
      const rowCount = Effect.map(sql`select 1 from rate_limits`, (rows) => rows.length)
      yield* taken(store, "wallets", String, 200)
      assert.strictEqual(yield* rowCount, limits.perHour + 1)
      const { rateLimits } = yield* RetentionStore
      assert.strictEqual(yield* rateLimits, 0)
      yield* pass(61)
      assert.strictEqual(yield* rateLimits, limits.perHour + 1)
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the number of servers", (it) => {
  it.effect("counts those with a heartbeat, until they leave or fall silent", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { beat, leave } = yield* ServerStore
      const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
      assert.strictEqual(yield* beat(one), 1)
      assert.strictEqual(yield* beat(two), 2)
      assert.strictEqual(yield* beat(three), 3)
      yield* leave(two)
      assert.strictEqual(yield* beat(one), 2)
      yield* sql`update servers set seen_at = now() - interval '1 minute' where id = ${three}::uuid`
      assert.strictEqual(yield* beat(one), 1)
      assert.strictEqual(yield* beat(three), 2)
    }))
})
