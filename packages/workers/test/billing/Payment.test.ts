/**
 * Payments of charges in a wallet's own lane: signed only when the bytes match the rows, never with funds kept for an
 * action's charge.
 */
import { assert, layer } from "@effect/vitest"
import { SettlementStore } from "@vault-trader/core/billing/SettlementStore"
import type { Address } from "@vault-trader/core/chain/Address"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type Settled, settlementOf } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { ApprovedSettings } from "../../src/change-approval/ApprovedSettings.ts"
import { KeyLimitCheck } from "../../src/gas-wallet/KeyLimitCheck.ts"
import type { PaymentCap } from "../../src/gas-wallet/PaymentReview.ts"
import { SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"
import { actions } from "../../src/ActionTable.ts"
import { heldTo } from "../gas-wallet/AnyPolicy.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"
import { ether, network } from "../gas-wallet/TestLane.ts"

const concurrent = { concurrent: true }
const treasury: Address = "0x7ea5000000000000000000000000000000000004"
const settings = { patienceMillis: 60_000 }

/** Payments are checked by the signing policy of a service with this treasury, and this cap. */
const paying = (to?: Address, cap?: PaymentCap) =>
  heldTo(
    SigningPolicy.layer(actions, to === undefined ? new Map() : new Map([[network, to]]), undefined, cap),
    ({ key }) => settlementOf(key) !== undefined
  ).pipe(Layer.provide(TestLane.Macs))

const Stores = Layer.mergeAll(
  SettlementStore.layer,
  KeyLimitCheck.layer(actions, new Map([[network, treasury]])).pipe(Layer.provide(KeyLimitStore.layer)),
  paying(treasury)
).pipe(Layer.provideMerge(TestLane.Stores), Layer.provide(TestLane.Macs))

/** A lane's bench whose wallet owes charges of exchange trades: they have no transaction that could still be open. */
const make = (balance = ether) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const settlements = yield* SettlementStore
    const bench = yield* TestLane.make(settings, balance)
    const { chain, wallet } = bench
    return {
      ...bench,
      charge: (wei: bigint) =>
        sql`insert into charges (reference, wallet, network, action, usd, native_wei)
          values (${randomUUID()}, ${wallet}, ${network}, 'exchangeTrade', 0.1, ${wei.toString()}::numeric)`,
      claim: Effect.map(
        Effect.flatMap(settlements.claim({ network, wallet, treasury, affordable: 10n ** 30n }), Effect.fromOption),
        ({ key }) => key
      ),
      /** Changes a payment and its MAC: the policy does not depend on the planner. */
      tamper: (key: string, change: string) =>
        Effect.andThen(sql.unsafe(`update submissions set ${change} where key = '${key}'`), bench.seal(key)),
      paid: Effect.map(chain.transactionsOf(wallet), (all) =>
        all.filter(({ succeeded, to }) => succeeded && to === treasury).length)
    }
  })

