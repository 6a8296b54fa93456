/** Reads submissions, their attempts and the intents they belong to. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"
import * as RecordedPayment from "./RecordedPayment.ts"
import { Attempt, intentOf, type Submission, type SubmissionStatus } from "./Submission.ts"
import type { SubmissionRows } from "./SubmissionRows.ts"

/** The fields of an intent's row that the signer compares with a submission. Texts are as stored and unverified. */
export interface Requested {
  readonly id: string
  readonly wallet: string
  readonly network: string
  readonly pool: string
  /** The `_tag` of its request. */
  readonly request: string | null
  /** The asset that the request names; null when it names none. */
  readonly asset: string | null
  /** Its request as stored. */
  readonly body: unknown
  readonly status: string
  /** The last planned step. */
  readonly step: number
}

/** A final submission and every transaction that was signed for it. */
interface FinalSubmission {
  readonly submission: Submission
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** Maximum number of lanes that share a statement. */
const maxLanes = 64

const decodeAttempts = Schema.decodeUnknownEffect(Schema.Array(Attempt))
const isNetwork = Schema.is(Network)

/** Reads by the keys of submissions and the ids of intents. */
export interface KeyedReads {
  readonly find: (key: string) => Effect.Effect<Option.Option<Submission>, SqlError>
  /** Returns the submissions of these keys in the given order, without those that have no row. */
  readonly findAll: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Submission>, SqlError>
  /** Returns the intents of these ids, in no particular order; an id without a row is left out. */
  readonly findIntents: (intentIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Requested>, SqlError>
  /** Returns, by key, what the signing record keeps of these submissions beside their bytes. */
  readonly findPlanned: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, PlannedSubmission>, SqlError>
}

/** The plan of a submission. */
export interface PlannedSubmission {
  /** The intent's plan as stored, or what a payment or a top-up is for; undefined where there is none. */
  readonly plan: unknown
  /** End of its lifetime, unix milliseconds; null without one. */
  readonly validUntil: number | null
}

/** The submission that owns a nonce. */
interface NonceOwner {
  readonly key: string
  readonly status: SubmissionStatus
}

/** Reads of one lane, and of the lanes that need to be watched. */
export interface LaneReads {
  /**
   * Returns the lane's queued submissions in order of arrival. A lane that opens resumes them together with its
   * unsettled ones.
   */
  readonly listQueued: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Returns the lane's signed and mined submissions that are not final yet, in nonce order. */
  readonly listUnsettled: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<Submission>, SqlError>
  /**
   * Lists the lanes with a submission that is not settled, or that a reorg can still remove. They have to be watched.
   */
  readonly openLanes: Effect.Effect<ReadonlyArray<{ readonly network: Network; readonly wallet: Address }>, SqlError>
  /** Returns key and status of the lane's submission that owns a nonce; none when no submission owns it. */
  readonly ownerOf: (
    network: Network,
    wallet: Address,
    nonce: bigint
  ) => Effect.Effect<Option.Option<NonceOwner>, SqlError>
}

/** Reads of attempts. */
export interface AttemptReads {
  /** Returns every attempt whose submission is signed and not final, in nonce order. */
  readonly inFlight: (network: Network, wallet: Address) => Effect.Effect<ReadonlyArray<Attempt>, SqlError>
  /**
   * Returns at most `limit` of the lane's newest final submissions with their attempts, newest first, without those
   * whose bytes retention has removed.
   */
  readonly recentFinal: (
    network: Network,
    wallet: Address,
    limit: number
  ) => Effect.Effect<ReadonlyArray<FinalSubmission>, SqlError>
}

export type SubmissionReads = KeyedReads & LaneReads & AttemptReads

/** Builds the reads by key. Lanes that read at the same moment share a statement. */
const makeKeyedReads = (
  sql: SqlClient.SqlClient,
  { columns, decode }: SubmissionRows
): Effect.Effect<KeyedReads, never, Scope> =>
  Effect.gen(function*() {
    /** Passes texts as one JSON parameter: one parameter for each would cost more than the work of the statement. */
    const texts = (values: ReadonlyArray<string>) => sql`${JSON.stringify(values)}::jsonb`

    const findTogether = yield* Batcher.make({
      maximum: maxLanes,
      concurrency: 2,
      limit: AnswerLimit.ofRead,
      run: (lists: ReadonlyArray<ReadonlyArray<string>>) =>
        Effect.map(
          decode(
            sql<{ readonly key: string }>`select ${columns} from submissions
              where key in (select jsonb_array_elements_text(${texts(lists.flat())}))`
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
      limit: AnswerLimit.ofRead,
      run: (lists: ReadonlyArray<ReadonlyArray<string>>) =>
        Effect.map(
          sql<Requested>`select id::text as id, wallet, network, pool, request ->> '_tag' as request,
              request ->> 'asset' as asset, request as body, status, step
            from intents where id in (select jsonb_array_elements_text(${texts(lists.flat())})::uuid)`,
          (rows) => lists.map((ids) => rows.filter(({ id }) => ids.includes(id)))
        )
    })

    return {
      find: (key) =>
        Effect.gen(function*() {
          const rows = yield* sql<{ readonly key: string }>`select ${columns} from submissions where key = ${key}`
          const [row] = yield* decode(Effect.succeed(rows))
          // Returning none would mean that the step was never planned, and it would be planned again.
          return row === undefined && rows.length > 0
            ? yield* Effect.die(new Error(`the row of submission ${key} cannot be decoded`))
            : Option.fromNullishOr(row)
        }),
      findAll: (keys) => keys.length === 0 ? Effect.succeed([]) : findTogether(keys),
      findIntents: requested,
      findPlanned: (keys) =>
        Effect.gen(function*() {
          const ofIntents = keys.filter((key) => intentOf(key) !== undefined)
          const rows = ofIntents.length === 0
            ? []
            : yield* sql<PlannedSubmission & { readonly key: string }>`select s.key, i.plan,
                (extract(epoch from s.valid_until) * 1000)::float8 as "validUntil"
              from submissions s left join intents i on i.id = s.intent_id
              where s.key in (select jsonb_array_elements_text(${texts(ofIntents)}))`
          const payments = yield* RecordedPayment.findPlans(sql, keys)
          return new Map([
            ...rows.map(({ key, plan, validUntil }) => [key, { plan, validUntil }] as const),
            ...payments.map(([key, plan]) => [key, { plan, validUntil: null }] as const)
          ])
        })
    }
  })

const laneReads = (
  sql: SqlClient.SqlClient,
  { columns, decode, setAsideUnknownNetworks }: SubmissionRows
): LaneReads => ({
  listQueued: (network, wallet) =>
    Effect.map(
      sql<{ readonly key: string }>`select key from submissions where network = ${network} and wallet = ${wallet}
        and status = 'queued' order by created_at, key`,
      (rows) => rows.map(({ key }) => key)
    ),
  listUnsettled: (network, wallet) =>
    decode(
      sql<{ readonly key: string }>`select ${columns} from submissions
        where network = ${network} and wallet = ${wallet} and status in ('signed', 'mined') order by nonce`
    ),
  openLanes: Effect.gen(function*() {
    const lanes = yield* sql<
      { readonly network: string; readonly wallet: Address }
    >`select distinct network, wallet from submissions
      where status in ('queued', 'signed', 'mined')`
    const known = lanes.flatMap(({ network, wallet }) => isNetwork(network) ? [{ network, wallet }] : [])
    if (known.length < lanes.length) yield* setAsideUnknownNetworks
    return known
  }),
  ownerOf: (network, wallet, nonce) =>
    Effect.map(
      sql<NonceOwner>`select key, status from submissions
        where network = ${network} and wallet = ${wallet} and nonce = ${nonce.toString()}::bigint`,
      ([row]) => Option.fromNullishOr(row)
    )
})

const attemptReads = (sql: SqlClient.SqlClient, { columns, decode }: SubmissionRows): AttemptReads => {
  // NaN becomes 0 here: the signed bytes hold the real values.
  const attemptColumns = sql.literal(`a.nonce, a.attempt, a.cancels, a.submission_key as "submissionKey", a.hash, a.raw,
    coalesce(nullif(a.gas_limit, 'NaN'), 0) as "gasLimit",
    coalesce(nullif(a.max_fee_per_gas, 'NaN'), 0) as "maxFeePerGas",
    coalesce(nullif(a.max_priority_fee_per_gas, 'NaN'), 0) as "maxPriorityFeePerGas"`)
  return {
    inFlight: (network, wallet) =>
      Effect.flatMap(
        sql`select ${network}::text as network, ${wallet}::text as wallet, ${attemptColumns} from submissions s
          join attempts a on a.submission_key = s.key
          where s.network = ${network} and s.wallet = ${wallet} and s.status in ('signed', 'mined')
          order by a.nonce, a.attempt`,
        (rows) => Effect.orDie(decodeAttempts(rows))
      ),
    recentFinal: (network, wallet, limit) =>
      Effect.gen(function*() {
        const rows = yield* decode(
          sql<{ readonly key: string }>`select ${columns} from submissions
            where network = ${network} and wallet = ${wallet}
            and status = 'final' order by nonce desc limit ${limit}`
        )
        if (rows.length === 0) return []
        const attempts = yield* Effect.flatMap(
          sql`select ${network}::text as network, ${wallet}::text as wallet, ${attemptColumns} from attempts a
            where a.submission_key in ${sql.in(rows.map(({ key }) => key))} order by a.attempt`,
          (found) => Effect.orDie(decodeAttempts(found))
        )
        return rows.flatMap((submission) => {
          const own = attempts.filter(({ submissionKey }) => submissionKey === submission.key)
          return own.length === 0 ? [] : [{ submission, attempts: own }]
        })
      })
  }
}

export const make = (
  rows: SubmissionRows
): Effect.Effect<SubmissionReads, never, SqlClient.SqlClient | Scope> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return { ...(yield* makeKeyedReads(sql, rows)), ...laneReads(sql, rows), ...attemptReads(sql, rows) }
  })
