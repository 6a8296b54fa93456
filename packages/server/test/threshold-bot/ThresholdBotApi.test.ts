import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Admission, Caller, EitherAdmission, Principal } from "@vault-trader/core/endpoint/Admission"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { type BotTerms, ThresholdBot } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotApi } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { SignalAcceptance } from "@vault-trader/core/intent/SignalAcceptance"
import { SignalResult } from "@vault-trader/core/signal/Signal"
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import { BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import * as BigDecimal from "effect/BigDecimal"
import * as ShardId from "effect/cluster/ShardId"
import { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as RpcTest from "effect/rpc/RpcTest"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as ServiceUnavailable from "../../src/wire/ServiceUnavailable.ts"
import { AcceptanceFirst } from "../../src/gate/AcceptanceFirst.ts"
import * as RequestState from "../../src/wire/RequestState.ts"
import { SetBot } from "../../src/threshold-bot/SetBot.ts"
import { handlers } from "../../src/threshold-bot/ThresholdBotApi.ts"

const network = "base"
const pool: Address = `0x${"01".repeat(20)}`
const [wallet, other]: readonly [Address, Address] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`]
const keyId = "key"
const silent = new ExecutionFailure({
  errorType: "rpc_unavailable",
  message: "The base network cannot be reached. Nothing was sent."
})

const terms: Omit<BotTerms, "base" | "quote"> = {
  ...{ side: "long", threshold: 1, share: 100, maxUsd: BigDecimal.make(1_000n, 0) },
  ...{ slippage: 1, platform: "auto", lending: false, autoEnable: false, maxImpact: null, paper: false }
}

const bot = ThresholdBot.make({
  ...terms,
  ...{
    id: "bot",
    network,
    pool,
    pair: "WETH-USDC",
    base: `0x${"1".repeat(40)}`,
    quote: `0x${"2".repeat(40)}`,
    inverse: null,
    wallet: other,
    keyId
  },
  ...{ paperHoldings: null, active: true, pausedReason: null, failures: 0, revision: 0, turn: 0 },
  ...{ openIntent: null, lastIntent: null, lastDecision: null, nextCheck: new Date(0) }
})

/** Actors that all fail because their node does not respond. */
const Silent = Layer.mock(Sharding, {
  // A client has a method for each of its entity's requests.
  makeClient: () => Effect.succeed((() => new Proxy({}, { get: () => () => Effect.fail(silent) })) as never),
  getShardId: () => ShardId.make("default", 1),
  hasShardId: () => false
})

const resultOf = (isKept: boolean) =>
  SignalResult.make({
    ...{ kind: "threshold", network, pool, subaccount: null, pair: "WETH-USDC", side: "long" },
    ...{ state: isKept ? "waiting" : "refused", reason: null, intent_id: null }
  })

const stores = (waiting: Partial<WaitingSettings["Service"]>, bots: ReadonlyArray<ThresholdBot>) =>
  Layer.mergeAll(
    Silent,
    Layer.mock(WaitingSettings, waiting),
    Layer.mock(ThresholdBotStore, { ofVault: () => Effect.succeed(bots) }),
    Layer.mock(BotTurnStore, { remove: () => Effect.succeed([]) }),
    Layer.mock(IndexBotStore, {}),
    Layer.mock(IntentStore, {}),
    Layer.mock(KillSwitch, {}),
    Layer.mock(ManagerStore, {}),
    Layer.mock(VaultLinkStore, {}),
    Layer.mock(SignalStore, { record: () => Effect.void }),
    Layer.effect(
      SignalAcceptance,
      // Keeps the setting of the only step, as the acceptance does within its transaction.
      Effect.map(WaitingSettings, (settings) => ({
        accept: (_, [step]) =>
          step?._tag === "wait"
            ? Effect.map(
              settings.keep(step.setting),
              (isKept) => [{ result: resultOf(isKept), set: null, refusal: null }]
            )
            : Effect.die(new Error("only a setting that waits is expected"))
      }))
    ).pipe(Layer.provide(Layer.mock(WaitingSettings, waiting))),
    AcceptanceFirst.layer
  )

const admitted = Layer.mergeAll(
  Layer.succeed(Admission, Effect.provideService(Caller, { wallet, keyId })),
  Layer.succeed(EitherAdmission, Effect.provideService(Principal, { _tag: "key", caller: { wallet, keyId } }))
)

describe("while no node answers,", () => {
  it.effect("deleting reports that a waiting setting was removed, although another wallet's bot cannot be", () =>
    Effect.gen(function*() {
      const api = yield* RpcTest.makeClient(ThresholdBotApi)
      const { message, removed } = yield* api.deleteBot({
        apiKey: Redacted.make("6f9619ff-8b86-4011-b42d-00c04fc964ff"),
        network,
        pool
      })
      assert.deepStrictEqual(removed, [])
      assert.match(message, /^A setting that waited for a node is removed\. Of other wallets: WETH-USDC; not removed\./)
    }).pipe(
      Effect.provide(handlers.pipe(
        Layer.provide(stores({ remove: () => Effect.succeed(1) }, [bot])),
        Layer.merge(admitted)
      ))
    ))

  /** Returns the response for a setting without idempotency key whose commit is not confirmed. */
  const answerOf = (waiting: Partial<WaitingSettings["Service"]>) =>
    Effect.gen(function*() {
      const state = yield* RequestState.begin
      const setBot = yield* SetBot
      const asked = {
        wallet,
        keyId,
        network,
        pool,
        terms: { ...terms, base: "WETH", quote: "USDC" },
        idempotencyKey: null
      } as const
      const exit = yield* Effect.exit(Effect.provideService(setBot(asked), RequestState.RequestState, state))
      assert.strictEqual(exit._tag, "Failure")
      return ServiceUnavailable.progressOf("movesFunds", state).offered
    }).pipe(Effect.provide(stores(waiting, [])))
  const lost = new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })

  it.effect("a setting whose commit is not confirmed is not reported as unaccepted; one that was never offered is", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* answerOf({ isKnown: () => Effect.succeed(true), keep: () => Effect.fail(lost) }))
      assert.isFalse(yield* answerOf({ isKnown: () => Effect.fail(lost) }))
    }))
})
