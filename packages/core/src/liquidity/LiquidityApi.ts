/** The endpoints that add and remove concentrated liquidity. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Quantity } from "../chain/Quantity.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { feeTiers, Swapped } from "./Liquidity.ts"

const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"
const executedExample = { intent_id: "01936f5a-0000-7000-8000-000000000000", tx_hash: hash }
const weth = {
  asset: "0x4200000000000000000000000000000000000006",
  symbol: "WETH",
  amount: "0.332",
  raw: "332000000000000000"
}
const usdc = { asset: "0x0b2c639c533813f4aa9d7837caf62653d097ff85", symbol: "USDC", amount: "996", raw: "996000000" }

/** The gas that a transaction used, in gas units, and its cost in native human units. */
const costFields = {
  gas_used: Schema.NullOr(Schema.String),
  gas_cost: Schema.NullOr(Schema.String),
  charge_usd: Schema.Number
}
const costExample = { gas_used: "710000", gas_cost: "0.00071", charge_usd: 0.1 }

const FeeTier = Param.make(Schema.Literals(feeTiers), {
  accepts: `one of ${feeTiers.join(", ")}`,
  description: `Fee of the pool in hundredths of a basis point: ${
    feeTiers.join(", ")
  }. Default: the pair's pool with the most liquidity.`,
  example: 3000,
  jsonSchema: { type: "integer", enum: [...feeTiers] },
  read: (text) => feeTiers.find((tier) => String(tier) === text),
  show: String
})

const Price = (which: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "a decimal number above 0",
    description:
      `${which} end of the price range, asset2 per asset1 in human units; rounded to the nearest price of the ` +
      "pool. Without it the range is open at this end.",
    example: "2500",
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) => {
      const value = Params.readDecimal(text)
      return value !== undefined && BigDecimal.isPositive(value) ? value : undefined
    },
    show: (value) => BigDecimal.format(value)
  })

const TokenId = Param.make(Schema.BigInt, {
  accepts: "the id of a position: a whole number",
  description: "Id of the position's token, as returned by addLiquidity.",
  example: "12345",
  jsonSchema: { type: "string", pattern: "^[0-9]+$" },
  read: (text) => /^\d{1,77}$/.test(text) ? BigInt(text) : undefined,
  show: String
})

const Percent = Param.make(Schema.Number, {
  code: "1009",
  accepts: "a percentage above 0 and at most 100",
  description: "Percent of the position to remove, default 100: all of it, which also deletes the position.",
  example: 100,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 100, default: 100 },
  read: (text) => {
    const value = Params.readDecimal(text)
    const percent = value === undefined ? 0 : BigDecimal.toNumberUnsafe(value)
    return percent > 0 && percent <= 100 ? percent : undefined
  },
  show: String
})

const about = {
  apiKey: Params.ApiKey,
  pool: Params.Pool,
  network: Params.Network,
  asset1: Params.Asset("First asset of the pair"),
  asset2: Params.Asset("Second asset of the pair")
}
const optional = {
  platform: Schema.optional(Params.Platform),
  slippage: Schema.optional(Params.Slippage),
  protocol: Schema.optional(Params.Protocol),
  dryRun: Schema.optional(Params.DryRun),
  valid_for: Schema.optional(Params.ValidFor)
}

/**
 * Fields of a position: its token, the contract that holds it, the pool's fee, and its range. Prices are asset2 per
 * asset1, null where the range is open.
 */
const position = {
  token_id: Schema.String,
  position_manager: Address,
  fee_tier: Schema.Int,
  lower_price: Schema.NullOr(Schema.String),
  upper_price: Schema.NullOr(Schema.String)
}
const positionExample = {
  token_id: "12345",
  position_manager: "0xc36442b4a4522e871399cd717abdd847ab11fe88",
  fee_tier: 3000,
  lower_price: "2497.62",
  upper_price: "3604.11"
}

export class LiquidityApi extends RpcGroup.make(
  Endpoint.make("addLiquidity", {
    origin: "spec",
    class: "movesFunds",
    charge: "liquidity",
    trader: true,
    method: "POST",
    summary: "Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of the other is " +
      "bought first, in the same transaction.",
    params: {
      ...about,
      input_asset: Params.Asset("Asset to provide, one of the pair"),
      ...optional,
      fee_tier: Schema.optional(FeeTier),
      lower_price: Schema.optional(Price("Lower")),
      upper_price: Schema.optional(Price("Upper")),
      ...Params.sizeParams
    },
    success: {
      ...position,
      /** True when the position was created. */
      is_new: Schema.Boolean,
      liquidity: Schema.String,
      /** The quantities added, in the order of the pair. */
      added: Schema.Array(Quantity),
      swapped: Schema.NullOr(Swapped),
      ...costFields
    },
    exampleRequest: { asset1: "WETH", amount: "500" },
    failsWith: [
      "insufficient_balance",
      "no_route",
      "slippage_exceeded",
      "asset_not_enabled",
      "venue_not_allowed",
      "slippage_budget_exceeded",
      "price_unavailable",
      "market_not_available"
    ],
    example: {
      ...executedExample,
      message: "Added 0.332 WETH and 996 USDC to position 12345.",
      ...positionExample,
      is_new: true,
      liquidity: "181234567890123",
      added: [weth, usdc],
      swapped: { venue: "uniswapV3", sold: "1004 USDC", bought: "0.334 WETH" },
      ...costExample
    }
  }),
  Endpoint.make("removeLiquidity", {
    origin: "spec",
    class: "movesFunds",
    charge: "liquidity",
    trader: true,
    method: "POST",
    summary: "Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset` sells the " +
      "other asset in the same transaction.",
    params: {
      ...about,
      token_id: TokenId,
      ...optional,
      amount: Schema.optional(Percent),
      output_asset: Schema.optional(Params.Asset("Asset of the pair to receive"))
    },
    success: {
      ...position,
      /** The quantities removed, including fees, in the order of the pair. */
      removed: Schema.Array(Quantity),
      /** The fees included in `removed`. */
      fees: Schema.Array(Quantity),
      /** True when the position was deleted. */
      burnt: Schema.Boolean,
      swapped: Schema.NullOr(Swapped),
      ...costFields
    },
    exampleRequest: { asset1: "WETH", amount: "10" },
    failsWith: [
      "no_route",
      "slippage_exceeded",
      "asset_not_enabled",
      "venue_not_allowed",
      "slippage_budget_exceeded",
      "price_unavailable",
      "position_not_found",
      "market_not_available"
    ],
    example: {
      ...executedExample,
      message: "Removed 0.332 WETH and 996 USDC from position 12345, which was burnt.",
      ...positionExample,
      removed: [weth, usdc],
      fees: [{ ...weth, amount: "0.0001", raw: "100000000000000" }, { ...usdc, amount: "0.3", raw: "300000" }],
      burnt: true,
      swapped: null,
      ...costExample
    }
  })
) {}
