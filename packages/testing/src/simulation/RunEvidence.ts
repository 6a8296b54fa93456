/** The evidence of a run: its rows and mined transactions, against which the invariants are checked. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { settlementOf } from "@vault-trader/core/gas-wallet/Submission"
import type { MinedTransaction } from "../test-chain/TestChain.ts"
import * as Effect from "effect/Effect"
import type { AlertLog } from "./AlertLog.ts"
import type { Accepted } from "./Workload.ts"
import { engineSupport } from "./EngineSupport.ts"
import type { Fixture } from "./RunFixture.ts"
import type { SideWorkload } from "./SideWorkload.ts"
import type { Sessions } from "./VirtualPostgres.ts"

/** Records a violation unless the invariant holds. */
export type Expect = (holds: boolean, invariant: string) => void

/** The run's database and chain, and the events that its processes saw. */
export interface Observations {
  readonly sessions: Sessions
  readonly fixture: Fixture
  readonly accepted: ReadonlyArray<Accepted>
  readonly besides: ReadonlyArray<SideWorkload>
  /** Intents that were seen as failed without a transaction. */
  readonly failed: ReadonlySet<string>
  /** Hashes of foreign transactions, with the wallet whose key signed them. */
  readonly foreign: ReadonlyMap<Hash, Address>
  readonly unrecorded: ReadonlyArray<string>
  /** Signed bytes of intents that left after the end of their lifetime, and how long after it. */
  readonly late: ReadonlyArray<{ readonly raw: string; readonly millis: number }>
  /** Methods that were called at an endpoint while it served another chain. */
  readonly misdirected: ReadonlyArray<string>
  readonly alertLog: AlertLog
  /** Committed rows that restores of the database removed. */
  readonly forgotten: Forgotten
  /** Hashes of the transactions that nothing showed while the one with this hash left for the first time. */
  readonly hiddenDuring: (hash: string) => ReadonlySet<string>
  /** Receives the payments for charges, in runs that have one. */
  readonly treasury: Address | undefined
}

export interface Intent {
  readonly id: string
  readonly wallet: Address
  readonly pool: Address
  readonly status: string
  readonly idempotency_key: string | null
  readonly outcome: { readonly _tag: string; readonly txHash: string | null } | null
  readonly charges: number
  /** Charges minus the charges that corrections took back. */
  readonly owed: number
}

export interface Attempt {
  readonly wallet: Address
  readonly hash: string
  readonly nonce: string
  readonly attempt: number
  /** It is the cancellation of its submission's call. */
  readonly cancels: boolean
  readonly intent_id: string | null
  readonly submission_key: string
  readonly submission_nonce: string
  readonly status: string
  /** The submission's calldata. */
  readonly data: Hex
}

/** Committed rows that a restore removed. */
export interface Forgotten {
  readonly intents: ReadonlySet<string>
  readonly attempts: ReadonlyArray<Attempt>
  /** Intents that had failed and whose failure a restore removed. */
  readonly reopened: ReadonlySet<string>
  /** True if there was a restore, whatever it removed. */
  readonly isRestored: boolean
}

interface Mined extends MinedTransaction {
  readonly wallet: Address
}

/** A mined transaction with the attempt that sent it. */
interface MinedAttempt {
  readonly attempt: Attempt
  readonly mined: Mined
}

export interface RunEvidence extends Observations {
  readonly intents: ReadonlyArray<Intent>
  readonly intentById: ReadonlyMap<string, Intent>
  readonly attempts: ReadonlyArray<Attempt>
  /** The same by hash, with those that a restore removed. */
  readonly attemptByHash: ReadonlyMap<string, Attempt>
  /** Hashes of mined cancellations: the outcome of an intent that expired has one. */
  readonly cancellations: ReadonlySet<string>
  /** Wallets whose lane is quarantined at the end. */
  readonly quarantined: ReadonlySet<string>
  /**
   * Hashes of mined transactions of which no evidence was left: nothing showed them while their submission was signed
   * again, or it adopted another one with the same call.
   */
  readonly hidden: ReadonlySet<string>
  /** Mined transactions of the wallets, foreign ones included. */
  readonly mined: ReadonlyArray<Mined>
  /** Mined transactions that have an attempt, without hidden ones. */
  readonly minedAttempts: ReadonlyArray<MinedAttempt>
  /** The same by intent, without fillers, settlements and cancellations. */
  readonly minedByIntent: ReadonlyMap<string, ReadonlyArray<MinedAttempt>>
}

