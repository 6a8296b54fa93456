import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { RemoveLiquidity } from "../../src/liquidity/RemoveLiquidity.ts"
import { refusal } from "../vault/TestVault.ts"
import { liquidity, liquiditySuite } from "./TestLiquidity.ts"

/** A vault with a position of about 10,000 USD over the full range of the 0.3 % pool. */
const provided = Effect.gen(function*() {
  const vault = yield* liquidity
  const { result } = yield* vault.add({ amount: "10000", fee: 3000 })
  return { ...vault, id: result.token_id! }
})

liquiditySuite("removing liquidity", (it) => {
  it.effect("removes everything with the fees it earned, and burns the position", () =>
    Effect.gen(function*() {
      const { churn, held, id, positions, remove, worthOfPositions } = yield* provided
      yield* churn(3000, 200_000_000_000n)
      const before = [yield* held("WETH"), yield* held("USDC")] as const
      const { message, planned, result } = yield* remove(id)
      const came = [(yield* held("WETH")) - before[0], (yield* held("USDC")) - before[1]]
      assert.deepStrictEqual(result.removed?.map(({ raw }) => raw), came)
      // 0.3 % of 200,000 both ways, of which the position has its part of the pool of 1.8 million.
      for (const { amount } of result.fees ?? []) assert.isAbove(Number(amount), 0)
      const [weth, dollars] = result.fees ?? []
      assert.approximately(Number(weth?.amount) * 3000 + Number(dollars?.amount), 1200 * 10_000 / 1_810_000, 1)
      assert.deepStrictEqual(planned.fees?.map(({ raw }) => raw), result.fees?.map(({ raw }) => raw))
      assert.isTrue(result.burnt)
      assert.strictEqual(
        message,
        `Removed ${result.removed?.[0]?.amount} WETH and ${
          result.removed?.[1]?.amount
        } USDC from position ${id}, which was burnt.`
      )
      assert.deepStrictEqual([yield* positions, yield* worthOfPositions], [0n, 0n])
      for (const place of [0, 1] as const) {
        assert.isAbove(Number(planned.minimum?.[place]?.raw), Number(planned.removed?.[place]?.raw) * 0.99)
      }
    }))

  it.effect("removes a percentage and leaves the rest", () =>
    Effect.gen(function*() {
      const { id, liquidityOf, positions, remove, worthOfPositions } = yield* provided
      const [whole, worth] = [yield* liquidityOf(id), yield* worthOfPositions]
      const { message, result } = yield* remove(id, { percent: 25 })
      assert.strictEqual(yield* liquidityOf(id), whole - whole / 4n)
      assert.approximately(Number(yield* worthOfPositions), Number(worth) * 0.75, 1e15)
      assert.deepStrictEqual([result.burnt, yield* positions], [false, 1n])
      assert.match(message, new RegExp(`from position ${id}\\.$`))
      assert.isTrue((yield* remove(id)).result.burnt)
    }))

  it.effect("sells the other asset on request, even when the vault holds none of it otherwise", () =>
    Effect.gen(function*() {
      const { add, held, positions, remove } = yield* liquidity
      const { result: { token_id: id } } = yield* add({ pair: ["WBTC", "USDC"], amount: "10000", fee: 3000 })
      const before = yield* held("USDC")
      const { result } = yield* remove(id!, { pair: ["WBTC", "USDC"], output: "USDC", slippage: 1 })
      assert.strictEqual(yield* positions, 0n)
      assert.approximately(Number((yield* held("USDC")) - before), 10_000e6, 120e6)
      // The amount above the minimum stays unsold: at most the slippage on half of the value.
      assert.isBelow(Number(yield* held("WBTC")) / 1e8 * 60_000, 120)
      assert.match(result.swapped?.sold ?? "", /WBTC$/)
      assert.match(result.swapped?.bought ?? "", /USDC$/)
    }))

  it.effect("beside the price returns one asset, and swaps nothing when that is the requested one", () =>
    Effect.gen(function*() {
      const { add, remove } = yield* liquidity
      const { result: { token_id: id } } = yield* add({ amount: "3000", fee: 3000, lower: "2000", upper: "2500" })
      const { result } = yield* remove(id!, { output: "USDC" })
      assert.deepStrictEqual([result.swapped, result.removed?.[0]?.raw, result.burnt], [null, 0n, true])
      assert.approximately(Number(result.removed?.[1]?.raw), 3_000e6, 10)
    }))

  it.effect("is refused for another vault's position, one of other assets and one that does not exist", () =>
    Effect.gen(function*() {
      const { id, planRemove } = yield* provided
      for (
        const [tokenId, pair] of [[1n, ["WETH", "USDC"]], [id, ["DAI", "USDC"]], [999_999n, ["WETH", "USDC"]]] as const
      ) {
        const failure = yield* refusal(planRemove(tokenId, { pair }))
        assert.strictEqual(failure.errorType, "position_not_found")
        assert.match(failure.message, new RegExp(`no position ${tokenId} of ${pair[0]} and USDC\\. Nothing was sent`))
      }
      const named = yield* Effect.flip(planRemove(id, { output: "DAI" }))
      assert.strictEqual(named.message, "output_asset: must be WETH or USDC")
    }))

  it.effect("decodes what its calls take out of the vault: only what is sold", () =>
    Effect.gen(function*() {
      const { chain, id, planRemove, pool } = yield* provided
      const movements = (yield* planRemove(id)).calls.map((call) => RemoveLiquidity.decodeMovement(chain, call))
      assert.deepStrictEqual(movements, [{ gives: [], receiver: pool }])
      const { calls, worth } = yield* planRemove(id, { output: "USDC", slippage: 1 })
      const gives = calls.flatMap((call) => RemoveLiquidity.decodeMovement(chain, call)?.gives ?? [])
      assert.approximately(
        Number(gives.reduce((sum, { amount }) => sum + amount, 0n)) / 1e18 * 3000,
        Number(worth) / 1e18,
        0.01
      )
    }))
})
