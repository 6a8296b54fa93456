import { assert, layer } from "@effect/vitest"
import { Admission, Caller } from "@vault-trader/core/endpoint/Admission"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { IntentRequest } from "@vault-trader/core/intent/Intent"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import { ApproveRequest, TradeRequest } from "@vault-trader/core/trading/Trading"
import { TradingApi } from "@vault-trader/core/trading/TradingApi"
import * as BigDecimal from "effect/BigDecimal"
import * as ShardId from "effect/cluster/ShardId"
import { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as RpcTest from "effect/rpc/RpcTest"
import * as Schema from "effect/Schema"
import { Directory } from "../../src/gate/ServedNetworks.ts"
import { IntentExecution, type Write } from "../../src/intent/IntentExecution.ts"
import { Intents } from "../../src/intent/Intents.ts"
import { TradingApiLive } from "../../src/trading/TradingApi.ts"

/** The writes that were passed on for execution. */
class Written extends Context.Service<Written, Ref.Ref<ReadonlyArray<Write>>>()("vault-trader/server/test/Written") {
  static readonly layer = Layer.effect(Written, Ref.make<ReadonlyArray<Write>>([]))
}

const FakeExecution = Layer.effect(
  IntentExecution,
  Effect.map(Written, (written) => ({
    execute: (_, write) =>
      Effect.andThen(
        Ref.update(written, (all) => [...all, write]),
        new ExecutionFailure({ errorType: "nothing_to_do", message: "A test." })
      )
  }))
)

/** A cluster that no call reaches: these requests name assets by address or leave them to the vault. */
const NoActors = Layer.mock(Sharding, {
  makeClient: () => Effect.succeed(() => ({}) as never),
  getShardId: () => ShardId.make("default", 1),
  hasShardId: () => false
})

const Live = Layer.mergeAll(
  TradingApiLive.pipe(Layer.provide([Intents.layer, NoActors]), Layer.provide(FakeExecution)),
  Layer.succeed(Admission, Effect.provideService(Caller, { wallet: `0x${"aa".repeat(20)}`, keyId: "key" }))
).pipe(
  Layer.provideMerge(Written.layer),
  Layer.provide(
    Layer.succeed(Directory, {
      networks: ["base", "polygon"],
      defaultNetwork: "polygon",
      protocols: ["dhedge"],
      brands: { lenderA: "spark", lenderB: "comet", lenderC: "morphoV2" }
    })
  )
)

const apiKey = Redacted.make("6f9619ff-8b86-4011-b42d-00c04fc964ff")
const pool = `0x${"01".repeat(20)}` as const
const trade = { apiKey, pool, from: "USDC", to: "WETH" }
const approve = { apiKey, pool, network: "base" as const, asset: "USDC" }
const amount = BigDecimal.fromStringUnsafe("1.50")

const client = RpcTest.makeClient(TradingApi)

/** Calls a handler and returns the request it builds. */
const written = (call: (api: Effect.Success<typeof client>) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function*() {
    yield* Effect.flip(call(yield* client))
    const all = yield* Ref.get(yield* Written)
    return yield* Effect.fromNullishOr(all.at(-1))
  })

layer(Live)("the trading handlers", (it) => {
  it.effect("build requests that equal what the ledger reads back, whatever is omitted", () =>
    Effect.gen(function*() {
      const throughLedger = (request: IntentRequest) =>
        Schema.decodeSync(Schema.fromJsonString(IntentRequest))(
          Schema.encodeSync(Schema.fromJsonString(IntentRequest))(request)
        )
      const requests = yield* Effect.all([
        written((api) => api.vaultTrade(trade)),
        written((api) => api.vaultTrade({ ...trade, share: 50 })),
        written((api) => api.vaultTrade({ ...trade, amount })),
        written((api) => api.vaultTrade({ ...trade, amount, share: undefined, slippage: undefined })),
        written((api) => api.approve(approve)),
        written((api) => api.approve({ ...approve, amount }))
      ])
      for (const { request } of requests) {
        assert.isTrue(Equal.equals(request, throughLedger(request)), JSON.stringify(request))
      }
    }))

  it.effect("name the asset to enable or disable as the signer compares it: by its address or its symbol, without a node", () =>
    Effect.gen(function*() {
      const [asset, lower] = [`0x${"AB".repeat(20)}`, `0x${"ab".repeat(20)}`] as const
      const change = { apiKey, pool, network: "base" as const, asset }
      const { request } = yield* written((api) => api.enableAsset(change))
      assert.deepStrictEqual(request, { _tag: "EnableAsset", asset: lower })
      const disabled = yield* written((api) => api.disableAsset({ ...change, dryRun: true }))
      assert.deepStrictEqual([disabled.request, disabled.dryRun], [
        { _tag: "DisableAsset", asset: lower },
        true
      ])
      const bySymbol = yield* written((api) => api.enableAsset({ ...change, asset: "eth" }))
      assert.deepStrictEqual(bySymbol.request, { _tag: "EnableAsset", asset: "WETH" })
    }))

  it.effect("let the share win over the amount, and drop the amount", () =>
    Effect.gen(function*() {
      const { request } = yield* written((api) => api.vaultTrade({ ...trade, share: 50, amount }))
      assert.isTrue(
        Equal.equals(
          request,
          TradeRequest.make({ from: "USDC", to: "WETH", share: 50, slippage: 0.5, platform: "auto" })
        )
      )
    }))

  it.effect("use the default network, slippage and venue", () =>
    Effect.gen(function*() {
      const { dryRun, endpoint, idempotencyKey, network, request } = yield* written((api) => api.vaultTrade(trade))
      assert.deepStrictEqual({ dryRun, endpoint, idempotencyKey, network }, {
        dryRun: false,
        endpoint: "vaultTrade",
        idempotencyKey: undefined,
        network: "polygon"
      })
      assert.isTrue(
        Equal.equals(request, TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" }))
      )
    }))

  it.effect("pass on the given parameters", () =>
    Effect.gen(function*() {
      const { dryRun, idempotencyKey, network, request } = yield* written((api) =>
        api.approve({ ...approve, platform: "uniswapV3", amount, dryRun: true, idempotency_key: "k" })
      )
      assert.deepStrictEqual({ dryRun, idempotencyKey, network }, {
        dryRun: true,
        idempotencyKey: "k",
        network: "base"
      })
      assert.isTrue(Equal.equals(request, ApproveRequest.make({ asset: "USDC", platform: "uniswapV3", amount })))
    }))

  it.effect("approve for a venue, a retired one as auto, and for a lender by its name or its brand", () =>
    Effect.gen(function*() {
      const named: ReadonlyArray<readonly [string, "auto" | "1inch" | "odosV3" | LenderName]> = [
        ...[["AUTO", "auto"], ["odos", "auto"], ["1INCH", "1inch"], ["odosv3", "odosV3"]] as const,
        ...[["lenderA", "lenderA"], ["lenderbv3", "lenderB"], ["Spark", "lenderA"], ["comet", "lenderB"], [
          "morpho",
          "lenderC"
        ]] as const
      ]
      for (const [text, platform] of named) {
        const { request } = yield* written((api) => api.approve({ ...approve, platform: text }))
        assert.isTrue(Equal.equals(request, ApproveRequest.make({ asset: "USDC", platform })), text)
      }
    }))

  it.effect("refuse to approve for an unknown name, and list the known ones", () =>
    Effect.gen(function*() {
      const { approve: ask } = yield* client
      for (const platform of ["aaveV3", "bestdex"]) {
        const failure = yield* Effect.flip(ask({ ...approve, platform }))
        assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1010")
        assert.strictEqual(
          failure.message,
          "platform: must be one of auto, 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros, lenderA, lenderB, " +
            "lenderC, spark, comet, morphoV2"
        )
      }
    }))
})
