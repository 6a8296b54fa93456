/**
 * Checks the eight invariants, and that charges add up, from the chain and the rows after a run's faults have stopped.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { settlementOf } from "@vault-trader/core/gas-wallet/Submission"
import type { MinedTransaction } from "../test-chain/TestChain.ts"
import * as Effect from "effect/Effect"
import type { Accepted } from "./Workload.ts"
import type { Fixture } from "./RunFixture.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface Invariants {
  /** Violated invariants; empty when all hold. */
  readonly broken: ReadonlyArray<string>
  /** Totals of the run, by name. */
  readonly sums: Readonly<Record<string, number>>
}

interface Intent {
  readonly id: string
  readonly pool: Address
  readonly status: string
  readonly idempotency_key: string | null
  readonly outcome: { readonly _tag: string; readonly txHash: string | null } | null
  readonly charges: number
}

interface Attempt {
  readonly wallet: Address
  readonly hash: string
  readonly nonce: string
  readonly attempt: number
  readonly intent_id: string | null
  readonly submission_key: string
  readonly submission_nonce: string
  readonly status: string
}

interface Mined extends MinedTransaction {
  readonly wallet: Address
}

const groupBy = <A>(all: ReadonlyArray<A>, key: (one: A) => string | null): Map<string, Array<A>> => {
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

const isFiller = ({ intent_id, submission_key }: Attempt) =>
  intent_id === null && settlementOf(submission_key) === undefined

const balanceOf = (chain: Fixture["chain"], address: Address) =>
  Effect.map(Effect.orDie(chain.request("eth_getBalance", [address, "latest"])), (answer) => BigInt(String(answer)))

/** Returns the wei that mined settlement transactions sent. */
const paidOf = (sessions: Sessions): bigint => {
  const [row] = sessions.peek(`select coalesce(sum(value), 0)::text as wei from submissions
    where key like 'settlement/%' and status in ('mined', 'final') and (receipt ->> 'succeeded')::boolean`)
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

export const check = (options: {
  readonly sessions: Sessions
  readonly fixture: Fixture
  readonly accepted: ReadonlyArray<Accepted>
  /** Intents that were seen as failed without a transaction. */
  readonly failed: ReadonlySet<string>
  /** Hashes of foreign transactions, with the wallet whose key signed them. */
  readonly foreign: ReadonlyMap<Hash, Address>
  readonly unrecorded: ReadonlyArray<string>
  /** Receives the payments for charges, in runs that have one. */
  readonly treasury: Address | undefined
}): Effect.Effect<Invariants> =>
  Effect.gen(function*() {
    const { accepted, failed, foreign, sessions, fixture: { chain, wallets }, treasury, unrecorded } = options
    // The columns are named in the queries, so the casts are safe.
    const intents = sessions.peek(`select id, pool, status, idempotency_key, outcome,
      (select count(*)::int from charges c where c.intent_id = i.id) as charges from intents i order by id`) as unknown as ReadonlyArray<
      Intent
    >
    const attempts = sessions.peek(
      `select a.wallet, a.hash, a.nonce, a.attempt, s.intent_id, a.submission_key, s.nonce as submission_nonce, s.status
      from attempts a join submissions s on s.key = a.submission_key order by a.wallet, a.nonce, a.attempt`
    ) as unknown as ReadonlyArray<Attempt>
    const mined = (yield* Effect.forEach(wallets, ({ address }) =>
      Effect.map(chain.transactionsOf(address), (all) => all.map((each): Mined => ({ ...each, wallet: address })))))
      .flat()

    const broken: Array<string> = []
    const expect = (holds: boolean, invariant: string) => {
      if (!holds) {
        broken.push(invariant)
      }
    }
    const byId = new Map(intents.map((intent) => [intent.id, intent]))
    const byHash = new Map(attempts.map((attempt) => [attempt.hash, attempt]))
    const byMinedHash = new Map(mined.map((each) => [each.hash as string, each]))
    const story = (id: string) =>
      attempts.filter((attempt) =>
        attempt.intent_id === id
      )
        .map(({ attempt, hash, nonce, status }) =>
          `${nonce}.${attempt} ${status}${byMinedHash.has(hash) ? " mined" : ""}`
        ).join(", ")

    // 1: every acknowledged intent exists, once under its idempotency key.
    for (const { id } of accepted) {
      expect(byId.has(id), `1: accepted intent ${id} is not in the table`)
    }
    for (
      const [key, ids] of groupBy(accepted, ({ key }) =>
        key)
    ) {
      expect(new Set(ids.map(({ id }) => id)).size === 1, `1: ${key} was answered with two intents`)
    }
    for (const [key, same] of groupBy(intents, (intent) => intent.idempotency_key)) {
      expect(same.length === 1, `1: ${key} has ${same.length} intents`)
    }

    // 2: the chain has at most one transaction of a submission and of an intent, executed or reverted. A filler belongs
    // to no intent.
    const ours = mined.flatMap((each) => {
      const attempt = byHash.get(each.hash)
      return attempt === undefined ? [] : [{ attempt, mined: each }]
    })
    for (
      const [key, all] of groupBy(ours, ({ attempt }) => attempt.submission_key)
    ) {
      expect(all.length === 1, `2: ${all.length} transactions of submission ${key} are mined`)
    }
    const ofIntent = groupBy(ours, ({ attempt }) => attempt.intent_id)
    for (const [id, all] of ofIntent) {
      expect(all.length === 1, `2: ${all.length} transactions of intent ${id} are mined (${story(id)})`)
    }
    // The same without our attempts: a vault was called exactly as often as its intents say.
    const executedByPool = groupBy(
      intents.filter(({ outcome }) => outcome !== null && outcome.txHash !== null),
      ({ pool }) => pool
    )
    const calledByPool = groupBy(
      mined.filter(({ hash, to, wallet }) => to !== wallet && to !== treasury && !foreign.has(hash)),
      ({ to }) => to
    )
    for (const pool of new Set([...executedByPool.keys(), ...calledByPool.keys()])) {
      const [calls, intents] = [calledByPool.get(pool)?.length ?? 0, executedByPool.get(pool)?.length ?? 0]
      expect(calls === intents, `2: vault ${pool} was called ${calls} times, and its intents report ${intents} calls`)
    }

    // 3: no bytes were sent before the row that holds them was committed, and every transaction on the chain has a row.
    for (const raw of unrecorded) expect(false, `3: bytes left before they were committed: ${raw.slice(0, 40)}…`)
    for (const { hash, nonce, wallet } of mined) {
      if (foreign.has(hash)) continue
      const row = byHash.get(hash)
      expect(
        row !== undefined && row.nonce === nonce.toString() && row.wallet === wallet,
        `3: the chain has ${hash} at nonce ${nonce}, no row has it`
      )
    }

    // 4: a nonce belongs to one submission, a submission has one nonce, and no nonce is left unmined.
    for (const { address } of wallets) {
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
      // A wallet without foreign transactions must have no superseded submission and no filler.
      const isExclusive = !Array.from(foreign.values()).includes(address)
      const unexpected = lane.find((attempt) => isFiller(attempt) || attempt.status === "superseded")
      expect(
        !isExclusive || unexpected === undefined,
        `4: ${address} has no foreign transactions, and nonce ${unexpected?.nonce} is ${
          unexpected === undefined || isFiller(unexpected) ? "a filler" : unexpected.status
        }`
      )
      // A settlement may have been signed just before the end of the run.
      for (
        const { nonce, status } of lane.filter(({ status, submission_key }) =>
          status !== "signed" || settlementOf(submission_key) === undefined
        )
      ) expect(Number(nonce) < count, `4: nonce ${nonce} (${status}) of ${address} was never mined (${count} are)`)
    }

    for (const intent of intents) {
      const [executed, another] = ofIntent.get(intent.id) ?? []
      const hash = intent.outcome?.txHash ?? null
      // 6: every accepted intent ends, whatever faults happened.
      expect(
        intent.status === "succeeded" || intent.status === "failed",
        `6: intent ${intent.id} did not end (${intent.status}; ${story(intent.id)})`
      )
      // 5: an intent reported as failed was not executed, except by its own transaction that was mined and reverted.
      if (intent.status === "failed") {
        expect(
          executed === undefined || executed.mined.hash === hash && !executed.mined.succeeded,
          `5: intent ${intent.id} is reported as failed: ${JSON.stringify(intent.outcome)}; ${story(intent.id)}`
        )
      }
      // 7: an outcome with a transaction matches the chain, hash and result; outcomes that a reorg took back were
      // corrected.
      if (hash !== null || intent.status === "succeeded" && executed !== undefined) {
        expect(
          another === undefined && executed?.mined.hash === hash,
          `7: intent ${intent.id} is reported with ${hash}, the chain has ${executed?.mined.hash} (${story(intent.id)})`
        )
        expect(
          executed?.mined.succeeded === (intent.status === "succeeded"),
          `7: intent ${intent.id} is reported as ${intent.status}, its transaction is not`
        )
      }
      // 8: one charge for an executed intent, none for any other.
      const due = intent.status === "succeeded" && hash !== null ? 1 : 0
      expect(intent.charges === due, `8: intent ${intent.id} (${intent.status}) has ${intent.charges} charges`)
    }
    // 5: failed without a transaction is final. A revert may be undone by a reorg and reported again: invariant 7
    // covers that.
    for (const id of failed) {
      expect(byId.get(id)?.status === "failed", `5: intent ${id} was reported as failed and is ${byId.get(id)?.status}`)
    }

    for (const error of settlementErrors(sessions)) {
      expect(false, `8: ${error}`)
    }
    if (treasury !== undefined) {
      const [held, paid] = [yield* balanceOf(chain, treasury), paidOf(sessions)]
      expect(held === paid, `8: the treasury holds ${held}, and mined settlements paid ${paid}`)
    }

    return {
      broken,
      sums: {
        accepted: accepted.length,
        succeeded: intents.filter(({ status }) => status === "succeeded").length,
        failed: intents.filter(({ status }) => status === "failed").length,
        reverted: intents.filter(({ outcome, status }) =>
          status === "failed" && outcome !== null && outcome.txHash !== null
        ).length,
        mined: mined.length,
        replaced: attempts.filter(({ attempt }) => attempt > 0).length,
        superseded: groupBy(
          attempts.filter(({ status }) => status === "superseded"),
          (attempt) => attempt.submission_key
        ).size,
        fillers: groupBy(attempts.filter(isFiller), (attempt) => attempt.submission_key).size
      }
    }
  })
