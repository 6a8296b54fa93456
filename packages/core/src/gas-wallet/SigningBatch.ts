/**
 * Commits nonces and signed bytes before they are sent. Lanes that sign at the same moment share one database
 * transaction; when it fails, each lane is retried alone, so that no lane is blocked by another.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Address, Hash, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"
import { endpointsOfBots } from "./KillSwitch.ts"
import { max } from "../chain/Quantity.ts"
import { areSame, assignNonces, explainedBy, type LaneState, type NumberedSubmission } from "./LaneNonces.ts"
import { Attempt, intentOf, type Submission } from "./Submission.ts"

/** A transaction signed for a submission under a nonce. */
export interface Signed {
  readonly hash: Hash
  readonly raw: Hex
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Another owner has changed the lane in the meantime: nothing was committed; the caller must read the rows again. */
export class LaneConflict extends Data.TaggedError("LaneConflict")<{ readonly wallet: Address }> {}

/**
 * A kill switch is on: nothing is signed until it is off. `keys`: the submissions it stops, when it does not stop the
 * whole lane.
 */
export class Paused extends Data.TaggedError("Paused")<
  { readonly scope: string; readonly reason: string; readonly keys?: ReadonlyArray<string> }
> {}

/** The wallet's limits changed between the check and the signature: nothing was signed; the caller must check again. */
class LimitsChanged extends Data.TaggedError("LimitsChanged")<{ readonly wallet: Address }> {}

/** The lane is quarantined: nothing is signed until that ends. */
export class Quarantined extends Data.TaggedError("Quarantined")<{ readonly wallet: Address }> {}

/**
 * The chain counts transactions of the wallet that the rows do not explain: nothing is signed before they are
 * explained.
 */
export class RowsBehindChain extends Data.TaggedError("RowsBehindChain")<{
  readonly wallet: Address
  /** Every nonce below is explained by the rows. */
  readonly explained: bigint
}> {}

/** A lane's request for signatures. */
export interface SigningRequest<E, R> {
  readonly network: Network
  readonly wallet: Address
  /** The chain's pending count. Nothing is signed while it exceeds what the rows explain. */
  readonly chainNonce: bigint
  /** Every nonce below is explained by what its owner has read of the chain, although not by the rows yet. */
  readonly explained?: bigint
  /**
   * The revision of the wallet's limits that the submissions were checked against; it must still be current at the
   * commit.
   */
  readonly revision: number
  readonly submissions: ReadonlyArray<Submission>
  /** Signs each submission and returns the results in order; may be called for the first of them only. */
  readonly sign: (numbered: ReadonlyArray<NumberedSubmission>) => Effect.Effect<ReadonlyArray<Signed>, E, R>
}

/** A request, with the signatures that were made before the transaction, for wallets whose keys are elsewhere. */
interface LaneRequest<E, R> extends SigningRequest<E, R> {
  readonly made?: {
    readonly numbered: ReadonlyArray<NumberedSubmission>
    readonly signed: ReadonlyArray<Signed>
  }
}

/**
 * The lane's signatures come from elsewhere and are not made yet: they are made outside the database transaction, under
 * these nonces, and committed by another one in which they must still be the next ones.
 */
class NotSignedYet extends Data.TaggedError("NotSignedYet")<{
  readonly numbered: ReadonlyArray<NumberedSubmission>
}> {}

/** Marks a lane's own signing failure, which is kept outside the queue. */
class Unsigned extends Data.TaggedError("Unsigned") {}

export type NotSigned = LaneConflict | Paused | LimitsChanged | Quarantined | RowsBehindChain

/** Maximum number of lanes that share a transaction; other lanes wait while all of them sign. */
const maxLanes = 32

/** A submission stopped by the switch of its vault's bots. */
interface StoppedSubmission {
  readonly key: string
  readonly scope: string
  readonly reason: string
}

const recordOf = (attempt: Attempt) => ({
  network: attempt.network,
  wallet: attempt.wallet,
  nonce: attempt.nonce.toString(),
  attempt: attempt.attempt,
  key: attempt.submissionKey,
  intent: intentOf(attempt.submissionKey) ?? null,
  hash: attempt.hash,
  raw: attempt.raw,
  gas: attempt.gasLimit.toString(),
  fee: attempt.maxFeePerGas.toString(),
  tip: attempt.maxPriorityFeePerGas.toString()
})

/** Signs for one lane unless it may not sign. */
const signOne = <E, R>(
  lane: LaneRequest<E, R>,
  standing: LaneState | undefined,
  stopped: ReadonlyArray<StoppedSubmission>
) =>
  Effect.gen(function*() {
    const { made, network, revision, sign, submissions, wallet } = lane
    if (standing === undefined) return yield* new LaneConflict({ wallet })
    if (standing.scope !== null) return yield* new Paused({ scope: standing.scope, reason: standing.reason ?? "" })
    const [held, ...more] = stopped.filter(({ key }) => submissions.some((submission) => submission.key === key))
    if (held !== undefined) return yield* new Paused({ ...held, keys: [held, ...more].map(({ key }) => key) })
    if (standing.revision !== revision) return yield* new LimitsChanged({ wallet })
    if (standing.quarantined) return yield* new Quarantined({ wallet })
    const explained = max(explainedBy(standing), lane.explained ?? 0n)
    if (lane.chainNonce > explained) return yield* new RowsBehindChain({ wallet, explained })
    const numbered = assignNonces(lane, standing)
    if (made === undefined && standing.remote) return yield* new NotSignedYet({ numbered })
    // Another owner may have used the nonces meanwhile; the signatures are forgotten.
    if (made !== undefined && !areSame(made.numbered, numbered)) return yield* new LaneConflict({ wallet })
    const signed = made === undefined ? yield* sign(numbered) : made.signed
    if (signed.length !== numbered.length) return yield* Effect.die(new Error("a signature is missing"))
    return numbered.map(({ nonce, submission }, index) =>
      Attempt.make({
        ...signed[index]!,
        network,
        wallet,
        nonce,
        attempt: 0,
        submissionKey: submission.key,
        cancels: false
      })
    )
  })

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  /** Reads each lane's state and locks its limits until the transaction ends. */
  const readStates = (lanes: ReadonlyArray<SigningRequest<unknown, unknown>>) =>
    sql<LaneState & { readonly place: number }>`with l as (
        select * from jsonb_to_recordset(${
      JSON.stringify(lanes.map(({ network, wallet }, place) => ({ place, network, wallet })))
    }::jsonb) as l(place integer, network text, wallet text)),
      k as (select wallet, revision from key_limits where wallet in (select wallet from l) for share)
      select l.place, (select max(s.nonce) + 1 from submissions s
      where s.network = l.network and s.wallet = l.wallet) as next,
        (select n.nonce from nonce_baselines n where n.network = l.network and n.wallet = l.wallet) as baseline,
        exists (select 1 from lane_quarantines q where q.network = l.network and q.wallet = l.wallet
          and q.released_at is null) as quarantined,
        coalesce(k.revision, 0) as revision, p.scope, p.reason, (select exists (select 1 from kill_switches
        where scope like 'bot/%')) as bots,
        exists (select 1 from gas_wallets g where g.address = l.wallet and g.provider <> 'local') as remote
      from l left join k on k.wallet = l.wallet
        left join lateral (select scope, reason from kill_switches where scope in ('service', 'wallet/' || l.wallet)
        limit 1) p on true
      order by l.place`

