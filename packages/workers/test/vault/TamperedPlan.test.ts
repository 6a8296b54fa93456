/**
 * A dishonest planner: the real actors of a vault and its wallet, with an action that plans one thing and encodes
 * another.
 */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { VaultIndexStore } from "@vault-trader/core/manager/VaultIndexStore"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as BigDecimal from "effect/BigDecimal"
import * as TestRunner from "effect/cluster/TestRunner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import { Prices } from "../../src/billing/Prices.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import { ManagedVaults } from "../../src/manager/ManagedVaults.ts"
import { GasWalletLive } from "../../src/gas-wallet/GasWallet.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import { SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"
import * as HyperCoreInfo from "../../src/perpetual/HyperCoreInfo.ts"
import { Trade } from "../../src/trading/Trade.ts"
import type { VaultCall } from "../../src/platform/VaultCall.ts"
import { Actions } from "../../src/vault/Action.ts"
import { VaultLive } from "../../src/vault/Vault.ts"
import { SliceSizer } from "../../src/trading/SliceSizer.ts"
import * as AggregatorClient from "../../src/venue/AggregatorClient.ts"
import { actions } from "../../src/ActionTable.ts"
import { clientOf } from "../chain/TestClient.ts"
import { usd } from "../gas-wallet/LimitedLane.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"
import { MemoryBans } from "../venue/MemoryBans.ts"

const network = "optimism"
const manager: Address = "0x00000000000000000000000000000000000000aa"
const stranger = "00000000000000000000000000000000000000cc"

const dollars = (amount: number) => BigDecimal.fromStringUnsafe(String(amount))
const request = (amount: number) =>
  TradeRequest.make({ from: "USDC", to: "WETH", amount: dollars(amount), slippage: 3, platform: "auto" })

/** The real trade except for its calls. */
const encoding = (
  calls: (
    bench: { readonly pool: Address },
    honest: ReadonlyArray<VaultCall>,
    larger: ReadonlyArray<VaultCall>
  ) => ReadonlyArray<VaultCall>
): typeof Trade => ({
  ...Trade,
  plan: (place, asked) =>
    Effect.gen(function*() {
      const decision = yield* Trade.plan(place, asked)
      const larger = yield* Trade.plan(
        place,
        TradeRequest.make({ ...asked, amount: BigDecimal.multiply(asked.amount ?? dollars(1), dollars(10)) })
      )
      return { ...decision, calls: calls(place, decision.calls, larger.calls) }
    })
})

/** The service that the actions of perpetual contracts plan with; no trade uses it. */
const perpetuals = [
  HyperCoreInfo.HyperCoreInfoLive,
  PerpetualMoveStore.layer
] as const

/**
 * A vault whose wallet may sell 100 USD at a time, or has no limits, carrying out one trade of `amount` USDC by this
 * action.
 */
const traded = (action: typeof Trade, amount: number, limited = true) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { address: wallet } = yield* (yield* Signer).create
    const keyId = randomUUID()
    yield* sql`insert into api_keys ${
      sql.insert({ id: keyId, wallet, digest: randomBytes(32).toString("hex"), last_four: "beef" })
    }`
    if (limited) {
      yield* (yield* KeyLimitStore).change(wallet, () => KeyLimits.make({ ...none, maxUsd18PerTrade: usd(100) }))
    }
    const chain = yield* TestChain.make({ network, seed: wallet })
    yield* chain.automine(true)
    yield* chain.setBalance(wallet, 10n ** 18n)
    const { pool } = yield* chain.createVault({ manager, trader: wallet, holdings: { USDC: 1_000_000n * 10n ** 6n } })
    const clients = Chains.layerOf(new Map([[network, yield* clientOf(chain, { blockPollMillis: 5 })]]))
    const actors = Layer.mergeAll(GasWalletLive, VaultLive).pipe(
      Layer.provide([Actions.layer({ ...actions, Trade: action }), Prices.layer]),
      Layer.provide([
        Tokens.layer,
        ThresholdBotStore.layer,
        ...perpetuals,
        Layer.provideMerge(
          SliceSizer.layer,
          AggregatorClient.overFetch(AggregatorClient.defaultAccess).pipe(Layer.provide(MemoryBans))
        ),
        ManagedVaults.layer.pipe(Layer.provide(VaultIndexStore.layer))
      ]),
      Layer.provide([clients, GuardianStore.layer, PlannedStepStore.layer.pipe(Layer.provideMerge(IntentStore.layer))]),
      Layer.provide(TestLane.Macs),
      Layer.provideMerge(TestRunner.layer)
    )
    const { id } = yield* Effect.flatMap(IntentStore, (store) =>
      store.accept({
        wallet,
        keyId,
        endpoint: "vaultTrade",
        network,
        pool,
        request: request(amount),
        idempotencyKey: null
      })).pipe(Effect.provide(IntentStore.layer))
    const outcome = yield* Effect.flatMap(
      Vault.client,
      (vaults) => vaults(idOf(network, pool)).execute({ intentId: id })
    ).pipe(Effect.provide(actors))
    const submission = yield* Effect.flatMap((yield* SubmissionStore).find(`${id}/1`), Effect.fromOption)
    const used = yield* (yield* KeyLimitStore).usedToday(wallet)
    return { outcome, submission, used, sent: (yield* chain.transactionsOf(wallet)).length }
  })

