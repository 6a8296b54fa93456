/** The sampler over real rows and a scripted chain. */
import { assert, layer } from "@effect/vitest"
import { VaultEventStore } from "@vault-trader/core/gas-wallet/VaultEventStore"
import { ValueSampleStore } from "@vault-trader/core/performance/ValueSampleStore"
import { seriesOf } from "@vault-trader/core/performance/ValueSeries"
import { RetentionStore } from "@vault-trader/core/storage/RetentionStore"
import * as TestDatabase from "@vault-trader/testing/harness/TestDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import type { Sampling } from "../../src/performance/SamplingPolicy.ts"
import * as ValueSampler from "../../src/performance/ValueSampler.ts"
import * as ScriptedVault from "./ScriptedVault.ts"
import { genesis, pace, vault } from "./ScriptedVault.ts"

const network = "base"
const wallet = `0x${"1".repeat(40)}`
const Stores = Layer.mergeAll(ValueSampleStore.layer, VaultEventStore.layer, RetentionStore.layer).pipe(
  Layer.provideMerge(TestDatabase.layer({ maxConnections: 4 })),
  Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
)

/** Blocks of an interval. */
const slot = 60
const hourly: Sampling = { seconds: slot * pace, backfillDays: 0, benchmarks: [] }
const far = new Date("2100-01-01")

