import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Token } from "@vault-trader/core/chain/Token"
import { StrategyTerms } from "@vault-trader/core/strategy/StrategyBot"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as StrategyReading from "../../src/strategy/StrategyReading.ts"
import { answering, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"

const manager: Address = "0x00000000000000000000000000000000000000aa"
const ether = 10n ** 18n

for (
  const [what, lie] of [
    ["price", (weth: Address) => answering({ of: "getAssetPrice(address)", about: weth }, 6000n * ether)],
    ["balance", (_: Address, pool: Address) => answering({ of: "balanceOf(address)", about: pool }, 50n * ether)]
  ] as const
) {
  it.effect(`takes no ${what} of a vault's asset from one endpoint alone`, () =>
    Effect.gen(function*() {
      const chain = yield* TestChain.make({ network: "base" })
      const { pool } = yield* chain.createVault({ manager, holdings: { USDC: 10_000_000n, WETH: ether } })
      yield* chain.mine(3)
      const token = (symbol: string, decimals: number) => Token.make({ address: chain.token(symbol), symbol, decimals })
      const terms = StrategyTerms.make({
        ...{
          inputs: {},
          assets: [token("WETH", 18)],
          quote: token("USDC", 6),
          length: { unit: "seconds", size: 3600 },
          history: 10
        },
        ...{ maxUsd18: 1_000n * ether, minTradeUsd18: ether, tolerance: 1, slippage: 1, maxImpact: null },
        platform: "auto"
      })
      const read = (client: ChainClient) =>
        Effect.map(StrategyReading.read(client, { pool, terms }), ({ held, sample }) => ({
          held: held.map(({ balance, price, token: { symbol } }) => [symbol, balance, price]),
          prices: sample?.prices
        }))
      const truth = yield* assertOutvoted(networkOf(chain), lie(chain.token("WETH"), pool), read)
      assert.deepStrictEqual(Result.getOrThrow(truth).held, [
        ["WETH", ether, 3000n * ether],
        ["USDC", 10_000_000n, ether]
      ])
    }))
}
