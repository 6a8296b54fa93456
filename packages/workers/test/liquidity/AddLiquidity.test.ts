import { assert } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import { RpcRefused } from "../../src/chain/RpcFailure.ts"
import { refusal } from "../vault/TestVault.ts"
import { liquidity, liquiditySuite, usdc } from "./TestLiquidity.ts"

const dollars = (raw18: bigint) => Number(raw18) / 1e18

liquiditySuite("adding liquidity", (it) => {
  it.effect("over the full range swaps half of the amount, and almost all of it goes into the position", () =>
    Effect.gen(function*() {
      const { add, held, manager, positions, worthOfPositions } = yield* liquidity
      const before = [yield* held("USDC"), yield* held("WETH")] as const
      const { calls, message, planned, result } = yield* add({ amount: "10000", fee: 3000 })
      const after = [yield* held("USDC"), yield* held("WETH")] as const
      assert.strictEqual(before[0] - after[0] <= 10_000n * usdc, true)
      // The position, and what is left of the swap: 0.5 % of slippage on half of it, fees aside.
      assert.approximately(dollars(yield* worthOfPositions), 10_000, 60)
      assert.isBelow(Number(10_000n * usdc - (before[0] - after[0])) / 1e6, 10)
      assert.isAtLeast(Number(after[1]), Number(before[1]), "the vault's own WETH is not touched")
      assert.isBelow(Number(after[1] - before[1]) / 1e18 * 3000, 30)
      assert.strictEqual(yield* positions, 1n)
      assert.deepInclude(result, {
        position_manager: manager,
        fee_tier: 3000,
        lower_price: null,
        upper_price: null,
        is_new: true
      })
      assert.deepStrictEqual(result.added?.map(({ symbol }) => symbol), ["WETH", "USDC"])
      assert.match(message, /^Added 1\.6\d+ WETH and 4\d{3}(\.\d+)? USDC to the new position \d+\.$/)
      assert.isNull(planned.token_id)
      for (const place of [0, 1] as const) {
        assert.isAtLeast(Number(result.added?.[place]?.raw), Number(planned.minimum?.[place]?.raw))
        assert.isAbove(Number(planned.minimum?.[place]?.raw), Number(planned.added?.[place]?.raw) * 0.99)
      }
      assert.isAtMost(calls.length, 5)
      assert.strictEqual(result.swapped?.venue, "uniswapV3")
    }))

  it.effect("accepts either asset of the pair, in either order", () =>
    Effect.gen(function*() {
      const { add, worthOfPositions } = yield* liquidity
      const { result } = yield* add({ input: "WETH", pair: ["USDC", "WETH"], amount: "2", fee: 500 })
      assert.deepStrictEqual(result.added?.map(({ symbol }) => symbol), ["USDC", "WETH"])
      assert.approximately(dollars(yield* worthOfPositions), 6_000, 40)
      assert.approximately(parseFloat(result.swapped?.sold ?? ""), 1, 0.01)
      assert.match(result.swapped?.bought ?? "", /^(29|30)\d\d(\.\d+)? USDC$/)
    }))

  it.effect("in the pool that the swap itself moves still fits, because the plan simulates the price after the swap", () =>
    Effect.gen(function*() {
      const { add, chain, place, planAdd, tickOf, worthOfPositions } = yield* liquidity
      // In a narrow range a small price move changes the ratio considerably.
      const before = yield* tickOf(500)
      const wanted = { amount: "60000", fee: 500, lower: "2970", upper: "3030", slippage: 0.5 } as const
      // Planned at the price before the swap, the deposit does not fit.
      const blind = { ...chain, simulateCalls: () => new RpcRefused({ code: -32602, reason: "too many arguments" }) }
      assert.strictEqual((yield* refusal(planAdd(wanted, { ...place, chain: blind }))).errorType, "slippage_exceeded")
      const { result } = yield* add(wanted)
      assert.notStrictEqual(yield* tickOf(500), before)
      assert.approximately(dollars(yield* worthOfPositions), 60_000, 300)
      assert.approximately(Number(result.lower_price), 2970, 2)
      assert.approximately(Number(result.upper_price), 3030, 2)
    }))

  it.effect("in a range around the price deposits only what matches it", () =>
    Effect.gen(function*() {
      const { add, held, worthOfPositions } = yield* liquidity
      const before = yield* held("WETH")
      // Three quarters of the way up, the position is mostly USDC.
      const { result } = yield* add({ amount: "5000", fee: 3000, lower: "2000", upper: "3200" })
      assert.approximately(dollars(yield* worthOfPositions), 5_000, 40)
      const [weth, dollar] = result.added ?? []
      assert.isAbove(Number(dollar?.raw) / 1e6, 2 * Number(weth?.raw) / 1e18 * 3000)
      assert.isAtLeast(Number(yield* held("WETH")), Number(before))
    }))

  it.effect("beside the price takes one asset: the caller's own unchanged, or the other bought with all of it", () =>
    Effect.gen(function*() {
      const { add, held } = yield* liquidity
      const before = [yield* held("USDC"), yield* held("WETH")] as const
      const below = yield* add({ amount: "3000", fee: 3000, lower: "2000", upper: "2500" })
      assert.isNull(below.result.swapped)
      assert.strictEqual(below.result.added?.[0]?.raw, 0n)
      assert.approximately(Number(before[0] - (yield* held("USDC"))), 3_000e6, 10)
      assert.strictEqual(yield* held("WETH"), before[1])
      const above = yield* add({ amount: "3000", fee: 3000, lower: "3500", upper: "4000" })
      assert.strictEqual(above.result.added?.[1]?.raw, 0n)
      assert.approximately(Number(above.result.added?.[0]?.raw) / 1e18 * 3000, 3000, 40)
      assert.match(above.result.swapped?.sold ?? "", /^3000 USDC$/)
    }))

  it.effect("to the range of an existing position adds to that position", () =>
    Effect.gen(function*() {
      const { add, liquidityOf, positions } = yield* liquidity
      const first = yield* add({ amount: "2000", fee: 3000, lower: "2500", upper: "3600" })
      const id = first.result.token_id!
      const before = yield* liquidityOf(id)
      assert.strictEqual(before, first.result.liquidity)
      // A price between two ticks means the nearest tick.
      const second = yield* add({ input: "WETH", amount: "0.5", fee: 3000, lower: "2501", upper: "3601" })
      assert.deepInclude(second.result, { token_id: id, is_new: false })
      assert.deepInclude(second.planned, { token_id: id, is_new: false })
      assert.match(second.message, new RegExp(`to position ${id}\\.$`))
      assert.strictEqual(yield* liquidityOf(id), before + (second.result.liquidity ?? 0n))
      assert.strictEqual(yield* positions, 1n)
    }))

  it.effect("without a fee takes the pool with the most liquidity, and the requested share of the balance", () =>
    Effect.gen(function*() {
      const { add, held } = yield* liquidity
      const { result } = yield* add({ share: 10 })
      assert.strictEqual(result.fee_tier, 500)
      assert.approximately(Number(yield* held("USDC")), 90_000e6, 60e6)
    }))

  it.effect("works on a node that cannot simulate calls, as long as the swap is small compared to the pool", () =>
    Effect.gen(function*() {
      const { add, chain, place, worthOfPositions } = yield* liquidity
      const plain = { ...chain, simulateCalls: () => new RpcRefused({ code: -32602, reason: "too many arguments" }) }
      yield* add({ amount: "1000", fee: 3000 }, { ...place, chain: plain })
      assert.approximately(dollars(yield* worthOfPositions), 1_000, 10)
    }))

  it.effect("decodes what each of its calls takes out of the vault", () =>
    Effect.gen(function*() {
      const { add, planAdd, chain, token } = yield* liquidity
      const { AddLiquidity } = yield* Effect.promise(() => import("../../src/liquidity/AddLiquidity.ts"))
      for (const round of [1, 2]) {
        const { calls, worth } = yield* planAdd({ amount: "10000", fee: 3000 })
        const movements = calls.map((call) => AddLiquidity.decodeMovement(chain, call))
        assert.isTrue(movements.every((each) => each !== undefined), `round ${round}`)
        const value = (address: string, raw: bigint) =>
          address === token("USDC").address ? Number(raw) / 1e6 : Number(raw) / 1e18 * 3000
        const gives = movements.flatMap((each) => each?.gives ?? []).reduce(
          (sum, each) => sum + value(each.token, each.amount),
          0
        )
        assert.approximately(gives, dollars(worth ?? 0n), 0.01)
        // The second round adds to the position of the first, whose call names no tokens.
        if (round === 1) yield* add({ amount: "1000", fee: 3000 })
      }
    }))

  it.effect("is refused with a specific error: missing pool, other input asset, zero amount, too much, too little", () =>
    Effect.gen(function*() {
      const { planAdd } = yield* liquidity
      const failureText = (add: Parameters<typeof planAdd>[0]) =>
        Effect.map(refusal(planAdd(add)), ({ errorType, message }) => `${errorType}: ${message}`)
      assert.match(
        yield* failureText({ fee: 10000 }),
        /^market_not_available: There is no pool of fee 10000 of WETH and USDC on optimism\. Nothing was sent/
      )
      assert.match(
        yield* failureText({ pair: ["LINK", "USDC"] }),
        /^market_not_available: There is no pool of LINK and USDC/
      )
      assert.match(yield* failureText({ pair: ["AAVE", "USDC"] }), /^asset_not_enabled: AAVE/)
      assert.match(
        yield* failureText({ amount: "200000" }),
        /^insufficient_balance: The vault holds 100000 USDC, less than the requested 200000 USDC/
      )
      assert.match(yield* failureText({ amount: "0.0000001" }), /^insufficient_balance: .*rounds to zero/)
      assert.match(
        yield* failureText({ input: "WETH", amount: "0.000000000000000001", lower: "3500", upper: "4000", fee: 3000 }),
        /^insufficient_balance: The amount is too small/
      )
      const third = yield* Effect.flip(planAdd({ input: "DAI" }))
      assert.deepStrictEqual([third._tag === "ValidationFailure" ? third.code : third._tag, third.message], [
        "1010",
        "input_asset: must be WETH or USDC"
      ])
    }))

  it.effect("explains refusals of the platform: price off the oracle, manager not enabled, too many positions, paused", () =>
    Effect.gen(function*() {
      const { add, asManager, asOwner, manager, planAdd, pool, setPrice } = yield* liquidity
      yield* asManager("changeAssets", [], [manager])
      const disabled = yield* refusal(planAdd({ amount: "100", fee: 3000 }))
      assert.strictEqual(disabled.errorType, "asset_not_enabled")
      assert.match(disabled.message, new RegExp(`position manager \\(${manager}\\) is not enabled`))
      yield* asManager("changeAssets", [{ asset: manager, isDeposit: false }], [])
      const failureText = Effect.map(
        refusal(planAdd({ input: "WETH", amount: "1", fee: 3000, lower: "4000", upper: "5000", slippage: 5 })),
        ({ errorType, message }) => `${errorType}: ${message}`
      )
      for (const [lower, upper] of [["3500", "4000"], ["3600", "4100"], ["3700", "4200"]] as const) {
        yield* add({ input: "WETH", amount: "0.1", fee: 3000, lower, upper })
      }
      assert.match(
        yield* failureText,
        /^transaction_reverted: The vault has as many positions as the platform allows.*max position reached.*Nothing was sent/
      )
      yield* setPrice("WETH", 3060)
      assert.match(
        yield* failureText,
        /^slippage_exceeded: The pool's price is too far from the vault's oracle \(Uni v3 LP price mismatch\)\. Nothing was sent/
      )
      yield* setPrice("WETH", 3000)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: true }])
      assert.match(yield* failureText, /^vault_paused/)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: false }])
    }))

  it.effect("is refused while someone has moved the pool's price further from the oracle than slippage and fee allow", () =>
    Effect.gen(function*() {
      const { movePool, planAdd } = yield* liquidity
      const wanted = { input: "WETH", amount: "1", fee: 3000, lower: "4000", upper: "5000" } as const
      const before = yield* planAdd(wanted)
      yield* movePool(3000, 30_000n * usdc)
      const { errorType, message } = yield* refusal(planAdd(wanted))
      assert.strictEqual(errorType, "slippage_exceeded")
      assert.match(
        message,
        /^The pool's price of WETH and USDC is \d+(\.\d+)? % away from the vault's oracle; the slippage and the pool's fee allow 0\.8 %\. Nothing was sent/
      )
      // The pair's other pool, whose price is unchanged, is used as before.
      assert.isNotEmpty((yield* planAdd({ ...wanted, fee: 500 })).calls)
      assert.isNotEmpty(before.calls)
    }))

  it.effect("is not available on a network without a position manager", () =>
    Effect.gen(function*() {
      const { book, chain, place, planAdd } = yield* liquidity
      const { positionManager: _, velodromeCl: __, ...without } = book
      const failure = yield* refusal(planAdd({}, { ...place, chain: { ...chain, book: NetworkBook.make(without) } }))
      assert.strictEqual(failure.errorType, "market_not_available")
    }))
})
