import { assert, it } from "@effect/vitest"
import { Token } from "@vault-trader/core/chain/Token"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { minAmounts, toAdd } from "../../src/liquidity/Amounts.ts"
import * as PoolPrice from "../../src/liquidity/PoolPrice.ts"
import { make } from "../../src/liquidity/Range.ts"
import { squareRoot } from "../../src/liquidity/TickMath.ts"

const weth = Token.make({ address: "0x4200000000000000000000000000000000000006", symbol: "WETH", decimals: 18 })
const usdc = Token.make({ address: "0x0b2c639c533813f4aa9d7837caf62653d097ff85", symbol: "USDC", decimals: 6 })
const dollar = 10n ** 18n

/** WETH at 3,000 USD and USDC at 1 USD. */
const market = {
  tokenIn: weth,
  tokenOut: usdc,
  balance: 0n,
  priceIn: 3_000n * dollar,
  priceOut: dollar,
  deadline: 0n,
  guarded: new Set<never>(),
  allowances: new Map()
}
const inverse = { ...market, tokenIn: usdc, tokenOut: weth, priceIn: dollar, priceOut: 3_000n * dollar }

/** The price of a pool of USDC (token0) and WETH (token1) at so many USD per WETH. */
const poolAt = (usd: number) => squareRoot((10n ** 18n * (1n << 192n)) / BigInt(Math.round(usd * 1e6)))

const isAccepted = (limits: PoolPrice.Limits, usd: number) =>
  Effect.map(
    Effect.result(PoolPrice.check({ first: weth, second: usdc }, limits, poolAt(usd))),
    Result.isSuccess
  )

it.effect("accepts a pool's price within slippage and fee of the oracle's, in either order of the tokens", () =>
  Effect.gen(function*() {
    for (const each of [market, inverse]) {
      const { after, before } = PoolPrice.limitsOf(each, { fee: 3000 }, 0.5)
      for (
        const [usd, isBefore, isAfter] of [
          [3_000, true, true],
          [3_022, true, true],
          [2_978, true, true],
          [3_030, false, true],
          [2_970, false, true],
          [3_050, false, false],
          [2_950, false, false]
        ] as const
      ) {
        assert.deepStrictEqual(
          [yield* isAccepted(before, usd), yield* isAccepted(after, usd)],
          [isBefore, isAfter],
          `${usd}`
        )
      }
    }
    const failure = yield* Effect.flip(
      PoolPrice.check(
        { first: weth, second: usdc },
        PoolPrice.limitsOf(market, { fee: 500 }, 0.5).before,
        poolAt(3_300)
      )
    )
    assert.strictEqual(failure.errorType, "slippage_exceeded")
    assert.match(failure.message, /^The pool's price of WETH and USDC is 9\.09 % away .* allow 0\.55 %/)
  }))

it("lets a deposit's price move by the slippage, but not beyond the limits around the oracle's price", () => {
  const range = make(-887_220, 887_220)
  const liquidity = 10n ** 18n
  const { after } = PoolPrice.limitsOf(market, { fee: 3000 }, 0.5)
  const minimums = (usd: number) => PoolPrice.minimumsOf(after, poolAt(usd), range, liquidity, 0.5)
  const slipped = (usd: number) => minAmounts(toAdd, poolAt(usd), range, liquidity, 0.5)
  assert.deepStrictEqual(minimums(3_000), slipped(3_000))
  // At a price near one end of the limits, that end decides about the token that becomes less beyond it.
  const [usdcNearTop, wethNearTop] = minimums(2_965)
  assert.isTrue(usdcNearTop > slipped(2_965)[0])
  assert.strictEqual(wethNearTop, slipped(2_965)[1])
  const [usdcNearBottom, wethNearBottom] = minimums(3_035)
  assert.strictEqual(usdcNearBottom, slipped(3_035)[0])
  assert.isTrue(wethNearBottom > slipped(3_035)[1])
})
