/** Lanes whose rows are behind their chain: what they adopt, what they alert, and what stops them. */
import { assert, layer } from "@effect/vitest"
import type { Hash } from "@vault-trader/core/chain/Address"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import { isFiller } from "@vault-trader/core/gas-wallet/Submission"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"
import { keccak256 } from "viem"
import { SigningRecord } from "../../src/gas-wallet/SigningRecord.ts"
import { throughVault } from "../../src/platform/VaultCall.ts"
import * as TestLane from "./TestLane.ts"
import { network, receiver, until } from "./TestLane.ts"

const concurrent = { concurrent: true }
/** So long that nothing is re-priced in a test. */
const patient = { patienceMillis: 600_000 }
/** A transaction as this service sends it to a vault. */
const vaultCall = throughVault([{ to: receiver, data: "0x12345678" }])

type Bench = Effect.Success<ReturnType<typeof TestLane.make>>

const quarantineOf = (bench: Bench) =>
  Effect.flatMap(LaneQuarantineStore, ({ find }) => Effect.map(find(network, bench.wallet), Option.getOrUndefined))

const quarantined = (bench: Bench, kind: string) => until(quarantineOf(bench), (found) => found?.kind === kind)

const release = (bench: Bench) =>
  Effect.flatMap(LaneQuarantineStore, (store) => store.release(network, bench.wallet, "the test"))

const minedOf = (bench: Bench) =>
  Effect.map(bench.chain.transactionsOf(bench.wallet), (all) => all.map(({ hash }) => hash))

/** Waits until the lane has asked for its nonce this many times more. */
const checked = (bench: Bench, checks = 30) =>
  Effect.flatMap(
    bench.asked("eth_getTransactionCount"),
    (before) => until(bench.asked("eth_getTransactionCount"), (now) => now > before + checks)
  )

/** A mined transaction of an earlier run of the lane. */
const minedBefore = (bench: Bench) =>
  Effect.scoped(Effect.gen(function*() {
    const lane = yield* bench.open
    const key = yield* bench.put({ data: vaultCall })
    const waiter = yield* Effect.forkChild(lane.submit(key))
    yield* until(bench.chain.waiting, (all) => all.length === 1)
    yield* bench.chain.mine()
    assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
    const [attempt] = yield* bench.attempts(key)
    return { key, hash: attempt!.hash }
  }))

/** Restores the rows of an earlier moment: the intent is accepted, and no transaction is known. */
const forget = (key: string, restored: "queued" | "not planned") =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`delete from attempts where submission_key = ${key}`
    if (restored === "queued") {
      yield* sql`update submissions set status = 'queued', nonce = null, receipt = null where key = ${key}`
    } else yield* sql`delete from submissions where key = ${key}`
    yield* sql`update intents set status = 'accepted', tx_hash = null where id = ${key.split("/")[0]!}::uuid`
  })

/**
 * A call that was signed at nonce 0 and that no node has. The restored rows, which explain its nonce, have it as queued with
 * a lifetime that is over, or not at all.
 */
