import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Audit from "../../src/audit/Audit.ts"
import * as AuditChain from "../../src/audit/AuditChain.ts"
import * as AuditSeal from "../../src/audit/AuditSeal.ts"
import { AuditStore, type Seal } from "../../src/audit/AuditStore.ts"
import * as SignatureLog from "../../src/audit/SignatureLog.ts"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { Database, freshAddress, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(AuditStore.layer, ApiKeyStore.layer, GasWalletStore.layer).pipe(
  Layer.provideMerge(Database)
)

const append = (subject: string, owner: Address | null = null, details: Audit.Change["details"] = {}) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Audit.append(sql, { action: "bot.set", subject, wallet: owner, details }))
  )

/** Inserts signed transactions of a wallet. */
const attempts = (owner: Address, count: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* Effect.forEach(Array.from({ length: count }, (_, nonce) => nonce), (nonce) =>
      Effect.gen(function*() {
        const hash = `0x${yield* freshDigest}` as const
        const key = `settlement/${hash}`
        yield* sql`insert into submissions (key, network, wallet, to_address, data, value, reserve, status, nonce)
          values (${key}, 'base', ${owner}, ${owner}, '0x', 0, 0, 'signed', ${nonce})`
        yield* sql`insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit,
          max_fee_per_gas, max_priority_fee_per_gas)
          values ('base', ${owner}, ${nonce}, 0, ${key}, ${hash}, '0x02', 1, 1, 1)`
        return hash
      }))
  })

const chainAll = Effect.gen(function*() {
  let count = 0
  let from: string | null = null
  for (;;) {
    const batch: { readonly count: number; readonly from: string } = yield* SignatureLog.chainBatch(from)
    count += batch.count
    from = batch.from
    if (batch.count < SignatureLog.batchSize) return { count, from }
  }
})

