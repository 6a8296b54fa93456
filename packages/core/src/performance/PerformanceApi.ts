/** The endpoints about what vaults earned: from samples of their value, and from the ledger. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as BillingParams from "../billing/BillingParams.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { Whole } from "../vault-order/OrderParams.ts"
import { Disposal, LotMethod, OpenLot, Performance } from "./Performance.ts"
import { Lots, period } from "./PerformanceParams.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const weth = "0x4200000000000000000000000000000000000006"
const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"
const start = "2026-11-20T10:00:00.000Z"
const end = "2026-11-21T10:00:00.000Z"

/** The number of points of a curve without `points`. */
export const defaultPoints = 400

const about = {
  apiKey: Params.ApiKey,
  network: Params.Network,
  pool: Params.Pool,
  protocol: Schema.optional(Params.Protocol),
  ...period
}
const benchmark = Schema.optional(
  Params.Asset("Benchmark: an asset of the vault or of PERFORMANCE_BENCHMARKS")
)

const tradesExample = {
  ...{ trades: 2, failed: 0, turnover_usd: "1000", slippage_oracle_usd: "0.6", slippage_oracle_percent: 0.06 },
  ...{ slippage_quote_percent: 0.01, gas_native: "0.0002", gas_usd: "0.6", charges_usd: "0.2", realised_usd: "12.5" }
}
const pointExample = {
  ...{ time: start, block: 123, value_usd: "10000", share_price: "1", share_price_before_fees: "1" },
  ...{ supply: "10000", gap: null }
}
const profitExample = { pnl_usd: "42", return_percent: 0.42 }

/** An answer for examples. */
export const performanceExample: Performance = {
  ...{ network: "base", pool, from: start, to: end, reason: null },
  coverage: { samples: 2, interval_seconds: 86_400, covered_percent: 100, gaps: [] },
  ...{ start_value_usd: "10000", end_value_usd: "10042", net_flows_usd: "0" },
  ...{ start_share_price: "1", end_share_price: "1.0042", return_percent: 0.42, return_before_fees_percent: 0.45 },
  ...{ return_after_gas_percent: 0.412, pnl_usd: "42", pnl_after_gas_usd: "41.2" },
  ...{ realised_usd: "12.5", unrealised_usd: "30.1", day: profitExample, week: profitExample, all: profitExample },
  fees: { minted_shares: "0", minted_usd: "0", accrued_usd: "3", owed_shares: "3", owed_usd: "3.0126" },
  trading: tradesExample,
  turnover_percent: 9.98,
  exposure: { average_percent: 55, end_percent: 60 },
  drawdown: { percent: 0.8, from: start, to: end },
  statistics: {
    ...{ period_seconds: 86_400, returns: 1, annualisation: null, risk_free: 0, volatility_percent: null },
    ...{ sharpe: null, sortino: null, reason: "There is 1 return; statistics need 20." }
  },
  benchmarks: [{
    ...{ name: "start allocation", return_percent: 0.3, excess_percent: 0.12, reason: null },
    curve: [{ time: end, return_percent: 0.3 }]
  }],
  allocation: [{ time: end, weights: [{ asset: weth, symbol: "WETH", percent: 60 }], gap: null }],
  attribution: [{
    ...{ asset: weth, symbol: "WETH", pnl_usd: "42", contribution_percent: 0.42 },
    ...{ average_weight_percent: 55, end_weight_percent: 60 }
  }],
  sources: [],
  curve: [pointExample]
}

export class PerformanceApi extends RpcGroup.make(
  Endpoint.make("getPerformance", {
    class: "readOnly",
    fromRows: true,
    summary:
      "What a vault earned in a period, by its share price: return, profit, fees, gas, slippage, risk, benchmarks, " +
      "attribution, bots and orders, and the value curve with its gaps.",
    params: {
      ...about,
      benchmark,
      lots: Schema.optional(Lots),
      points: Schema.optional(Whole(`Points of the curve; default ${defaultPoints}.`, 2, 2_000, defaultPoints)),
      format: Schema.optional(BillingParams.Format)
    },
    success: { data: Performance, csv: Schema.NullOr(Schema.String) },
    example: { data: performanceExample, csv: null }
  }),
  Endpoint.make("getTaxLots", {
    class: "readOnly",
    fromRows: true,
    summary:
      "What a vault sold in a period, lot by lot with cost, proceeds and gain, and the lots that it still has; " +
      "from the receipts of this service's trades. `csv` is a table for tax software.",
    params: { ...about, lots: Schema.optional(Lots), format: Schema.optional(BillingParams.Format) },
    success: {
      method: LotMethod,
      disposals: Schema.Array(Disposal),
      open: Schema.Array(OpenLot),
      realised_usd: Schema.NullOr(Schema.String),
      unrealised_usd: Schema.NullOr(Schema.String),
      /** For people, the limits of the figures: quantities whose purchase is not in the ledger. */
      notes: Schema.Array(Schema.String),
      csv: Schema.NullOr(Schema.String)
    },
    example: {
      method: "fifo",
      disposals: [{
        ...{ asset: weth, symbol: "WETH", quantity: "0.5", acquired_at: start, disposed_at: end },
        ...{ proceeds_usd: "1512.5", cost_usd: "1500", gain_usd: "12.5", holding_days: 1 },
        ...{ acquired_tx: hash, disposed_tx: hash, disposed_by: "WETH-USDC bot" }
      }],
      open: [{
        ...{ asset: weth, symbol: "WETH", quantity: "0.5", acquired_at: start, cost_usd: "1500" },
        ...{ value_usd: "1530.1", unrealised_usd: "30.1", acquired_tx: hash }
      }],
      ...{ realised_usd: "12.5", unrealised_usd: "30.1", notes: [], csv: null }
    }
  }),
  Endpoint.make("getTearsheet", {
    class: "readOnly",
    fromRows: true,
    summary: "A vault's performance as one HTML page with charts, without scripts, ready to print or to save as PDF.",
    params: { ...about, benchmark, lots: Schema.optional(Lots) },
    success: { html: Schema.String },
    example: { html: "<!doctype html>…" }
  })
) {}