const recordedBelow = (bench: Bench, restored: "queued" | "not planned") =>
  Effect.gen(function*() {
    yield* bench.faults.rule({ method: "eth_sendRawTransaction", fault: Fault.Swallow() })
    const key = yield* Effect.scoped(Effect.gen(function*() {
      const lane = yield* bench.open
      const signed = yield* bench.put({ data: vaultCall })
      yield* Effect.forkChild(lane.submit(signed))
      yield* until(Effect.sync(() => bench.sends), (all) => all.length > 0)
      return signed
    }))
    yield* bench.faults.stopFaults
    yield* forget(key, restored)
    const sql = yield* SqlClient.SqlClient
    yield* sql`update submissions set valid_until = now() - interval '1 hour' where key = ${key}`
    yield* (yield* LaneReconciliationStore).explain(network, bench.wallet, 1n)
    return { key, raw: bench.sends[0]!.raw }
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a lane behind its chain", (it) => {
  for (const restored of ["queued", "not planned"] as const) {
    it.effect(
      `adopts what its signing record has for a submission that the restored rows have as ${restored}`,
      () =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(patient)
          yield* bench.hearAlerts
          const { hash, key } = yield* minedBefore(bench)
          yield* forget(key, restored)
          const lane = yield* bench.open
          yield* bench.mining
          const next = yield* bench.put()
          assert.strictEqual((yield* lane.submit(next))._tag, "Mined")
          const settled = yield* lane.submit(key)
          assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, hash)
          assert.deepInclude(yield* bench.intent(key), { status: "submitted", txHash: hash })
          assert.deepStrictEqual((yield* bench.attempts(key)).map((each) => each.hash), [hash])
          assert.lengthOf(yield* minedOf(bench), 2)
          assert.deepStrictEqual(bench.signed, [0n, 1n])
          assert.deepStrictEqual(yield* bench.alerts, [])
        }),
      concurrent
    )
  }

  it.effect(
    "is quarantined for a call of a vault that nothing explains, signs nothing, and continues after its release",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const hash = yield* bench.chain.foreign(bench.privateKey, { to: receiver, data: vaultCall })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 1)
        const lane = yield* bench.open
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        const found = yield* quarantined(bench, "rows_behind_chain")
        assert.deepStrictEqual(found?.evidence.transactions.map((each) => [each.nonce, each.hash]), [["0", hash]])
        assert.strictEqual(found?.evidence.count, "1")
        // It tries again and is still quarantined.
        yield* checked(bench, 6)
        assert.isTrue(Option.isSome(Option.fromNullishOr(yield* quarantineOf(bench))))
        assert.deepStrictEqual([bench.signed, bench.sends], [[], []])
        assert.strictEqual((yield* bench.row(key)).status, "queued")
        assert.isFalse(yield* lane.isExplained)
        assert.include(yield* bench.alerts, "lane_quarantined")
        assert.isTrue(Option.isSome(yield* release(bench)))
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.deepStrictEqual(bench.signed, [1n])
        assert.isTrue(yield* lane.isExplained)
      }),
    concurrent
  )

  it.effect(
    "is quarantined by pending transactions that nothing knows and no block takes, and continues once they are gone",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 50 })
        yield* bench.hearAlerts
        const hash = yield* bench.chain.foreign(bench.privateKey, {
          ...{ to: receiver, data: vaultCall },
          ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
        })
        yield* bench.mining
        const lane = yield* bench.open
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        const found = yield* quarantined(bench, "rows_behind_chain")
        assert.deepStrictEqual(found?.evidence, {
          count: "1",
          transactions: [{
            ...{ nonce: "0", hash: null },
            note: "a pending transaction that neither the ledger nor the signing record has"
          }]
        })
        assert.include(found?.reason, "stay pending and hold back its own")
        assert.deepStrictEqual([bench.signed, yield* minedOf(bench)], [[], []])
        yield* until(bench.alerts, (alerts) => alerts.includes("lane_quarantined"))
        yield* bench.chain.drop(hash)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        // On a slow machine its fee is raised meanwhile.
        assert.deepStrictEqual(Array.from(new Set(bench.signed)), [0n])
        assert.isUndefined(yield* quarantineOf(bench))
      }),
    concurrent
  )

  it.effect("is not taken for explained before a node has answered its owner once", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      const down = {
        method: "eth_getTransactionCount",
        fault: Fault.Refuse({ code: -32000, reason: "no state", forwarded: false })
      }
      yield* bench.faults.rule(down)
      const lane = yield* bench.open
      assert.isFalse(yield* lane.isExplained)
      yield* bench.faults.stopFaults
      yield* until(lane.isExplained, (isExplained) => isExplained)
      yield* bench.faults.rule(down)
      assert.isTrue(yield* lane.isExplained)
    }), concurrent)

  it.effect(
    "reads the chain less and less often while it is quarantined, and continues at once after its release",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.chain.foreign(bench.privateKey, { to: receiver, data: vaultCall })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 1)
        const lane = yield* bench.open
        const waiter = yield* Effect.forkChild(lane.submit(yield* bench.put()))
        yield* quarantined(bench, "rows_behind_chain")
        // Callers that ask whether the lane is explained do not make it read the chain again.
        const reads = bench.asked("eth_getTransactionCount")
        assert.isFalse(yield* lane.isExplained)
        const before = yield* reads
        for (let call = 0; call < 50; call++) assert.isFalse(yield* lane.isExplained)
        // A reconciliation for each call would read several times as often. A slow machine has time for a few of them.
        assert.isBelow(yield* reads, before + 50)
        yield* release(bench)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
      }),
    concurrent
  )

  it.effect(
    "cancels a recorded transaction that no block has and no request explains, once it is released, and continues",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.faults.rule({ method: "eth_sendRawTransaction", fault: Fault.Swallow() })
        const lost = yield* Effect.scoped(Effect.gen(function*() {
          const lane = yield* bench.open
          const key = yield* bench.put({ data: vaultCall })
          yield* Effect.forkChild(lane.submit(key))
          yield* until(Effect.sync(() => bench.sends), (all) => all.length > 0)
          return key
        }))
        yield* bench.faults.stopFaults
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from attempts where submission_key = ${lost}`
        yield* sql`delete from submissions where key = ${lost}`
        yield* sql`delete from intents where id = ${lost.split("/")[0]!}::uuid`
        yield* bench.mining
        const lane = yield* bench.open
        const waiter = yield* Effect.forkChild(lane.submit(yield* bench.put()))
        const found = yield* quarantined(bench, "rows_behind_chain")
        assert.include(found?.evidence.transactions[0]?.note, "whose request is not in the ledger or has ended")
        yield* release(bench)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        const mined = yield* bench.chain.transactionsOf(bench.wallet)
        assert.deepStrictEqual(mined.map(({ nonce, to }) => ({ nonce, to })), [
          { nonce: 0n, to: bench.wallet },
          { nonce: 1n, to: receiver }
        ])
        yield* until(bench.row(lost), ({ status }) => status === "mined" || status === "final")
        assert.isUndefined(yield* quarantineOf(bench))
      }),
    concurrent
  )

  it.effect(
    "alerts a transfer that was signed elsewhere once, and signs after it before it is final",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 100_000 })
        yield* bench.hearAlerts
        yield* bench.chain.foreign(bench.privateKey, { to: receiver, value: 5n })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 1)
        const lane = yield* bench.open
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.deepStrictEqual(bench.signed, [1n, 2n])
        yield* lane.reconcile
        assert.deepStrictEqual(yield* bench.alerts, ["foreign_transaction"])
        // A reorg may remove it: only what is final is explained for later owners.
        const rows = yield* LaneReconciliationStore
        assert.strictEqual((yield* rows.head(network, bench.wallet)).baseline, 0n)
        const later = yield* bench.openWith({ finalityDepth: 3 })
        yield* lane.submit(yield* bench.put())
        yield* later.reconcile
        assert.isAbove(Number((yield* rows.head(network, bench.wallet)).baseline), 0)
        assert.isUndefined(yield* quarantineOf(bench))
      }),
    concurrent
  )

  it.effect(
    "gives a queued submission the transaction with its call instead of sending it again",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const key = yield* bench.put({ data: vaultCall })
        const hash = yield* bench.chain.foreign(bench.privateKey, { to: receiver, data: vaultCall, value: 1n })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 1)
        const lane = yield* bench.open
        const settled = yield* lane.submit(key)
        assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, hash)
        assert.deepStrictEqual([bench.signed, yield* minedOf(bench), yield* bench.alerts], [[], [hash], []])
      }),
    concurrent
  )

  it.effect(
    "accepts what an imported key did before its import",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const sql = yield* SqlClient.SqlClient
        yield* sql`update gas_wallets set imported = true, imported_at = now() + interval '1 hour'
          where address = ${bench.wallet}`
        yield* bench.chain.foreign(bench.privateKey, { to: receiver, data: vaultCall })
        yield* bench.chain.foreign(bench.privateKey, { to: receiver, value: 1n })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 2)
        const lane = yield* bench.open
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.deepStrictEqual([bench.signed, yield* bench.alerts], [[2n], []])
        // From its first use on, it is watched.
        yield* bench.chain.foreign(bench.privateKey, { to: receiver, data: vaultCall })
        yield* until(minedOf(bench), (all) => all.length === 4)
        yield* Effect.forkChild(lane.submit(yield* bench.put()))
        yield* quarantined(bench, "rows_behind_chain")
        assert.deepStrictEqual(bench.signed, [2n])
      }),
    concurrent
  )

  it.effect(
    "signs nothing while a transaction that was signed elsewhere is pending",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        yield* bench.chain.foreign(bench.privateKey, { to: receiver, value: 5n })
        const lane = yield* bench.open
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* checked(bench, 6)
        assert.deepStrictEqual([bench.signed, bench.sends], [[], []])
        assert.strictEqual((yield* bench.row(key)).status, "queued")
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.deepStrictEqual([bench.signed, yield* bench.alerts], [[1n], ["foreign_transaction"]])
      }),
    concurrent
  )

  it.effect(
    "does not take for older than its import what an imported key did since: a restore may have forgotten it",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update gas_wallets set imported = true, imported_at = now() where address = ${bench.wallet}`
        const hash = yield* bench.chain.foreign(bench.privateKey, { to: receiver, data: vaultCall })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 1)
        const lane = yield* bench.open
        yield* Effect.forkChild(lane.submit(yield* bench.put({ data: vaultCall, value: 2n })))
        const found = yield* quarantined(bench, "rows_behind_chain")
        assert.deepStrictEqual(found?.evidence.transactions.map((each) => [each.nonce, each.hash]), [["0", hash]])
        assert.deepStrictEqual(bench.signed, [])
      }),
    concurrent
  )

  it.effect(
    "refuses nothing while it is not explained: what was sent may be forgotten",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const { hash, key } = yield* minedBefore(bench)
        yield* forget(key, "queued")
        const sql = yield* SqlClient.SqlClient
        yield* sql`update submissions set valid_until = now() - interval '1 hour' where key = ${key}`
        yield* bench.mining
        const lane = yield* bench.open
        const settled = yield* lane.submit(key)
        assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, hash)
        assert.lengthOf(yield* minedOf(bench), 1)
      }),
    concurrent
  )

  it.effect(
    "supersedes what its record has at an explained nonce once another transaction is final there",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const { key, raw } = yield* recordedBelow(bench, "queued")
        const hash = yield* bench.chain.foreign(bench.privateKey, { to: receiver, value: 5n })
        yield* bench.mining
        yield* until(minedOf(bench), (all) => all.length === 1)
        const lane = yield* bench.open
        assert.strictEqual((yield* lane.submit(key))._tag, "Superseded")
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.strictEqual((yield* minedOf(bench))[0], hash)
        assert.deepStrictEqual(bench.signed, [0n, 1n])
        assert.lengthOf(bench.sends.filter((sent) => sent.raw === raw), 1)
      }),
    concurrent
  )

  it.effect(
    "cancels what its record has at an explained nonce that no transaction uses now",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const { key, raw } = yield* recordedBelow(bench, "queued")
        yield* bench.mining
        const lane = yield* bench.open
        assert.deepInclude(yield* lane.submit(key), { _tag: "Cancelled", reason: "expired" })
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.deepStrictEqual(bench.signed, [0n, 0n, 1n])
        assert.lengthOf(bench.sends.filter((sent) => sent.raw === raw), 1)
      }),
    concurrent
  )

  it.effect(
    "cancels what its record has of a request that was planned again since: the later call may have been executed",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make()
        const { key, raw } = yield* recordedBelow(bench, "not planned")
        const record = yield* SigningRecord
        const [entry] = yield* record.findKeys([key])
        const later = { key: key.replace("/0", "/1"), chainId: 1, hash: keccak256(raw.slice(0, -2) as Hash) }
        yield* record.commit([{ ...entry!, ...later }])
        yield* bench.mining
        const lane = yield* bench.open
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.deepInclude(yield* lane.submit(key), { _tag: "Cancelled", reason: "expired" })
        assert.lengthOf(bench.sends.filter((sent) => sent.raw === raw), 1)
      }),
    concurrent
  )

  it.effect(
    "sends what its record has at an explained nonce that no transaction uses now, in the place of an empty one",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make()
        const { key, raw } = yield* recordedBelow(bench, "not planned")
        yield* bench.mining
        const lane = yield* bench.open
        assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
        assert.strictEqual((yield* lane.submit(key))._tag, "Mined")
        const attempts = yield* bench.attempts(key)
        assert.strictEqual(attempts[0]?.raw, raw)
        assert.include(attempts.map(({ hash }) => hash), (yield* minedOf(bench))[0])
        assert.isEmpty((yield* bench.allAttempts).filter((attempt) => isFiller(attempt.key)))
        assert.isUndefined(yield* quarantineOf(bench))
        assert.deepInclude(yield* bench.intent(key), { status: "submitted" })
      }),
    concurrent
  )
})

