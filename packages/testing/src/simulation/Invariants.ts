/**
 * Checks the invariants, and that charges add up, from the chain and the rows after a run's faults have stopped.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { settlementOf } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import type { Fixture } from "./RunFixture.ts"
import * as RunEvidence from "./RunEvidence.ts"
import * as LanePromises from "./LanePromises.ts"
import { describeAttempts, type Expect, groupBy, isFiller } from "./RunEvidence.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface Invariants {
  /** Violated invariants; empty when all hold. */
  readonly broken: ReadonlyArray<string>
  /** Totals of the run, by name. */
  readonly sums: Readonly<Record<string, number>>
}

type Evidence = RunEvidence.RunEvidence

const balanceOf = (chain: Fixture["chain"], address: Address) =>
  Effect.map(Effect.orDie(chain.request("eth_getBalance", [address, "latest"])), (answer) => BigInt(String(answer)))

/** Returns the wei that mined settlement transactions sent. */
const paidOf = (sessions: Sessions): bigint => {
  const [row] = sessions.peek(`select coalesce(sum(value), 0)::text as wei from submissions
    where key like 'settlement/%' and status in ('mined', 'final') and cancelled is null
      and (receipt ->> 'succeeded')::boolean`)
  const wei = row?.["wei"]
  return typeof wei === "string" ? BigInt(wei) : 0n
}

/**
 * Describes settlements that do not match their charges: each pays exactly the charges that name it, and a released one
 * pays none.
 */
const settlementErrors = (sessions: Sessions): ReadonlyArray<string> =>
  sessions.peek(`select t.id, t.status, t.native_wei::text as wei, coalesce(sum(c.native_wei), 0)::text as claimed
    from settlements t left join charges c on c.settlement_id = t.id group by t.id
    having coalesce(sum(c.native_wei), 0) <> case when t.status = 'released' then 0 else t.native_wei end`)
    .map((row) =>
      `settlement ${String(row["id"])} (${String(row["status"])}) of ${String(row["wei"])} wei has charges of ${
        String(row["claimed"])
      }`
    )

/** Checks 1: every acknowledged intent exists, once under its idempotency key. */
const checkAccepted = ({ accepted: all, forgotten, intentById, intents }: Evidence, expect: Expect) => {
  const accepted = all.filter(({ id }) => !forgotten.intents.has(id))
  for (const { id } of accepted) expect(intentById.has(id), `1: accepted intent ${id} is not in the table`)
  for (const [key, ids] of groupBy(accepted, ({ key }) => key)) {
    expect(new Set(ids.map(({ id }) => id)).size === 1, `1: ${key} was answered with two intents`)
  }
  for (const [key, same] of groupBy(intents, (intent) => intent.idempotency_key)) {
    expect(same.length === 1, `1: ${key} has ${same.length} intents`)
  }
}

/**
 * Checks 2: the chain has at most one transaction of a submission and of an intent, executed or reverted. A filler
 * belongs to no intent.
 */
const checkExecutions = (evidence: Evidence, expect: Expect) => {
  for (const [key, all] of groupBy(evidence.minedAttempts, ({ attempt }) => attempt.submission_key)) {
    expect(all.length === 1, `2: ${all.length} transactions of submission ${key} are mined`)
  }
  for (const [id, all] of evidence.minedByIntent) {
    const story = describeAttempts(evidence, id)
    expect(all.length === 1, `2: ${all.length} transactions of intent ${id} are mined (${story})`)
  }
}

/** Checks 2 without our attempts: a vault was called exactly as often as its intents say. */
const checkCalls = (evidence: Evidence, expect: Expect) => {
  const { attemptByHash, cancellations, foreign, hidden, intentById, intents, mined, quarantined, treasury } = evidence
  const isForgotten = (hash: string) => {
    const intent = attemptByHash.get(hash)?.intent_id ?? null
    return intent !== null && !intentById.has(intent)
  }
  const executedByPool = groupBy(
    intents.filter(({ outcome }) => outcome !== null && outcome.txHash !== null && !cancellations.has(outcome.txHash)),
    ({ pool }) => pool
  )
  const calledByPool = groupBy(
    mined.filter(({ hash, to, wallet }) =>
      to !== wallet && to !== treasury && !foreign.has(hash) && !hidden.has(hash) && !isForgotten(hash)
    ),
    ({ to }) => to
  )
  for (const pool of new Set([...executedByPool.keys(), ...calledByPool.keys()])) {
    const [calls, executions] = [calledByPool.get(pool)?.length ?? 0, executedByPool.get(pool)?.length ?? 0]
    // Calls that only a person can explain are reported once the lane is released.
    const isWaiting = calledByPool.get(pool)?.some(({ wallet }) => quarantined.has(wallet)) ?? false
    expect(
      calls === executions || (isWaiting && calls > executions),
      `2: vault ${pool} was called ${calls} times, and its intents report ${executions} calls`
    )
  }
}

