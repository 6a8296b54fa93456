/**
 * Stores submissions and their signed attempts. This is the only place for nonces: the next one is derived from the
 * rows.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address, Hash, Hex } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Batcher from "../storage/Batcher.ts"
import { ExecutionFailure } from "../failure/Failure.ts"
import * as SetAside from "./SetAside.ts"
import * as SigningBatch from "./SigningBatch.ts"
import { LaneConflict, type NotSigned, Paused } from "./SigningBatch.ts"
import { Attempt, Estimate, Receipt, Submission, type SubmissionStatus } from "./Submission.ts"

/** A call about to be queued. */
export interface NewSubmission {
  readonly key: string
  readonly intentId: string
  readonly network: Network
  readonly wallet: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly reserve: bigint
  /**
   * The gas estimate of the planner's simulation, if it ran one: valid for a short time, so that the lane need not
   * simulate again.
   */
  readonly estimate?: Estimate | null
}

/** A signed submission and its receipt. */
export interface MinedReceipt {
  readonly key: string
  readonly receipt: Receipt
}

/** The fields of an intent's row that the signer compares with a submission. Texts are as stored and unverified. */
export interface Requested {
  readonly id: string
  readonly wallet: string
  readonly network: string
  readonly pool: string
  /** The `_tag` of its request. */
  readonly request: string | null
  readonly status: string
  /** The last planned step. */
  readonly step: number
}

/** Maximum number of lanes that share a statement. */
const maxLanes = 64