/** A linked vault without samples, and the sampler of its chain. */
const scene = (sampling = hourly) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* ValueSampleStore
    yield* sql`truncate vault_values, vault_sampling`
    yield* sql`insert into gas_wallets ${sql.insert({ address: wallet, ciphertext: "c" })} on conflict do nothing`
    yield* sql`insert into vault_links ${sql.insert({ wallet, network, pool: vault, protocol: "dhedge" })}
      on conflict do nothing`
    const scripted = yield* ScriptedVault.make(network)
    const Scripted = Layer.provideMerge(Tokens.layer, Chains.layerOf(new Map([[network, scripted.chain]])))
    const { round } = yield* Effect.provide(ValueSampler.make(network, sampling), Scripted)
    const place = { network, pool: vault } as const
    return {
      ...scripted,
      round: Effect.provide(round, Scripted),
      /** The samples as [slot number, whole dollars, whether a gap is before it]. */
      samples: Effect.map(
        Effect.all([store.points(place, new Date(0), far), store.missed(place, new Date(0), far)]),
        ([points, missed]) =>
          seriesOf(points, missed).map(({ block, gap, value18 }) => [block, Number(value18 / 10n ** 18n), gap !== null])
      ),
      missed: Effect.map(store.missed(place, new Date(0), far), (all) => all.map(({ reason }) => reason)),
      store,
      place
    }
  })

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the sampler of values", (it) => {
  it.effect("takes one sample a slot, of its last block, once that block is final", () =>
    Effect.gen(function*() {
      const { control, from, mine, round, samples } = yield* scene()
      mine(slot + 30)
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot, 1_000, false]])
      const { calls } = control
      yield* round
      assert.strictEqual(control.calls, calls, "an idle round calls no contract")
      from(slot + 40, { value: 1_100n })
      mine(slot, slot)
      yield* round
      assert.strictEqual((yield* samples).length, 1, "its block is not final")
      mine(0)
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot, 1_000, false], [2 * slot, 1_100, false]])
    }))

  it.effect("derives the fees that are owed from the share price", () =>
    Effect.gen(function*() {
      const { from, mine, place, round, store } = yield* scene()
      from(1, { value: 1_100n, supply: 1_000n, owed: 10n })
      mine(slot)
      yield* round
      const [point] = yield* store.points(place, new Date(0), far)
      // The price has 18 decimals: what is derived from it is off by less than a millionth of a token.
      assert.approximately(Number(point!.owed) / 1e18, 10, 1e-6)
    }))

  it.effect("fills the slots that a silent node left, or says that the node has no state of them", () =>
    Effect.gen(function*() {
      const { control, mine, missed, round, samples } = yield* scene()
      mine(slot)
      yield* round
      control.isDown = true
      mine(3 * slot)
      assert.strictEqual((yield* Effect.exit(round))._tag, "Failure")
      control.isDown = false
      control.oldest = 3 * slot
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot, 1_000, false], [3 * slot, 1_000, true], [4 * slot, 1_000, false]])
      assert.deepStrictEqual(yield* missed, ["The node no longer has the state of that time."])
    }))

  it.effect("stores no value that contradicts itself", () =>
    Effect.gen(function*() {
      const { from, mine, missed, round, samples } = yield* scene()
      from(slot, { total: 5_000n })
      mine(slot)
      yield* round
      from(2 * slot, { total: undefined, supply: 1_000n, owed: 9_000n })
      mine(slot)
      yield* round
      assert.deepStrictEqual(yield* samples, [])
      const [total, price] = yield* missed
      assert.match(total ?? "", /total of \$5000 is not the sum of its assets, \$1000/)
      assert.match(price ?? "", /share price is far below/)
    }))

  it.effect("samples a vault without tokens", () =>
    Effect.gen(function*() {
      const { from, mine, round, samples } = yield* scene()
      from(0, { value: 0n, supply: 0n })
      mine(slot)
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot, 0, false]])
    }))

  it.effect("takes the newest block where the node has no state of a final one, and counts it once it is final", () =>
    Effect.gen(function*() {
      const { control, mine, missed, reorganise, round, samples } = yield* scene()
      mine(slot + 30, 30)
      control.oldest = control.head
      yield* round
      assert.deepStrictEqual(yield* samples, [], "a reorganisation can remove its block")
      control.final = control.head
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot + 30, 1_000, false]])
      mine(slot, 30)
      control.oldest = control.head
      yield* round
      reorganise(control.head)
      control.final = control.head
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot + 30, 1_000, false]])
      assert.deepStrictEqual(yield* missed, ["The block of the sample was removed by a reorganisation of the chain."])
    }))

  it.effect("takes samples of blocks that are gone again, although they were final", () =>
    Effect.gen(function*() {
      const { from, mine, round, samples, reorganise } = yield* scene()
      mine(slot)
      yield* round
      mine(slot)
      yield* round
      from(slot + 10, { value: 900n })
      reorganise(slot + 5)
      mine(slot)
      yield* round
      assert.deepStrictEqual(yield* samples, [[slot, 1_000, false], [2 * slot, 900, false], [3 * slot, 900, false]])
    }))

  it.effect("fills days of a new vault's past as far as the node has state and the vault existed", () =>
    Effect.gen(function*() {
      const { control, mine, place, round, store } = yield* scene({ ...hourly, backfillDays: 30 })
      const day = 86_400 / pace
      mine(12 * day)
      const sql = yield* SqlClient.SqlClient
      control.created = 4 * day
      // The past to fill begins at the chain's day, not at today's.
      yield* store.register(network, [vault], {
        slot: new Date((genesis + 11 * 86_400) * 1_000),
        until: new Date(genesis * 1_000)
      })
      for (let each = 0; each < 4; each++) yield* round
      const points = yield* store.points(place, new Date(0), far)
      assert.deepStrictEqual(points.map(({ block }) => block / day), [4, 5, 6, 7, 8, 9, 10, 11, 12])
      const rows = yield* sql`select backfill_slot from vault_sampling where backfill_slot is not null`
      assert.deepStrictEqual(rows, [])
    }))

  it.effect("is thinned to the last sample of each day, once", () =>
    Effect.gen(function*() {
      const { mine, place, round, store } = yield* scene()
      for (let each = 0; each < 150; each++) {
        mine(2 * slot)
        yield* round
      }
      const retention = yield* RetentionStore
      const thin = Effect.gen(function*() {
        let removed = 0
        for (;;) {
          const page = yield* retention.samples(30)
          removed += page.removed
          if (!page.more) return removed
        }
      })
      assert.strictEqual(yield* thin, 296)
      const kept = yield* store.points(place, new Date(0), far)
      assert.deepStrictEqual(
        kept.map(({ intervalSeconds, slot: at }) => [at.toISOString().slice(8, 16), intervalSeconds]),
        [
          ["01T23:50", 86_400],
          ["02T23:50", 86_400],
          ["03T02:00", 86_400]
        ]
      )
      assert.strictEqual(yield* thin, 0)
    }))
})