/** A flight whose bytes no node has, and whose nonce a transaction with this call uses. */
const usedBy = (bench: Bench, call: Parameters<Bench["chain"]["foreign"]>[1]) =>
  Effect.gen(function*() {
    yield* bench.faults.rule({ method: "eth_sendRawTransaction", fault: Fault.Swallow() })
    const lane = yield* bench.open
    const key = yield* bench.put({ data: vaultCall })
    const waiter = yield* Effect.forkChild(lane.submit(key))
    yield* until(Effect.sync(() => bench.sends), (all) => all.length > 0)
    const hash = yield* bench.chain.foreign(bench.privateKey, { nonce: 0n, to: receiver, ...call })
    yield* bench.mining
    return { hash, key, waiter }
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a used nonce of a flight", (it) => {
  it.effect(
    "is not given up to a call of a vault before the lane's release",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const other = throughVault([{ to: receiver, data: "0x87654321" }])
        const { hash, key, waiter } = yield* usedBy(bench, { data: other })
        const found = yield* quarantined(bench, "unknown_transaction")
        assert.deepStrictEqual(found?.evidence.transactions.map((each) => [each.nonce, each.hash]), [["0", hash]])
        yield* checked(bench)
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        assert.include(yield* bench.alerts, "lane_quarantined")
        yield* release(bench)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Superseded")
        assert.isUndefined(yield* quarantineOf(bench))
      }),
    concurrent
  )

  it.effect(
    "quarantines the lane once a block has a call of a vault under it, before that is final: it may be a queued one",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 100_000 })
        const forgotten = throughVault([{ to: receiver, data: "0x87654321" }])
        const { hash, key } = yield* usedBy(bench, { data: forgotten, value: 1n })
        const found = yield* quarantined(bench, "unknown_transaction")
        assert.deepStrictEqual(found?.evidence.transactions.map((each) => each.hash), [hash])
        yield* bench.faults.stopFaults
        // The restored database queues the intent of the forgotten transaction again.
        const again = yield* bench.put({ data: forgotten })
        const lane = yield* bench.open
        yield* Effect.forkChild(lane.submit(again))
        yield* checked(bench)
        assert.strictEqual((yield* bench.row(again)).status, "queued")
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        assert.deepStrictEqual([bench.signed, yield* minedOf(bench)], [[0n], [hash]])
      }),
    concurrent
  )

  it.effect(
    "under which one of two nodes holds another transaction lets the lane sign nothing until one of them is mined",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const pending = yield* bench.chain.foreign(bench.privateKey, { to: receiver, value: 5n })
        // Both nodes count it as if they had not heard of it, and one takes whatever it is sent.
        yield* bench.faults.rule({ method: "eth_getTransactionCount", fault: Fault.Malformed({ result: "0x0" }) })
        const credulous: RpcEndpoint = {
          ...bench.endpoint,
          name: "credulous",
          send: (call) => call.method === "eth_sendRawTransaction" ? Effect.succeed(pending) : bench.endpoint.send(call)
        }
        const lane = yield* bench.openOver([credulous, bench.endpoint])
        const first = yield* Effect.forkChild(lane.submit(yield* bench.put({ data: vaultCall })))
        yield* until(Effect.sync(() => bench.sends), (all) => all.length > 0)
        yield* bench.faults.stopFaults
        const key = yield* bench.put()
        const second = yield* Effect.forkChild(lane.submit(key))
        yield* checked(bench, 2)
        assert.deepStrictEqual([bench.signed, yield* minedOf(bench)], [[0n], []])
        assert.strictEqual((yield* bench.row(key)).status, "queued")
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(first))._tag, "Superseded")
        assert.strictEqual((yield* Fiber.join(second))._tag, "Mined")
        assert.deepStrictEqual(bench.signed, [0n, 1n])
        assert.strictEqual((yield* minedOf(bench))[0], pending)
      }),
    concurrent
  )

  it.effect(
    "that its own call used under other fees settles it as mined",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const { hash, key, waiter } = yield* usedBy(bench, { data: vaultCall, value: 1n })
        const settled = yield* Fiber.join(waiter)
        assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, hash)
        assert.lengthOf(yield* bench.attempts(key), 2)
        assert.isUndefined(yield* quarantineOf(bench))
      }),
    concurrent
  )

  it.effect(
    "is given up to a transfer that was signed elsewhere",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const { waiter } = yield* usedBy(bench, { value: 5n })
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Superseded")
        assert.isUndefined(yield* quarantineOf(bench))
        assert.deepStrictEqual(yield* bench.alerts, ["foreign_transaction"])
      }),
    concurrent
  )
})