/** A final submission and every transaction that was signed for it. */
export interface FinalSubmission {
  readonly submission: Submission
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** Maximum number of a lane's newest final submissions that are read again after a deep reorg. */
const maxRecentFinal = 500

/** Maximum number of wallets whose set-aside rows are held in memory until they are taken. */
const maxNews = 1_000

const decodeSubmission = Schema.decodeUnknownResult(Submission)
const Attempts = Schema.decodeUnknownEffect(Schema.Array(Attempt))
const isNetwork = Schema.is(Network)
const encodeEstimate = Schema.encodeSync(Estimate)
const receiptOf = Schema.encodeSync(Receipt)
const encodeFailure = Schema.encodeSync(Schema.fromJsonString(ExecutionFailure))

export class SubmissionStore extends Context.Service<SubmissionStore, {
  /** Queues a call; fails when the key already exists, so that a second planner notices. */
  readonly put: (submission: NewSubmission) => Effect.Effect<void, SqlError>
  readonly find: (key: string) => Effect.Effect<Option.Option<Submission>, SqlError>
  /** Returns the submissions of these keys in the given order, without those that have no row. */
  readonly findAll: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Submission>, SqlError>
  /**
   * Returns the lane's queued submissions in order of arrival. A lane that opens resumes them together with its
   * unsettled ones.
   */
  readonly queued: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Returns the lane's signed and mined submissions that are not final yet, in nonce order. */
  readonly unsettled: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<Submission>, SqlError>
  /**
   * Lists the lanes with a submission that is not settled, or that a reorg can still remove. They have to be watched.
   */
  readonly openLanes: Effect.Effect<ReadonlyArray<{ readonly network: Network; readonly wallet: Address }>, SqlError>
  /** Returns every attempt whose submission is signed and not final, in nonce order. */
  readonly inFlight: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<Attempt>, SqlError>
  /** Signs for a lane: its nonces and bytes are committed when this returns. */
  readonly sign: <E, R>(
    lane: SigningBatch.SigningRequest<E, R>
  ) => Effect.Effect<ReadonlyArray<Attempt>, E | SqlError | NotSigned, R>
  /**
   * Checks whether a kill switch stops this wallet's signatures. Called before signing; `sign`, `replace` and `fill`
   * check again.
   */
  readonly paused: (wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Commits another attempt of a signed submission: same nonce, other fees. */
  readonly replace: (attempt: Attempt) => Effect.Effect<void, SqlError | LaneConflict | Paused>
  /** Commits an empty transaction for an unused nonce, with its submission; fails when the nonce has one. */
  readonly fill: (attempt: Attempt) => Effect.Effect<void, SqlError | Paused>
  /** Stores whether a signed submission waits for fees to fall below its cap. */
  readonly waitForGas: (key: string, waiting: boolean) => Effect.Effect<void, SqlError>
  /**
   * Records the receipts of signed submissions, in one statement. A receipt that differs from the one another owner has
   * recorded reverts that one's outcome and charge, as `revertMined` does.
   */
  readonly recordMined: (receipts: ReadonlyArray<MinedReceipt>) => Effect.Effect<void, SqlError>
  /**
   * Replaces the receipt of a transaction that a reorg moved, with the same effects, from this block to another. It is
   * no longer final.
   */
  readonly moved: (key: string, from: Hash, receipt: Receipt) => Effect.Effect<void, SqlError>
  /** Returns the status of the lane's submission that owns a nonce; none when no submission owns it. */
  readonly ownerOf: (
    network: Network,
    wallet: Address,
    nonce: bigint
  ) => Effect.Effect<Option.Option<SubmissionStatus>, SqlError>
  /**
   * Returns the lane's newest final submissions with their attempts, newest first, without those whose bytes retention
   * has removed.
   */
  readonly recentFinal: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<FinalSubmission>, SqlError>
  /**
   * Reverts a submission that a reorg removed with this block, even a final one, in one transaction: the submission is
   * `signed` again, its intent unfinished, its charge deleted. A charge that a payment already covers stays with that
   * payment, which the same reorg removed or the ledger check reports. The same bytes are broadcast again. Changes
   * nothing when another owner has recorded the submission in another block since.
   */
  readonly revertMined: (key: string, blockHash: Hash) => Effect.Effect<void, SqlError>
  /** Marks these mined submissions as final. Returns those that are final now: another owner may have reverted one. */
  readonly finalize: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Ends a submission that was never signed. */
  readonly refuse: (key: string, failure: ExecutionFailure) => Effect.Effect<void, SqlError>
  /** Ends a signed submission whose nonce a foreign transaction has used. */
  readonly supersede: (key: string) => Effect.Effect<void, SqlError>
  /** Returns the intents of these ids, in no particular order; an id without a row is left out. */
  readonly requested: (intentIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Requested>, SqlError>
  /** Sets aside attempts that their wallet did not sign, and those of these submissions that have no attempt left. */
  readonly distrust: (
    hashes: ReadonlyArray<Hash>,
    submissions: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<SetAside.SetAside>, SqlError>
  /** Returns the rows that reads of a wallet have set aside, once; they are held in memory until then. */
  readonly takeSetAside: (wallet: Address) => Effect.Effect<ReadonlyArray<SetAside.SetAside>>
}>()("vault-trader/core/gas-wallet/SubmissionStore") {
  static readonly layer = Layer.effect(
    SubmissionStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `key, intent_id as "intentId", network, wallet, to_address as "to", data, value, reserve, status, ` +
          `waiting_for_gas as "waitingForGas", nonce, receipt, failure, estimate`
      )
      // NaN becomes 0 here: the signed bytes hold the real values.
      const attemptColumns = sql.literal(`a.nonce, a.attempt, a.submission_key as "submissionKey", a.hash, a.raw,
        coalesce(nullif(a.gas_limit, 'NaN'), 0) as "gasLimit", coalesce(nullif(a.max_fee_per_gas, 'NaN'), 0) as "maxFeePerGas",
        coalesce(nullif(a.max_priority_fee_per_gas, 'NaN'), 0) as "maxPriorityFeePerGas"`)
      const aside = yield* SetAside.make
      const news = new Map<Address, ReadonlyArray<SetAside.SetAside>>()
      const remember = (rows: ReadonlyArray<SetAside.SetAside>) =>
        Effect.sync(() => {
          for (const row of rows) news.set(row.wallet, [...(news.get(row.wallet) ?? []), row])
          const [oldest] = news.keys()
          if (news.size > maxNews && oldest !== undefined) news.delete(oldest)
          return rows
        })

      /**
       * Decodes row by row: a row that does not decode is set aside and read again, and left out if it still does not
       * decode.
       */
      const decoded = (rows: Effect.Effect<ReadonlyArray<{ readonly key: string }>, SqlError>) =>
        Effect.gen(function*() {
          const found = yield* rows
          const all = new Map(found.map((row) => [row.key, decodeSubmission(row)]))
          const bad = Array.from(all).flatMap(([key, row]) => Result.isFailure(row) ? [key] : [])
          if (bad.length > 0) {
            yield* Effect.flatMap(aside.submissions(bad), remember)
            const again = yield* sql<{ readonly key: string }>`select ${columns} from submissions where key in ${
              sql.in(bad)
            }`
            for (const row of again) all.set(row.key, decodeSubmission(row))
          }
          return Array.from(all.values()).flatMap((row) => Result.isSuccess(row) ? [row.success] : [])
        })

      /**
       * Passes rows as one JSON parameter: one parameter for every field of every row would cost more than the work of
       * the statement.
       */
      const records = (rows: ReadonlyArray<object | string>) => sql`${JSON.stringify(rows)}::jsonb`

      const insertAttempts = (attempts: ReadonlyArray<Attempt>) =>
        sql`insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit,
          max_fee_per_gas, max_priority_fee_per_gas)
          select * from jsonb_to_recordset(${
          records(attempts.map((attempt) => ({
            network: attempt.network,
            wallet: attempt.wallet,
            nonce: attempt.nonce.toString(),
            attempt: attempt.attempt,
            key: attempt.submissionKey,
            hash: attempt.hash,
            raw: attempt.raw,
            gas: attempt.gasLimit.toString(),
            fee: attempt.maxFeePerGas.toString(),
            tip: attempt.maxPriorityFeePerGas.toString()
          })))
        }) as v(network text, wallet text, nonce bigint, attempt integer, key text, hash text, raw text, gas numeric,
        fee numeric, tip numeric)`

      const unlessPaused = (wallet: Address) =>
        Effect.flatMap(
          sql<{ readonly scope: string; readonly reason: string }>`select scope, reason from kill_switches
            where scope in ('service', ${`wallet/${wallet}`}) limit 1`,
          ([row]) => row === undefined ? Effect.void : new Paused(row)
        )

      const recordAllMined = (receipts: ReadonlyArray<MinedReceipt>) =>
        Effect.asVoid(
          sql`with v as (select * from jsonb_to_recordset(${
            records(receipts.map(({ key, receipt }) => ({ key, receipt: receiptOf(receipt) })))
          }) as v(key text, receipt jsonb)),
          contradicted as (select s.intent_id from submissions s join v on v.key = s.key
          where s.status = 'mined' and s.intent_id is not null
            and (s.receipt -> 'transactionHash', s.receipt -> 'succeeded', s.receipt -> 'logs')
              is distinct from (v.receipt -> 'transactionHash', v.receipt -> 'succeeded', v.receipt -> 'logs')
              for update of s),
          unbooked as (delete from charges c using contradicted d
          where c.intent_id = d.intent_id and c.settlement_id is null),
          untold as (update intents i set status = 'submitted', outcome = null, updated_at = now() from contradicted d
          where i.id = d.intent_id)
          update submissions s set status = 'mined', receipt = v.receipt, waiting_for_gas = false, updated_at = now()
          -- The count makes contradicted
          run before the update: a statement skips rows that it has changed itself instead of locking them.
          from v where s.key = v.key and s.status in ('signed', 'mined') and (select count(*) from contradicted) >= 0`
        )

      // Lanes that read, record and finalize at the same moment share a statement.
      const found = yield* Batcher.make({
        maximum: maxLanes,
        concurrency: 2,
        run: (lists: ReadonlyArray<ReadonlyArray<string>>) =>
          Effect.map(
            decoded(
              sql<
                { readonly key: string }
              >`select ${columns} from submissions where key in (select jsonb_array_elements_text(${
                records(lists.flat())
              }))`
            ),
            (rows) => {
              const byKey = new Map(rows.map((row) => [row.key, row]))
              return lists.map((keys) => keys.flatMap((key) => byKey.get(key) ?? []))
            }
          )
      })
      const requested = yield* Batcher.make({
        maximum: maxLanes,
        concurrency: 2,
        run: (lists: ReadonlyArray<ReadonlyArray<string>>) =>
          Effect.map(
            sql<
              Requested
            >`select id::text as id, wallet, network, pool, request ->> '_tag' as request, status, step from intents
              where id in (select jsonb_array_elements_text(${records(lists.flat())})::uuid)`,
            (rows) => lists.map((ids) => rows.filter(({ id }) => ids.includes(id)))
          )
      })
      const recordMined = yield* Batcher.make({
        maximum: maxLanes,
        concurrency: 2,
        run: (lists: ReadonlyArray<ReadonlyArray<MinedReceipt>>) =>
          Effect.as(recordAllMined(lists.flat()), lists.map(() => undefined))
      })
      const finalize = yield* Batcher.make({
        maximum: maxLanes,
        concurrency: 2,
        run: (lists: ReadonlyArray<ReadonlyArray<string>>) =>
          Effect.gen(function*() {
            const keys = records(lists.flat())
            yield* sql`update submissions set status = 'final', updated_at = now()
              where key in (select jsonb_array_elements_text(${keys})) and status = 'mined'`
            const rows = yield* sql<{ readonly key: string }>`select key from submissions
              where key in (select jsonb_array_elements_text(${keys})) and status = 'final'`
            const final = new Set(rows.map(({ key }) => key))
            return lists.map((own) => new Set(own.filter((key) => final.has(key))))
          })
      })

      return {
        put: (submission) =>
          Effect.asVoid(sql`insert into submissions ${
            sql.insert({
              key: submission.key,
              intent_id: submission.intentId,
              network: submission.network,
              wallet: submission.wallet,
              to_address: submission.to,
              data: submission.data,
              value: submission.value.toString(),
              reserve: submission.reserve.toString(),
              estimate: submission.estimate === null || submission.estimate === undefined
                ? null
                : JSON.stringify(encodeEstimate(submission.estimate))
            })
          }`),
        find: (key) =>
          Effect.gen(function*() {
            const rows = yield* sql<{ readonly key: string }>`select ${columns} from submissions where key = ${key}`
            const [row] = yield* decoded(Effect.succeed(rows))
            // Returning none would mean that the step was never planned, and it would be planned again.
            return row === undefined && rows.length > 0
              ? yield* Effect.die(new Error(`the row of submission ${key} cannot be decoded`))
              : Option.fromNullishOr(row)
          }),
        findAll: (keys) => keys.length === 0 ? Effect.succeed([]) : found(keys),
        queued: (network, wallet) =>
          Effect.map(
            sql<{ readonly key: string }>`select key from submissions where network = ${network} and wallet = ${wallet}
              and status = 'queued' order by created_at, key`,
            (rows) => rows.map(({ key }) => key)
          ),
        unsettled: (network, wallet) =>
          decoded(
            sql<
              { readonly key: string }
            >`select ${columns} from submissions where network = ${network} and wallet = ${wallet}
            and status in ('signed', 'mined') order by nonce`
          ),
        openLanes: Effect.gen(function*() {
          const lanes = yield* sql<
            { readonly network: string; readonly wallet: Address }
          >`select distinct network, wallet from submissions
            where status in ('queued', 'signed', 'mined')`
          const known = lanes.flatMap(({ network, wallet }) => isNetwork(network) ? [{ network, wallet }] : [])
          if (known.length < lanes.length) yield* Effect.flatMap(aside.elsewhere(Network.literals), remember)
          return known
        }),
        inFlight: (network, wallet) =>
          Effect.flatMap(
            sql`select ${network}::text as network, ${wallet}::text as wallet, ${attemptColumns} from submissions s
              join attempts a on a.submission_key = s.key
              where s.network = ${network} and s.wallet = ${wallet} and s.status in ('signed', 'mined')
              order by a.nonce, a.attempt`,
            (rows) => Effect.orDie(Attempts(rows))
          ),
        sign: yield* SigningBatch.batched,
        paused: (wallet) =>
          unlessPaused(wallet).pipe(Effect.as(false), Effect.catchTag("Paused", () => Effect.succeed(true))),
        replace: (attempt) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* unlessPaused(attempt.wallet)
            const rows =
              yield* sql`select key from submissions where key = ${attempt.submissionKey} and status = 'signed'
                for update`
            if (rows.length === 0) return yield* new LaneConflict({ wallet: attempt.wallet })
            yield* insertAttempts([attempt])
            yield* sql`update intents set tx_hash = ${attempt.hash}, updated_at = now()
              where id = (select intent_id from submissions
              where key = ${attempt.submissionKey}) and status = 'submitted'`
          })),
        fill: (attempt) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* unlessPaused(attempt.wallet)
            yield* sql`insert into submissions ${
              sql.insert({
                key: attempt.submissionKey,
                network: attempt.network,
                wallet: attempt.wallet,
                to_address: attempt.wallet,
                data: "0x",
                value: "0",
                reserve: "0",
                status: "signed",
                nonce: attempt.nonce.toString()
              })
            }`
            yield* insertAttempts([attempt])
          })),
        waitForGas: (key, waiting) =>
          Effect.asVoid(sql`update submissions set waiting_for_gas = ${waiting}, updated_at = now()
            where key = ${key} and status = 'signed' and waiting_for_gas <> ${waiting}`),
        recordMined,
        moved: (key, from, receipt) =>
          Effect.asVoid(
            sql`update submissions set status = 'mined', receipt = ${
              JSON.stringify(receiptOf(receipt))
            }::jsonb, updated_at = now()
            where key = ${key} and status in ('mined', 'final') and receipt ->> 'blockHash' = ${from}`
          ),
        ownerOf: (network, wallet, nonce) =>
          Effect.map(
            sql<{ readonly status: SubmissionStatus }>`select status from submissions
              where network = ${network} and wallet = ${wallet} and nonce = ${nonce.toString()}::bigint`,
            ([row]) => Option.map(Option.fromNullishOr(row), ({ status }) => status)
          ),
        recentFinal: (network, wallet) =>
          Effect.gen(function*() {
            const rows = yield* decoded(
              sql<
                { readonly key: string }
              >`select ${columns} from submissions where network = ${network} and wallet = ${wallet}
              and status = 'final' order by nonce desc limit ${maxRecentFinal}`
            )
            if (rows.length === 0) return []
            const attempts = yield* Effect.flatMap(
              sql`select ${network}::text as network, ${wallet}::text as wallet, ${attemptColumns} from attempts a
                where a.submission_key in ${sql.in(rows.map(({ key }) => key))} order by a.attempt`,
              (found) => Effect.orDie(Attempts(found))
            )
            return rows.flatMap((submission) => {
              const own = attempts.filter(({ submissionKey }) => submissionKey === submission.key)
              return own.length === 0 ? [] : [{ submission, attempts: own }]
            })
          }),
        revertMined: (key, blockHash) =>
          sql.withTransaction(Effect.gen(function*() {
            const [row] = yield* sql<
              { readonly intent_id: string | null }
            >`update submissions set status = 'signed', receipt = null, updated_at = now()
              where key = ${key} and status in ('mined', 'final') and receipt ->> 'blockHash' = ${blockHash}
              returning intent_id`
            if (row === undefined || row.intent_id === null) return
            yield* sql`delete from charges where intent_id = ${row.intent_id}::uuid and settlement_id is null`
            yield* sql`update intents set status = 'submitted', outcome = null, updated_at = now()
              where id = ${row.intent_id}::uuid`
          })),
        finalize,
        refuse: (key, failure) =>
          Effect.asVoid(
            sql`update submissions set status = 'refused', failure = ${
              encodeFailure(failure)
            }::jsonb, updated_at = now()
            where key = ${key} and status = 'queued'`
          ),
        supersede: (key) =>
          Effect.asVoid(
            sql`update submissions set status = 'superseded', updated_at = now()
              where key = ${key} and status = 'signed'`
          ),
        requested,
        distrust: (hashes, keys) =>
          Effect.andThen(
            hashes.length === 0 ? Effect.void : aside.attempts(hashes),
            keys.length === 0 ? Effect.succeed([]) : aside.withoutAttempt(keys)
          ),
        takeSetAside: (wallet) =>
          Effect.sync(() => {
            const rows = news.get(wallet) ?? []
            news.delete(wallet)
            return rows
          })
      }
    })
  )
}