/** The hashes that the log lists for a wallet, in their order. */
const listed = (owner: Address) =>
  Effect.gen(function*() {
    const entries = yield* (yield* AuditStore).list({ wallet: owner, action: "transactions.signed", limit: 100 })
    return entries.toReversed().flatMap(({ details }) =>
      (details["transactions"] as ReadonlyArray<{ readonly hash: string }>).map(({ hash }) => hash)
    )
  })

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the audit log", (it) => {
  it.effect("shows a reader the entries of its wallets and of the manager, in pages, and nothing else", () =>
    Effect.gen(function*() {
      const store = yield* AuditStore
      const [mine, second, other, manager] = [
        yield* freshAddress,
        yield* freshAddress,
        yield* freshAddress,
        yield* freshAddress
      ]
      yield* append("1", mine)
      yield* append("2", other)
      yield* append("3", second)
      yield* append(manager, null, { network: "base" })
      yield* append(manager, null, { network: "any" })
      yield* append("5", mine)
      const subjects = (reader: Parameters<typeof store.listFor>[0], more = {}) =>
        Effect.map(store.listFor(reader, { limit: 10, ...more }), (found) => found.map(({ subject }) => subject))
      assert.deepStrictEqual(yield* subjects({ wallets: [mine] }), ["5", "1"])
      const all = { wallets: [mine, second], manager: { address: manager, network: null } }
      assert.deepStrictEqual(yield* subjects(all), ["5", manager, manager, "3", "1"])
      const onBase = { wallets: [mine], manager: { address: manager, network: "base" as const } }
      assert.deepStrictEqual(yield* subjects(onBase), ["5", manager, "1"])
      assert.deepStrictEqual(yield* subjects({ wallets: [] }), [])
      const first = yield* store.listFor(all, { limit: 2 })
      assert.deepStrictEqual(yield* subjects(all, { before: first[1]!.seq }), [manager, "3", "1"])
      assert.deepStrictEqual(yield* subjects(all, { action: "key.issued" }), [])
      assert.deepStrictEqual(yield* subjects(all, { since: new Date(Date.now() + 3_600_000) }), [])
      const page = yield* store.after(0, 1000)
      assert.isObject(yield* AuditChain.followAll(AuditChain.start, page))
    }))

  it.effect("gets every signed transaction once, in one entry for each wallet of a batch, also by two processes at once", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* wallet, yield* wallet]
      const first = yield* attempts(one.address, 3)
      const second = yield* attempts(two.address, 2)
      const results = yield* Effect.all([Effect.exit(chainAll), Effect.exit(chainAll)], { concurrency: 2 })
      assert.isTrue(results.some(Exit.isSuccess))
      const { from } = yield* chainAll
      assert.deepStrictEqual(yield* listed(one.address), first)
      assert.deepStrictEqual(yield* listed(two.address), second)
      assert.strictEqual((yield* SignatureLog.chainBatch(from)).count, 0)
      assert.strictEqual((yield* chainAll).count, 0)
      const later = yield* attempts((yield* wallet).address, 1)
      assert.strictEqual((yield* SignatureLog.chainBatch(from)).count, 1)
      const place = yield* row(`select e.action from audited_attempts x join audit_entries e on e.seq = x.seq
        where x.hash = '${later[0]}'`)
      assert.deepStrictEqual(place, { action: "transactions.signed" })
    }))

  it.effect("chains more transactions than one batch holds", () =>
    Effect.gen(function*() {
      const owner = yield* wallet
      const sql = yield* SqlClient.SqlClient
      const key = `settlement/many-${owner.address}`
      yield* sql`insert into submissions (key, network, wallet, to_address, data, value, reserve, status, nonce)
        values (${key}, 'base', ${owner.address}, ${owner.address}, '0x', 0, 0, 'signed', 7)`
      yield* sql`insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit,
        max_fee_per_gas, max_priority_fee_per_gas)
        select 'base', ${owner.address}, 7, n, ${key}, '0x' || encode(sha256((${owner.address} || n)::bytea), 'hex'), '0x02',
          1, 1, 1 from generate_series(0, ${SignatureLog.batchSize + 9}) n`
      assert.strictEqual((yield* chainAll).count, SignatureLog.batchSize + 10)
      assert.lengthOf(new Set(yield* listed(owner.address)), SignatureLog.batchSize + 10)
    }))

  it.effect("loses a range only to a seal that covers exactly that range, from its beginning", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* AuditStore
      const all = yield* store.after(0, 1000)
      const last = all[3]!
      const seal: Seal = {
        firstSeq: 1,
        lastSeq: last.seq,
        entries: 4,
        previous: all[0]!.previous,
        lastDigest: last.digest,
        file: "audit-1-4.jsonl",
        fileDigest: "ab".repeat(32)
      }
      const refused = (changed: Partial<Seal>) =>
        Effect.map(Effect.exit(AuditSeal.remove(sql, { ...seal, ...changed })), Exit.isFailure)
      assert.isTrue(yield* refused({ lastDigest: "cd".repeat(32) }))
      assert.isTrue(yield* refused({ firstSeq: 2, entries: 3 }), "entries before the range would remain")
      assert.isTrue(yield* refused({ entries: 3 }))
      assert.isTrue(yield* refused({ lastSeq: last.seq + 1, entries: 5 }))
      assert.lengthOf(yield* store.after(0, 1000), all.length)
      // A seal that no entry of the chain names removes nothing.
      const bare = sql.withTransaction(Effect.andThen(
        sql`insert into audit_seals (first_seq, last_seq, entries, previous, last_digest, file, file_digest)
          values (1, 4, 4, ${seal.previous}, ${seal.lastDigest}, 'x', ${seal.fileDigest})`,
        sql`delete from audit_entries where seq <= 4`
      ))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(bare)))

      yield* AuditSeal.remove(sql, seal)
      const left = yield* store.after(0, 1000)
      assert.strictEqual(left[0]?.seq, 5)
      assert.deepStrictEqual(yield* store.seals, [seal])
      assert.deepInclude(left.at(-1), { action: "audit.sealed", subject: "1-4" })
      const end = yield* AuditChain.followAll({ seq: 4, digest: seal.lastDigest }, left)
      assert.deepStrictEqual(end, { seq: left.at(-1)!.seq, digest: left.at(-1)!.digest })
      for (
        const statement of [
          "delete from audit_entries where seq = 5",
          "delete from audit_seals",
          "update audit_seals set file_digest = repeat('0', 64)",
          "truncate audit_seals"
        ]
      ) assert.isTrue(Exit.isFailure(yield* Effect.exit(sql.unsafe(statement))), statement)
    }))
})