export const groupBy = <A>(all: ReadonlyArray<A>, key: (one: A) => string | null): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const name = key(one)
    if (name === null) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return groups
}

export const isFiller = ({ intent_id, submission_key }: Attempt): boolean =>
  intent_id === null && settlementOf(submission_key) === undefined

// The columns are named in the queries, so the casts are safe.
export const readIntents = (sessions: Sessions) =>
  sessions.peek(
    `select id, wallet, pool, status, idempotency_key, outcome,
      (select count(*)::int from charges c where c.intent_id = i.id) as charges,
      (select coalesce(sum(sign(c.usd)), 0)::int from charges c
        where c.intent_id = i.id or c.corrects = i.id) as owed
      from intents i order by id`
  ) as unknown as ReadonlyArray<Intent>

export const readAttempts = (sessions: Sessions) =>
  sessions.peek(
    `select a.wallet, a.hash, a.nonce, a.attempt, a.cancels, s.intent_id, a.submission_key,
      s.nonce as submission_nonce, s.status, s.data
      from attempts a join submissions s on s.key = a.submission_key order by a.wallet, a.nonce, a.attempt`
  ) as unknown as ReadonlyArray<Attempt>

/**
 * Returns true for a transaction that a restore removed, and whose submission has adopted that of another submission with
 * the same call: without the signing record their evidence is the same, and this one waits for a person.
 */
const isExchanged = (forgotten: Forgotten, attempts: ReadonlyArray<Attempt>, { attempt }: MinedAttempt) =>
  !attempts.some(({ hash }) => hash === attempt.hash) &&
  attempts.some(({ hash, submission_key }) =>
    submission_key === attempt.submission_key &&
    forgotten.attempts.some((earlier) => earlier.hash === hash && earlier.submission_key !== submission_key)
  )

/** Reads the rows and the mined transactions at the end of a run. */
export const read = (observations: Observations): Effect.Effect<RunEvidence> =>
  Effect.gen(function*() {
    const { sessions, fixture: { chain, wallets } } = observations
    const intents = readIntents(sessions)
    const attempts = readAttempts(sessions)
    const mined = (yield* Effect.forEach(wallets, ({ address }) =>
      Effect.map(chain.transactionsOf(address), (all) => all.map((each): Mined => ({ ...each, wallet: address })))))
      .flat()
    const attemptByHash = new Map(
      [...observations.forgotten.attempts, ...attempts].map((attempt) => [attempt.hash, attempt])
    )
    const quarantines = engineSupport.quarantine
      ? sessions.peek("select wallet from lane_quarantines where released_at is null")
      : []
    const known = mined.flatMap((each): ReadonlyArray<MinedAttempt> => {
      const attempt = attemptByHash.get(each.hash)
      return attempt === undefined ? [] : [{ attempt, mined: each }]
    })
    const isHidden = ({ attempt }: MinedAttempt) =>
      known.some((other) =>
        other.attempt.submission_key === attempt.submission_key &&
        observations.hiddenDuring(other.attempt.hash).has(attempt.hash)
      )
    const hidden = new Set<string>(
      known.filter((each) =>
        isHidden(each) || isExchanged(observations.forgotten, attempts, each)
      ).map(({ attempt }) =>
        attempt.hash
      )
    )
    const minedAttempts = known.filter(({ attempt }) =>
      !hidden.has(attempt.hash)
    )
    return {
      ...observations,
      intents,
      intentById: new Map(intents.map((intent) => [intent.id, intent])),
      attempts,
      attemptByHash,
      cancellations: new Set(minedAttempts.flatMap(({ attempt }) => attempt.cancels ? [attempt.hash] : [])),
      quarantined: new Set(quarantines.map(({ wallet }) => String(wallet))),
      mined,
      hidden,
      minedAttempts,
      minedByIntent: groupBy(minedAttempts, ({ attempt }) => attempt.cancels ? null : attempt.intent_id)
    }
  })

/** Describes the attempts of an intent, for the text of a violation. */
export const describeAttempts = ({ attempts, mined }: RunEvidence, id: string): string =>
  attempts.filter((attempt) => attempt.intent_id === id)
    .map(({ attempt, cancels, hash, nonce, status }) =>
      `${nonce}.${attempt}${cancels ? " cancels" : ""} ${status}${
        mined.some((each) => each.hash === hash) ? " mined" : ""
      }`
    ).join(", ")
