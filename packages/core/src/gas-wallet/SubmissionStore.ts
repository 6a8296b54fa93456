/** Submissions and their signed attempts. Nonces live here and nowhere else: "next" is derived from rows. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address, Hash, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as Batcher from "../storage/Batcher.ts"
import { ExecutionFailure } from "../endpoint/Failure.ts"
import * as Signatures from "./Signatures.ts"
import { LaneMoved, type NotSigned, Paused } from "./Signatures.ts"
import { Attempt, Estimate, Receipt, Submission } from "./Submission.ts"

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
  /** What the planner's simulation said, if it made one: good for a moment, so that the lane need not ask again. */
  readonly estimate?: Estimate | null
}

/** A signed submission and its receipt. */
export interface Landing {
  readonly key: string
  readonly receipt: Receipt
}

/** Lanes that share a statement. */
const lanesAtOnce = 64

const Submissions = Schema.decodeUnknown(Schema.Array(Submission))
const Attempts = Schema.decodeUnknown(Schema.Array(Attempt))
const encodeEstimate = Schema.encodeSync(Estimate)
const receiptOf = Schema.encodeSync(Receipt)
const encodeFailure = Schema.encodeSync(Schema.parseJson(ExecutionFailure))

export class SubmissionStore extends Context.Tag("vault-trader/core/gas-wallet/SubmissionStore")<SubmissionStore, {
  /** Queues a call; fails when one is there already, so that whoever planned it twice finds out. */
  readonly put: (submission: NewSubmission) => Effect.Effect<void, SqlError>
  readonly find: (key: string) => Effect.Effect<Option.Option<Submission>, SqlError>
  /** Those of the keys that have a row, in the order asked. */
  readonly findAll: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Submission>, SqlError>
  /** The lane's queued submissions, in order of arrival: what a lane that opens has to take up beside its flights. */
  readonly queued: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** The lane's signed and mined submissions that are not final yet, in nonce order. */
  readonly unsettled: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<Submission>, SqlError>
  /** The lanes with a submission whose fate is open, or that a reorg may still take back: somebody has to watch them. */
  readonly openLanes: Effect.Effect<ReadonlyArray<{ readonly network: Network; readonly wallet: Address }>, SqlError>
  /** Every attempt whose submission is signed and not final, in nonce order. */
  readonly inFlight: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<Attempt>, SqlError>
  /** Signs for a lane: its nonces and bytes are committed when it answers. */
  readonly sign: <E, R>(lane: Signatures.Signing<E, R>) => Effect.Effect<ReadonlyArray<Attempt>, E | SqlError | NotSigned, R>
  /** Whether a kill switch stops this wallet's signatures: asked before bytes are made; `sign`, `replace` and `fill` ask again. */
  readonly paused: (wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Commits another attempt of a signed submission: same nonce, other fees. */
  readonly replace: (attempt: Attempt) => Effect.Effect<void, SqlError | LaneMoved | Paused>
  /** Commits an empty transaction for a nonce nobody uses, with its submission; fails when the nonce has one. */
  readonly fill: (attempt: Attempt) => Effect.Effect<void, SqlError | Paused>
  /** Says whether a signed submission waits for fees to fall below its cap. */
  readonly waitForGas: (key: string, waiting: boolean) => Effect.Effect<void, SqlError>
  /**
   * Records the receipts of signed submissions, in one statement. A receipt that says something else than the one another owner has
   * recorded takes back what had been told and charged by that one, as `unmined` does.
   */
  readonly mined: (landings: ReadonlyArray<Landing>) => Effect.Effect<void, SqlError>
  /**
   * Takes back what a reorg removed with this block: the submission is signed again, its intent unfinished, its charge unbooked, in
   * one transaction. The same bytes will be offered again. Nothing changes where another owner has seen it in another block since.
   */
  readonly unmined: (key: string, blockHash: Hash) => Effect.Effect<void, SqlError>
  /** Says that no reorg can reach these mined submissions any more. Answers those that are final now: another owner may have taken one back. */
  readonly finalise: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Ends a submission that was never signed. */
  readonly refuse: (key: string, failure: ExecutionFailure) => Effect.Effect<void, SqlError>
  /** Ends a signed submission whose nonce somebody else has used. */
  readonly supersede: (key: string) => Effect.Effect<void, SqlError>
}>() {
  static readonly layer = Layer.scoped(
    SubmissionStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `key, intent_id as "intentId", network, wallet, to_address as "to", data, value, reserve, status, waiting_for_gas as "waitingForGas", nonce, receipt, failure, estimate`
      )
      const decoded = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.flatMap(rows, (found) => Effect.orDie(Submissions(found)))

      /** Rows travel as one JSON parameter: a statement with a parameter for every field of every row costs more than its work. */
      const records = (rows: ReadonlyArray<object | string>) => sql`${JSON.stringify(rows)}::jsonb`

      const insertAttempts = (attempts: ReadonlyArray<Attempt>) =>
        sql`insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
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
        }) as v(network text, wallet text, nonce bigint, attempt integer, key text, hash text, raw text, gas numeric, fee numeric, tip numeric)`

      const unlessPaused = (wallet: Address) =>
        Effect.flatMap(
          sql<{ readonly scope: string; readonly reason: string }>`select scope, reason from kill_switches
            where scope in ('service', ${`wallet/${wallet}`}) limit 1`,
          ([row]) => row === undefined ? Effect.void : new Paused(row)
        )

      const recordMined = (landings: ReadonlyArray<Landing>) =>
        Effect.asVoid(sql`with v as (select * from jsonb_to_recordset(${
          records(landings.map(({ key, receipt }) => ({ key, receipt: receiptOf(receipt) })))
        }) as v(key text, receipt jsonb)),
          contradicted as (select s.intent_id from submissions s join v on v.key = s.key where s.status = 'mined' and s.intent_id is not null
            and (s.receipt -> 'transactionHash', s.receipt -> 'succeeded', s.receipt -> 'logs')
              is distinct from (v.receipt -> 'transactionHash', v.receipt -> 'succeeded', v.receipt -> 'logs') for update of s),
          unbooked as (delete from charges c using contradicted d where c.intent_id = d.intent_id),
          untold as (update intents i set status = 'submitted', outcome = null, updated_at = now() from contradicted d where i.id = d.intent_id)
          update submissions s set status = 'mined', receipt = v.receipt, waiting_for_gas = false, updated_at = now()
          -- Counted, so that they are found before the rows change: rows this statement has changed it does not lock, but passes over.
          from v where s.key = v.key and s.status in ('signed', 'mined') and (select count(*) from contradicted) >= 0`)

      // Lanes that look, land and end at the same moment share a statement.
      const found = yield* Batcher.make({
        maximum: lanesAtOnce,
        concurrency: 2,
        run: (lists: ReadonlyArray<ReadonlyArray<string>>) =>
          Effect.map(decoded(sql`select ${columns} from submissions where key in (select jsonb_array_elements_text(${records(lists.flat())}))`), (rows) => {
            const byKey = new Map(rows.map((row) => [row.key, row]))
            return lists.map((keys) => keys.flatMap((key) => byKey.get(key) ?? []))
          })
      })
      const mined = yield* Batcher.make({
        maximum: lanesAtOnce,
        concurrency: 2,
        run: (lists: ReadonlyArray<ReadonlyArray<Landing>>) => Effect.as(recordMined(lists.flat()), lists.map(() => undefined))
      })
      const finalise = yield* Batcher.make({
        maximum: lanesAtOnce,
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
              estimate: submission.estimate === null || submission.estimate === undefined ? null : JSON.stringify(encodeEstimate(submission.estimate))
            })
          }`),
        find: (key) => Effect.map(decoded(sql`select ${columns} from submissions where key = ${key}`), (rows) => Option.fromNullable(rows[0])),
        findAll: (keys) => keys.length === 0 ? Effect.succeed([]) : found(keys),
        queued: (network, wallet) =>
          Effect.map(
            sql<{ readonly key: string }>`select key from submissions where network = ${network} and wallet = ${wallet}
              and status = 'queued' order by created_at, key`,
            (rows) => rows.map(({ key }) => key)
          ),
        unsettled: (network, wallet) =>
          decoded(sql`select ${columns} from submissions where network = ${network} and wallet = ${wallet}
            and status in ('signed', 'mined') order by nonce`),
        openLanes: sql<{ readonly network: Network; readonly wallet: Address }>`select distinct network, wallet from submissions
          where status in ('queued', 'signed', 'mined')`,
        inFlight: (network, wallet) =>
          Effect.flatMap(
            sql`select a.network, a.wallet, a.nonce, a.attempt, a.submission_key as "submissionKey", a.hash, a.raw,
                a.gas_limit as "gasLimit", a.max_fee_per_gas as "maxFeePerGas", a.max_priority_fee_per_gas as "maxPriorityFeePerGas"
              from submissions s join attempts a on a.submission_key = s.key
              where s.network = ${network} and s.wallet = ${wallet} and s.status in ('signed', 'mined') order by a.nonce, a.attempt`,
            (rows) => Effect.orDie(Attempts(rows))
          ),
        sign: yield* Signatures.batched,
        paused: (wallet) => unlessPaused(wallet).pipe(Effect.as(false), Effect.catchTag("Paused", () => Effect.succeed(true))),
        replace: (attempt) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* unlessPaused(attempt.wallet)
            const rows = yield* sql`select key from submissions where key = ${attempt.submissionKey} and status = 'signed' for update`
            if (rows.length === 0) return yield* new LaneMoved({ wallet: attempt.wallet })
            yield* insertAttempts([attempt])
            yield* sql`update intents set tx_hash = ${attempt.hash}, updated_at = now()
              where id = (select intent_id from submissions where key = ${attempt.submissionKey}) and status = 'submitted'`
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
        mined,
        unmined: (key, blockHash) =>
          sql.withTransaction(Effect.gen(function*() {
            const [row] = yield* sql<{ readonly intent_id: string | null }>`update submissions set status = 'signed', receipt = null, updated_at = now()
              where key = ${key} and status = 'mined' and receipt ->> 'blockHash' = ${blockHash} returning intent_id`
            if (row === undefined || row.intent_id === null) return
            yield* sql`delete from charges where intent_id = ${row.intent_id}::uuid`
            yield* sql`update intents set status = 'submitted', outcome = null, updated_at = now() where id = ${row.intent_id}::uuid`
          })),
        finalise,
        refuse: (key, failure) =>
          Effect.asVoid(sql`update submissions set status = 'refused', failure = ${encodeFailure(failure)}::jsonb, updated_at = now()
            where key = ${key} and status = 'queued'`),
        supersede: (key) =>
          Effect.asVoid(sql`update submissions set status = 'superseded', updated_at = now() where key = ${key} and status = 'signed'`)
      }
    })
  )
}
