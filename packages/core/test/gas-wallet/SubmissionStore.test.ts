import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address, Hash } from "../../src/chain/Address.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KeyLimits, none } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { botScope, thresholdBotScope } from "../../src/gas-wallet/SwitchScope.ts"
import { Attempt, keyOf, Receipt, settledOf, type Submission } from "../../src/gas-wallet/Submission.ts"
import type { NumberedSubmission } from "../../src/gas-wallet/LaneNonces.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { Failed, Succeeded } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, freshDigest, row, untilBlocked, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  SubmissionStore.layer,
  KillSwitch.layer,
  KeyLimitStore.layer,
  IntentStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer
).pipe(Layer.provideMerge(Database))

const network = "base"
const pool: Address = `0x${"12".repeat(20)}`
const freshHash = Effect.map(freshDigest, (digest): Hash => `0x${digest}`)
const failure = new ExecutionFailure({ errorType: "insufficient_gas", message: "The wallet is empty." })
const gas = { gasLimit: 210_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }

/** Signs anything, with fresh hashes. */
const signOne = Effect.map(freshHash, (hash) => ({ hash, raw: "0x02f8" as const, ...gas }))
const sign = (numbered: ReadonlyArray<NumberedSubmission>) => Effect.forEach(numbered, () => signOne)

/** Queues one submission of a fresh intent. */
const queued = (owner: { readonly address: Address; readonly keyId: string }, step = 1) =>
  Effect.gen(function*() {
    const intents = yield* IntentStore
    const store = yield* SubmissionStore
    const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
    const { id } = yield* intents.accept({
      wallet: owner.address,
      keyId: owner.keyId,
      endpoint: "vaultTrade",
      network,
      pool,
      request,
      idempotencyKey: null
    })
    const key = keyOf(id, step)
    yield* (yield* SqlClient.SqlClient)`update intents set step = ${step} where id = ${id}::uuid`
    yield* store.put({
      key,
      intentId: id,
      network,
      wallet: owner.address,
      to: pool,
      data: "0x1234",
      value: 2n ** 200n,
      reserve: 7n
    })
    return { ...(yield* Effect.flatMap(store.find(key), Effect.fromOption)), intentId: id }
  })

const lane = (wallet: Address, submissions: ReadonlyArray<Pick<Submission, keyof Submission>>, chainNonce = 0n) =>
  ({ network, wallet, chainNonce, revision: 0, submissions, sign }) as const
const nonces = (attempts: ReadonlyArray<{ readonly nonce: bigint }>) => attempts.map(({ nonce }) => nonce)

const receipt = (transactionHash: Hash, blockHash: Hash) =>
  Receipt.make({
    transactionHash,
    blockHash,
    blockNumber: 12n,
    succeeded: true,
    gasUsed: 1n,
    effectiveGasPrice: 2n,
    logs: []
  })

const charge = { action: "trade", usd: 0.1, nativeWei: null, nativePriceUsd18: null, priceSource: null, priceAt: null }

