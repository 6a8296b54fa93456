/** Limits of a key on a network one of whose endpoints lies about the worth of what is sold. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { KeyLimitCheck } from "../../src/gas-wallet/KeyLimitCheck.ts"
import { answering, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"
import { clientOverRequests } from "../chain/TestClient.ts"
import * as LimitedLane from "./LimitedLane.ts"
import { usd } from "./LimitedLane.ts"
import * as TestLane from "./TestLane.ts"

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the limits of a key", (it) => {
  for (
    const [what, lieOf] of [
      ["price", (usdc: Address) => answering({ of: "getAssetPrice(address)", about: usdc }, usd(1) / 2n)],
      ["decimals", (usdc: Address) => answering({ of: "decimals()", at: usdc }, 8n)]
    ] as const
  ) {
    it.effect(`admit no larger sale because one endpoint gives a lower worth by the ${what} of what is sold`, () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        const limits = yield* KeyLimitCheck
        yield* bench.limit({ maxUsd18PerTrade: usd(100), maxUsd18PerDay: usd(1000) })
        const refusals = (dollars: number) =>
          Effect.gen(function*() {
            const key = yield* bench.queued(100, { calls: bench.selling(dollars) })
            const submission = yield* bench.row(key)
            return (chain: ChainClient) =>
              Effect.map(
                limits.inspect(chain, bench.wallet, [submission]),
                ({ refusals }) => refusals.get(key)?.message ?? "admitted"
              )
          })
        const truth = yield* assertOutvoted(
          networkOf(bench.chain),
          lieOf(bench.chain.token("USDC")),
          yield* refusals(150)
        )
        assert.match(Result.getOrThrow(truth), /was planned to sell 100 USD, and the transaction would sell 150 USD/)
        const { request } = bench.chain
        const confirming = yield* clientOverRequests(bench.chain, [request, request])
        assert.strictEqual(yield* (yield* refusals(100))(confirming), "admitted")
      }))
  }
})