/** Checks that each swap sells the amount that its caller has requested, whatever one endpoint says of the token. */
const checkAmounts = ({ accepted, minedByIntent }: Evidence, expect: Expect) => {
  for (const { amount, id } of accepted) {
    const word = amount.toString(16).padStart(64, "0")
    for (const { attempt } of minedByIntent.get(id) ?? []) {
      expect(attempt.data.includes(word), `12: intent ${id} sells another amount than the requested ${amount}`)
    }
  }
}

/** Checks 3: no bytes were sent before their row was committed, and every transaction on the chain has a row. */
const checkRecords = ({ attemptByHash, foreign, mined, unrecorded }: Evidence, expect: Expect) => {
  for (const raw of unrecorded) expect(false, `3: bytes left before they were committed: ${raw.slice(0, 40)}…`)
  for (const { hash, nonce, wallet } of mined) {
    if (foreign.has(hash)) continue
    const row = attemptByHash.get(hash)
    expect(
      row !== undefined && row.nonce === nonce.toString() && row.wallet === wallet,
      `3: the chain has ${hash} at nonce ${nonce}, no row has it`
    )
  }
}

/** Checks 4: a nonce belongs to one submission, a submission has one nonce, and no nonce is left unmined. */
const checkNonces = (
  { attempts, foreign, forgotten, mined, quarantined }: Evidence,
  address: Address,
  expect: Expect
) => {
  const lane = attempts.filter(({ wallet }) => wallet === address)
  for (const [nonce, all] of groupBy(lane, (attempt) => attempt.nonce)) {
    expect(
      new Set(all.map((attempt) => attempt.submission_key)).size === 1,
      `4: nonce ${nonce} of ${address} belongs to two submissions`
    )
  }
  for (const { nonce, submission_key, submission_nonce } of lane) {
    expect(
      nonce === submission_nonce,
      `4: submission ${submission_key} of nonce ${submission_nonce} was also signed under ${nonce}`
    )
  }
  const count = mined.filter(({ wallet }) => wallet === address).length
  // A wallet without foreign transactions must have no superseded submission and no filler. Transactions of rows that a
  // restore removed may look foreign.
  const isExclusive = !Array.from(foreign.values()).includes(address) &&
    !forgotten.attempts.some(({ wallet }) => wallet === address)
  const unexpected = lane.find((attempt) => isFiller(attempt) || attempt.status === "superseded")
  expect(
    !isExclusive || unexpected === undefined,
    `4: ${address} has no foreign transactions, and nonce ${unexpected?.nonce} is ${
      unexpected === undefined || isFiller(unexpected) ? "a filler" : unexpected.status
    }`
  )
  if (quarantined.has(address)) return
  // A settlement may have been signed just before the end of the run.
  for (
    const { nonce, status } of lane.filter(({ status, submission_key }) =>
      status !== "signed" || settlementOf(submission_key) === undefined
    )
  ) expect(Number(nonce) < count, `4: nonce ${nonce} (${status}) of ${address} was never mined (${count} are)`)
}

