/** The eight promises, and that what is charged adds up, read from the chain and the rows of a life that has grown calm. */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { settlementOf } from "@vault-trader/core/gas-wallet/Submission"
import type { MinedTransaction } from "@vault-trader/devnet/test-chain/TestChain"
import * as Effect from "effect/Effect"
import type { Accepted } from "./Workload.ts"
import type { Stage } from "./Fixture.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface Promises {
  /** What was broken; empty when every promise was kept. */
  readonly broken: ReadonlyArray<string>
  /** What happened, by name. */
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

const grouped = <A>(all: ReadonlyArray<A>, key: (one: A) => string | null): Map<string, Array<A>> => {
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

const isFiller = ({ intent_id, submission_key }: Attempt) => intent_id === null && settlementOf(submission_key) === undefined

const balanceOf = (chain: Stage["chain"], address: Address) =>
  Effect.map(Effect.orDie(chain.request("eth_getBalance", [address, "latest"])), (answer) => BigInt(String(answer)))

/** What mined settlements sent, by their submissions. */
const paidOf = (sessions: Sessions): bigint => {
  const [row] = sessions.peek(`select coalesce(sum(value), 0)::text as wei from submissions
    where key like 'settlement/%' and status in ('mined', 'final') and (receipt ->> 'succeeded')::boolean`)
  const wei = row?.["wei"]
  return typeof wei === "string" ? BigInt(wei) : 0n
}

/** Settlements that do not fit their charges: each pays for exactly those that name it, and one that came to nothing for none. */
const accountFaults = (sessions: Sessions): ReadonlyArray<string> =>
  sessions.peek(`select t.id, t.status, t.native_wei::text as wei, coalesce(sum(c.native_wei), 0)::text as claimed
    from settlements t left join charges c on c.settlement_id = t.id group by t.id
    having coalesce(sum(c.native_wei), 0) <> case when t.status = 'released' then 0 else t.native_wei end`)
    .map((row) => `settlement ${String(row["id"])} (${String(row["status"])}) of ${String(row["wei"])} wei has charges of ${String(row["claimed"])}`)

export const look = (life: {
  readonly sessions: Sessions
  readonly stage: Stage
  readonly accepted: ReadonlyArray<Accepted>
  /** Intents that were seen failed, without a transaction. */
  readonly failed: ReadonlySet<string>
  /** What strangers sent, and with whose key. */
  readonly foreign: ReadonlyMap<Hash, Address>
  readonly unrecorded: ReadonlyArray<string>
  /** Who is paid for charges, if anybody is. */
  readonly treasury: Address | undefined
}): Effect.Effect<Promises> =>
  Effect.gen(function*() {
    const { accepted, failed, foreign, sessions, stage: { chain, wallets }, treasury, unrecorded } = life
    // The rows are ours and the columns are named in the queries.
    const intents = sessions.peek(`select id, pool, status, idempotency_key, outcome,
      (select count(*)::int from charges c where c.intent_id = i.id) as charges from intents i order by id`) as unknown as ReadonlyArray<Intent>
    const attempts = sessions.peek(`select a.wallet, a.hash, a.nonce, a.attempt, s.intent_id, a.submission_key, s.nonce as submission_nonce, s.status
      from attempts a join submissions s on s.key = a.submission_key order by a.wallet, a.nonce, a.attempt`) as unknown as ReadonlyArray<Attempt>
    const mined = (yield* Effect.forEach(wallets, ({ address }) =>
      Effect.map(chain.transactionsOf(address), (all) => all.map((each): Mined => ({ ...each, wallet: address }))))).flat()

    const broken: Array<string> = []
    const expect = (kept: boolean, promise: string) => {
      if (!kept) broken.push(promise)
    }
    const byId = new Map(intents.map((intent) => [intent.id, intent]))
    const byHash = new Map(attempts.map((attempt) => [attempt.hash, attempt]))
    const byMinedHash = new Map(mined.map((each) => [each.hash as string, each]))
    const story = (id: string) =>
      attempts.filter((attempt) => attempt.intent_id === id)
        .map(({ attempt, hash, nonce, status }) => `${nonce}.${attempt} ${status}${byMinedHash.has(hash) ? " mined" : ""}`).join(", ")

    // 1: what was acknowledged is there, once under its name.
    for (const { id } of accepted) expect(byId.has(id), `1: accepted intent ${id} is not in the ledger`)
    for (const [key, ids] of grouped(accepted, ({ key }) => key)) expect(new Set(ids.map(({ id }) => id)).size === 1, `1: ${key} was told two intents`)
    for (const [key, same] of grouped(intents, (intent) => intent.idempotency_key)) expect(same.length === 1, `1: ${key} has ${same.length} intents`)

    // 2: of a submission and of an intent the chain has at most one transaction, executed or reverted. A filler belongs to no intent.
    const ours = mined.flatMap((each) => {
      const attempt = byHash.get(each.hash)
      return attempt === undefined ? [] : [{ attempt, mined: each }]
    })
    for (const [key, all] of grouped(ours, ({ attempt }) => attempt.submission_key)) {
      expect(all.length === 1, `2: ${all.length} transactions of submission ${key} are mined`)
    }
    const ofIntent = grouped(ours, ({ attempt }) => attempt.intent_id)
    for (const [id, all] of ofIntent) expect(all.length === 1, `2: ${all.length} transactions of intent ${id} are mined (${story(id)})`)
    // The same without our rows of attempts: a vault was called as often as its intents say it was.
    const told = grouped(intents.filter(({ outcome }) => outcome !== null && outcome.txHash !== null), ({ pool }) => pool)
    const called = grouped(mined.filter(({ hash, to, wallet }) => to !== wallet && to !== treasury && !foreign.has(hash)), ({ to }) => to)
    for (const pool of new Set([...told.keys(), ...called.keys()])) {
      const [calls, intents] = [called.get(pool)?.length ?? 0, told.get(pool)?.length ?? 0]
      expect(calls === intents, `2: vault ${pool} was called ${calls} times, and its intents tell of ${intents}`)
    }

    // 3: at the border no bytes left that were in no committed row; on the chain there is nothing that has no row.
    for (const raw of unrecorded) expect(false, `3: bytes left before they were committed: ${raw.slice(0, 40)}…`)
    for (const { hash, nonce, wallet } of mined) {
      if (foreign.has(hash)) continue
      const row = byHash.get(hash)
      expect(row !== undefined && row.nonce === nonce.toString() && row.wallet === wallet, `3: the chain has ${hash} at nonce ${nonce}, no row says so`)
    }

    // 4: a nonce belongs to one submission, which has no other; none is left behind.
    for (const { address } of wallets) {
      const lane = attempts.filter(({ wallet }) => wallet === address)
      for (const [nonce, all] of grouped(lane, (attempt) => attempt.nonce)) {
        expect(new Set(all.map((attempt) => attempt.submission_key)).size === 1, `4: nonce ${nonce} of ${address} was given twice`)
      }
      for (const { nonce, submission_key, submission_nonce } of lane) {
        expect(nonce === submission_nonce, `4: submission ${submission_key} of nonce ${submission_nonce} signed under ${nonce}, too`)
      }
      const count = mined.filter(({ wallet }) => wallet === address).length
      // Where nobody else sent anything no nonce can have been taken, and no gap have been left but by us.
      const alone = !Array.from(foreign.values()).includes(address)
      const odd = lane.find((attempt) => isFiller(attempt) || attempt.status === "superseded")
      expect(!alone || odd === undefined, `4: ${address} is used by nobody else, and nonce ${odd?.nonce} is ${odd === undefined || isFiller(odd) ? "a filler" : odd.status}`)
      // A payment may have been signed at the very end.
      for (const { nonce, status } of lane.filter(({ status, submission_key }) => status !== "signed" || settlementOf(submission_key) === undefined)) expect(Number(nonce) < count, `4: nonce ${nonce} (${status}) of ${address} was left behind (${count} are mined)`)
    }

    for (const intent of intents) {
      const [executed, another] = ofIntent.get(intent.id) ?? []
      const hash = intent.outcome?.txHash ?? null
      // 6: everything accepted comes to its end, whatever happened.
      expect(intent.status === "succeeded" || intent.status === "failed", `6: intent ${intent.id} came to no end (${intent.status}; ${story(intent.id)})`)
      // 5: what is told as failed did not happen; the one exception is a transaction of its own that is mined and reverted.
      if (intent.status === "failed") {
        expect(executed === undefined || executed.mined.hash === hash && !executed.mined.succeeded, `5: intent ${intent.id} is told as failed: ${
          JSON.stringify(intent.outcome)}; ${story(intent.id)}`)
      }
      // 7: what is told with a transaction is on the chain, with the result that was told; a reorg's taking back has been undone.
      if (hash !== null || intent.status === "succeeded" && executed !== undefined) {
        expect(another === undefined && executed?.mined.hash === hash, `7: intent ${intent.id} is told with ${hash}, the chain has ${executed?.mined.hash} (${story(intent.id)})`)
        expect(executed?.mined.succeeded === (intent.status === "succeeded"), `7: intent ${intent.id} is told as ${intent.status}, its transaction is not`)
      }
      // 8: one charge for what was executed, none for anything else.
      const due = intent.status === "succeeded" && hash !== null ? 1 : 0
      expect(intent.charges === due, `8: intent ${intent.id} (${intent.status}) has ${intent.charges} charges`)
    }
    // 5: once failed is failed for ever. A revert may be taken back by a reorg and told anew: that is promise 7, and not among these.
    for (const id of failed) expect(byId.get(id)?.status === "failed", `5: intent ${id} was told as failed and is ${byId.get(id)?.status}`)

    for (const fault of accountFaults(sessions)) expect(false, `8: ${fault}`)
    if (treasury !== undefined) {
      const [held, paid] = [yield* balanceOf(chain, treasury), paidOf(sessions)]
      expect(held === paid, `8: the treasury holds ${held}, and settlements have paid ${paid}`)
    }

    return {
      broken,
      sums: {
        accepted: accepted.length,
        succeeded: intents.filter(({ status }) => status === "succeeded").length,
        failed: intents.filter(({ status }) => status === "failed").length,
        reverted: intents.filter(({ outcome, status }) => status === "failed" && outcome !== null && outcome.txHash !== null).length,
        mined: mined.length,
        replaced: attempts.filter(({ attempt }) => attempt > 0).length,
        superseded: grouped(attempts.filter(({ status }) => status === "superseded"), (attempt) => attempt.submission_key).size,
        fillers: grouped(attempts.filter(isFiller), (attempt) => attempt.submission_key).size
      }
    }
  })
