/** Payments that a restored ledger has forgotten: booked again from the signing record, never paid twice. */
import { assert, layer } from "@effect/vitest"
import * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SettlementStore } from "../../src/billing/SettlementStore.ts"
import type { Address } from "../../src/chain/Address.ts"
import { explain } from "../../src/failure/Explanation.ts"
import type { AdoptedTransactions } from "../../src/gas-wallet/AdoptedTransactions.ts"
import { LaneReconciliationStore } from "../../src/gas-wallet/LaneReconciliationStore.ts"
import { Attempt, fillerKey, settlementOf, topUpKey } from "../../src/gas-wallet/Submission.ts"
import { encodeFailure } from "../../src/gas-wallet/SubmissionRows.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import * as TestLedger from "../billing/TestLedger.ts"
import { freshDigest, row } from "../storage/Database.ts"

const { network, treasury } = TestLedger
const Stores = LaneReconciliationStore.layer.pipe(Layer.provideMerge(TestLedger.Stores))

/** A recorded transaction of the wallet. */
const recorded = (
  wallet: Address,
  key: string,
  { isMined = true, nonce = 90n, plan = null as unknown, to = treasury, value = 0n }
) =>
  Effect.map(freshDigest, (digest): AdoptedTransactions => ({
    ...{ network, wallet, key, nonce, to, data: "0x", value, plan: plan ?? undefined, isMined, validUntil: null },
    attempts: [Attempt.make({
      ...{ network, wallet, nonce, attempt: 0, submissionKey: key, hash: `0x${digest}`, raw: "0x02f8" },
      ...{ gasLimit: 21_000n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n, cancels: false }
    })]
  }))

/** Claims what is due, reads the plan that the record would keep, and removes the settlement as a restore does. */
const forgottenPayment = (ledger: Effect.Success<typeof TestLedger.make>) =>
  Effect.gen(function*() {
    const { key } = yield* Effect.flatMap(ledger.claim(), Effect.fromOption)
    const plan = (yield* (yield* SubmissionStore).findPlanned([key])).get(key)?.plan
    const sql = yield* SqlClient.SqlClient
    const id = settlementOf(key)!
    yield* sql`update charges set settlement_id = null where settlement_id = ${id}::uuid`
    yield* sql`delete from settlements where id = ${id}::uuid`
    yield* sql`delete from submissions where key = ${key}`
    return { key, plan }
  })

