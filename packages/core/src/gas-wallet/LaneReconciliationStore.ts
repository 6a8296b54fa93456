/** Reads and changes the rows of a lane that is behind its chain: what they explain, and what they adopt. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address, Hash, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
import type { AdoptedTransactions } from "./AdoptedTransactions.ts"
import * as RecordedPayment from "./RecordedPayment.ts"
import { type Attempt, intentOf } from "./Submission.ts"

/** The nonces of a lane that its rows explain. */
export interface LaneHead {
  /** The nonce after the highest one of a submission; 0 without one. */
  readonly next: bigint
  /**
   * Every nonce below is explained by an earlier check; null where no check was made and the wallet's key may have been
   * used before it was imported.
   */
  readonly baseline: bigint | null
  /** Time at which the wallet's key was imported, unix milliseconds; null for a wallet that is not known. */
  readonly importedAt: number | null
}

interface Lane {
  readonly network: Network
  readonly wallet: Address
}

interface Head extends Lane {
  readonly next: string | null
  readonly baseline: string | null
  readonly importedAt: number | null
}

/** Builds the read of a lane's head, which turns of many bots make at once. */
const headsOfLanes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  TogetherRead.make<Lane, Head>(sql, {
    read: (lanes) =>
      sql<Head>`select l.network, l.wallet,
          (select (max(s.nonce) + 1)::text from submissions s
            where s.network = l.network and s.wallet = l.wallet) as next,
          coalesce(
            (select b.nonce::text from nonce_baselines b where b.network = l.network and b.wallet = l.wallet),
            (select '0' from gas_wallets g where g.address = l.wallet and not g.imported)) as baseline,
          (select (extract(epoch from coalesce(g.imported_at, g.created_at)) * 1000)::float8 from gas_wallets g
            where g.address = l.wallet) as "importedAt"
        from (select distinct k.network, k.wallet
          from jsonb_to_recordset(${JSON.stringify(lanes)}::jsonb) as k(network text, wallet text)) l`,
    isOf: ({ network, wallet }) => (head) => head.network === network && head.wallet === wallet
  }))

