import { assert, layer } from "@effect/vitest"
import * as SqlClient from "effect/sql/SqlClient"
import type { Address } from "../../src/chain/Address.ts"
import { KeyLimits, none, vaultId } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { keyOf } from "../../src/gas-wallet/Submission.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { Failed } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { PlannedStepStore, type PlannedStep } from "../../src/intent/PlannedStepStore.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Database, wallet } from "../storage/Database.ts"

const Stores = PlannedStepStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      SubmissionStore.layer,
      IntentStore.layer,
      KeyLimitStore.layer,
      ApiKeyStore.layer,
      GasWalletStore.layer
    )
  ),
  Layer.provideMerge(Database)
)

const network = "base"
const pool: Address = `0x${"12".repeat(20)}`
const dollars = (amount: number) => BigInt(amount) * 10n ** 18n
const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })

/** Builds a step of a fresh intent of the owner. */
const step = (owner: { readonly address: Address; readonly keyId: string }, rest: Partial<PlannedStep> = {}) =>
  Effect.gen(function*() {
    const { id } = yield* (yield* IntentStore).accept({
      wallet: owner.address,
      keyId: owner.keyId,
      endpoint: "vaultTrade",
      network,
      pool,
      request,
      idempotencyKey: null
    })
    return {
      step: 1,
      plan: { venue: "uniswapV3", minOut: "1" },
      vaults: [vaultId(network, pool)],
      usd18: dollars(10),
      submission: {
        key: keyOf(id, 1),
        intentId: id,
        network,
        wallet: owner.address,
        to: pool,
        data: "0x1234",
        value: 2n ** 200n,
        reserve: 7n,
        estimate: { gas: 21_000n, at: 1_700_000_000_000 }
      },
      ...rest
    } satisfies PlannedStep
  })

const spending = (intentId: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select usd18::text as usd18 from key_spending where intent_id = ${intentId}::uuid`
  )

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("PlanLedger", (it) => {
  it.effect("commits the plan, the call and the counted amount, for many steps at once as for one", () =>
    Effect.gen(function*() {
      const { commit } = yield* PlannedStepStore
      const owner = yield* wallet
      const steps = yield* Effect.replicateEffect(step(owner), 5)
      const committed = yield* Effect.forEach(steps, commit, { concurrency: "unbounded" })
      assert.deepStrictEqual(committed, steps.map(({ plan }) => plan))
      for (const { plan, submission } of steps) {
        const progress = yield* Effect.flatMap(
          (yield* IntentStore).findInProgress(submission.intentId),
          Effect.fromOption
        )
        assert.deepStrictEqual({ step: progress.step, plan: progress.plan }, { step: 1, plan })
        const row = yield* Effect.flatMap((yield* SubmissionStore).find(submission.key), Effect.fromOption)
        const { data, estimate, key, reserve, status, to, value } = row
        assert.deepStrictEqual({ data, estimate, key, reserve, status, to, value }, {
          data: "0x1234",
          estimate: submission.estimate,
          key: submission.key,
          reserve: 7n,
          status: "queued",
          to: pool,
          value: 2n ** 200n
        })
        assert.deepStrictEqual(yield* spending(submission.intentId), [{ usd18: dollars(10).toString() }])
      }
    }))

  it.effect("commits nothing of a duplicate step or of an ended or withdrawn intent, and commits the others of the batch", () =>
    Effect.gen(function*() {
      const { commit } = yield* PlannedStepStore
      const owner = yield* wallet
      const [fresh, twice, over, gone] = yield* Effect.all([step(owner), step(owner), step(owner), step(owner)])
      yield* commit(twice)
      const failure = new ExecutionFailure({ errorType: "no_route", message: "none" })
      const failed = Failed.make({ txHash: null, failure })
      const { finish, withdraw } = yield* IntentStore
      yield* finish(over.submission.intentId, failed, Option.none())
      yield* withdraw(gone.submission.intentId, failed)
      const results = yield* Effect.forEach(
        [fresh, { ...twice, plan: { other: true } }, over, gone],
        (each) => Effect.result(commit(each)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results.map((result) => Result.isSuccess(result) ? "committed" : result.failure._tag), [
        "committed",
        "SqlError",
        "IntentAlreadyEnded",
        "IntentAlreadyEnded"
      ])
      assert.deepStrictEqual(
        (yield* Effect.flatMap((yield* IntentStore).findInProgress(twice.submission.intentId), Effect.fromOption)).plan,
        twice.plan
      )
      assert.isTrue(Option.isNone(yield* (yield* SubmissionStore).find(over.submission.key)))
      assert.deepStrictEqual(yield* spending(over.submission.intentId), [])
    }))

  it.effect("enforces a wallet's limits in a batch with wallets that have none", () =>
    Effect.gen(function*() {
      const { commit } = yield* PlannedStepStore
      const [limited, free] = [yield* wallet, yield* wallet]
      yield* (yield* KeyLimitStore).change(limited.address, () =>
        KeyLimits.make({ ...none, maxUsd18PerDay: dollars(15) }))
      const steps = yield* Effect.all([step(limited), step(free), step(limited), step(free)])
      const results = yield* Effect.forEach(steps, (each) =>
        Effect.result(commit(each)), { concurrency: "unbounded" })
      const refused = results.flatMap((result, index) =>
        Result.isFailure(result) ? [{ index, failure: result.failure }] : []
      )
      assert.lengthOf(refused, 1)
      assert.include([0, 2], refused[0]!.index)
      assert.deepInclude(refused[0]!.failure, { _tag: "ExecutionFailure", errorType: "limit_exceeded" })
      assert.isTrue(Option.isNone(yield* (yield* SubmissionStore).find(steps[refused[0]!.index]!.submission.key)))
    }))
})
