/** The eight promises, read from the chain and the rows of a life that has grown calm. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { TestChain } from "@vault-trader/devnet/test-chain/TestChain"
import * as Effect from "effect/Effect"
import type { Accepted, Wallet } from "./Life.ts"
import type { VirtualPostgres } from "./VirtualPostgres.ts"

export interface Report {
  readonly seed: number
  /** What was broken; empty when every promise was kept. */
  readonly broken: ReadonlyArray<string>
  readonly accepted: number
  readonly succeeded: number
  readonly failed: number
  readonly mined: number
  readonly replaced: number
  readonly superseded: number
}

interface IntentRow {
  readonly id: string
  readonly status: string
  readonly tx_hash: string | null
  readonly outcome: { readonly _tag: string; readonly txHash: string | null } | null
  readonly charges: number
}

interface AttemptRow {
  readonly wallet: Address
  readonly hash: string
  readonly nonce: string
  readonly attempt: number
  readonly intent_id: string | null
  readonly submission_key: string
  readonly status: string
}

export const look = (life: {
  readonly pg: VirtualPostgres
  readonly chain: TestChain
  readonly wallets: ReadonlyArray<Wallet>
  readonly accepted: ReadonlyArray<Accepted>
  readonly unrecorded: ReadonlyArray<string>
  readonly seed: number
}): Effect.Effect<Report> =>
  Effect.gen(function*() {
    const { pg, chain, wallets, accepted, unrecorded, seed } = life
    const intents = yield* Effect.promise(() =>
      pg.peek<IntentRow>(`select i.id, i.status, i.tx_hash, i.outcome,
        (select count(*)::int from charges c where c.intent_id = i.id) as charges from intents i`))
    const attempts = yield* Effect.promise(() =>
      pg.peek<AttemptRow>(`select a.wallet, a.hash, a.nonce, a.attempt, s.intent_id, a.submission_key, s.status
        from attempts a join submissions s on s.key = a.submission_key`))
    const mined = (yield* Effect.forEach(wallets, ({ address }) =>
      Effect.map(chain.transactionsOf(address), (all) => all.map((each) => ({ ...each, wallet: address }))))).flat()
    const broken: Array<string> = []
    const expect = (kept: boolean, promise: string) => { if (!kept) broken.push(promise) }

    const byId = new Map(intents.map((intent) => [intent.id, intent]))
    const byHash = new Map(attempts.map((attempt) => [attempt.hash, attempt]))
    const minedHashes = new Map(mined.map((each) => [each.hash as string, each]))

    for (const { id } of accepted) expect(byId.has(id), `1: accepted intent ${id} is not in the ledger`)

    const ofSubmission = new Map<string, number>()
    const ofIntent = new Map<string, number>()
    for (const { hash, succeeded } of mined) {
      const attempt = byHash.get(hash)
      if (attempt === undefined) continue
      ofSubmission.set(attempt.submission_key, (ofSubmission.get(attempt.submission_key) ?? 0) + 1)
      // A filler belongs to no intent.
      if (succeeded && attempt.intent_id !== null) ofIntent.set(attempt.intent_id, (ofIntent.get(attempt.intent_id) ?? 0) + 1)
    }
    for (const [key, count] of ofSubmission) expect(count <= 1, `2: ${count} transactions of submission ${key} are mined`)
    for (const [id, count] of ofIntent) expect(count <= 1, `2: intent ${id} was executed ${count} times`)

    expect(unrecorded.length === 0, `3: bytes left before they were committed: ${unrecorded.join(", ")}`)

    for (const { address } of wallets) {
      const ours = attempts.filter(({ wallet }) => wallet === address)
      const owners = new Map<string, Set<string>>()
      for (const { nonce, submission_key } of ours) owners.set(nonce, (owners.get(nonce) ?? new Set()).add(submission_key))
      for (const [nonce, keys] of owners) expect(keys.size === 1, `4: nonce ${nonce} of ${address} was given ${keys.size} times`)
      const count = mined.filter(({ wallet }) => wallet === address).length
      for (const { nonce } of ours) expect(Number(nonce) < count, `4: nonce ${nonce} of ${address} was left behind (${count} are mined)`)
    }

    for (const intent of intents) {
      const executed = ofIntent.get(intent.id) ?? 0
      const final = intent.status === "succeeded" || intent.status === "failed"
      expect(final, `6: intent ${intent.id} came to no end (${intent.status}; ${
        attempts.filter((attempt) => attempt.intent_id === intent.id).map(({ nonce, attempt, status }) => `${nonce}.${attempt} ${status}`).join(", ")})`)
      if (intent.status === "failed") expect(executed === 0, `5: intent ${intent.id} is told as failed, and was executed: ${JSON.stringify(intent.outcome)}; ${
        attempts.filter((attempt) => attempt.intent_id === intent.id).map(({ nonce, attempt, status, hash }) => `${nonce}.${attempt} ${status} ${minedHashes.has(hash) ? "mined" : ""}`).join(", ")}`)
      const hash = intent.outcome?.txHash ?? null
      if (intent.status === "succeeded" && hash !== null) {
        expect(executed === 1, `7: intent ${intent.id} is told as succeeded, and the chain has ${executed} of it`)
        expect(minedHashes.get(hash)?.succeeded === true, `7: the transaction told of intent ${intent.id} is not on the chain`)
      }
      const due = intent.status === "succeeded" && hash !== null ? 1 : 0
      expect(intent.charges === due, `8: intent ${intent.id} (${intent.status}) has ${intent.charges} charges`)
    }
    return {
      seed,
      broken,
      accepted: accepted.length,
      succeeded: intents.filter(({ status }) => status === "succeeded").length,
      failed: intents.filter(({ status }) => status === "failed").length,
      mined: mined.length,
      replaced: attempts.filter(({ attempt }) => attempt > 0).length,
      superseded: new Set(attempts.filter(({ status }) => status === "superseded").map((each) => each.submission_key)).size
    }
  })