export class LaneReconciliationStore extends Context.Service<LaneReconciliationStore, {
  readonly head: (network: Network, wallet: Address) => Effect.Effect<LaneHead, SqlError>
  /** Lists the nonces from `from` to below `to` that no submission has, lowest first. */
  readonly unowned: (
    network: Network,
    wallet: Address,
    range: { readonly from: bigint; readonly to: bigint; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<bigint>, SqlError>
  /** Declares every nonce below explained. */
  readonly explain: (network: Network, wallet: Address, count: bigint) => Effect.Effect<void, SqlError>
  /** Finds the lane's queued submission with this call. */
  readonly findQueued: (
    network: Network,
    wallet: Address,
    call: { readonly to: Address; readonly data: Hex; readonly value: bigint }
  ) => Effect.Effect<string | undefined, SqlError>
  /** Adds a transaction to a signed submission that has its nonce already. */
  readonly addAttempt: (attempt: Attempt) => Effect.Effect<void, SqlError>
  /** Returns true when an operator has released a quarantine of the lane that names this transaction. */
  readonly isReleased: (network: Network, wallet: Address, hash: Hash) => Effect.Effect<boolean, SqlError>
  /**
   * Gives a submission its transactions: the row of its key is signed with this nonce and these bytes, and its intent
   * waits for them, until the end of its lifetime. A payment without a row is booked again from its plan. Returns false
   * when the intent does not exist or has ended, when a payment cannot be booked, or when the submission was signed under
   * another nonce; nothing is changed then.
   */
  readonly adopt: (adopted: AdoptedTransactions) => Effect.Effect<boolean, SqlError>
  /**
   * Gives recorded transactions that no block has, of a request that the ledger does not know or that has ended, a row
   * whose lifetime is over: they are cancelled, and nothing of them is charged. Returns false when the request is open,
   * or when the submission was signed under another nonce.
   */
  readonly adoptReleased: (adopted: AdoptedTransactions) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/gas-wallet/LaneReconciliationStore") {
  static readonly layer = Layer.effect(
    LaneReconciliationStore,
    Effect.map(Effect.all([SqlClient.SqlClient, headsOfLanes]), ([sql, heads]) => ({
      head: (network, wallet) =>
        Effect.map(
          heads({ network, wallet }),
          ([row]) => ({
            next: BigInt(row?.next ?? "0"),
            baseline: row?.baseline === null || row === undefined ? null : BigInt(row.baseline),
            importedAt: row?.importedAt ?? null
          })
        ),
      unowned: (network, wallet, { from, limit, to }) =>
        Effect.map(
          sql<{ readonly nonce: string }>`select n::text as nonce
            from generate_series(${from.toString()}::bigint, ${(to - 1n).toString()}::bigint) n
            where not exists (select 1 from submissions s
              where s.network = ${network} and s.wallet = ${wallet} and s.nonce = n)
            order by n limit ${limit}`,
          (rows) => rows.map(({ nonce }) => BigInt(nonce))
        ),
      explain: (network, wallet, count) =>
        Effect.asVoid(
          sql`insert into nonce_baselines (network, wallet, nonce)
            select ${network}, address, ${count.toString()}::bigint from gas_wallets where address = ${wallet}
            on conflict (network, wallet) do update set nonce = greatest(nonce_baselines.nonce, excluded.nonce),
            updated_at = now()`
        ),
      findQueued: (network, wallet, { data, to, value }) =>
        Effect.map(
          sql<{ readonly key: string }>`select key from submissions where network = ${network} and wallet = ${wallet}
            and status = 'queued' and to_address = ${to} and data = ${data} and value = ${value.toString()}::numeric
            order by created_at limit 1`,
          ([row]) => row?.key
        ),
      addAttempt: (attempt) =>
        Effect.flatMap(
          sql<{ readonly next: number }>`select (max(attempt) + 1)::int as next from attempts
            where submission_key = ${attempt.submissionKey}`,
          ([row]) => Effect.asVoid(insertAttempt(sql, attempt, row?.next ?? 0))
        ),
      isReleased: (network, wallet, hash) =>
        Effect.map(
          sql`select 1 from lane_quarantines where network = ${network} and wallet = ${wallet}
            and released_at is not null and released_by <> 'service'
            and evidence -> 'transactions' @> ${JSON.stringify([{ hash }])}::jsonb limit 1`,
          (rows) => rows.length > 0
        ),
      adopt: (adopted) => sql.withTransaction(adopt(sql, adopted)),
      adoptReleased: (adopted) => sql.withTransaction(adoptReleased(sql, adopted))
    }))
  )
}

const adopt = (sql: SqlClient.SqlClient, adopted: AdoptedTransactions) =>
  Effect.gen(function*() {
    const id = intentOf(adopted.key)
    const isTaken = id === undefined
      ? yield* takeRow(sql, adopted)
      : yield* takeStep(sql, adopted, id, Number(adopted.key.split("/")[1]))
    if (isTaken) yield* insertAttempts(sql, adopted)
    return isTaken
  })

const adoptReleased = (sql: SqlClient.SqlClient, adopted: AdoptedTransactions) =>
  Effect.gen(function*() {
    const { data, key, network, nonce, to, value, wallet } = adopted
    const id = intentOf(key)
    const taken = yield* sql`insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve,
        status, nonce, valid_until)
      select ${key}, (select id from intents where id::text = ${id ?? null}), ${network}, ${wallet}, ${to}, ${data},
        ${value.toString()}::numeric, 0, 'signed', ${nonce.toString()}::bigint, now()
      where not exists (select 1 from intents where id::text = ${id ?? null} and status in ('accepted', 'submitted'))
      on conflict (key) do update set status = 'signed', nonce = excluded.nonce, failure = null,
        valid_until = excluded.valid_until, updated_at = now()
      where submissions.nonce is null and submissions.status = 'refused' returning key`
    if (taken.length === 0) return false
    yield* insertAttempts(sql, adopted)
    return true
  })

const insertAttempts = (sql: SqlClient.SqlClient, { attempts }: AdoptedTransactions) =>
  Effect.forEach(attempts, (attempt, index) => insertAttempt(sql, attempt, index), { discard: true })

/** Signs the row of a payment, a top-up or a filler; books it again when there is none. */
const takeRow = (sql: SqlClient.SqlClient, adopted: AdoptedTransactions) => {
  const { key, nonce, wallet } = adopted
  return Effect.flatMap(
    sql`update submissions set status = 'signed', nonce = ${nonce.toString()}::bigint, failure = null,
      updated_at = now() where key = ${key} and wallet = ${wallet} and status = 'queued' and nonce is null
      returning key`,
    (rows) => rows.length > 0 ? Effect.succeed(true) : RecordedPayment.restore(sql, adopted)
  )
}

/** Signs the row of an intent's step, which may not have been planned yet. */
const takeStep = (sql: SqlClient.SqlClient, adopted: AdoptedTransactions, id: string, step: number) =>
  Effect.gen(function*() {
    const { attempts, data, key, network, nonce, plan, to, validUntil, value, wallet } = adopted
    const hash = attempts[0]?.hash
    if (!/^[0-9a-f-]{36}$/.test(id) || hash === undefined) return false
    const open = yield* sql`select 1 from intents where id = ${id}::uuid and wallet = ${wallet}
      and network = ${network} and status in ('accepted', 'submitted') for update`
    if (open.length === 0) return false
    const taken = yield* sql`insert into submissions ${
      sql.insert({
        ...{ key, intent_id: id, network, wallet, to_address: to, data },
        ...{ value: value.toString(), reserve: "0", status: "signed", nonce: nonce.toString() },
        valid_until: validUntil === null ? null : new Date(validUntil)
      })
    } on conflict (key) do update set to_address = excluded.to_address, data = excluded.data, value = excluded.value,
        status = 'signed', nonce = excluded.nonce, failure = null,
        -- No call is broadcast after its lifetime, also when a restore has forgotten that it was signed.
        valid_until = least(submissions.valid_until, excluded.valid_until), updated_at = now()
      where submissions.status in ('queued', 'refused') and submissions.nonce is null returning key`
    if (taken.length === 0) return false
    const adoptedPlan = plan === undefined ? null : JSON.stringify(plan)
    // Hash and plan of an intent are those of its last step.
    yield* sql`update intents set status = 'submitted', step = greatest(step, ${step}), updated_at = now(),
        tx_hash = case when step > ${step} then tx_hash else ${hash} end,
        plan = case when step > ${step} then plan else coalesce(${adoptedPlan}::jsonb, plan) end
      where id = ${id}::uuid`
    return true
  })

const insertAttempt = (sql: SqlClient.SqlClient, attempt: Attempt, index: number) =>
  sql`insert into attempts ${
    sql.insert({
      ...{ network: attempt.network, wallet: attempt.wallet, nonce: attempt.nonce.toString(), attempt: index },
      ...{ submission_key: attempt.submissionKey, hash: attempt.hash, raw: attempt.raw, cancels: attempt.cancels },
      gas_limit: attempt.gasLimit.toString(),
      max_fee_per_gas: attempt.maxFeePerGas.toString(),
      max_priority_fee_per_gas: attempt.maxPriorityFeePerGas.toString()
    })
  } on conflict do nothing`