  /** Returns the bots' submissions that a bot switch stops. Reads nothing while no bot switch is on. */
  const findStopped = (lanes: ReadonlyArray<SigningRequest<unknown, unknown>>, standing: ReadonlyArray<LaneState>) =>
    standing.some(({ bots }) => bots)
      ? sql<StoppedSubmission>`select s.key, k.scope, k.reason from submissions s join intents i on i.id = s.intent_id
          left join threshold_bots b on b.network = i.network and b.pool = i.pool and b.open_intent = i.id
          join kill_switches k on k.scope in ('bot/' || i.network || '/' || i.pool,
            case when i.request ->> '_tag' = 'BotTrade' then
              'bot/' || i.network || '/' || i.pool || '/' || (i.request ->> 'base') || '/' || (i.request ->> 'quote') end,
            'bot/' || b.network || '/' || b.pool || '/' || b.base || '/' || b.quote)
        where s.key in ${
        sql.in(lanes.flatMap(({ submissions }) => submissions.map(({ key }) => key)))
      } and i.endpoint in ${sql.in(endpointsOfBots)}`
      : Effect.succeed<ReadonlyArray<StoppedSubmission>>([])

  const commit = (attempts: ReadonlyArray<Attempt>) =>
    sql<{ readonly taken: number }>`with v as (select * from jsonb_to_recordset(${
      JSON.stringify(attempts.map(recordOf))
    }::jsonb) as v(
        network text, wallet text, nonce bigint, attempt integer, key text, intent uuid, hash text, raw text,
        gas numeric, fee numeric, tip numeric)),
      taken as (update submissions s set status = 'signed', nonce = v.nonce, updated_at = now() from v
        where s.key = v.key and s.status = 'queued' returning s.key),
      kept as (insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit,
      max_fee_per_gas, max_priority_fee_per_gas)
        select network, wallet, nonce, attempt, key, hash, raw, gas, fee, tip from v),
      marked as (update intents i set status = 'submitted', tx_hash = v.hash, updated_at = now() from v
        where i.id = v.intent and i.status in ('accepted', 'submitted'))
      select count(*)::int as taken from taken`

