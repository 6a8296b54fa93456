import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { VaultSnapshotStore } from "../../src/vault/VaultSnapshotStore.ts"
import { Database, freshAddress } from "../storage/Database.ts"

const network = "base"
const Stores = VaultSnapshotStore.layer.pipe(Layer.provideMerge(Database))

/** Returns a fresh vault, and functions that read and add its snapshots. */
const seen = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const store = yield* VaultSnapshotStore
  const pool = yield* freshAddress
  return {
    store,
    pool,
    add: (price: bigint) => store.add(network, pool, price),
    first: Effect.map(store.first(network, pool), Option.map(({ tokenPrice }) => tokenPrice)),
    count: Effect.map(
      sql<{ readonly n: number }>`select count(*)::int as n from vault_snapshots where pool = ${pool}`,
      ([row]) => row?.n
    ),
    age: (days: number) => sql`update vault_snapshots set at = at - make_interval(days => ${days}) where pool = ${pool}`
  }
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("snapshots of a vault", (it) => {
  it.effect("do not exist until one is added", () =>
    Effect.gen(function*() {
      const { first, pool, store } = yield* seen
      assert.isTrue(Option.isNone(yield* first))
      assert.isFalse(yield* store.isRecent(network, pool))
    }))

  it.effect("are at most one a day, and the first stays the first", () =>
    Effect.gen(function*() {
      const { add, age, count, first, pool, store } = yield* seen
      yield* add(10n ** 18n)
      yield* add(2n * 10n ** 18n)
      assert.strictEqual(yield* count, 1)
      assert.isTrue(yield* store.isRecent(network, pool))
      yield* age(2)
      assert.isFalse(yield* store.isRecent(network, pool))
      yield* add(3n * 10n ** 18n)
      assert.strictEqual(yield* count, 2)
      assert.deepStrictEqual(yield* first, Option.some(10n ** 18n))
    }))

  it.effect("are one although ten are added at the same moment", () =>
    Effect.gen(function*() {
      const { add, count } = yield* seen
      yield* Effect.all(Array.from({ length: 10 }, (_, index) => add(BigInt(index + 1))), { concurrency: "unbounded" })
      assert.strictEqual(yield* count, 1)
    }))

  it.effect("belong to one vault on one network", () =>
    Effect.gen(function*() {
      const { add, pool, store } = yield* seen
      yield* add(5n)
      assert.isTrue(Option.isNone(yield* store.first("polygon", pool)))
      assert.isFalse(yield* store.isRecent("polygon", pool))
    }))
})
