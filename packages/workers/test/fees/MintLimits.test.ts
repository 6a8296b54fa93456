import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { encodeFunctionData } from "viem"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import { mintCall } from "../../src/fees/FeeMintReceipt.ts"
import * as LimitedLane from "../gas-wallet/LimitedLane.ts"
import { usd } from "../gas-wallet/LimitedLane.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"

const aggregate = (...calls: ReadonlyArray<readonly [Address, `0x${string}`]>) =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [calls.map(([target, callData]) => ({ target, allowFailure: true, callData }))]
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "limits at the signature of a mint",
  (it) => {
    it.effect("refuse vaults that are not allowed, regardless of the plan, and calls that are not mints; nothing is signed", () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        const { own, pool, wallet } = bench
        const other = yield* bench.newVault
        const { multicall3 } = bench.chain.book({})
        yield* bench.limit({ vaults: [own], maxUsd18PerTrade: usd(1) })
        yield* bench.mining
        const lane = yield* bench.open
        const batch = (data: `0x${string}`) => bench.queued(0, { to: multicall3, data }, "MintManagerFeeBatch", wallet)
        const fates = yield* Effect.forEach([
          bench.queued(0, { to: other, data: mintCall }, "MintManagerFee"),
          batch(aggregate([pool, mintCall], [other, mintCall])),
          batch(aggregate([pool, mintCall], [bench.chain.token("USDC"), bench.approve(1n).data])),
          bench.queued(
            0,
            { to: multicall3, data: aggregate([pool, mintCall]), value: 1n },
            "MintManagerFeeBatch",
            wallet
          ),
          bench.queued(0, { to: multicall3, data: aggregate([pool, mintCall]) }, "Trade"),
          bench.queued(0, { calls: bench.selling(1) }, "MintManagerFee")
        ], (put) => Effect.map(Effect.flatMap(put, lane.submit), bench.fate))
        const foreign =
          `limit_exceeded: Limit exceeded: this key may trade only ${own}, and the request is about optimism/${other}. Nothing was sent.`
        const unread =
          "limit_exceeded: Limit exceeded: this key has limits, and what the transaction would do cannot be " +
          "decoded from its bytes. Nothing was sent."
        assert.deepStrictEqual(fates, [foreign, foreign, unread, unread, unread, unread])
        assert.strictEqual(yield* bench.sent, 0)
      }))
  }
)
