/** The endpoints that set, show and run index bots. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { type Allocation, defaults, type Unmanaged } from "./IndexBot.ts"
import { AllocationsView, BotView, CallView, TradedView } from "./IndexBotViews.ts"
import { PlannedTrade } from "./IndexRun.ts"
import * as RetiredAllocations from "./RetiredAllocations.ts"
import { Targets } from "./Targets.ts"

const percentage = (text: string, accept: (value: number) => boolean): number | undefined => {
  const decimal = Params.readDecimal(text)
  const value = decimal === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(decimal)
  return accept(value) ? value : undefined
}

const seconds: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 }
const maxInterval = 366 * 86_400

/** Parses an interval (`900`, `15m`, `6h`, `1d`) into seconds; undefined unless it is from a minute to a year. */
export const readInterval = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,9})([smhd]?)$/.exec(text.toLowerCase()) ?? []
  const value = Number(count) * (seconds[unit] ?? Number.NaN)
  return value >= 60 && value <= maxInterval ? value : undefined
}

const Interval = Param.make(Schema.Number, {
  accepts: "a whole number of seconds from 60 to 31622400, or as 15m, 6h, 1d",
  description:
    "How often the weights are checked: in seconds (at least 60), or in minutes, hours or days as `15m`, `6h`, `1d`.",
  example: "6h",
  jsonSchema: { type: "string", pattern: "^[0-9]{1,9}[smhd]?$" },
  read: readInterval,
  show: String
})

const minUsd = BigDecimal.make(1n, 18)
const maxUsd = BigDecimal.make(1n, -15)

/** Builds a parameter of US dollars, 18 decimals. */
export const Usd = (description: string, example: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "a number of US dollars above 0",
    description,
    example,
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) => {
      const value = Params.readDecimal(text)
      return value !== undefined && BigDecimal.between(value, { minimum: minUsd, maximum: maxUsd }) ? value : undefined
    },
    show: (value) => BigDecimal.format(value)
  })

const Tolerance = Param.make(Schema.Number, {
  accepts: "a number of percentage points from 0 to 100",
  description:
    `Percentage points that a weight may deviate from its target before the bot trades, default ${defaults.tolerance}.`,
  example: defaults.tolerance,
  jsonSchema: { type: "number", minimum: 0, maximum: 100, default: defaults.tolerance },
  read: (text) => percentage(text, (value) => value >= 0 && value <= 100),
  show: String
})

const Quote = Params.Asset("Asset that trades go through")
const about = { apiKey: Params.ApiKey, network: Params.Network, pool: Params.Pool }
const protocol = Schema.optional(Params.Protocol)
const Force = Params.Flag("Trade even if every weight is within its tolerance.")

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const weth = "0x4200000000000000000000000000000000000006"
const usdc = "0x0b2c639c533813f4aa9d7837caf62653d097ff85"
const intentId = "01936f5a-0000-7000-8000-000000000000"
const txHash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"

const bot: typeof BotView.Encoded = {
  network: "base",
  pool,
  gasWallet: pool,
  active: true,
  enabled: true,
  paper: false,
  paused_reason: null,
  kill_switch: null,
  targets: [{ asset: "WETH", contract: weth, weight: 60, tolerance: 5 }, {
    asset: "USDC",
    contract: usdc,
    weight: 40,
    tolerance: 5
  }],
  interval: 21_600,
  max_usd: 10_000,
  min_trade_usd: 1,
  tolerance: 5,
  slippage: 1,
  quote: "USDC",
  platform: "auto",
  last_decision: "Every weight is within its tolerance.",
  last_decided_at: "2026-11-20T10:00:00.000Z",
  next_run_at: "2026-11-20T16:00:00.000Z",
  last_run: null
}
const allocation: typeof Allocation.Encoded = {
  asset: "WETH",
  contract: weth,
  targetPct: 60,
  currentPct: 52,
  driftPct: -8,
  valueUsd: 5_200,
  targetUsd: 6_000,
  tolerance: 5,
  outOfBand: true,
  inVault: true
}
const unmanaged: typeof Unmanaged.Encoded = {
  asset: "DAI",
  label: "DAI",
  contract: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
  currentPct: 1,
  valueUsd: 100
}
const trade: typeof PlannedTrade.Encoded = {
  asset: "WETH",
  side: "buy",
  from: "USDC",
  to: "WETH",
  amountUsd: 800,
  amount: "800",
  minOut: "0.264",
  slippage: 1
}
const traded: typeof TradedView.Encoded = {
  ...trade,
  status: "success",
  intent_id: intentId,
  tx_hash: txHash,
  sold: { asset: usdc, symbol: "USDC", amount: "800", raw: "800000000" },
  bought: { asset: weth, symbol: "WETH", amount: "0.2661", raw: "266100000000000000" },
  message: "Sold 800 USDC for 0.2661 WETH on uniswapV3."
}

/** A plan, and the trades made for it. */
const Rebalance = Schema.Struct({
  executed: Schema.Boolean,
  totalValueUsd: Schema.NullOr(Schema.Number),
  plan: Schema.Array(PlannedTrade),
  trades: Schema.Array(TradedView)
})