/** Under the signing policy of a service, which knows the honest actions. */
const Stores = TestLane.storesUnder(SigningPolicy.layer(actions))

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "a plan whose call does not say what was decided",
  (it) => {
    it.effect("is executed when its bytes match the plan", () =>
      Effect.gen(function*() {
        const { outcome, sent, used } = yield* traded(encoding((_, honest) => honest), 100)
        assert.strictEqual(outcome._tag, "Succeeded")
        assert.deepStrictEqual([sent, used], [1, usd(100)])
      }))

    for (
      const [what, calls, reason] of [
        ["sells more", (_, __, larger) => larger, /planned to sell 20 USD, and the transaction would sell 200 USD/],
        [
          "sells it twice",
          (_, honest) => [...honest, ...honest],
          /planned to sell 20 USD, and the transaction would sell 40 USD/
        ],
        ["sells it for another account", ({ pool }, honest) =>
          honest.map(({ data, to }) => ({
            to,
            data: `0x${data.slice(2).replaceAll(pool.slice(2), stranger)}` as const
          })), /its proceeds would go to 0x0+cc/],
        [
          "does something else",
          (_, honest) => honest.map(({ to }) => ({ to, data: "0x12345678" as const })),
          /cannot be decoded from its bytes/
        ]
      ] satisfies ReadonlyArray<readonly [string, Parameters<typeof encoding>[0], RegExp]>
    ) {
      it.effect(`is refused before it is signed when it ${what}, and its reservation is released`, () =>
        Effect.gen(function*() {
          const { outcome, sent, submission, used } = yield* traded(encoding(calls), 20)
          assert.isTrue(
            outcome._tag === "Failed" && outcome.failure._tag === "ExecutionFailure" &&
              outcome.failure.errorType === "limit_exceeded"
          )
          assert.match(outcome._tag === "Failed" ? outcome.failure.message : "", reason)
          assert.match(outcome._tag === "Failed" ? outcome.failure.message : "", /Nothing was sent\.$/)
          assert.deepStrictEqual([submission.status, submission.nonce, sent, used], ["refused", null, 0, 0n])
        }))
    }

    for (
      const [what, calls, reason] of [
        ["sells it for another account", ({ pool }, honest) =>
          honest.map(({ data, to }) => ({
            to,
            data: `0x${data.slice(2).replaceAll(pool.slice(2), stranger)}` as const
          })), /its proceeds would go to 0x0+cc/],
        [
          "does something else",
          (_, honest) => honest.map(({ to }) => ({ to, data: "0x12345678" as const })),
          /cannot be decoded from its bytes/
        ]
      ] satisfies ReadonlyArray<readonly [string, Parameters<typeof encoding>[0], RegExp]>
    ) {
      it.effect(`is refused by the signer of a wallet without limits when it ${what}`, () =>
        Effect.gen(function*() {
          const { outcome, sent, submission } = yield* traded(encoding(calls), 20, false)
          assert.isTrue(
            outcome._tag === "Failed" && outcome.failure._tag === "ExecutionFailure" &&
              outcome.failure.errorType === "internal"
          )
          assert.match(
            outcome._tag === "Failed" ? outcome.failure.message : "",
            /^The signer refuses the submission .*\. Nothing was sent\.$/
          )
          assert.match(outcome._tag === "Failed" ? outcome.failure.message : "", reason)
          assert.deepStrictEqual([submission.status, submission.nonce, sent], ["refused", null, 0])
        }))
    }

    it.effect("is never stored when the planned amount itself exceeds the limit", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const result = yield* Effect.exit(traded(
          encoding((_, honest) => honest),
          101
        ))
        assert.strictEqual(result._tag, "Failure")
        const [row] = yield* sql<
          { readonly message: string; readonly submissions: number }
        >`select outcome #>> '{failure,message}' as message,
        (select count(*)::int from submissions s where s.intent_id = i.id) as submissions from intents i order by id desc limit 1`
        assert.match(row?.message ?? "", /100 USD at a time, and the request is worth 101 USD\. Nothing was sent/)
        assert.strictEqual(row?.submissions, 0)
      }))
  }
)