  /** Signs for all lanes in one transaction; a lane that may not sign, or cannot, is left out. */
  return <E, R>(
    lanes: ReadonlyArray<LaneRequest<E, R>>
  ): Effect.Effect<
    ReadonlyArray<Result.Result<ReadonlyArray<Attempt>, E | NotSigned | NotSignedYet>>,
    SqlError | LaneConflict,
    R
  > =>
    sql.withTransaction(Effect.gen(function*() {
      const standing = yield* readStates(lanes)
      const stopped = yield* findStopped(lanes, standing)
      const outcomes = yield* Effect.forEach(
        lanes,
        (lane, place) => Effect.result(signOne(lane, standing[place], stopped))
      )
      const attempts = outcomes.flatMap((outcome) => Result.isSuccess(outcome) ? outcome.success : [])
      if (attempts.length === 0) return outcomes
      const [row] = yield* commit(attempts)
      if (row?.taken !== attempts.length) return yield* new LaneConflict({ wallet: lanes[0]!.wallet })
      return outcomes
    }))
})

/**
 * Gives each queued submission of a lane the lane's next nonce and commits the bytes that `sign` returns, in one
 * transaction. The next nonce is derived from the rows and the chain's count; the rows refuse a second owner. A wallet
 * whose key is elsewhere is signed for between two transactions, so that no row and no connection waits for it: the
 * second one repeats every check of the first and commits only the nonces that were signed.
 */
export const makeSign: Effect.Effect<
  <E, R>(lane: SigningRequest<E, R>) => Effect.Effect<ReadonlyArray<Attempt>, E | SqlError | NotSigned, R>,
  never,
  SqlClient.SqlClient | Scope.Scope
> = Effect.gen(function*() {
  const together = yield* make
  const alone = <E, R>(lane: LaneRequest<E, R>) =>
    Effect.flatMap(
      together([lane]),
      ([outcome]) =>
        outcome === undefined ? Effect.die(new Error("a lane without an outcome")) : Effect.fromResult(outcome)
    )

  const enqueue = yield* Batcher.make({
    maximum: maxLanes,
    concurrency: 2,
    limit: AnswerLimit.ofTransaction,
    run: (lanes: ReadonlyArray<LaneRequest<Unsigned, never>>) =>
      // One lane's failure fails the transaction for all; each lane is then retried alone.
      Effect.catch(
        Effect.map(together(lanes), (outcomes) => outcomes.map((outcome) => Effect.fromResult(outcome))),
        (failure) => Effect.succeed(lanes.length > 1 ? lanes.map(alone) : [Effect.fail(failure)])
      )
  })

  return <E, R>(lane: SigningRequest<E, R>) =>
    Effect.flatMap(Effect.context<R>(), (context) => {
      // Lanes with different failure types share one queue; each receives its own failure.
      let refusal = Option.none<E>()
      const refused = (failure: E) => {
        refusal = Option.some(failure)
        return new Unsigned()
      }
      const own: SigningRequest<Unsigned, never> = {
        ...lane,
        sign: (numbered) => Effect.catch(Effect.provide(lane.sign(numbered), context), refused)
      }
      const commit = (request: LaneRequest<Unsigned, never>) => Effect.flatten(enqueue(request))
      return commit(own).pipe(
        Effect.catchTag("NotSignedYet", ({ numbered }) =>
          Effect.flatMap(own.sign(numbered), (signed) => commit({ ...own, made: { numbered, signed } }))),
        Effect.catchTag("NotSignedYet", Effect.die),
        Effect.catchTag("Unsigned", (unsigned) =>
          Option.match(refusal, {
            onNone: () =>
              Effect.die(unsigned),
            onSome: Effect.fail
          }))
      )
    })
})
