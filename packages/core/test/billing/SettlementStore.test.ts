import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { check } from "../../src/billing/LedgerCheck.ts"
import { SettlementStore } from "../../src/billing/SettlementStore.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import { row } from "../storage/Database.ts"
import * as TestLedger from "./TestLedger.ts"

const { network, treasury } = TestLedger

layer(Layer.merge(TestLedger.Stores, RetentionStore.layer.pipe(Layer.provide(TestLedger.Stores))), {
  timeout: "4 minutes",
  excludeTestServices: true
})("SettlementStore", (it) => {
  it.effect("claims charges that no reorg can undo, with one payment of exactly their sum", () =>
    Effect.gen(function*() {
      const ledger = yield* TestLedger.make
      yield* ledger.charge(30n)
      yield* ledger.charge(2n ** 80n)
      yield* ledger.charge(7n, { stands: "mined" })
      yield* ledger.charge(null)
      assert.strictEqual((yield* ledger.isDue)?.nativeWei, 30n + 2n ** 80n)
      const { key } = yield* Effect.flatMap(ledger.claim(), Effect.fromOption)
      const submission = yield* Effect.flatMap((yield* SubmissionStore).find(key), Effect.fromOption)
      const { data, intentId, nonce, reserve, status, to, value } = submission
      assert.deepStrictEqual({ data, intentId, nonce, reserve, status, to, value }, {
        data: "0x",
        intentId: null,
        nonce: null,
        reserve: 0n,
        status: "queued",
        to: treasury,
        value: 30n + 2n ** 80n
      })
      assert.deepStrictEqual(yield* ledger.rows, [{ wei: (30n + 2n ** 80n).toString(), status: "open", charges: 2 }])
      const [terms] = yield* (yield* SettlementStore).terms([key, "settlement/00000000-0000-7000-8000-000000000000"])
      assert.deepStrictEqual({ ...terms }, {
        key,
        network,
        wallet: ledger.address,
        treasury,
        nativeWei: 30n + 2n ** 80n
      })
    }))

  it.effect("creates one settlement when many callers claim at once, and no other while it is open", () =>
    Effect.gen(function*() {
      const ledger = yield* TestLedger.make
      yield* Effect.all([ledger.charge(1n), ledger.charge(2n), ledger.charge(3n)])
      const claims = yield* Effect.all(Array.from({ length: 10 }, () => ledger.claim()), { concurrency: "unbounded" })
      assert.strictEqual(claims.filter(Option.isSome).length, 1)
      yield* ledger.charge(4n)
      assert.isUndefined(yield* ledger.isDue)
      assert.deepStrictEqual(yield* ledger.claim(), Option.none())
      assert.deepStrictEqual(yield* ledger.rows, [{ wei: "6", status: "open", charges: 3 }])
    }))

  it.effect("is paid when its transaction is final, and then the remaining charges are claimed", () =>
    Effect.gen(function*() {
      const { conclude } = yield* SettlementStore
      const ledger = yield* TestLedger.make
      yield* ledger.charge(5n)
      const { key } = yield* Effect.flatMap(ledger.claim(), Effect.fromOption)
      assert.deepStrictEqual((yield* conclude).filter(({ wallet }) => wallet === ledger.address), [])
      yield* ledger.ends(key, "paid")
      assert.deepStrictEqual((yield* conclude).filter(({ wallet }) => wallet === ledger.address), [{
        network,
        wallet: ledger.address,
        status: "paid",
        usd: 0.1
      }])
      assert.deepStrictEqual((yield* conclude).filter(({ wallet }) => wallet === ledger.address), [])
      assert.deepInclude(
        yield* row(
          `select gas_wei::text as gas, tx_hash is not null as "hasReceipt" from settlements where wallet = '${ledger.address}'`
        ),
        { gas: "210000", hasReceipt: true }
      )
      const other = yield* TestLedger.make
      yield* other.charge(5n)
      const onRollup = yield* Effect.flatMap(other.claim(), Effect.fromOption)
      yield* other.ends(onRollup.key, "paid", { l1Fee: "5000" })
      yield* conclude
      // The L1 data fee is part of what the payment cost.
      assert.deepInclude(
        yield* row(`select gas_wei::text as gas from settlements where wallet = '${other.address}'`),
        { gas: "215000" }
      )
      assert.deepStrictEqual(yield* ledger.claim(), Option.none())
      yield* ledger.charge(6n)
      assert.isTrue(Option.isSome(yield* ledger.claim()))
      assert.deepStrictEqual(yield* ledger.rows, [{ wei: "5", status: "paid", charges: 1 }, {
        wei: "6",
        status: "open",
        charges: 1
      }])
      assert.deepStrictEqual((yield* check).faults, [])
    }))

  for (const how of ["refused", "superseded", "reverted", "cancelled"] as const) {
    it.effect(`releases its charges when its transaction is ${how}, and waits before the next settlement`, () =>
      Effect.gen(function*() {
        const { conclude } = yield* SettlementStore
        const ledger = yield* TestLedger.make
        yield* ledger.charge(5n)
        yield* ledger.ends((yield* Effect.flatMap(ledger.claim(), Effect.fromOption)).key, how)
        yield* conclude
        assert.deepStrictEqual(yield* ledger.rows, [{ wei: "5", status: "released", charges: 0 }])
        assert.isUndefined(yield* ledger.isDue)
        yield* ledger.later
        assert.strictEqual((yield* ledger.isDue)?.nativeWei, 5n)
        yield* ledger.ends((yield* Effect.flatMap(ledger.claim(), Effect.fromOption)).key, "paid")
        yield* conclude
        assert.deepStrictEqual((yield* ledger.rows).map(({ charges, status }) => [status, charges]), [["released", 0], [
          "paid",
          1
        ]])
        assert.deepStrictEqual((yield* check).faults, [])
      }))
  }

  it.effect("claims as much as the wallet can pay; the wallet owes what no signed transaction pays", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { amountOwed: owed } = yield* SettlementStore
      const ledger = yield* TestLedger.make
      yield* Effect.all([ledger.charge(10n), ledger.charge(20n), ledger.charge(30n)])
      assert.strictEqual(yield* owed(network, ledger.address), 60n)
      assert.deepStrictEqual(yield* ledger.claim(9n), Option.none())
      const { key } = yield* Effect.flatMap(ledger.claim(30n), Effect.fromOption)
      assert.deepStrictEqual((yield* ledger.rows).map(({ wei }) => wei), ["30"])
      assert.strictEqual(yield* owed(network, ledger.address), 60n)
      yield* sql`update submissions set status = 'signed', nonce = 1000 where key = ${key}`
      assert.strictEqual(yield* owed(network, ledger.address), 30n)
      assert.strictEqual(yield* owed("polygon", ledger.address), 0n)
    }))

  it.effect("pays less by the credits for charges of actions that a deep reorg took back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { amountOwed: owed, conclude } = yield* SettlementStore
      const ledger = yield* TestLedger.make
      const taken = yield* ledger.charge(20n)
      yield* ledger.ends((yield* Effect.flatMap(ledger.claim(), Effect.fromOption)).key, "paid")
      yield* conclude
      yield* sql`insert into charges (id, reference, corrects, wallet, network, action, usd, native_wei)
        values (gen_random_uuid(), ${`correction/${taken}`}, ${taken}, ${ledger.address}, ${network}, 'trade', -0.1, -20)`
      // There is nothing to pay: the credit waits for charges that exceed it.
      assert.isUndefined(yield* ledger.isDue)
      assert.strictEqual(yield* owed(network, ledger.address), 0n)
      assert.deepStrictEqual(yield* ledger.claim(), Option.none())
      yield* ledger.charge(20n)
      assert.isUndefined(yield* ledger.isDue)
      assert.deepStrictEqual(yield* ledger.claim(), Option.none())
      yield* ledger.charge(15n)
      assert.strictEqual((yield* ledger.isDue)?.nativeWei, 15n)
      assert.strictEqual(yield* owed(network, ledger.address), 15n)
      assert.deepStrictEqual(yield* ledger.claim(14n), Option.none())
      yield* ledger.ends((yield* Effect.flatMap(ledger.claim(15n), Effect.fromOption)).key, "paid")
      yield* conclude
      assert.deepStrictEqual(yield* ledger.rows, [
        { wei: "20", status: "paid", charges: 1 },
        { wei: "15", status: "paid", charges: 3 }
      ])
      assert.deepStrictEqual((yield* check).faults, [])
    }))

  it.effect("waits until the charges reach the operator's minimum", () =>
    Effect.gen(function*() {
      const { due } = yield* SettlementStore
      const ledger = yield* TestLedger.make
      yield* Effect.all([ledger.charge(1n), ledger.charge(1n)])
      const at = (aboveUsd: number) =>
        Effect.map(due({ networks: [network], aboveUsd }), (lanes) =>
          lanes.some(({ wallet }) => wallet === ledger.address))
      assert.deepStrictEqual([yield* at(0.2), yield* at(0.21)], [true, false])
      assert.deepStrictEqual(yield* due({ networks: [], aboveUsd: 0 }), [])
    }))

  it.effect("never pays for an action that a reorg undoes: its charge is removed before it can be claimed", () =>
    Effect.gen(function*() {
      const ledger = yield* TestLedger.make
      const submissions = yield* SubmissionStore
      const id = yield* ledger.charge(5n, { stands: "mined" })
      assert.deepStrictEqual(yield* ledger.claim(), Option.none())
      const { receipt } = yield* Effect.flatMap(submissions.find(`${id}/1`), Effect.fromOption)
      yield* submissions.revertMined(`${id}/1`, receipt?.blockHash ?? ("0x"))
      assert.deepStrictEqual(yield* row(`select count(*)::int as n from charges where wallet = '${ledger.address}'`), {
        n: 0
      })
      assert.isUndefined(yield* ledger.isDue)
    }))

  it.effect("is kept by retention until it has ended, and its charges are kept forever", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { workingPapers } = yield* RetentionStore
      const ledger = yield* TestLedger.make
      yield* Effect.all([ledger.charge(5n), ledger.charge(null)])
      const { key } = yield* Effect.flatMap(ledger.claim(), Effect.fromOption)
      yield* ledger.ends(key, "paid")
      yield* ledger.charge(6n)
      yield* sql`update submissions set updated_at = now() - interval '60 days' where wallet = ${ledger.address}`
      yield* workingPapers(30, null)
      const papers = row(`select count(*)::int as n from submissions where key = '${key}'`)
      assert.deepStrictEqual(yield* papers, { n: 1 })
      yield* (yield* SettlementStore).conclude
      yield* workingPapers(30, null)
      assert.deepStrictEqual(yield* papers, { n: 0 })
      assert.deepStrictEqual(
        yield* row(
          `select count(*)::int as n, count(settlement_id)::int as settled from charges where wallet = '${ledger.address}'`
        ),
        { n: 3, settled: 1 }
      )
      assert.deepStrictEqual((yield* ledger.rows).map(({ status }) => status), ["paid"])
      // The remaining charge is due although its action's submissions are deleted.
      assert.strictEqual((yield* ledger.isDue)?.nativeWei, 6n)
    }))

  it.effect("fails the ledger check when its rows are tampered with", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ledger = yield* TestLedger.make
      yield* Effect.all([ledger.charge(5n), ledger.charge(6n)])
      const { key } = yield* Effect.flatMap(ledger.claim(), Effect.fromOption)
      yield* ledger.ends(key, "paid")
      yield* (yield* SettlementStore).conclude
      assert.deepStrictEqual((yield* check).faults, [])
      yield* sql`update charges set settlement_id = null where wallet = ${ledger.address} and native_wei = 5`
      const { accounts, faults } = yield* check
      assert.match(faults.join("\n"), new RegExp(`${ledger.address} on base: charged 11 wei, but paid 11 and owes 5`))
      assert.match(faults.join("\n"), /pays 11 wei for charges of 6/)
      assert.strictEqual(accounts.find(({ wallet }) => wallet === ledger.address)?.outstandingWei, 5n)
      yield* sql`update charges set settlement_id = ${key.split("/")[1]!}::uuid where wallet = ${ledger.address}`
      assert.deepStrictEqual((yield* check).faults, [])
    }))
})
