import { assert } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import { RpcRefused } from "../../src/chain/RpcFailure.ts"
import { refusal } from "../vault/TestVault.ts"
import { liquidity, liquiditySuite, usdc } from "./TestLiquidity.ts"

const dollars = (raw18: bigint) => Number(raw18) / 1e18

liquiditySuite("adding liquidity", (it) => {
  it.effect("over the full range swaps half of what is given, and next to all of it goes into the position", () =>
    Effect.gen(function*() {
      const { add, held, manager, positions, worthOfPositions } = yield* liquidity
      const before = [yield* held("USDC"), yield* held("WETH")] as const
      const { calls, message, planned, told } = yield* add({ amount: "10000", fee: 3000 })
      const after = [yield* held("USDC"), yield* held("WETH")] as const
      assert.strictEqual(before[0] - after[0] <= 10_000n * usdc, true)
      // The position, and what is left of the swap: 0.5 % of slippage on half of it, fees aside.
      assert.approximately(dollars(yield* worthOfPositions), 10_000, 60)
      assert.isBelow(Number(10_000n * usdc - (before[0] - after[0])) / 1e6, 10)
      assert.isAtLeast(Number(after[1]), Number(before[1]), "the vault's own WETH is not touched")
      assert.isBelow(Number(after[1] - before[1]) / 1e18 * 3000, 30)
      assert.strictEqual(yield* positions, 1n)
      assert.deepInclude(told, { position_manager: manager, fee_tier: 3000, lower_price: null, upper_price: null, is_new: true })
      assert.deepStrictEqual(told.added?.map(({ symbol }) => symbol), ["WETH", "USDC"])
      assert.match(message, /^Added 1\.6\d+ WETH and 4\d{3}(\.\d+)? USDC to the new position \d+\.$/)
      assert.isNull(planned.token_id)
      for (const place of [0, 1] as const) {
        assert.isAtLeast(Number(told.added?.[place]?.raw), Number(planned.minimum?.[place]?.raw))
        assert.isAbove(Number(planned.minimum?.[place]?.raw), Number(planned.added?.[place]?.raw) * 0.99)
      }
      assert.isAtMost(calls.length, 5)
      assert.strictEqual(told.swapped?.venue, "uniswapV3")
    }))

  it.effect("gives the other asset of the pair too, whichever the caller names first", () =>
    Effect.gen(function*() {
      const { add, worthOfPositions } = yield* liquidity
      const { told } = yield* add({ input: "WETH", pair: ["USDC", "WETH"], amount: "2", fee: 500 })
      assert.deepStrictEqual(told.added?.map(({ symbol }) => symbol), ["USDC", "WETH"])
      assert.approximately(dollars(yield* worthOfPositions), 6_000, 40)
      assert.approximately(parseFloat(told.swapped?.sold ?? ""), 1, 0.01)
      assert.match(told.swapped?.bought ?? "", /^(29|30)\d\d(\.\d+)? USDC$/)
    }))

  it.effect("in the pool the swap itself moves still fits, because the plan knows where it leaves the price", () =>
    Effect.gen(function*() {
      const { add, chain, place, planAdd, tickOf, worthOfPositions } = yield* liquidity
      // In a narrow range a small move of the price changes the ratio much.
      const before = yield* tickOf(500)
      const wanted = { amount: "60000", fee: 500, lower: "2970", upper: "3030", slippage: 0.5 } as const
      // Planned at the price before the swap it does not fit.
      const blind = { ...chain, simulateCalls: () => new RpcRefused({ code: -32602, reason: "too many arguments" }) }
      assert.strictEqual((yield* refusal(planAdd(wanted, { ...place, chain: blind }))).errorType, "slippage_exceeded")
      const { told } = yield* add(wanted)
      assert.notStrictEqual(yield* tickOf(500), before)
      assert.approximately(dollars(yield* worthOfPositions), 60_000, 300)
      assert.approximately(Number(told.lower_price), 2970, 2)
      assert.approximately(Number(told.upper_price), 3030, 2)
    }))

  it.effect("in a range around the price holds no more than what matches it", () =>
    Effect.gen(function*() {
      const { add, held, worthOfPositions } = yield* liquidity
      const before = yield* held("WETH")
      // Three quarters of the way up, the position is mostly USDC.
      const { told } = yield* add({ amount: "5000", fee: 3000, lower: "2000", upper: "3200" })
      assert.approximately(dollars(yield* worthOfPositions), 5_000, 40)
      const [weth, dollar] = told.added ?? []
      assert.isAbove(Number(dollar?.raw) / 1e6, 2 * Number(weth?.raw) / 1e18 * 3000)
      assert.isAtLeast(Number(yield* held("WETH")), Number(before))
    }))

  it.effect("beside the price takes one asset: the one that is given as it is, the other one bought for all of it", () =>
    Effect.gen(function*() {
      const { add, held } = yield* liquidity
      const before = [yield* held("USDC"), yield* held("WETH")] as const
      const below = yield* add({ amount: "3000", fee: 3000, lower: "2000", upper: "2500" })
      assert.isNull(below.told.swapped)
      assert.strictEqual(below.told.added?.[0]?.raw, 0n)
      assert.approximately(Number(before[0] - (yield* held("USDC"))), 3_000e6, 10)
      assert.strictEqual(yield* held("WETH"), before[1])
      const above = yield* add({ amount: "3000", fee: 3000, lower: "3500", upper: "4000" })
      assert.strictEqual(above.told.added?.[1]?.raw, 0n)
      assert.approximately(Number(above.told.added?.[0]?.raw) / 1e18 * 3000, 3000, 40)
      assert.match(above.told.swapped?.sold ?? "", /^3000 USDC$/)
    }))

  it.effect("to the range of an existing position adds to that position", () =>
    Effect.gen(function*() {
      const { add, liquidityOf, positions } = yield* liquidity
      const first = yield* add({ amount: "2000", fee: 3000, lower: "2500", upper: "3600" })
      const id = first.told.token_id!
      const before = yield* liquidityOf(id)
      assert.strictEqual(before, first.told.liquidity)
      // A price the pool cannot have exactly means the nearest it can.
      const second = yield* add({ input: "WETH", amount: "0.5", fee: 3000, lower: "2501", upper: "3601" })
      assert.deepInclude(second.told, { token_id: id, is_new: false })
      assert.deepInclude(second.planned, { token_id: id, is_new: false })
      assert.match(second.message, new RegExp(`to position ${id}\\.$`))
      assert.strictEqual(yield* liquidityOf(id), before + (second.told.liquidity ?? 0n))
      assert.strictEqual(yield* positions, 1n)
    }))

  it.effect("without a fee takes the pool with the most liquidity, and the share of the balance that is asked for", () =>
    Effect.gen(function*() {
      const { add, held } = yield* liquidity
      const { told } = yield* add({ share: 10 })
      assert.strictEqual(told.fee_tier, 500)
      assert.approximately(Number(yield* held("USDC")), 90_000e6, 60e6)
    }))

  it.effect("works on a node that cannot simulate calls, if only the swap is small beside the pool", () =>
    Effect.gen(function*() {
      const { add, chain, place, worthOfPositions } = yield* liquidity
      const plain = { ...chain, simulateCalls: () => new RpcRefused({ code: -32602, reason: "too many arguments" }) }
      yield* add({ amount: "1000", fee: 3000 }, { ...place, chain: plain })
      assert.approximately(dollars(yield* worthOfPositions), 1_000, 10)
    }))

  it.effect("says what its calls take out of the vault, each in its bytes", () =>
    Effect.gen(function*() {
      const { add, planAdd, chain, token } = yield* liquidity
      const { AddLiquidity } = yield* Effect.promise(() => import("../../src/liquidity/AddLiquidity.ts"))
      for (const round of [1, 2]) {
        const { calls, worth } = yield* planAdd({ amount: "10000", fee: 3000 })
        const movements = calls.map((call) => AddLiquidity.decodeMovement(chain, call))
        assert.isTrue(movements.every((each) => each !== undefined), `round ${round}`)
        const value = (address: string, raw: bigint) => address === token("USDC").address ? Number(raw) / 1e6 : Number(raw) / 1e18 * 3000
        const gives = movements.flatMap((each) => each?.gives ?? []).reduce((sum, each) => sum + value(each.token, each.amount), 0)
        assert.approximately(gives, dollars(worth ?? 0n), 0.01)
        // The second round adds to the position of the first, whose call names no tokens.
        if (round === 1) yield* add({ amount: "1000", fee: 3000 })
      }
    }))

  it.effect("is refused by name: a pool that is not there, another input, nothing to give, too much, too little", () =>
    Effect.gen(function*() {
      const { planAdd } = yield* liquidity
      const said = (add: Parameters<typeof planAdd>[0]) => Effect.map(refusal(planAdd(add)), ({ errorType, message }) => `${errorType}: ${message}`)
      assert.match(yield* said({ fee: 10000 }), /^market_not_available: There is no pool of fee 10000 of WETH and USDC on optimism; nothing was sent/)
      assert.match(yield* said({ pair: ["LINK", "USDC"] }), /^market_not_available: There is no pool of LINK and USDC/)
      assert.match(yield* said({ pair: ["AAVE", "USDC"] }), /^asset_not_enabled: AAVE/)
      assert.match(yield* said({ amount: "200000" }), /^insufficient_balance: The vault holds 100000 USDC, less than the 200000 to give/)
      assert.match(yield* said({ amount: "0.0000001" }), /^insufficient_balance: .*comes to nothing/)
      assert.match(yield* said({ input: "WETH", amount: "0.000000000000000001", lower: "3500", upper: "4000", fee: 3000 }), /^insufficient_balance: The amount is too small/)
      const third = yield* Effect.flip(planAdd({ input: "DAI" }))
      assert.deepStrictEqual([third._tag === "ValidationFailure" ? third.code : third._tag, third.message], ["1010", "input_asset: must be WETH or USDC"])
    }))

  it.effect("is refused in words where the platform refuses: price off the oracle, manager not enabled, too many positions, paused", () =>
    Effect.gen(function*() {
      const { add, asManager, asOwner, manager, planAdd, pool, setPrice } = yield* liquidity
      yield* asManager("changeAssets", [], [manager])
      const disabled = yield* refusal(planAdd({ amount: "100", fee: 3000 }))
      assert.strictEqual(disabled.errorType, "asset_not_enabled")
      assert.match(disabled.message, new RegExp(`position manager \\(${manager}\\) is not enabled`))
      yield* asManager("changeAssets", [{ asset: manager, isDeposit: false }], [])
      const said = Effect.map(refusal(planAdd({ input: "WETH", amount: "1", fee: 3000, lower: "4000", upper: "5000" })), ({ errorType, message }) => `${errorType}: ${message}`)
      for (const [lower, upper] of [["3500", "4000"], ["3600", "4100"], ["3700", "4200"]] as const) yield* add({ input: "WETH", amount: "0.1", fee: 3000, lower, upper })
      assert.match(yield* said, /^transaction_reverted: The vault has as many positions as the platform allows.*too many uni v3 positions.*nothing was sent/)
      yield* setPrice("WETH", 3060)
      assert.match(yield* said, /^slippage_exceeded: The pool's price is too far from the vault's oracle \(Uni v3 LP price mismatch\); nothing was sent/)
      yield* setPrice("WETH", 3000)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: true }])
      assert.match(yield* said, /^vault_paused/)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: false }])
    }))

  it.effect("is not available on a network without a position manager", () =>
    Effect.gen(function*() {
      const { book, chain, place, planAdd } = yield* liquidity
      const { positionManager: _, ...without } = book
      const failure = yield* refusal(planAdd({}, { ...place, chain: { ...chain, book: NetworkBook.make(without) } }))
      assert.strictEqual(failure.errorType, "market_not_available")
    }))
})
