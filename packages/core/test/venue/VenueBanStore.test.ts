import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import { VenueBanStore } from "../../src/venue/VenueBanStore.ts"
import { Database, row } from "../storage/Database.ts"

const day = 86_400

/** Moves every ban into the past, as if this much time had passed: the store uses the database's clock. */
const later = (interval: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.unsafe(`update venue_bans set until = until - interval '${interval}'`)
  )

const [wallet, other] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const

const reasonOf = (network: "base" | "polygon", venue: "1inch" | "kyberswap", by: Address = wallet) =>
  Effect.flatMap(VenueBanStore, (bans) => Effect.map(bans.find(network, venue, by), Option.map(({ reason }) => reason)))

layer(VenueBanStore.layer.pipe(Layer.provideMerge(Database)), { timeout: "4 minutes", excludeTestServices: true })(
  "VenueBanStore",
  (it) => {
    it.effect("bans a venue for the given time, on one network only, and no other venue", () =>
      Effect.gen(function*() {
        const bans = yield* VenueBanStore
        assert.deepStrictEqual(yield* bans.find("base", "1inch", wallet), Option.none())
        yield* bans.ban("base", "1inch", { reason: "HTTP 429", seconds: day })
        assert.deepStrictEqual(yield* reasonOf("base", "1inch"), Option.some("HTTP 429"))
        assert.deepStrictEqual([yield* reasonOf("polygon", "1inch"), yield* reasonOf("base", "kyberswap")], [
          Option.none(),
          Option.none()
        ])
        yield* later("23 hours 59 minutes")
        assert.deepStrictEqual(yield* reasonOf("base", "1inch"), Option.some("HTTP 429"))
        yield* later("1 minute")
        assert.deepStrictEqual(yield* reasonOf("base", "1inch"), Option.none())
      }))

    it.effect("returns the end of a ban in UTC", () =>
      Effect.gen(function*() {
        const bans = yield* VenueBanStore
        yield* bans.ban("base", "kyberswap", { reason: "HTTP 429", seconds: day })
        const until = Option.getOrThrow(yield* bans.find("base", "kyberswap", wallet)).until
        assert.match(until, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        const comparison = yield* row(`select abs(extract(epoch from until - '${until}'::timestamptz)) < 1 as same,
        until between now() + interval '23 hours 50 minutes' and now() + interval '24 hours' as day
        from venue_bans where venue = 'kyberswap'`)
        assert.deepStrictEqual(comparison, { same: true, day: true })
      }))

    it.effect("starts a ban again with every further refusal, in the same row", () =>
      Effect.gen(function*() {
        const bans = yield* VenueBanStore
        yield* bans.ban("polygon", "1inch", { reason: "first", seconds: day })
        yield* later("23 hours")
        yield* bans.ban("polygon", "1inch", { reason: "second", seconds: day })
        yield* later("2 hours")
        assert.deepStrictEqual(yield* reasonOf("polygon", "1inch"), Option.some("second"))
        assert.deepStrictEqual(yield* row(`select count(*)::int as many from venue_bans where network = 'polygon'`), {
          many: 1
        })
      }))

    it.effect("keeps a ban that lasts longer than a new one", () =>
      Effect.gen(function*() {
        const bans = yield* VenueBanStore
        yield* bans.ban("polygon", "kyberswap", { reason: "banned", seconds: day })
        yield* bans.ban("polygon", "kyberswap", { reason: "HTTP 429", seconds: 30 })
        assert.deepStrictEqual(yield* reasonOf("polygon", "kyberswap"), Option.some("banned"))
        yield* later("23 hours")
        assert.deepStrictEqual(yield* reasonOf("polygon", "kyberswap"), Option.some("banned"))
        yield* later("1 hour")
        yield* bans.ban("polygon", "kyberswap", { reason: "HTTP 429", seconds: 30 })
        assert.deepStrictEqual(yield* reasonOf("polygon", "kyberswap"), Option.some("HTTP 429"))
        yield* later("31 seconds")
        assert.deepStrictEqual(yield* reasonOf("polygon", "kyberswap"), Option.none())
      }))

    it.effect("pauses one wallet at a venue, and no other one, unless the venue is banned for longer", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from venue_bans`
        const bans = yield* VenueBanStore
        yield* bans.pause("base", "1inch", wallet, { reason: "HTTP 429", seconds: 300 })
        yield* bans.pause("base", "1inch", wallet, { reason: "again", seconds: 30 })
        assert.deepStrictEqual(yield* reasonOf("base", "1inch"), Option.some("HTTP 429"))
        for (
          const none of [reasonOf("base", "1inch", other), reasonOf("polygon", "1inch"), reasonOf("base", "kyberswap")]
        ) {
          assert.deepStrictEqual(yield* none, Option.none())
        }
        yield* bans.ban("base", "1inch", { reason: "banned", seconds: day })
        assert.deepStrictEqual(yield* reasonOf("base", "1inch"), Option.some("banned"))
        assert.deepStrictEqual(yield* reasonOf("base", "1inch", other), Option.some("banned"))
        yield* sql`delete from venue_bans`
        yield* sql`update venue_pauses set until = now() - interval '2 hours'`
        assert.deepStrictEqual(yield* reasonOf("base", "1inch"), Option.none())
        yield* bans.pause("base", "1inch", other, { reason: "HTTP 429", seconds: 30 })
        assert.deepStrictEqual(yield* sql`select wallet from venue_pauses`, [{ wallet: other }])
      }))

    it.effect("is visible to every runner, and allows concurrent bans", () =>
      Effect.gen(function*() {
        const bans = yield* VenueBanStore
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => index),
          (index) => bans.ban("base", "1inch", { reason: `refusal ${index}`, seconds: day + index }),
          { concurrency: "unbounded" }
        )
        const other = yield* Effect.provide(reasonOf("base", "1inch"), Layer.fresh(VenueBanStore.layer))
        assert.match(Option.getOrElse(other, () => ""), /^refusal \d+$/)
      }))
  }
)
