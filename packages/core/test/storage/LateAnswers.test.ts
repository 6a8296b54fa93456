import { assert, layer } from "@effect/vitest"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as PgFront from "@vault-trader/testing/harness/PgFront"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import type { Address, Hash } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import type { NumberedSubmission } from "../../src/gas-wallet/LaneNonces.ts"
import { keyOf, Receipt, type Submission } from "../../src/gas-wallet/Submission.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { AcceptanceUnknown, type NewIntent } from "../../src/intent/IntentInsert.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { type PlannedStep, PlannedStepStore } from "../../src/intent/PlannedStepStore.ts"
import * as Batcher from "../../src/storage/Batcher.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshDigest, row, wallet } from "./Database.ts"

const base = "base" as const
const pool: Address = `0x${"12".repeat(20)}`
const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
const freshHash = Effect.map(freshDigest, (digest): Hash => `0x${digest}`)

const Rows = Layer.mergeAll(SubmissionStore.layer, IntentStore.layer, KeyLimitStore.layer)
const Stores = PlannedStepStore.layer.pipe(Layer.provideMerge(Rows))
const Test = Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer, Stores).pipe(Layer.provideMerge(Database))

/** The stores of a service that reaches the database through a front, and whose limits follow a clock of the test. */
const behindFront = Effect.gen(function*() {
  const place = yield* row(
    `select trim('"' from current_setting('unix_socket_directories')) as folder, current_user as name,
    current_setting('port') as port, current_database() as database`
  )
  const front = yield* PgFront.listen(
    `${String(place?.["folder"])}/.s.PGSQL.${String(place?.["port"])}`,
    String(place?.["name"]),
    String(place?.["database"])
  )
  const clock = yield* TestClock.make()
  const client = PostgresClient.layer({ url: Redacted.make(front.url), maxConnections: 6 })
  const stores = yield* Layer.build(Layer.fresh(Stores).pipe(Layer.provide(client))).pipe(
    Effect.provideService(Batcher.LimitClock, clock),
    Effect.provideService(Clock.Clock, clock)
  )
  return { clock, front, stores }
})

/** Lets the time of a limit pass, and the moment that a late run still has. */
const pass = (clock: TestClock.TestClock, time: "20 seconds" | "40 seconds") =>
  Effect.andThen(clock.adjust(time), Effect.replicateEffect(clock.adjust("100 millis"), 5))

/** Runs a call whose message is late by more than its limit. Returns the caller's exit, and the late message. */
const late = <A, E>(
  { clock, front }: Effect.Success<typeof behindFront>,
  [what, words]: readonly ["question" | "answer", string],
  call: Effect.Effect<A, E>,
  time: "20 seconds" | "40 seconds" = "20 seconds"
) =>
  Effect.gen(function*() {
    const held = yield* front.hold(what, words)
    const calling = yield* Effect.forkChild(Effect.exit(call))
    yield* held.arrived
    yield* pass(clock, time)
    return { exit: yield* Fiber.join(calling), release: held.release }
  })

/** Runs a call whose answer is lost after its statement was committed. */
const lost = <A, E>(
  { front }: Effect.Success<typeof behindFront>,
  words: string,
  call: Effect.Effect<A, E>
) =>
  Effect.gen(function*() {
    const gone = yield* front.lose("answer", words)
    const exit = yield* Effect.exit(call)
    yield* gone
    return exit
  })

/** Checks that the outcome was reported as unknown: by a failure, or by a defect where the caller must not repeat. */
const assertUnknown = (exit: Exit.Exit<unknown, unknown>, as: "failure" | "defect" | "either") => {
  const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
  const isDefect = reason !== undefined && Cause.isDieReason(reason)
  const isFailure = reason !== undefined && Cause.isFailReason(reason) && reason.error instanceof SqlError
  assert.isTrue(as === "defect" ? isDefect : as === "failure" ? isFailure : isDefect || isFailure, String(exit))
}

const intentOf = (owner: { readonly address: Address; readonly keyId: string }, key: string | null): NewIntent => ({
  ...{ wallet: owner.address, keyId: owner.keyId, endpoint: "vaultTrade", network: base, pool, request },
  idempotencyKey: key
})

