/** The endpoints of concentrated liquidity: adding, removing, fees, staking and rewards. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Quantity } from "../chain/Quantity.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { Dex } from "./Dex.ts"
import { Swapped } from "./Liquidity.ts"
import { DexChoice, FeeTier, OutputAsset, Percent, Price, TickSpacing, TokenId } from "./LiquidityParams.ts"

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
 * Fields of a position: its token, the contract that holds it, the pool's fee or tick spacing, and its range. Prices are
 * asset2 per asset1, null where the range is open.
 */
const position = {
  token_id: Schema.String,
  dex: Dex,
  position_manager: Address,
  /** Null where pools are distinguished by their tick spacing. */
  fee_tier: Schema.NullOr(Schema.Int),
  /** Null where pools are distinguished by their fee. */
  tick_spacing: Schema.NullOr(Schema.Int),
  lower_price: Schema.NullOr(Schema.String),
  upper_price: Schema.NullOr(Schema.String),
  /** True while the position is in a gauge or MasterChefV3, after the transaction. */
  staked: Schema.Boolean
}
const positionExample = {
  token_id: "12345",
  dex: "uniswapV3",
  position_manager: "0xc36442b4a4522e871399cd717abdd847ab11fe88",
  fee_tier: 3000,
  tick_spacing: null,
  lower_price: "2497.62",
  upper_price: "3604.11",
  staked: false
} as const
const stakedExample = {
  ...positionExample,
  dex: "velodromeCl",
  position_manager: "0x827922686190790b37229fd06084350e74485b72",
  fee_tier: null,
  tick_spacing: 100,
  staked: true
} as const
const aero = {
  asset: "0x940181a94a35a4569e4529a3cdfb74e38fd98631",
  symbol: "AERO",
  amount: "12.5",
  raw: "12500000000000000000"
}

/** Parameters, errors and price of an endpoint about one position, which sells nothing. */
const onPosition = {
  class: "movesFunds",
  charge: "liquidity",
  trader: true,
  params: {
    ...about,
    token_id: TokenId,
    dex: Schema.optional(DexChoice),
    protocol: optional.protocol,
    dryRun: optional.dryRun,
    valid_for: optional.valid_for
  },
  failsWith: ["position_not_found", "market_not_available", "asset_not_enabled"]
} as const
/** The reward tokens that the vault received. */
const rewards = Schema.Array(Quantity)

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
      dex: Schema.optional(DexChoice),
      fee_tier: Schema.optional(FeeTier),
      tick_spacing: Schema.optional(TickSpacing),
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
      dex: Schema.optional(DexChoice),
      ...optional,
      amount: Schema.optional(Percent),
      output_asset: Schema.optional(OutputAsset)
    },
    success: {
      ...position,
      /** The quantities removed, including fees, in the order of the pair. */
      removed: Schema.Array(Quantity),
      /** The fees included in `removed`. */
      fees: Schema.Array(Quantity),
      /** True when the position was deleted. */
      burnt: Schema.Boolean,
      /** The rewards of a staked position, which is unstaked first; what is left of it is staked again. */
      rewards,
      swapped: Schema.NullOr(Swapped),
      ...costFields
    },
    exampleRequest: { asset1: "WETH", amount: 10 },
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
      rewards: [],
      swapped: null,
      ...costExample
    }
  }),
  Endpoint.make("collectFees", {
    ...onPosition,
    method: "POST",
    summary: "Collect the fees that a position has earned; the position stays as it is. A staked one also pays its " +
      "rewards, and stays staked.",
    success: {
      ...position,
      /** The fees, in the order of the pair. */
      fees: Schema.Array(Quantity),
      rewards,
      ...costFields
    },
    exampleRequest: { asset1: "WETH", asset2: "USDC" },
    example: {
      ...executedExample,
      message: "Collected 0.0001 WETH and 0.3 USDC from position 12345.",
      ...positionExample,
      fees: [{ ...weth, amount: "0.0001", raw: "100000000000000" }, { ...usdc, amount: "0.3", raw: "300000" }],
      rewards: [],
      ...costExample
    }
  }),
  Endpoint.make("stakeLiquidity", {
    ...onPosition,
    method: "POST",
    summary:
      "Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then earns rewards.",
    success: {
      ...position,
      /** The gauge or MasterChefV3. */
      staking_contract: Address,
      ...costFields
    },
    exampleRequest: { asset1: "WETH", asset2: "USDC" },
    example: {
      ...executedExample,
      message: "Staked position 12345.",
      ...stakedExample,
      staking_contract: "0xf33a96b5932d9e9b9a0eda447abd8c9d48d2e0c8",
      ...costExample
    }
  }),
  Endpoint.make("unstakeLiquidity", {
    ...onPosition,
    method: "POST",
    summary: "Take a staked position back, with its rewards.",
    success: { ...position, rewards, ...costFields },
    exampleRequest: { asset1: "WETH", asset2: "USDC" },
    example: {
      ...executedExample,
      message: "Unstaked position 12345 and received 12.5 AERO.",
      ...stakedExample,
      staked: false,
      rewards: [aero],
      ...costExample
    }
  }),
  Endpoint.make("claimRewards", {
    ...onPosition,
    method: "POST",
    summary: "Claim the rewards of a staked position, which stays staked.",
    success: { ...position, rewards, ...costFields },
    exampleRequest: { asset1: "WETH", asset2: "USDC" },
    example: {
      ...executedExample,
      message: "Claimed 12.5 AERO for position 12345.",
      ...stakedExample,
      rewards: [aero],
      ...costExample
    }
  })
) {}