const claimed = (id: string) =>
  row(`select settlement_id::text as settlement, native_wei::text as wei from charges where id = '${id}'`)

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a recorded payment", (it) => {
  it.effect("is booked again with its charges, at the amounts that it paid", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const sql = yield* SqlClient.SqlClient
      const ledger = yield* TestLedger.make
      const [a, b] = [yield* ledger.charge(30n), yield* ledger.charge(12n)]
      const { key, plan } = yield* forgottenPayment(ledger)
      // Its charge was booked again with the adopted outcome, at another price.
      yield* sql`update charges set native_wei = 11 where id = ${b}::uuid`
      const later = yield* ledger.charge(5n)
      assert.isTrue(yield* rows.adopt(yield* recorded(ledger.address, key, { plan, value: 42n, isMined: false })))
      assert.deepStrictEqual(yield* claimed(a), { settlement: settlementOf(key), wei: "30" })
      assert.deepStrictEqual(yield* claimed(b), { settlement: settlementOf(key), wei: "12" })
      assert.deepStrictEqual(yield* claimed(later), { settlement: null, wei: "5" })
      assert.deepStrictEqual(yield* ledger.rows, [{ wei: "42", status: "open", charges: 2 }])
      const [terms] = yield* (yield* SettlementStore).terms([key])
      assert.strictEqual(terms?.nativeWei, 42n)
      yield* ledger.ends(key, "paid")
      yield* (yield* SettlementStore).conclude
      assert.deepStrictEqual(yield* ledger.rows, [{ wei: "42", status: "paid", charges: 2 }])
      assert.strictEqual((yield* ledger.isDue)?.nativeWei, 5n)
    }))

  it.effect("takes its charges from a payment that is not signed, and waits behind one that is", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const ledger = yield* TestLedger.make
      yield* ledger.charge(30n)
      const { key, plan } = yield* forgottenPayment(ledger)
      const again = yield* Effect.flatMap(ledger.claim(), Effect.fromOption)
      assert.isTrue(yield* rows.adopt(yield* recorded(ledger.address, key, { plan, value: 30n })))
      const refused = yield* Effect.flatMap((yield* SubmissionStore).find(again.key), Effect.fromOption)
      assert.strictEqual(refused.status, "refused")
      assert.include(refused.failure?.message, "was replaced by a payment that was made before")
      assert.deepStrictEqual((yield* ledger.rows).map(({ charges, status }) => ({ charges, status })), [
        { charges: 1, status: "open" },
        { charges: 0, status: "released" }
      ])

      const other = yield* TestLedger.make
      yield* other.charge(7n)
      const forgotten = yield* forgottenPayment(other)
      const signed = yield* Effect.flatMap(other.claim(), Effect.fromOption)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update submissions set status = 'signed', nonce = 80 where key = ${signed.key}`
      const transaction = yield* recorded(other.address, forgotten.key, { plan: forgotten.plan, value: 7n })
      assert.isFalse(yield* rows.adopt(transaction))
      assert.deepStrictEqual(Option.none(), yield* (yield* SubmissionStore).find(forgotten.key))
    }))

  it.effect("waits for an open request of which it paid the charge; lost charges need a mined payment", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const sql = yield* SqlClient.SqlClient
      const ledger = yield* TestLedger.make
      const [a, b] = [yield* ledger.charge(30n), yield* ledger.charge(12n)]
      const { key, plan } = yield* forgottenPayment(ledger)
      const adopt = (isMined: boolean) =>
        Effect.flatMap(recorded(ledger.address, key, { plan, value: 42n, isMined }), rows.adopt)
      yield* sql`delete from charges where id = ${b}::uuid`
      yield* sql`update intents set status = 'submitted', outcome = null where id = ${b}::uuid`
      assert.isFalse(yield* adopt(true))
      yield* sql`update intents set status = 'failed', outcome = '{}'::jsonb where id = ${b}::uuid`
      assert.isFalse(yield* adopt(false))
      assert.deepStrictEqual(yield* ledger.rows, [])
      assert.isTrue(yield* adopt(true))
      assert.deepStrictEqual(yield* claimed(a), { settlement: settlementOf(key), wei: "30" })
      assert.isUndefined(yield* ledger.isDue)
      // It is adopted once.
      assert.isFalse(yield* adopt(true))
    }))

  it.effect("does not take charges of another wallet, and needs a plan", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const ledger = yield* TestLedger.make
      yield* ledger.charge(3n)
      const { key } = yield* forgottenPayment(ledger)
      for (const plan of [null, {}, { usd: "1", charges: [] }, { usd: "1", charges: [{ wei: 1 }] }]) {
        assert.isFalse(yield* rows.adopt(yield* recorded(ledger.address, key, { plan, value: 3n })))
      }
      assert.deepStrictEqual(yield* ledger.rows, [])
    }))

  it.effect("a top-up and a filler without a row are booked again", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const store = yield* SubmissionStore
      const { address } = yield* TestLedger.make
      const id = crypto.randomUUID()
      const key = topUpKey(id)
      const topUp = yield* recorded(address, key, { plan: { usd18: "5000000000000000000" }, value: 9n, nonce: 0n })
      assert.isTrue(yield* rows.adopt(topUp))
      assert.deepStrictEqual(
        yield* row(`select wallet, funder, wei::text as wei, usd18::text as usd18 from top_ups where id = '${id}'`),
        { wallet: treasury, funder: address, wei: "9", usd18: "5000000000000000000" }
      )
      assert.deepStrictEqual((yield* store.findPlanned([key])).get(key), {
        plan: { usd18: "5000000000000000000" },
        validUntil: null
      })
      const filler = fillerKey(network, address, 1n)
      assert.isTrue(yield* rows.adopt(yield* recorded(address, filler, { nonce: 1n, to: address })))
      const found = yield* Effect.flatMap(store.find(filler), Effect.fromOption)
      assert.deepInclude(found, { status: "signed", nonce: 1n, to: address, value: 0n })
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a released transaction that no block has", (it) => {
  it.effect("gets a row whose lifetime is over, whether its request is known or not", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const store = yield* SubmissionStore
      const sql = yield* SqlClient.SqlClient
      const ledger = yield* TestLedger.make
      const unknown = `${crypto.randomUUID()}/1`
      assert.isTrue(yield* rows.adoptReleased(yield* recorded(ledger.address, unknown, { isMined: false })))
      const found = yield* Effect.flatMap(store.find(unknown), Effect.fromOption)
      assert.deepInclude(found, { status: "signed", nonce: 90n, intentId: null })
      assert.isNotNull(found.validUntil)

      const id = yield* ledger.charge(1n)
      const ended = `${id}/2`
      yield* sql`insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve, status,
          failure)
        values (${ended}, ${id}::uuid, ${network}, ${ledger.address}, ${treasury}, '0x', 0, 0, 'refused',
          ${encodeFailure(explain({ _tag: "ExpiredUnsigned" }))}::jsonb)`
      assert.isTrue(yield* rows.adoptReleased(yield* recorded(ledger.address, ended, { nonce: 91n, isMined: false })))
      assert.deepInclude(yield* Effect.flatMap(store.find(ended), Effect.fromOption), {
        ...{ status: "signed", nonce: 91n, intentId: id, failure: null }
      })
      // Under another nonce it is signed already.
      assert.isFalse(yield* rows.adoptReleased(yield* recorded(ledger.address, ended, { nonce: 92n, isMined: false })))
      assert.isFalse(
        yield* rows.adoptReleased(yield* recorded(ledger.address, `${id}/1`, { nonce: 92n, isMined: false }))
      )
      // An open request is planned again, or adopted.
      const open = yield* ledger.charge(1n)
      yield* sql`update intents set status = 'accepted', outcome = null where id = ${open}::uuid`
      assert.isFalse(
        yield* rows.adoptReleased(yield* recorded(ledger.address, `${open}/1`, { nonce: 92n, isMined: false }))
      )
    }))
})
