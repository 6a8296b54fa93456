import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Address, Hash } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { LaneQuarantineStore } from "../../src/gas-wallet/LaneQuarantineStore.ts"
import type { AdoptedTransactions } from "../../src/gas-wallet/AdoptedTransactions.ts"
import { LaneReconciliationStore } from "../../src/gas-wallet/LaneReconciliationStore.ts"
import type { NumberedSubmission } from "../../src/gas-wallet/LaneNonces.ts"
import { Attempt, keyOf, settlementKey, type Submission } from "../../src/gas-wallet/Submission.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  LaneReconciliationStore.layer,
  LaneQuarantineStore.layer,
  SubmissionStore.layer,
  IntentStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer
).pipe(Layer.provideMerge(Database))

const network = "base"
const pool: Address = `0x${"12".repeat(20)}`
const call = { to: pool, data: "0x1234", value: 5n } as const
const plan = { calls: [], details: { token: "USDC" } }
const gas = { gasLimit: 210_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
const freshHash = Effect.map(freshDigest, (digest): Hash => `0x${digest}`)
const sign = (numbered: ReadonlyArray<NumberedSubmission>) =>
  Effect.forEach(numbered, () => Effect.map(freshHash, (hash) => ({ hash, raw: "0x02f8" as const, ...gas })))

interface Owner {
  readonly address: Address
  readonly keyId: string
}

const accepted = ({ address, keyId }: Owner) =>
  Effect.gen(function*() {
    const { id } = yield* (yield* IntentStore).accept({
      ...{ wallet: address, keyId, endpoint: "vaultTrade", network, pool, idempotencyKey: null },
      request: TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
    })
    return id
  })

/** Queues a submission with the call of the tests; returns its row. */
const queued = (owner: Owner, key: string, intentId: string, validUntil: number | null = null) =>
  Effect.gen(function*() {
    const store = yield* SubmissionStore
    yield* store.put({ key, intentId, network, wallet: owner.address, ...call, reserve: 0n, validUntil })
    return yield* Effect.flatMap(store.find(key), Effect.fromOption)
  })

/** Transactions of one nonce as the signing record has them. */
const transactions = (owner: Owner, key: string, nonce: bigint, cancels: ReadonlyArray<boolean> = [false]) =>
  Effect.gen(function*() {
    const attempts = yield* Effect.forEach(cancels, (each) =>
      Effect.map(freshHash, (hash) =>
        Attempt.make({
          ...{ network, wallet: owner.address, nonce, attempt: 0, submissionKey: key, hash, raw: "0x02f8" },
          ...{ ...gas, cancels: each }
        })))
    return {
      ...{ network, wallet: owner.address, key, nonce, plan },
      ...call,
      attempts,
      isMined: true,
      validUntil
    } satisfies AdoptedTransactions
  })

/** The end of the lifetime that the record has of these transactions. */
const validUntil = 2_000_000_000_000

const intentRow = (id: string) => row(`select status, tx_hash as hash, step, plan from intents where id = '${id}'`)
const rowsOf = (key: string) =>
  row(`select count(*)::int as rows, (select count(*)::int from attempts where submission_key = '${key}') as attempts
    from submissions where key = '${key}'`)
const lane = ({ address }: Owner, submissions: ReadonlyArray<Submission>, chainNonce: bigint) =>
  ({ network, wallet: address, chainNonce, revision: 0, submissions, sign }) as const

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("LaneReconciliationStore", (it) => {
  it.effect("adopts the transactions of an intent that has not been planned", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const owner = yield* wallet
      const id = yield* accepted(owner)
      const key = keyOf(id, 1)
      const adopted = yield* transactions(owner, key, 4n, [false, false, true])
      assert.isTrue(yield* rows.adopt(adopted))
      assert.deepInclude(yield* Effect.flatMap((yield* SubmissionStore).find(key), Effect.fromOption), {
        ...{ cancelled: null, failure: null, nonce: 4n, receipt: null, status: "signed", to: pool, value: 5n },
        validUntil
      })
      const attempts = yield* (yield* SubmissionStore).inFlight(network, owner.address)
      assert.deepStrictEqual(attempts, adopted.attempts.map((each, attempt) => ({ ...each, attempt })))
      assert.deepStrictEqual(yield* intentRow(id), {
        ...{ status: "submitted", hash: adopted.attempts[0]!.hash, step: 1, plan }
      })
      assert.deepInclude(yield* rows.head(network, owner.address), { next: 5n, baseline: null })
    }))

  it.effect("adopts for a queued submission, and keeps its lifetime and the stored plan", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const sql = yield* SqlClient.SqlClient
      const owner = yield* wallet
      const id = yield* accepted(owner)
      const key = keyOf(id, 0)
      yield* queued(owner, key, id, 1_000)
      yield* sql`update intents set plan = '{"stored":true}'::jsonb where id = ${id}::uuid`
      assert.strictEqual(yield* rows.findQueued(network, owner.address, call), key)
      assert.isUndefined(yield* rows.findQueued(network, owner.address, { ...call, value: 6n }))
      assert.isUndefined(yield* rows.findQueued(network, owner.address, { ...call, data: "0x12" }))
      assert.isUndefined(yield* rows.findQueued("polygon", owner.address, call))
      assert.isTrue(yield* rows.adopt({ ...(yield* transactions(owner, key, 0n)), plan: undefined }))
      assert.deepInclude(yield* Effect.flatMap((yield* SubmissionStore).find(key), Effect.fromOption), {
        ...{ status: "signed", nonce: 0n, validUntil: 1_000 }
      })
      assert.deepInclude(yield* intentRow(id), { status: "submitted", plan: { stored: true } })
      assert.isUndefined(yield* rows.findQueued(network, owner.address, call))
    }))

  it.effect("keeps hash and plan of the last step when an earlier one is adopted after it, with the shorter lifetime", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const owner = yield* wallet
      const id = yield* accepted(owner)
      const last = yield* transactions(owner, keyOf(id, 2), 7n)
      assert.isTrue(yield* rows.adopt(last))
      yield* queued(owner, keyOf(id, 1), id, 1_000)
      const earlier = { ...(yield* transactions(owner, keyOf(id, 1), 5n)), plan: { other: true }, validUntil: 0 }
      assert.isTrue(yield* rows.adopt(earlier))
      assert.deepStrictEqual(yield* intentRow(id), {
        ...{ status: "submitted", hash: last.attempts[0]!.hash, step: 2, plan }
      })
      const found = yield* Effect.flatMap((yield* SubmissionStore).find(keyOf(id, 1)), Effect.fromOption)
      assert.deepInclude(found, { status: "signed", nonce: 5n, validUntil: 0 })
    }))

  it.effect("changes nothing for an intent that has ended, is unknown, or has another nonce", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const sql = yield* SqlClient.SqlClient
      const owner = yield* wallet
      const id = yield* accepted(owner)
      yield* sql`update intents set status = 'failed', outcome = '{}'::jsonb where id = ${id}::uuid`
      const ended = keyOf(id, 0)
      assert.isFalse(yield* rows.adopt(yield* transactions(owner, ended, 0n)))
      assert.deepStrictEqual(yield* rowsOf(ended), { rows: 0, attempts: 0 })
      assert.deepInclude(yield* intentRow(id), { status: "failed", hash: null })

      const unknown = keyOf(crypto.randomUUID(), 0)
      assert.isFalse(yield* rows.adopt(yield* transactions(owner, unknown, 0n)))
      assert.deepStrictEqual(yield* rowsOf(unknown), { rows: 0, attempts: 0 })

      const other = yield* accepted(owner)
      const signed = keyOf(other, 0)
      assert.isTrue(yield* rows.adopt(yield* transactions(owner, signed, 2n)))
      assert.isFalse(yield* rows.adopt(yield* transactions(owner, signed, 3n)))
      assert.deepStrictEqual(yield* rowsOf(signed), { rows: 1, attempts: 1 })

      const strangers = keyOf(yield* accepted(yield* wallet), 0)
      assert.isFalse(yield* rows.adopt(yield* transactions(owner, strangers, 6n)))
      assert.deepStrictEqual(yield* rowsOf(strangers), { rows: 0, attempts: 0 })
    }))

  it.effect("adopts a payment only where its row is queued", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const owner = yield* wallet
      const key = settlementKey(crypto.randomUUID())
      assert.isFalse(yield* rows.adopt(yield* transactions(owner, key, 0n)))
      assert.deepStrictEqual(yield* rowsOf(key), { rows: 0, attempts: 0 })
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into submissions ${
        sql.insert({
          ...{ key, network, wallet: owner.address, to_address: pool, data: "0x1234", value: "5", reserve: "0" },
          status: "queued"
        })
      }`
      assert.isTrue(yield* rows.adopt(yield* transactions(owner, key, 0n)))
      assert.isFalse(yield* rows.adopt(yield* transactions(owner, key, 1n)))
      assert.deepStrictEqual(yield* rowsOf(key), { rows: 1, attempts: 1 })
    }))

  it.effect("lists the nonces that no submission has, and adds a transaction to one that has its nonce", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const owner = yield* wallet
      const key = keyOf(yield* accepted(owner), 0)
      yield* rows.adopt(yield* transactions(owner, key, 2n))
      const unowned = (from: bigint, to: bigint, limit = 10) =>
        rows.unowned(network, owner.address, { from, to, limit })
      assert.deepStrictEqual(yield* unowned(0n, 5n), [0n, 1n, 3n, 4n])
      assert.deepStrictEqual(yield* unowned(0n, 5n, 3), [0n, 1n, 3n])
      assert.deepStrictEqual(yield* unowned(2n, 3n), [])
      assert.deepStrictEqual(yield* unowned(5n, 5n), [])
      const [more] = (yield* transactions(owner, key, 2n)).attempts
      yield* rows.addAttempt(more!)
      yield* rows.addAttempt(more!)
      const attempts = yield* (yield* SubmissionStore).inFlight(network, owner.address)
      assert.deepStrictEqual(attempts.map(({ attempt }) => attempt), [0, 1])
      assert.strictEqual(attempts[1]?.hash, more?.hash)
    }))

  it.effect("raises what is explained and never lowers it; only wallets of the service have a baseline", () =>
    Effect.gen(function*() {
      const rows = yield* LaneReconciliationStore
      const sql = yield* SqlClient.SqlClient
      const { address } = yield* wallet
      const baseline = Effect.map(rows.head(network, address), (head) => head.baseline)
      assert.strictEqual(yield* baseline, null)
      yield* sql`update gas_wallets set imported = true where address = ${address}`
      assert.strictEqual(yield* baseline, null)
      yield* sql`update gas_wallets set imported = false where address = ${address}`
      assert.strictEqual(yield* baseline, 0n)
      yield* rows.explain(network, address, 4n)
      yield* rows.explain(network, address, 3n)
      assert.strictEqual(yield* baseline, 4n)
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a signature", (it) => {
  it.effect("is refused while the lane is quarantined, and made after its release", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const quarantines = yield* LaneQuarantineStore
      const owner = yield* wallet
      const id = yield* accepted(owner)
      const submission = yield* queued(owner, keyOf(id, 0), id)
      yield* quarantines.open({
        ...{ network, wallet: owner.address, kind: "rows_behind_chain", reason: "the ledger is behind" },
        evidence: { count: "2", transactions: [] }
      })
      const refused = yield* Effect.flip(store.sign(lane(owner, [submission], 2n)))
      assert.strictEqual(refused._tag, "Quarantined")
      assert.deepStrictEqual(yield* rowsOf(submission.key), { rows: 1, attempts: 0 })
      yield* quarantines.release(network, owner.address, "the operator")
      const attempts = yield* store.sign(lane(owner, [submission], 2n))
      assert.deepStrictEqual(attempts.map(({ nonce }) => nonce), [2n])
    }))

  it.effect("is refused while the chain counts transactions that the rows do not explain", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const rows = yield* LaneReconciliationStore
      const owner = yield* wallet
      const id = yield* accepted(owner)
      const submission = yield* queued(owner, keyOf(id, 0), id)
      const refused = yield* Effect.flip(store.sign(lane(owner, [submission], 1n)))
      assert.deepInclude(refused, { _tag: "RowsBehindChain", explained: 0n })
      assert.deepStrictEqual(yield* rowsOf(submission.key), { rows: 1, attempts: 0 })
      yield* rows.explain(network, owner.address, 1n)
      const attempts = yield* store.sign(lane(owner, [submission], 1n))
      assert.deepStrictEqual(attempts.map(({ nonce }) => nonce), [1n])
      // The chain may be behind the rows: theirs is the next nonce.
      const next = yield* accepted(owner)
      const later = yield* queued(owner, keyOf(next, 0), next)
      assert.deepStrictEqual((yield* store.sign(lane(owner, [later], 0n))).map(({ nonce }) => nonce), [2n])
    }))
})