/** Creates one signed submission of a fresh wallet. */
const signed = Effect.gen(function*() {
  const owner = yield* wallet
  const submission = yield* queued(owner)
  const [attempt] = yield* (yield* SubmissionStore).sign(lane(owner.address, [submission]))
  return { owner, submission, attempt }
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("SubmissionStore", (it) => {
  it.effect("returns what was queued, including amounts beyond 64 bits", () =>
    Effect.gen(function*() {
      const owner = yield* wallet
      const { failure, nonce, receipt, reserve, status, value } = yield* queued(owner)
      assert.deepStrictEqual({ failure, nonce, receipt, reserve, status, value }, {
        failure: null,
        nonce: null,
        receipt: null,
        reserve: 7n,
        status: "queued",
        value: 2n ** 200n
      })
      assert.deepStrictEqual(yield* (yield* SubmissionStore).find("nobody/1"), Option.none())
    }))

  it.effect("fails for a submission that already exists", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const submission = yield* queued(yield* wallet)
      const failed = yield* Effect.flip(store.put({ ...submission }))
      assert.strictEqual(failed._tag, "SqlError")
    }))

  it.effect("gives a lane nonces without gap or repetition, batch after batch, in the given order", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const all = yield* Effect.forEach([1, 2, 3, 4, 5], () => queued(owner))
      const first = yield* store.sign(lane(owner.address, all.slice(0, 3)))
      const second = yield* store.sign(lane(owner.address, all.slice(3)))
      assert.deepStrictEqual(nonces([...first, ...second]), [0n, 1n, 2n, 3n, 4n])
      assert.deepStrictEqual([...first, ...second].map(({ submissionKey }) => submissionKey), all.map(({ key }) => key))
      assert.deepStrictEqual(yield* store.inFlight(network, owner.address), [...first, ...second])
    }))

  it.effect("commits the bytes and the intents' transaction hashes in one database transaction", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const submission = yield* queued(owner)
      const [attempt] = yield* store.sign(lane(owner.address, [submission]))
      const stored = yield* Effect.flatMap(store.find(submission.key), Effect.fromOption)
      assert.deepStrictEqual([stored.status, stored.nonce], ["signed", 0n])
      const intent = yield* Effect.flatMap(
        IntentStore,
        (intents) => Effect.flatMap(intents.find(submission.intentId), Effect.fromOption)
      )
      assert.deepStrictEqual([intent.status, intent.txHash], ["submitted", attempt?.hash])
    }))

  it.effect("signs nothing while the chain counts more than the rows explain, and continues from what is explained", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const [a, b] = yield* Effect.forEach([1, 2], () => queued(owner))
      const refused = yield* Effect.flip(store.sign(lane(owner.address, [a!], 41n)))
      assert.strictEqual(refused._tag, "RowsBehindChain")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into nonce_baselines (network, wallet, nonce) values (${network}, ${owner.address}, 41)`
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [a!], 41n))), [41n])
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [b!], 0n))), [42n])
    }))

  it.effect("keeps the lanes of wallets and networks apart", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const one = yield* wallet
      const other = yield* wallet
      yield* store.sign(lane(one.address, [yield* queued(one), yield* queued(one)]))
      assert.deepStrictEqual(nonces(yield* store.sign(lane(other.address, [yield* queued(other)]))), [0n])
      assert.deepStrictEqual(yield* store.listQueued("polygon", one.address), [])
      assert.deepStrictEqual(yield* store.inFlight("polygon", one.address), [])
    }))

  it.effect("commits nothing when signing one of several fails", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const submissions = yield* Effect.forEach([1, 2], () => queued(owner))
      const failing = {
        ...lane(owner.address, submissions),
        sign: (numbered: ReadonlyArray<NumberedSubmission>) =>
          numbered.length > 1 ? Effect.fail("no key" as const) : sign(numbered)
      }
      assert.strictEqual(yield* Effect.flip(store.sign(failing)), "no key")
      assert.deepStrictEqual(yield* store.inFlight(network, owner.address), [])
      assert.deepStrictEqual(yield* store.listQueued(network, owner.address), submissions.map(({ key }) => key))
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, submissions))), [0n, 1n])
    }))

  it.effect("signs for many lanes at once, and lets none wait for one that is paused, fails, or conflicts", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const switches = yield* KillSwitch
      const owners = yield* Effect.forEach([1, 2, 3, 4, 5], () => wallet)
      const [one, paused, unable, overtaken, other] = yield* Effect.forEach(
        owners,
        (owner) =>
          Effect.map(Effect.forEach([1, 2], () => queued(owner)), (submissions) => lane(owner.address, submissions))
      )
      yield* switches.pause(`wallet/${paused!.wallet}`, "suspicion")
      yield* store.sign(overtaken!)
      const outcomes = yield* Effect.all(
        [
          store.sign(one!),
          store.sign(paused!),
          store.sign({ ...unable!, sign: () => Effect.fail("no key" as const) }),
          store.sign(overtaken!),
          store.sign(other!)
        ].map(Effect.result),
        { concurrency: "unbounded" }
      )
      const summaries = outcomes.map(Result.match({
        onFailure: (failure) => typeof failure === "string" ? failure : failure._tag,
        onSuccess: (attempts) => nonces(attempts).join()
      }))
      assert.deepStrictEqual(summaries, ["0,1", "Paused", "no key", "LaneConflict", "0,1"])
      const inFlight = yield* Effect.forEach(
        owners,
        ({ address }) => Effect.map(store.inFlight(network, address), nonces)
      )
      assert.deepStrictEqual(inFlight, [[0n, 1n], [], [], [0n, 1n], [0n, 1n]])
    }))

  it.effect("locks the limits that a signature depends on, and signs nothing under limits that have changed", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const limits = yield* KeyLimitStore
      const owner = yield* wallet
      const submissions = yield* Effect.forEach([1, 2], () => queued(owner))
      const change = limits.change(owner.address, () => KeyLimits.make({ ...none, maxUsd18PerTrade: 10n ** 19n }))
      yield* change
      const [first, second] = submissions.map((submission) => ({ ...lane(owner.address, [submission]), revision: 1 }))
      const signing = yield* Deferred.make<void>()
      const changing = yield* Effect.forkChild(Effect.andThen(Deferred.await(signing), change))
      yield* store.sign({
        ...first!,
        sign: (numbered) =>
          Effect.gen(function*() {
            yield* Deferred.succeed(signing, undefined)
            yield* untilBlocked
            assert.strictEqual((yield* limits.find(owner.address)).revision, 1)
            return yield* sign(numbered)
          })
      })
      yield* Fiber.join(changing)
      assert.strictEqual((yield* limits.find(owner.address)).revision, 2)
      assert.strictEqual((yield* Effect.flip(store.sign(second!)))._tag, "LimitsChanged")
      assert.deepStrictEqual(yield* store.listQueued(network, owner.address), [submissions[1]!.key])
    }))

  it.effect("lets one of two signers of the same submissions through, and keeps nothing of the other", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const submissions = yield* Effect.forEach([1, 2], () => queued(owner))
      const { results, signed } = yield* race(owner.address, submissions, submissions)
      assert.deepStrictEqual(results.filter(Result.isSuccess).length, 1)
      const [loser] = results.flatMap((result) => Result.isFailure(result) ? [result.failure._tag] : [])
      assert.include(["LaneConflict", "SqlError"], loser)
      assert.strictEqual(signed, 4)
      const inFlight = yield* store.inFlight(network, owner.address)
      assert.deepStrictEqual(inFlight, results.flatMap((result) => Result.isSuccess(result) ? [...result.success] : []))
      assert.deepStrictEqual(nonces(inFlight), [0n, 1n])
    }))

  it.effect("lets one of two signers of different submissions of one lane through, and the other may try again", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const one = yield* queued(owner)
      const other = yield* queued(owner)
      const { results } = yield* race(owner.address, [one], [other])
      const [first] = results
      assert.deepStrictEqual(results.map(Result.isSuccess).sort(), [false, true])
      const left = Result.isSuccess(first) ? other : one
      assert.deepStrictEqual(yield* store.listQueued(network, owner.address), [left.key])
      assert.deepStrictEqual(nonces(yield* store.inFlight(network, owner.address)), [0n])
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [left]))), [1n])
    }))

  it.effect("returns a lane's attempts in nonce order and its queue in order of arrival", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const [a, b, c, d] = yield* Effect.forEach([1, 2, 3, 4], () => queued(owner))
      yield* store.sign(lane(owner.address, [d!, b!]))
      assert.deepStrictEqual(
        (yield* store.inFlight(network, owner.address)).map(({ submissionKey }) => submissionKey),
        [d!.key, b!.key]
      )
      assert.deepStrictEqual(yield* store.listQueued(network, owner.address), [a!.key, c!.key])
    }))

  it.effect("ends a signed submission by its receipt or a foreign transaction, and a queued one by refusal, each once", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const [mined, superseded, refused] = yield* Effect.forEach([1, 2, 3], () => queued(owner))
      const [attempt] = yield* store.sign(lane(owner.address, [mined!, superseded!]))
      const seen = receipt(attempt!.hash, yield* freshHash)
      yield* store.recordMined([{ key: mined!.key, receipt: seen }])
      yield* store.supersede(superseded!.key)
      yield* store.refuse(refused!.key, failure)
      const settled = yield* Effect.forEach(
        [mined!, superseded!, refused!],
        ({ key }) => Effect.map(Effect.flatMap(store.find(key), Effect.fromOption), settledOf)
      )
      assert.deepStrictEqual(settled.map((end) => end?._tag), ["Mined", "Superseded", "Refused"])
      assert.deepStrictEqual(settled[0]?._tag === "Mined" ? { ...settled[0].receipt } : undefined, { ...seen })
      assert.deepStrictEqual((yield* store.listUnsettled(network, owner.address)).map(({ key }) => key), [mined!.key])
      // A recording that was given up commits late, with the block from before a reorg: that one is not made final.
      const earlier = receipt(attempt!.hash, yield* freshHash)
      yield* store.recordMined([{ key: mined!.key, receipt: earlier }])
      const inBlock = ({ key }: { readonly key: string }, { blockHash }: Receipt) => ({ key, blockHash })
      assert.deepStrictEqual([...(yield* store.finalize([inBlock(mined!, seen)]))], [])
      assert.deepStrictEqual((yield* store.listUnsettled(network, owner.address)).map(({ key }) => key), [mined!.key])
      yield* store.recordMoved(mined!.key, earlier.blockHash, seen)
      const both = [inBlock(mined!, seen), inBlock(superseded!, seen)]
      assert.deepStrictEqual([...(yield* store.finalize(both))], [mined!.key])
      for (const { key } of [mined!, superseded!, refused!]) {
        yield* Effect.all([
          store.recordMined([{ key, receipt: receipt(yield* freshHash, yield* freshHash) }]),
          store.revertMined(key, yield* freshHash),
          store.refuse(key, failure),
          store.supersede(key)
        ])
      }
      const after = yield* Effect.forEach(
        [mined!, superseded!, refused!],
        ({ key }) => Effect.map(Effect.flatMap(store.find(key), Effect.fromOption), settledOf)
      )
      assert.deepStrictEqual(after, settled)
      assert.deepStrictEqual(
        yield* Effect.all([
          store.listQueued(network, owner.address),
          store.listUnsettled(network, owner.address),
          store.inFlight(network, owner.address)
        ]),
        [[], [], []]
      )
      // A reorg deeper than finality removes this very block, so the end is reverted.
      yield* store.revertMined(mined!.key, seen.blockHash)
      assert.deepStrictEqual(
        (yield* store.listUnsettled(network, owner.address)).map(({ key, status }) => [key, status]),
        [
          [mined!.key, "signed"]
        ]
      )
    }))

  it.effect("reverts what a reorg removed: same nonce, same bytes, no outcome and no charge", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const intents = yield* IntentStore
      const { attempt, owner, submission } = yield* signed
      const blockHash = yield* freshHash
      yield* store.recordMined([{ key: submission.key, receipt: receipt(attempt!.hash, blockHash) }])
      yield* intents.finish(
        submission.intentId,
        Succeeded.make({ txHash: attempt!.hash, message: "Sold.", result: {} }),
        Option.some(charge)
      )
      // A delayed owner reverts a block other than the one another owner has recorded since.
      yield* store.revertMined(submission.key, yield* freshHash)
      assert.strictEqual((yield* Effect.flatMap(store.find(submission.key), Effect.fromOption)).status, "mined")
      yield* store.revertMined(submission.key, blockHash)
      const { nonce, receipt: seen, status } = yield* Effect.flatMap(store.find(submission.key), Effect.fromOption)
      assert.deepStrictEqual([status, nonce, seen], ["signed", 0n, null])
      assert.deepStrictEqual(yield* store.inFlight(network, owner.address), [attempt!])
      const intent = yield* Effect.flatMap(intents.find(submission.intentId), Effect.fromOption)
      assert.deepStrictEqual([intent.status, intent.outcome, intent.txHash], ["submitted", null, attempt!.hash])
      assert.deepStrictEqual(
        yield* row(`select count(*)::int as charges from charges where wallet = '${owner.address}'`),
        { charges: 0 }
      )
    }))

  it.effect("reverts an outcome when a different receipt is recorded, and keeps it for the same receipt in another block", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const intents = yield* IntentStore
      const owner = yield* wallet
      const [one, other] = yield* Effect.forEach([1, 2], () => queued(owner))
      const attempts = yield* store.sign(lane(owner.address, [one!, other!]))
      const first = yield* Effect.forEach(
        attempts,
        ({ hash }) => Effect.map(freshHash, (blockHash) => receipt(hash, blockHash))
      )
      const keys = [one!.key, other!.key]
      const landings = (receipts: ReadonlyArray<Receipt>) =>
        receipts.map((each, index) => ({ key: keys[index]!, receipt: each }))
      yield* store.recordMined(landings(first))
      for (const { intentId } of [one!, other!]) {
        yield* intents.finish(
          intentId,
          Succeeded.make({ txHash: null, message: "Sold.", result: {} }),
          Option.some(charge)
        )
      }
      const blockHash = yield* freshHash
      const [moved, changed] = [
        Receipt.make({ ...first[0]!, blockHash }),
        Receipt.make({ ...first[1]!, blockHash, succeeded: false })
      ]
      yield* store.recordMined(landings([moved, changed]))
      const statuses = yield* Effect.forEach(
        [one!, other!],
        ({ intentId }) => Effect.map(Effect.flatMap(intents.find(intentId), Effect.fromOption), ({ status }) => status)
      )
      assert.deepStrictEqual(statuses, ["succeeded", "submitted"])
      const receipts = yield* Effect.forEach(
        keys,
        (key) => Effect.map(Effect.flatMap(store.find(key), Effect.fromOption), (found) => found.receipt?.succeeded)
      )
      assert.deepStrictEqual(receipts, [true, false])
      assert.deepStrictEqual(
        yield* row(`select count(*)::int as charges from charges where wallet = '${owner.address}'`),
        { charges: 1 }
      )
    }))

  it.effect("corrects a charge that a payment covers when the intent ends otherwise after a deep reorg", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SubmissionStore
      const intents = yield* IntentStore
      const { attempt, owner, submission } = yield* signed
      const id = submission.intentId
      const executes = (blockHash: Hash) =>
        Effect.andThen(
          store.recordMined([{ key: submission.key, receipt: receipt(attempt!.hash, blockHash) }]),
          intents.finish(
            id,
            Succeeded.make({ txHash: attempt!.hash, message: "Sold.", result: {} }),
            Option.some({ ...charge, nativeWei: 7n })
          )
        )
      const fails = intents.finish(
        id,
        Failed.make({ txHash: null, failure }),
        Option.none()
      )
      const pay = sql`with paying as (insert into settlements
          (id, network, wallet, treasury, native_wei, usd, charges, status, ended_at)
          values (gen_random_uuid(), ${network}, ${owner.address}, ${pool}, 1, 0.1, 1, 'paid', now()) returning id)
        update charges c set settlement_id = paying.id from paying
        where c.wallet = ${owner.address} and c.settlement_id is null`
      const rows = sql`select usd::float8 as usd, native_wei::int as wei, settlement_id is not null as paid
        from charges where wallet = ${owner.address} order by created_at, id`

      const first = yield* freshHash
      yield* executes(first)
      yield* pay
      yield* store.revertMined(submission.key, first)
      assert.deepStrictEqual(yield* rows, [{ usd: 0.1, wei: 7, paid: true }])
      yield* fails
      const corrected = [{ usd: 0.1, wei: 7, paid: true }, { usd: -0.1, wei: -7, paid: false }]
      assert.deepStrictEqual(yield* rows, corrected)
      // Ending it again changes nothing.
      yield* fails
      assert.deepStrictEqual(yield* rows, corrected)

      // Executed after all: the credit that no payment has used is deleted, the charge stays paid.
      const reopen = sql`update intents set status = 'submitted', outcome = null where id = ${id}`
      const second = yield* freshHash
      yield* reopen
      yield* store.recordMined([{ key: submission.key, receipt: receipt(attempt!.hash, second) }])
      yield* store.revertMined(submission.key, second)
      assert.deepStrictEqual(yield* rows, [{ usd: 0.1, wei: 7, paid: true }])
      yield* fails
      yield* pay
      // A payment has used the credit: the action that is executed after all is charged by a second correction.
      const third = yield* freshHash
      yield* reopen
      yield* executes(third)
      assert.deepStrictEqual(yield* rows, [
        { usd: 0.1, wei: 7, paid: true },
        { usd: -0.1, wei: -7, paid: true },
        { usd: 0.1, wei: 7, paid: false }
      ])
    }))

  it.effect("leaves a charge with the payment that covers it when a different receipt is recorded", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SubmissionStore
      const intents = yield* IntentStore
      const { attempt, owner, submission } = yield* signed
      const first = receipt(attempt!.hash, yield* freshHash)
      yield* store.recordMined([{ key: submission.key, receipt: first }])
      yield* intents.finish(
        submission.intentId,
        Succeeded.make({ txHash: attempt!.hash, message: "Sold.", result: {} }),
        Option.some({ ...charge, nativeWei: 1n })
      )
      yield* sql`with paying as (insert into settlements (id, network, wallet, treasury, native_wei, usd, charges)
          values (gen_random_uuid(), ${network}, ${owner.address}, ${pool}, 1, 0.1, 1) returning id)
        update charges c set settlement_id = paying.id from paying where c.intent_id = ${submission.intentId}::uuid`
      yield* store.recordMined([{
        key: submission.key,
        receipt: Receipt.make({ ...first, blockHash: yield* freshHash, succeeded: false })
      }])
      assert.strictEqual(
        (yield* Effect.flatMap(intents.find(submission.intentId), Effect.fromOption)).status,
        "submitted"
      )
      assert.deepStrictEqual(
        yield* row(
          `select count(*)::int as charges from charges where wallet = '${owner.address}' and settlement_id is not null`
        ),
        { charges: 1 }
      )
    }))

  it.effect("finishes an intent only with a receipt that is still current, in the block it was seen in", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const intents = yield* IntentStore
      const { attempt, owner, submission } = yield* signed
      const [before, since] = [yield* freshHash, yield* freshHash]
      const outcome = Succeeded.make({ txHash: attempt!.hash, message: "Sold.", result: {} })
      const finish = (blockHash: Hash) =>
        intents.finish(submission.intentId, outcome, Option.some(charge), { submissionKey: submission.key, blockHash })
      const state = Effect.all([
        Effect.map(Effect.flatMap(intents.find(submission.intentId), Effect.fromOption), ({ status }) => status),
        Effect.map(
          row(`select count(*)::int as charges from charges where wallet = '${owner.address}'`),
          (found) => found?.["charges"]
        )
      ])
      assert.isFalse(yield* finish(before), "nothing is mined yet")
      yield* store.recordMined([{ key: submission.key, receipt: receipt(attempt!.hash, before) }])
      yield* store.revertMined(submission.key, before)
      assert.isFalse(yield* finish(before), "a reorg has removed it")
      yield* store.recordMined([{ key: submission.key, receipt: receipt(attempt!.hash, since) }])
      assert.isFalse(yield* finish(before), "it is in another block")
      assert.deepStrictEqual(yield* state, ["submitted", 0])
      assert.isTrue(yield* finish(since))
      assert.deepStrictEqual(yield* state, ["succeeded", 1])
    }))

  it.effect("finishes an intent without a transaction only while its step is current", () =>
    Effect.gen(function*() {
      const intents = yield* IntentStore
      const { intentId } = yield* queued(yield* wallet)
      yield* intents.recordPlan(intentId, { step: 2, plan: null })
      const finish = (step: number) =>
        intents.finish(intentId, Failed.make({ txHash: null, failure }), Option.none(), { step })
      const status = Effect.map(Effect.flatMap(intents.find(intentId), Effect.fromOption), (intent) => intent.status)
      assert.isFalse(yield* finish(1))
      assert.strictEqual(yield* status, "accepted")
      assert.isTrue(yield* finish(2))
      assert.strictEqual(yield* status, "failed")
    }))

  it.effect("gives a superseded submission its nonce back to be cancelled, and leaves its intent to the step after it", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const intents = yield* IntentStore
      const sql = yield* SqlClient.SqlClient
      const owner = yield* wallet
      const first = yield* queued(owner)
      const { intentId: id } = first
      const [call] = yield* store.sign(lane(owner.address, [first]))
      yield* store.reopenSuperseded(first.key)
      assert.isNull((yield* Effect.flatMap(store.find(first.key), Effect.fromOption)).validUntil)
      yield* store.supersede(first.key)
      // The request is planned again, and executed at the next nonce.
      yield* sql`update intents set step = 2 where id = ${id}::uuid`
      yield* store.put({ ...first, key: keyOf(id, 2), intentId: id })
      const next = yield* Effect.flatMap(store.find(keyOf(id, 2)), Effect.fromOption)
      const [executed] = yield* store.sign(lane(owner.address, [next], 1n))
      yield* store.reopenSuperseded(first.key)
      const reopened = yield* Effect.flatMap(store.find(first.key), Effect.fromOption)
      assert.deepInclude(reopened, { status: "signed", nonce: 0n, validUntil: 0 })
      const cancellations = yield* Effect.forEach(
        [1, 2],
        (attempt) => Effect.map(signOne, (signed) => Attempt.make({ ...call!, ...signed, attempt, cancels: true }))
      )
      yield* Effect.forEach(cancellations, store.replace)
      const state = Effect.map(Effect.flatMap(intents.find(id), Effect.fromOption), ({ status, txHash }) => [
        status,
        txHash
      ])
      assert.deepStrictEqual(yield* state, ["submitted", executed!.hash])
      const [early, late] = yield* Effect.forEach(
        cancellations,
        ({ hash }) => Effect.map(freshHash, (block) => receipt(hash, block))
      )
      const cancelled = "expired"
      yield* store.recordMined([
        { key: first.key, receipt: early!, cancelled },
        { key: next.key, receipt: receipt(executed!.hash, yield* freshHash) }
      ])
      yield* intents.finish(
        id,
        Succeeded.make({ txHash: executed!.hash, message: "Sold.", result: {} }),
        Option.some(charge)
      )
      yield* store.recordMined([{ key: first.key, receipt: late!, cancelled }])
      yield* store.revertMined(first.key, late!.blockHash)
      assert.deepStrictEqual(yield* state, ["succeeded", executed!.hash])
      assert.deepStrictEqual(
        yield* row(`select count(*)::int as charges from charges where wallet = '${owner.address}'`),
        { charges: 1 }
      )
    }))

  it.effect("replaces under the same nonce while the submission is signed, and never after", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const submission = yield* queued(owner)
      const [first] = yield* store.sign(lane(owner.address, [submission]))
      const second = Attempt.make({ ...first!, ...(yield* signOne), attempt: 1 })
      yield* store.replace(second)
      assert.deepStrictEqual(yield* store.inFlight(network, owner.address), [first!, second])
      const intent = yield* Effect.flatMap(
        IntentStore,
        (intents) => Effect.flatMap(intents.find(submission.intentId), Effect.fromOption)
      )
      assert.strictEqual(intent.txHash, second.hash)
      const twice = yield* Effect.flip(store.replace(Attempt.make({ ...second, ...(yield* signOne) })))
      assert.strictEqual(twice._tag, "SqlError")
      yield* store.recordMined([{ key: submission.key, receipt: receipt(first!.hash, yield* freshHash) }])
      const late = yield* Effect.flip(store.replace(Attempt.make({ ...second, ...(yield* signOne), attempt: 2 })))
      assert.strictEqual(late._tag, "LaneConflict")
    }))

  it.effect("signs and replaces nothing while the wallet or the service is paused", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const switches = yield* KillSwitch
      const owner = yield* wallet
      const other = yield* wallet
      const submission = yield* queued(owner)
      yield* switches.pause(`wallet/${owner.address}`, "suspicion")
      const paused = yield* Effect.flip(store.sign(lane(owner.address, [submission])))
      assert.deepStrictEqual(paused._tag === "Paused" ? [paused.scope, paused.reason] : paused._tag, [
        `wallet/${owner.address}`,
        "suspicion"
      ])
      const [attempt] = yield* store.sign(lane(other.address, [yield* queued(other)]))
      yield* switches.pause(`wallet/${other.address}`, "suspicion")
      const replaced = yield* Effect.flip(store.replace(Attempt.make({ ...attempt!, ...(yield* signOne), attempt: 1 })))
      assert.strictEqual(replaced._tag, "Paused")
      assert.isTrue(yield* switches.resume(`wallet/${owner.address}`))
      assert.isFalse(yield* switches.resume(`wallet/${owner.address}`))
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [submission]))), [0n])
    }))

  it.effect("names the submissions of a stopped vault's bots, and signs the rest of the lane without them", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const switches = yield* KillSwitch
      const owner = yield* wallet
      const [ofBot, ofCaller] = yield* Effect.forEach([1, 2], () => queued(owner))
      yield* row(`update intents set endpoint = 'setBot' where id = '${ofBot!.intentId}' returning 1`)
      const { pool } = yield* Effect.flatMap(
        IntentStore,
        (intents) => Effect.flatMap(intents.find(ofBot!.intentId), Effect.fromOption)
      )
      yield* switches.pause(botScope(network, pool), "suspicion")
      const paused = yield* Effect.flip(store.sign(lane(owner.address, [ofBot!, ofCaller!])))
      assert.deepStrictEqual(paused._tag === "Paused" ? [paused.scope, paused.keys] : paused._tag, [
        `bot/${network}/${pool}`,
        [ofBot!.key]
      ])
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [ofCaller!]))), [0n])
      yield* switches.resume(botScope(network, pool))
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [ofBot!]))), [1n])
    }))

  it.effect("does not sign for a threshold bot that is stopped alone: its trade, or what its open turn does first", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const switches = yield* KillSwitch
      const owner = yield* wallet
      const [base, quote] = [yield* freshAddress, yield* freshAddress]
      const [trade, enabling, ofOther, ofOrder] = yield* Effect.forEach([1, 2, 3, 4], () => queued(owner))
      const become = (intentId: string, endpoint: string, request: object) =>
        row(`update intents set endpoint = '${endpoint}', request = '${JSON.stringify(request)}'
          where id = '${intentId}' returning 1`)
      yield* become(trade!.intentId, "setBot", { _tag: "BotTrade", base, quote })
      yield* become(enabling!.intentId, "setBot", { _tag: "EnableAsset", asset: base })
      yield* become(ofOther!.intentId, "setBot", { _tag: "BotTrade", base: quote, quote: base })
      yield* become(ofOrder!.intentId, "placeOrder", { _tag: "Slice", base, quote })
      yield* row(
        `insert into threshold_bots (id, network, pool, base, quote, wallet, key_id, pair, side, threshold, share,
          max_usd, slippage, platform, lending, paper, open_intent)
        values (gen_random_uuid(), '${network}', '${pool}', '${base}', '${quote}', '${owner.address}', '${owner.keyId}',
          'A-B', 'long', 1, 100, 1, 1, 'auto', false, false, '${enabling!.intentId}') returning 1`
      )
      const all = [trade!, enabling!, ofOther!, ofOrder!]
      const scope = thresholdBotScope({ network, pool, base, quote })
      yield* switches.pause(scope, "suspicion")
      const paused = yield* Effect.flip(store.sign(lane(owner.address, all)))
      assert.strictEqual(paused._tag, "Paused")
      if (paused._tag === "Paused") assert.sameMembers([...paused.keys ?? []], [trade!.key, enabling!.key])
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [ofOther!, ofOrder!]))), [0n, 1n])
      yield* switches.resume(scope)
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [trade!, enabling!]))), [2n, 3n])
    }))

  it.effect("never reuses the nonce of an ended submission", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const [a, b] = yield* Effect.forEach([1, 2], () => queued(owner))
      yield* store.sign(lane(owner.address, [a!]))
      yield* store.supersede(a!.key)
      assert.deepStrictEqual(nonces(yield* store.sign(lane(owner.address, [b!]))), [1n])
    }))

  it.effect("does not sign a submission that is no longer queued", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const submission = yield* queued(owner)
      yield* store.refuse(submission.key, new ExecutionFailure({ errorType: "paused", message: "Paused." }))
      assert.strictEqual((yield* Effect.flip(store.sign(lane(owner.address, [submission]))))._tag, "LaneConflict")
      assert.deepStrictEqual(
        yield* row(`select count(*)::int as attempts from attempts where wallet = '${owner.address}'`),
        { attempts: 0 }
      )
    }))

  it.effect("cannot store a nonce twice, a signed submission without one, or an outcome that contradicts its status", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SubmissionStore
      const owner = yield* wallet
      const [signed, waiting] = yield* Effect.forEach([1, 2], () => queued(owner))
      const [attempt] = yield* store.sign(lane(owner.address, [signed!]))
      const set = (key: string, change: string) => sql.unsafe(`update submissions set ${change} where key = '${key}'`)
      const again = {
        network,
        wallet: owner.address,
        submission_key: waiting!.key,
        raw: "0x",
        gas_limit: "1",
        max_fee_per_gas: "1",
        max_priority_fee_per_gas: "1"
      }
      const statements = [
        set(waiting!.key, "status = 'signed', nonce = 0"),
        set(waiting!.key, "status = 'signed'"),
        set(waiting!.key, "nonce = 5"),
        set(waiting!.key, "value = -1"),
        set(waiting!.key, "to_address = '0x1'"),
        set(waiting!.key, "data = '0x123'"),
        set(signed!.key, "nonce = null"),
        set(signed!.key, "status = 'mined'"),
        set(signed!.key, "receipt = '{}'"),
        set(waiting!.key, "status = 'refused'"),
        sql`insert into attempts ${sql.insert({ ...again, nonce: "0", attempt: 0, hash: yield* freshHash })}`,
        sql`insert into attempts ${sql.insert({ ...again, nonce: "1", attempt: 0, hash: attempt!.hash })}`
      ]
      const results = yield* Effect.forEach(
        statements,
        (statement) => Effect.result<unknown, unknown, never>(statement)
      )
      assert.deepStrictEqual(results.map(Result.isFailure), statements.map(() => true))
      assert.strictEqual((yield* Effect.flatMap(store.find(waiting!.key), Effect.fromOption)).status, "queued")
      assert.notStrictEqual(yield* freshAddress, owner.address)
    }))
})

/** Lets two owners sign for one lane at the same time: both have read the rows before either commits. */
const race = (wallet: Address, one: ReadonlyArray<Submission>, other: ReadonlyArray<Submission>) =>
  Effect.gen(function*() {
    const store = yield* SubmissionStore
    const bothRead = yield* Deferred.make<void>()
    const reading = new Set<number>()
    const count = { signed: 0 }
    const contender = (index: number, submissions: ReadonlyArray<Submission>) =>
      Effect.result(store.sign({
        ...lane(wallet, submissions),
        sign: (numbered) =>
          Effect.gen(function*() {
            count.signed += numbered.length
            reading.add(index)
            if (reading.size === 2) yield* Deferred.succeed(bothRead, undefined)
            yield* Deferred.await(bothRead)
            return yield* sign(numbered)
          })
      }))
    const results = yield* Effect.all([contender(0, one), contender(1, other)], { concurrency: "unbounded" })
    return { results, signed: count.signed }
  })