const fate = (settled: Settled) =>
  settled._tag === "Refused" ? `${settled.failure.errorType}: ${settled.failure.message}` : settled._tag

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a payment", (it) => {
  it.effect(
    "goes through the wallet's lane once, although the lane dies meanwhile and two are open",
    () =>
      Effect.gen(function*() {
        const bench = yield* make()
        yield* Effect.all([bench.charge(3n), bench.charge(4n)])
        const key = yield* bench.claim
        const life = yield* Scope.make()
        yield* Effect.forkChild((yield* Scope.provide(bench.open, life)).submit(key))
        yield* TestLane.until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* Scope.close(life, Exit.void)
        yield* bench.mining
        const lanes = [yield* bench.open, yield* bench.open]
        const ends = yield* Effect.forEach(lanes, (lane) => lane.submit(key), { concurrency: "unbounded" })
        assert.deepStrictEqual(ends.map(fate), ["Mined", "Mined"])
        assert.strictEqual(yield* bench.paid, 1)
        const { nonce, value } = yield* bench.row(key)
        assert.deepStrictEqual([nonce, value], [0n, 7n])
      }),
    concurrent
  )

  for (
    const [what, change] of Object.entries({
      "another value": "value = value + 1",
      "a smaller value": "value = value - 1",
      "another receiver": `to_address = '0x${"9".repeat(40)}'`,
      "data": "data = '0x12345678'",
      "a reserve": "reserve = 1"
    })
  ) {
    it.effect(`with ${what} than its charges and the treasury say is never signed`, () =>
      Effect.gen(function*() {
        const bench = yield* make()
        yield* bench.charge(3n)
        const key = yield* bench.claim
        yield* bench.tamper(key, change)
        yield* bench.mining
        const lane = yield* bench.open
        assert.match(
          fate(yield* lane.submit(key)),
          /^internal: .*does not match its charges and the configured treasury\. Nothing was sent/
        )
        assert.deepStrictEqual(bench.signed, [])
      }), concurrent)
  }

  it.effect("is never signed where no treasury, or another one, is configured now", () =>
    Effect.gen(function*() {
      for (const other of [undefined, `0x${"9".repeat(40)}` as const]) {
        const bench = yield* Effect.provide(make(), paying(other))
        yield* bench.charge(3n)
        const key = yield* bench.claim
        yield* bench.mining
        assert.match(fate(yield* (yield* bench.open).submit(key)), /^internal: /)
        assert.deepStrictEqual(bench.signed, [])
      }
    }), concurrent)

  it.effect(
    "waits while its treasury is not approved, is signed once it is, and the lane's other calls go on",
    () =>
      Effect.gen(function*() {
        let isApproved = false
        const asked: Array<string> = []
        const settings = Layer.succeed(ApprovedSettings, {
          isApproved: (kind) =>
            Effect.sync(() => {
              asked.push(kind)
              return isApproved
            })
        })
        const bench = yield* Effect.provide(make(), Layer.provide(paying(treasury), settings))
        yield* bench.charge(3n)
        const key = yield* bench.claim
        yield* bench.mining
        const lane = yield* bench.open
        const payment = yield* Effect.forkChild(lane.submit(key))
        yield* TestLane.until(Effect.sync(() => asked.length), (times) => times > 0)
        assert.strictEqual(fate(yield* lane.submit(yield* bench.put())), "Mined")
        assert.strictEqual(yield* bench.paid, 0)
        isApproved = true
        assert.strictEqual(fate(yield* Fiber.join(payment)), "Mined")
        assert.strictEqual(yield* bench.paid, 1)
        assert.deepStrictEqual([...new Set(asked)], ["treasury"])
      }),
    concurrent
  )

  it.effect(
    "is refused and alerted above its cap at the current price, waits without a price, and is paid below it",
    () =>
      Effect.gen(function*() {
        let price = Option.some(3_000n * ether)
        const cap = { maxUsd18: 100n * ether, price: () => Effect.sync(() => price) }
        const bench = yield* Effect.provide(make(), paying(treasury, cap))
        yield* bench.hearAlerts
        yield* bench.mining
        // 120 USD.
        yield* bench.charge(4n * ether / 100n)
        const large = yield* bench.claim
        const lane = yield* bench.open
        assert.match(
          fate(yield* lane.submit(large)),
          /is worth 120 USD, and no payment may exceed 100 USD \(MAX_SETTLEMENT_USD\)\. Nothing was sent/
        )
        assert.deepStrictEqual([bench.signed, yield* bench.alerts], [[], ["refused_by_policy"]])
        yield* (yield* SettlementStore).conclude

        price = Option.none()
        const small = yield* bench.claim
        const waiter = yield* Effect.forkChild(lane.submit(small))
        yield* TestLane.until(
          Effect.map(bench.asked("eth_estimateGas"), (count) => count),
          (count) => count > 2
        )
        assert.strictEqual((yield* bench.row(small)).status, "queued")
        price = Option.some(2_000n * ether)
        assert.strictEqual(fate(yield* Fiber.join(waiter)), "Mined")
        assert.strictEqual(yield* bench.paid, 1)
      }),
    concurrent
  )

  it.effect(
    "is not subject to limits, which are about vaults, and stops under the kill switch",
    () =>
      Effect.gen(function*() {
        const limits = yield* KeyLimitStore
        const switches = yield* KillSwitch
        const bench = yield* make()
        yield* limits.change(
          bench.wallet,
          () => KeyLimits.make({ ...none, readOnly: true, vaults: [], maxUsd18PerDay: 0n, maxUsd18PerTrade: 0n })
        )
        yield* bench.mining
        const lane = yield* bench.open
        yield* bench.charge(3n)
        const first = yield* bench.claim
        yield* switches.pause(`wallet/${bench.wallet}`, "test")
        assert.match(fate(yield* lane.submit(first)), /^paused: /)
        yield* switches.resume(`wallet/${bench.wallet}`)
        yield* (yield* SettlementStore).conclude
        assert.strictEqual(fate(yield* lane.submit(yield* bench.claim)), "Mined")
        assert.strictEqual(yield* bench.paid, 1)
      }),
    concurrent
  )

  it.effect(
    "may use what charges need, and nothing else may: an action is refused while the wallet owes too much",
    () =>
      Effect.gen(function*() {
        const bench = yield* make()
        yield* bench.mining
        const lane = yield* bench.open
        assert.strictEqual(fate(yield* lane.submit(yield* bench.put())), "Mined")
        yield* bench.charge(999n * ether / 1000n)
        // As after the ten seconds for which a balance that was read is used.
        const later = yield* bench.open
        assert.match(
          fate(yield* later.submit(yield* bench.put({ reserve: ether / 1000n }))),
          /^insufficient_gas: .* and 0\.999 ETH are kept for charges of earlier actions\. Nothing was sent/
        )
        assert.strictEqual(fate(yield* later.submit(yield* bench.claim)), "Mined")
        assert.strictEqual(yield* bench.paid, 1)
      }),
    concurrent
  )
})
