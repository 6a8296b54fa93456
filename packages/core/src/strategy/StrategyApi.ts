/** The endpoints that list strategies, and set, show and delete bots that trade by them. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { ListedStrategy } from "./StrategyBot.ts"
import { StrategyName, terms } from "./StrategyParams.ts"
import { CandleView, StrategyBotView, StrategyDecisionView, StrategyEventView } from "./StrategyView.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const about = { apiKey: Params.ApiKey, network: Params.Network, pool: Params.Pool }
const protocol = Schema.optional(Params.Protocol)

const viewExample: typeof StrategyBotView.Encoded = {
  ...{ id: "01936f5a-0000-7000-8000-000000000003", network: "base", pool, gasWallet: pool, strategy: "ema-cross" },
  ...{ digest: "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", mode: "paper" },
  ...{ active: true, paused_code: null, reason: "WETH is rising. Trades: USDC for WETH.", kill_switch: null },
  ...{ assets: ["WETH"], quote: "USDC", inputs: { fast: 12, slow: 26, invested: 95 }, interval: "3600s" },
  ...{ max_usd: 1_000, min_trade_usd: 1, tolerance: 1, slippage: 1, max_impact: null, platform: "auto", memory: null },
  ...{ open_intent_id: null, failures: 0, paper_holdings: { WETH: "0.3", USDC: "100" } },
  ...{ checked_at: "2026-11-20T10:00:10.000Z", created_at: "2026-11-20T10:00:00.000Z" }
}

export class StrategyApi extends RpcGroup.make(
  Endpoint.make("getStrategies", {
    class: "readOnly",
    summary: "The strategies that a bot of the vault may run, with their inputs; of one that cannot be loaded, why.",
    params: { ...about, protocol },
    success: { strategies: Schema.Array(ListedStrategy) },
    failsWith: ["rpc_unavailable", "busy"],
    example: {
      strategies: [{
        name: "ema-cross",
        description: {
          description: "Holds each asset while its fast average is above its slow one.",
          history: 400,
          inputs: { fast: { type: "integer", default: 12, minimum: 2, maximum: 200 } }
        },
        problem: null
      }]
    }
  }),
  Endpoint.make("setStrategyBot", {
    class: "changesConfig",
    trader: true,
    method: "POST",
    summary:
      "Set a bot that trades the vault by a strategy, on paper unless `mode=live`. It decides when a candle closes, and " +
      "runs the file as it is now: a change of the file pauses it. Trades are billed like the wallet's own.",
    params: { ...about, strategy: StrategyName, ...terms, protocol },
    success: { data: StrategyBotView, message: Schema.String },
    exampleRequest: { strategy: "ema-cross", assets: ["WETH"], interval: "1h", max_usd: "1000" },
    failsWith: ["market_not_available", "price_unavailable"],
    example: {
      data: viewExample,
      message: "The bot of ema-cross is set on paper. Call getStrategyBots for what it does."
    }
  }),
  Endpoint.make("getStrategyBots", {
    class: "readOnly",
    fromRows: true,
    summary: "The vault's strategy bots: terms, the last fifty decisions with their trades, candles and history.",
    params: { ...about, protocol },
    success: {
      bots: Schema.Array(Schema.Struct({
        data: StrategyBotView,
        decisions: Schema.Array(StrategyDecisionView),
        candles: Schema.Array(CandleView),
        events: Schema.Array(StrategyEventView)
      })),
      message: Schema.NullOr(Schema.String)
    },
    example: {
      bots: [{
        data: viewExample,
        decisions: [],
        candles: [{
          time: 1_795_168_800,
          prices: { WETH: { open: "3000", high: "3020.5", low: "2990", close: "3010" } }
        }],
        events: [{ at: "2026-11-20T10:00:00.000Z", kind: "set", reason: "It was set." }]
      }],
      message: null
    }
  }),
  Endpoint.make("deleteStrategyBot", {
    class: "changesConfig",
    fromRows: true,
    method: "DELETE",
    summary: "Delete a strategy bot of the vault, even when no node answers. A trade that is already planned ends.",
    params: { ...about, strategy: StrategyName, protocol },
    success: { data: Schema.NullOr(StrategyBotView), message: Schema.String },
    exampleRequest: { strategy: "ema-cross" },
    failsWith: ["rpc_unavailable", "busy"],
    example: {
      data: { ...viewExample, active: false, reason: "It was deleted." },
      message: "The bot of ema-cross is deleted."
    }
  })
) {}