/** Optional settings of the endpoint that takes targets. */
const terms = {
  tolerance: Schema.optional(Tolerance),
  slippage: Schema.optional(Params.Slippage),
  quote: Schema.optional(Quote),
  platform: Schema.optional(Params.Platform),
  min_trade_usd: Schema.optional(Usd("Minimum value of a trade in US dollars, default 1.", "1"))
}

export class IndexBotApi extends RpcGroup.make(
  Endpoint.make("setIndexBot", {
    origin: "spec",
    class: "changesConfig",
    trader: true,
    method: "POST",
    summary:
      "Set the vault's target weights and how often they are checked; disabled unless `enabled=true`. Trades of " +
      "its runs are billed as trades.",
    params: {
      ...about,
      targets: Targets,
      interval: Interval,
      max_usd: Usd("Maximum value in US dollars that one run trades, sells and buys together.", "10000"),
      ...terms,
      enabled: Schema.optional(Params.Flag("Enable scheduled checks, the first one at once.")),
      paper: Schema.optional(Params.Flag("Decide on live prices and record the trades without sending them.")),
      protocol
    },
    success: { data: BotView, message: Schema.String },
    example: { data: bot, message: "The index of 2 targets is set and checked every 6 hours." }
  }),
  Endpoint.make("getIndexBot", {
    origin: "spec",
    class: "readOnly",
    fromRows: true,
    summary: "The vault's index bot: its settings, its last decision with the reason, and its last run leg by leg.",
    params: { ...about, protocol },
    success: { data: BotView },
    example: { data: bot }
  }),
  Endpoint.make("getCurrentAllocations", {
    origin: "spec",
    class: "readOnly",
    summary:
      "The targets next to the live weights: drift in percentage points, and whether each is out of its tolerance.",
    params: { ...about, protocol },
    success: { data: AllocationsView },
    failsWith: ["asset_not_enabled", "price_unavailable"],
    example: {
      data: {
        ...{ totalValueUsd: 10_000, needsRebalance: true, reason: null, max_usd: 10_000, platform: "auto" },
        allocations: [allocation],
        unmanagedAssets: [unmanaged]
      }
    }
  }),
  Endpoint.make("previewIndexBot", {
    origin: "spec",
    class: "readOnly",
    summary: "The trades a run would make now: sells before buys, limited by the cap. Nothing is sent.",
    params: { ...about, force: Schema.optional(Force), quote: Schema.optional(Quote), protocol },
    success: { data: Rebalance, message: Schema.String },
    failsWith: ["asset_not_enabled", "price_unavailable"],
    example: {
      data: { executed: false, totalValueUsd: 10_000, plan: [trade], trades: [] },
      message: "A run would make 1 trade worth $800.00."
    }
  }),
  Endpoint.make("rebalancePool", {
    origin: "spec",
    class: "movesFunds",
    trader: true,
    method: "POST",
    summary:
      "Rebalance the vault to its index; a dry run unless `execute=true`. Each trade is executed and billed like a vaultTrade.",
    params: {
      ...about,
      execute: Schema.optional(Params.Flag("Make the trades; without it nothing is sent.")),
      force: Schema.optional(Force),
      quote: Schema.optional(Quote),
      protocol
    },
    success: { intent_id: Schema.NullOr(Schema.String), data: Rebalance },
    failsWith: [
      "insufficient_balance",
      "no_route",
      "slippage_exceeded",
      "asset_not_enabled",
      "venue_not_allowed",
      "slippage_budget_exceeded",
      "price_unavailable"
    ],
    example: {
      intent_id: intentId,
      tx_hash: txHash,
      message: "Made 1 trade.",
      data: { executed: true, totalValueUsd: 10_000, plan: [trade], trades: [traded] }
    }
  }),
  Endpoint.make("disableIndexBot", {
    origin: "spec",
    class: "changesConfig",
    fromRows: true,
    method: "POST",
    summary: "Stop the index bot's scheduled checks; its settings are kept.",
    params: { ...about, protocol },
    success: { data: BotView, message: Schema.String },
    example: {
      data: { ...bot, active: false, enabled: false },
      message: "Scheduled checks are stopped; the targets are kept."
    }
  }),
  Endpoint.make("setAllocations", {
    origin: "spec",
    class: "readOnly",
    method: "POST",
    summary:
      "Retired: checks targets in the old or new syntax, writes nothing, and answers with the setIndexBot call that would set them.",
    params: {
      ...about,
      targets: Schema.optional(Targets),
      ...RetiredAllocations.lists,
      max_usd: Schema.optional(Usd("Maximum value in US dollars that one run trades.", "10000")),
      platform: Schema.optional(Params.Platform),
      quote: Schema.optional(Quote),
      protocol
    },
    success: { data: CallView, message: Schema.String },
    exampleRequest: { assets: "WETH-USDC", allocations: "50-50" },
    example: {
      data: {
        method: "POST",
        path: "/setIndexBot",
        body: {
          network: "base",
          pool,
          targets: [{ asset: "WETH", weight: 60, tolerance: null }, { asset: "USDC", weight: 40, tolerance: null }],
          interval: "1d",
          max_usd: "10000",
          quote: "USDC",
          enabled: false
        }
      },
      message: "The targets are valid. Nothing was written: setAllocations is retired, call setIndexBot."
    }
  })
) {}
