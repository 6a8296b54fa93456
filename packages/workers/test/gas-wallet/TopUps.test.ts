/** What refills a wallet, in the funder's lane: signed only when its bytes are what its row and the configuration say. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { GasLevelStore } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { Settled } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Limits, type Refills } from "../../src/gas-wallet/Limits.ts"
import { actions } from "../../src/Workers.ts"
import * as TestLane from "./TestLane.ts"
import { ether, network } from "./TestLane.ts"

const low: Address = "0x1000000000000000000000000000000000000007"
const Stores = GasLevelStore.layer.pipe(Layer.provideMerge(TestLane.Stores))
const fate = (settled: Settled) => settled._tag === "Refused" ? `${settled.failure.errorType}: ${settled.failure.message}` : settled._tag

/** A top-up of 5 wei that is committed, and its funder's lane under a configuration. */
const make = (configured: (funder: Address) => Refills | undefined, change?: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // The lane's wallet is known only once there is one: until then nobody is the funder.
    let refills: Refills | undefined
    const told: Refills = { get funder() { return refills?.funder ?? low }, get wallets() { return refills?.wallets ?? [] } }
    const limits = yield* Effect.provide(Limits, Limits.layer(actions, new Map(), told).pipe(Layer.provide(KeyLimitStore.layer)))
    const bench = yield* Effect.provideService(TestLane.make({ patienceMillis: 60_000 }, ether), Limits, limits)
    refills = configured(bench.wallet)
    yield* sql`delete from top_ups`
    const refilled = yield* (yield* GasLevelStore).refill({ network, wallet: low, funder: bench.wallet, wei: 5n, usd18: 1n, maxUsd18PerDay: 10n ** 30n })
    const key = Option.getOrThrow(refilled)
    if (change !== undefined) yield* sql.unsafe(`update submissions set ${change} where key = '${key}'`)
    yield* bench.mining
    const lane = yield* bench.open
    return { ...bench, key, settled: Effect.map(lane.submit(key), fate) }
  })

const right = (funder: Address): Refills => ({ funder, wallets: [{ network, wallet: low }] })

layer(Stores, { timeout: "60 seconds", excludeTestServices: true })("a top-up", (it) => {
  it.scoped("is signed as its row says, whatever the limits of the funder's key are", () =>
    Effect.gen(function*() {
      const { chain, settled, wallet } = yield* make(right)
      yield* (yield* KeyLimitStore).change(wallet, () => KeyLimits.make({ ...none, readOnly: true, maxUsd18PerDay: 0n }))
      assert.strictEqual(yield* settled, "Mined")
      assert.deepStrictEqual((yield* chain.transactionsOf(wallet)).map(({ to }) => to), [low])
    }))

  for (const [what, change] of Object.entries({ "another value": "value = value + 1", "another receiver": `to_address = '0x${"9".repeat(40)}'`, data: "data = '0x12345678'" })) {
    it.scoped(`with ${what} than its row says is never signed`, () =>
      Effect.gen(function*() {
        const { settled, signed } = yield* make(right, change)
        assert.match(yield* settled, /^internal: .*not what its row and the configuration say; nothing was sent/)
        assert.deepStrictEqual(signed, [])
      }))
  }

  it.scoped("of another funder, or to a wallet that nobody configured, is never signed", () =>
    Effect.gen(function*() {
      for (const configured of [() => undefined, (funder: Address) => ({ funder, wallets: [] }), () => right(low)]) {
        const { settled, signed } = yield* make(configured)
        assert.match(yield* settled, /^internal: /)
        assert.deepStrictEqual(signed, [])
      }
    }))
})
