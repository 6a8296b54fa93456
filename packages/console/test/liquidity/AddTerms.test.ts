import { assert, describe, it } from "@effect/vitest"
import {
  type AddTerms,
  exchangeName,
  faultsOf,
  firstTerms,
  inverted,
  poolOptions,
  requestOfTerms,
  withPair
} from "../../src/liquidity/AddTerms.ts"
import { worstOf } from "../../src/liquidity/LiquidityFigures.ts"
import { actionsOf, type Holding, positionsOf } from "../../src/liquidity/Positions.ts"
import { compositionOf, positions, usdc, weth } from "../LiquidityFixture.ts"

const holdingsOf = (lines: ReadonlyArray<unknown>, prices = true) =>
  compositionOf(lines, prices).composition as unknown as ReadonlyArray<Holding>
const dai = { ...holdingsOf([])[1]!, asset: "0x00000000000000000000000000000000000000da", symbol: "DAI" } as Holding
const tokens = [...holdingsOf([]), dai]
const first = firstTerms(tokens)

describe("the form of a deposit", () => {
  it("suggests the largest token priced in a stablecoin, and a range around the present price", () => {
    assert.deepStrictEqual(
      [first.first, first.second, first.input, first.lower, first.upper],
      [weth, usdc, usdc, "2400", "3600"]
    )
    const blind = firstTerms(holdingsOf([], false))
    assert.deepStrictEqual([blind.lower, blind.upper], ["", ""])
  })

  it("sends what is typed and nothing that is left open", () => {
    const terms: AddTerms = { ...first, amount: " 100 ", lower: "2500", upper: "" }
    assert.deepStrictEqual(requestOfTerms(terms), {
      action: "addLiquidity",
      params: {
        ...{ asset1: weth, asset2: usdc, input_asset: usdc, amount: "100", lower_price: "2500", slippage: "0.5" },
        platform: "auto"
      }
    })
    assert.deepInclude(requestOfTerms({ ...terms, dex: "uniswapV3", pool: "3000" }).params, {
      dex: "uniswapV3",
      fee_tier: "3000"
    })
    const spaced = requestOfTerms({ ...terms, dex: "velodromeCl", pool: "100" }).params
    assert.deepInclude(spaced, { dex: "velodromeCl", tick_spacing: "100" })
    assert.notProperty(spaced, "fee_tier")
  })

  it("sends the same range when the price is shown in the other direction, with the assets changed", () => {
    const { params } = requestOfTerms(inverted({ ...first, amount: "100", lower: "2500", upper: "" }))
    assert.deepInclude(params, { asset1: usdc, asset2: weth, input_asset: usdc, upper_price: "0.0004" })
    assert.notProperty(params, "lower_price")
    assert.deepStrictEqual(inverted(inverted(first)), first)
  })

  it("names the fault of each field", () => {
    const [, held] = tokens
    assert.deepStrictEqual(Object.values(faultsOf({ ...first, amount: "100" }, held)), [null, null, null, null])
    const faults = faultsOf({ ...first, amount: "99999", slippage: "9", lower: "-1", upper: "abc" }, held)
    assert.strictEqual(faults.amount, "The vault has 18,234.55 USDC")
    assert.strictEqual(faults.slippage, "Must be a percentage above 0 and at most 5")
    assert.strictEqual(faults.lower, "Must be a decimal number above 0")
    assert.strictEqual(faults.upper, "Must be a decimal number above 0")
    const swapped = faultsOf({ ...first, lower: "3600", upper: "2400" }, held)
    assert.deepStrictEqual([swapped.lower, swapped.upper], [null, "Must be above the lowest price"])
  })

  it("keeps two assets apart, and empties the amount of an asset that is no longer of the pair", () => {
    const exchanged = withPair({ ...first, amount: "5" }, { first: usdc }, tokens)
    assert.deepStrictEqual([exchanged.first, exchanged.second, exchanged.amount], [usdc, weth, "5"])
    const other = withPair({ ...first, amount: "5", pool: "500" }, { second: dai.asset }, tokens)
    assert.deepStrictEqual([other.second, other.input, other.amount, other.pool], [dai.asset, dai.asset, "", ""])
  })

  it("offers the pools that an exchange has, by fee or by tick spacing", () => {
    const values = (dex: AddTerms["dex"]) => poolOptions(dex).map(({ value }) => value)
    assert.deepStrictEqual(values("uniswapV3"), ["", "100", "500", "3000", "10000"])
    assert.include(values("pancakeCl"), "2500")
    assert.include(values("velodromeCl"), "200")
    assert.deepStrictEqual([exchangeName("velodromeCl", "base"), exchangeName("velodromeCl", "optimism")], [
      "Aerodrome CL",
      "Velodrome CL"
    ])
  })
})

describe("positions", () => {
  const listed = positionsOf(holdingsOf(positions))

  it("have the actions that their exchange and their stake allow", () => {
    assert.deepStrictEqual(listed.map(({ dex, exchange }) => [dex, exchange]), [
      ["uniswapV3", "Uniswap V3"],
      ["velodromeCl", "Aerodrome CL"],
      ["pancakeCl", "Pancake CL"]
    ])
    assert.deepStrictEqual(listed.map(actionsOf), [
      ["collectFees", "removeLiquidity"],
      ["claimRewards", "removeLiquidity", "unstakeLiquidity"],
      ["collectFees", "removeLiquidity", "stakeLiquidity"]
    ])
    const [, , pancake] = listed
    assert.deepStrictEqual(actionsOf({ ...pancake!, staked: true }), [
      ...["collectFees", "claimRewards", "removeLiquidity", "unstakeLiquidity"] as const
    ])
    assert.deepStrictEqual(actionsOf({ ...pancake!, dex: undefined }), [])
  })

  it("are priced in the stablecoin, whatever the pool's order", () => {
    const [line] = positions as ReadonlyArray<{ readonly positions: ReadonlyArray<object> }>
    const reverse = { ...line, positions: [{ ...line!.positions[0], token0: usdc, token1: weth, lower_price: 0.0004 }] }
    const [position] = positionsOf(holdingsOf([{ ...reverse }]))
    assert.deepStrictEqual([position?.first.symbol, position?.second.symbol, position?.high], ["WETH", "USDC", 2_500])
    assert.strictEqual(position?.current, 3_000)
    assert.isUndefined(positionsOf(holdingsOf(positions, false))[0]?.current)
  })
})

describe("the worst case of a plan", () => {
  const costs = { gas_cost: "0.001 ETH", charge: { usd: 0.1, native_wei: null } }
  const swapped = { venue: "uniswapV3", sold: "1004 USDC", bought: "0.334 WETH" }

  it("is the loss of its swap by the oracle, the charge and the gas", () => {
    assert.strictEqual(worstOf(tokens, { ...costs, swapped } as never), "$2.10 and the gas")
    assert.strictEqual(worstOf(tokens, { ...costs, swapped: null } as never), "$0.10 and the gas")
    assert.strictEqual(worstOf(holdingsOf([], false), { ...costs, swapped } as never), "unknown, no price")
  })
})
