import { assert, describe, it } from "@effect/vitest"
import { Intent } from "@vault-trader/core/intent/Intent"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Prices } from "../../src/billing/Prices.ts"
import { RpcRefused } from "../../src/chain/RpcFailure.ts"
import { Actions } from "../../src/vault/Action.ts"
import * as IntentOutcome from "../../src/vault/IntentOutcome.ts"
import * as PlatformRevert from "../../src/platform/PlatformRevert.ts"
import type { ChainClient } from "../../src/chain/ChainClient.ts"

const wallet = `0x${"1".repeat(40)}` as const
const pool = `0x${"2".repeat(40)}` as const
const hash = `0x${"a".repeat(64)}` as const

const intent = Intent.make({
  ...{
    id: "00000000-0000-4000-8000-000000000001",
    wallet,
    keyId: "key",
    endpoint: "vaultTrade",
    network: "base",
    pool
  },
  request: TradeRequest.make({
    ...{ from: "USDC", to: "WETH", amount: BigDecimal.fromStringUnsafe("5"), slippage: 3, platform: "auto" }
  }),
  ...{ idempotencyKey: null, validFor: null, status: "submitted", txHash: hash, outcome: null, waiting: null },
  ...{ createdAt: DateTime.makeUnsafe(0), updatedAt: DateTime.makeUnsafe(0) }
})
const submission = { key: "key", wallet, to: pool, data: "0x", value: 0n, validUntil: null } as const
const receipt = (succeeded: boolean) => ({
  ...{ transactionHash: hash, blockHash: hash, blockNumber: 7n, succeeded, gasUsed: 100_000n },
  ...{ effectiveGasPrice: 1_000_000_000n, logs: [] }
})

/** The action moves nothing and is charged half a dollar; the node repeats the call and refuses it. */
const ended = (succeeded: boolean) =>
  Effect.gen(function*() {
    const outcomeOf = yield* IntentOutcome.make({
      network: "base",
      chain: { call: () => new RpcRefused({ code: 3, reason: "reverted" }) } as unknown as ChainClient
    })
    return yield* outcomeOf(intent, submission, receipt(succeeded), {})
  }).pipe(Effect.provide([
    Layer.mock(Actions, {
      of: () =>
        ({
          charge: "trade",
          explainRevert: () => PlatformRevert.meaningOf("too little received"),
          interpretReceipt: () => Effect.succeed({ message: "Traded.", result: { bought: "1" } })
        }) as never
    }),
    Layer.mock(Prices, {
      usd: () => 0.5,
      charge: (_, action) =>
        Effect.succeed({ action, usd: 0.5, nativeWei: 1n, nativePriceUsd18: 1n, priceSource: "test", priceAt: 0 })
    })
  ]))

describe("the outcome of a mined transaction", () => {
  it.effect("has the charge of its action if it succeeded", () =>
    Effect.gen(function*() {
      const { charge, outcome } = yield* ended(true)
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.strictEqual(Option.getOrThrow(charge).usd, 0.5)
    }))

  it.effect("has no charge if it reverted, and says why", () =>
    Effect.gen(function*() {
      const result = yield* ended(false)
      assert.strictEqual(result.outcome._tag, "Failed")
      assert.match(IntentOutcome.messageOf(result), /too little received/)
      assert.isTrue(Option.isNone(result.charge))
    }))
})