/** Builds the decision for a fresh intent. */
const stepOf = (owner: { readonly address: Address; readonly keyId: string }) =>
  Effect.gen(function*(): Effect.fn.Return<PlannedStep, SqlError | AcceptanceUnknown, IntentStore> {
    const { id } = yield* (yield* IntentStore).accept(intentOf(owner, null))
    return {
      ...{ step: 1, plan: { steps: 1 }, vaults: [], usd18: 10n ** 19n },
      submission: {
        ...{ key: keyOf(id, 1), intentId: id, network: base, wallet: owner.address, to: pool, data: "0x1234" },
        ...{ value: 0n, reserve: 7n }
      }
    }
  })

const queued = (owner: { readonly address: Address; readonly keyId: string }) =>
  Effect.gen(function*() {
    const step = yield* stepOf(owner)
    yield* (yield* PlannedStepStore).commit(step)
    return yield* Effect.flatMap((yield* SubmissionStore).find(step.submission.key), Effect.fromOption)
  })

/** A lane's request for a signature, and the nonces that it signed under. */
const laneOf = (submission: Submission) => {
  const signed: Array<bigint> = []
  const sign = (numbered: ReadonlyArray<NumberedSubmission>) =>
    Effect.forEach(numbered, ({ nonce }) =>
      Effect.map(freshHash, (hash) => {
        signed.push(nonce)
        return { hash, raw: hash, gasLimit: 210_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
      }))
  const { network, wallet } = submission
  return { signed, lane: { network, wallet, chainNonce: 0n, revision: 0, submissions: [submission], sign } }
}

const receiptOf = (transactionHash: Hash, blockHash: Hash) =>
  Receipt.make({
    ...{ transactionHash, blockHash, blockNumber: 12n, succeeded: true, gasUsed: 1n, effectiveGasPrice: 2n, logs: [] }
  })

const countOf = (table: string, where: string) =>
  Effect.map(row(`select count(*)::int as count from ${table} where ${where}`), (found) => found?.["count"])

layer(Test, { timeout: "4 minutes", excludeTestServices: true })("a statement whose answer is late or lost", (it) => {
  for (const what of ["answer", "question"] as const) {
    it.effect(`accepts an intent once, and a repeat of its key names it (the ${what} is late)`, () =>
      Effect.gen(function*() {
        const service = yield* behindFront
        const owner = yield* wallet
        const store = Context.get(service.stores, IntentStore)
        const intent = intentOf(owner, "key")
        const call = store.accept(intent)
        const { exit, release } = yield* late(service, [what, "insert into intents"], call, "40 seconds")
        const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
        const unknown = reason !== undefined && Cause.isFailReason(reason) ? reason.error : undefined
        if (!(unknown instanceof AcceptanceUnknown)) return assert.fail(String(exit))
        // A statement that comes after the repeat of its call finds the key taken.
        if (what === "answer") yield* release
        const repeated = yield* store.accept(intent)
        yield* release
        if (what === "answer") assert.strictEqual(repeated.id, unknown.id)
        assert.deepStrictEqual(yield* store.accept(intent), { _tag: "accepted", id: repeated.id })
        assert.strictEqual(yield* countOf("intents", `wallet = '${owner.address}'`), 1)
      }))

    it.effect(`commits a step once, and a repeat of the call does not replace it (the ${what} is late)`, () =>
      Effect.gen(function*() {
        const service = yield* behindFront
        const step = yield* stepOf(yield* wallet)
        const { key, intentId } = step.submission
        const { commit } = Context.get(service.stores, PlannedStepStore)
        const { exit, release } = yield* late(service, [what, "with decided as"], commit(step))
        // A statement that is not committed yet is committed alone; the late one is refused then.
        if (what === "answer") assertUnknown(exit, "failure")
        else assert.deepStrictEqual(exit, Exit.succeed<unknown>(step.plan))
        yield* release
        assertUnknown(yield* Effect.exit(commit({ ...step, plan: { steps: 2 } })), "failure")
        const progress = yield* Effect.flatMap((yield* IntentStore).findInProgress(intentId), Effect.fromOption)
        assert.deepStrictEqual([progress.step, progress.plan], [1, { steps: 1 }])
        assert.strictEqual(yield* countOf("submissions", `key = '${key}'`), 1)
        assert.strictEqual(yield* countOf("key_spending", `intent_id = '${intentId}' and usd18 = 1e19`), 1)
      }))

    it.effect(`signs a submission once, and a repeat conflicts with it (the ${what} of its COMMIT is late)`, () =>
      Effect.gen(function*() {
        const service = yield* behindFront
        const submission = yield* queued(yield* wallet)
        const { lane, signed } = laneOf(submission)
        const store = Context.get(service.stores, SubmissionStore)
        const { exit, release } = yield* late(service, [what, "COMMIT"], store.sign(lane))
        assertUnknown(exit, "defect")
        yield* release
        // The rows say whether it was committed: a transaction whose client is gone ends first.
        yield* (yield* SqlClient.SqlClient)`select 1 from submissions where key = ${submission.key} for update`
        const direct = yield* SubmissionStore
        const before = yield* direct.inFlight(base, submission.wallet)
        const again = yield* Effect.exit(store.sign(lane))
        const after = yield* direct.inFlight(base, submission.wallet)
        assert.deepStrictEqual(after.map(({ nonce }) => nonce), [0n])
        assert.strictEqual(Exit.isSuccess(again), before.length === 0, String(again))
        if (before.length > 0) assert.deepStrictEqual(after, before)
        if (what === "answer") assert.lengthOf(before, 1)
        assert.deepStrictEqual(yield* direct.listQueued(base, submission.wallet), [])
        assert.strictEqual(signed[0], 0n)
      }))
  }

  it.effect("records a receipt once and makes it final once, and repeats change nothing (the answers are late)", () =>
    Effect.gen(function*() {
      const service = yield* behindFront
      const submission = yield* queued(yield* wallet)
      const direct = yield* SubmissionStore
      const [attempt] = yield* direct.sign(laneOf(submission).lane)
      const store = Context.get(service.stores, SubmissionStore)
      const receipt = receiptOf(attempt!.hash, yield* freshHash)
      const record = store.recordMined([{ key: submission.key, receipt }])
      const recorded = yield* late(service, ["answer", "with v as"], record)
      assertUnknown(recorded.exit, "failure")
      yield* recorded.release
      yield* record
      const finalize = store.finalize([{ key: submission.key, blockHash: receipt.blockHash }])
      const finalized = yield* late(service, ["answer", "set status = 'final'"], finalize)
      assertUnknown(finalized.exit, "failure")
      yield* finalized.release
      assert.deepStrictEqual([...(yield* finalize)], [submission.key])
      const found = yield* Effect.flatMap(direct.find(submission.key), Effect.fromOption)
      assert.deepStrictEqual([found.status, found.receipt?.blockHash], ["final", receipt.blockHash])
      assert.strictEqual(yield* countOf("attempts", `submission_key = '${submission.key}'`), 1)
    }))

  it.effect("is committed once when its answer is lost: an intent, a step, a signature, a receipt", () =>
    Effect.gen(function*() {
      const service = yield* behindFront
      const owner = yield* wallet
      const [intents, steps, store] = [
        Context.get(service.stores, IntentStore),
        Context.get(service.stores, PlannedStepStore),
        Context.get(service.stores, SubmissionStore)
      ]
      const step = yield* stepOf(owner)
      const { intentId, key } = step.submission
      // The step alone, after the lost statement, is refused by what that one committed.
      assertUnknown(yield* lost(service, "with decided as", steps.commit(step)), "failure")
      assert.strictEqual(yield* countOf("submissions", `intent_id = '${intentId}'`), 1)
      const submission = yield* Effect.flatMap(store.find(key), Effect.fromOption)
      const { lane } = laneOf(submission)
      assertUnknown(yield* lost(service, "COMMIT", store.sign(lane)), "either")
      const [attempt, ...others] = yield* store.inFlight(base, owner.address)
      assert.deepStrictEqual([attempt?.nonce, others], [0n, []])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(store.sign(lane))))
      assert.deepStrictEqual(yield* store.inFlight(base, owner.address), [attempt!])
      const receipt = receiptOf(attempt!.hash, yield* freshHash)
      const record = store.recordMined([{ key, receipt }])
      assertUnknown(yield* lost(service, "with v as", record), "either")
      yield* record
      assert.strictEqual(yield* countOf("submissions", `intent_id = '${intentId}' and status = 'mined'`), 1)
      assert.isTrue(Option.isSome(yield* intents.find(intentId)))
      assert.strictEqual(yield* countOf("attempts", `submission_key = '${key}'`), 1)
    }))
})