/** Checks 5 to 8 of one intent. */
const checkIntent = (evidence: Evidence, intent: RunEvidence.Intent, expect: Expect) => {
  const [executed, another] = evidence.minedByIntent.get(intent.id) ?? []
  const reported = intent.outcome?.txHash ?? null
  const isCancelled = intent.status === "failed" && reported !== null && evidence.cancellations.has(reported)
  const hash = isCancelled ? null : reported
  const story = describeAttempts(evidence, intent.id)
  const hasEnded = intent.status === "succeeded" || intent.status === "failed"
  // 6: every accepted intent ends, whatever faults happened.
  expect(
    hasEnded || evidence.quarantined.has(intent.wallet),
    `6: intent ${intent.id} did not end (${intent.status}; ${story})`
  )
  // 5: an intent reported as failed was not executed, except by its own transaction that was mined and reverted.
  if (intent.status === "failed") {
    expect(
      executed === undefined || executed.mined.hash === hash && !executed.mined.succeeded,
      `5: intent ${intent.id} is reported as failed: ${JSON.stringify(intent.outcome)}; ${story}`
    )
  }
  // 7: an outcome with a transaction matches the chain, hash and result; outcomes that a reorg took back were
  // corrected.
  if (hash !== null || intent.status === "succeeded" && executed !== undefined) {
    expect(
      another === undefined && executed?.mined.hash === hash,
      `7: intent ${intent.id} is reported with ${hash}, the chain has ${executed?.mined.hash} (${story})`
    )
    expect(
      executed?.mined.succeeded === (intent.status === "succeeded"),
      `7: intent ${intent.id} is reported as ${intent.status}, its transaction is not`
    )
  }
  // 8: one charge for an executed intent, none for any other; a charge that was paid before a deep reorg is corrected
  // when its intent ends.
  const due = intent.status === "succeeded" && hash !== null ? 1 : 0
  expect(
    intent.charges <= 1 && (intent.owed === due || !hasEnded),
    `8: intent ${intent.id} (${intent.status}) has ${intent.charges} charges and owes ${intent.owed}`
  )
}

/** Checks 5: failed without a transaction is final. A revert may be undone by a reorg and reported again: see 7. */
const checkFailed = ({ failed, forgotten, intentById }: Evidence, expect: Expect) => {
  for (const id of failed) {
    if (forgotten.intents.has(id) || forgotten.reopened.has(id)) continue
    const status = intentById.get(id)?.status
    expect(status === "failed", `5: intent ${id} was reported as failed and is ${status}`)
  }
}

/** Checks 8 for payments: settlements match their charges, and the treasury holds what they paid. */
const checkPayments = ({ fixture: { chain }, quarantined, sessions, treasury }: Evidence, expect: Expect) =>
  Effect.gen(function*() {
    for (const error of settlementErrors(sessions)) expect(false, `8: ${error}`)
    if (treasury === undefined) return
    const [held, paid] = [yield* balanceOf(chain, treasury), paidOf(sessions)]
    // A payment that a restore removed is adopted by the reconciliation of its lane, unless that needs a person.
    expect(
      held === paid || quarantined.size > 0 && held > paid,
      `8: the treasury holds ${held}, and mined settlements paid ${paid}`
    )
  })

const sumsOf = ({ accepted, attempts, intents, mined }: Evidence): Invariants["sums"] => ({
  accepted: accepted.length,
  succeeded: intents.filter(({ status }) => status === "succeeded").length,
  failed: intents.filter(({ status }) => status === "failed").length,
  reverted:
    intents.filter(({ outcome, status }) => status === "failed" && outcome !== null && outcome.txHash !== null).length,
  mined: mined.length,
  replaced: attempts.filter(({ attempt }) => attempt > 0).length,
  superseded: groupBy(
    attempts.filter(({ status }) => status === "superseded"),
    (attempt) => attempt.submission_key
  ).size,
  fillers: groupBy(attempts.filter(isFiller), (attempt) => attempt.submission_key).size
})

export const check = (observations: RunEvidence.Observations): Effect.Effect<Invariants> =>
  Effect.gen(function*() {
    const evidence = yield* RunEvidence.read(observations)
    const broken: Array<string> = []
    const expect: Expect = (holds, invariant) => {
      if (!holds) broken.push(invariant)
    }
    checkAccepted(evidence, expect)
    checkExecutions(evidence, expect)
    checkAmounts(evidence, expect)
    checkCalls(evidence, expect)
    checkRecords(evidence, expect)
    for (const { address } of evidence.fixture.wallets) checkNonces(evidence, address, expect)
    for (const intent of evidence.intents) checkIntent(evidence, intent, expect)
    checkFailed(evidence, expect)
    LanePromises.check(evidence, expect)
    // 9: no order sells twice, or after its cancellation was answered, and none forgets its trigger. 10: no follower
    // trades more than its vault's cap of an interval. 11: no call for a group trades a vault twice.
    for (const each of evidence.besides) each.check(evidence.forgotten.isRestored, expect)
    yield* checkPayments(evidence, expect)
    return { broken, sums: sumsOf(evidence) }
  })
