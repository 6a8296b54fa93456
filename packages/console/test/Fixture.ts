/** Answers of the service for tests of pages: any number of vaults and bots, a curve with a gap, orders and failures. */
import * as BigDecimal from "effect/BigDecimal"
import type { Answers } from "@vault-trader/testing/harness/ConsoleFixture"
import { webhookAnswers } from "./WebhookFixture.ts"

const hex = (number: number, length: number): string => `0x${number.toString(16).padStart(length, "0")}`
const addressOf = (number: number) => hex(0xa0_0000 + number, 40) as `0x${string}`

export const manager = addressOf(9_999)
const weth = addressOf(7_001)
const usdc = addressOf(7_002)
const networks = ["base", "arbitrum", "optimism"] as const
const words = ["Momentum", "Carry", "Alpha", "Basis", "Trend", "Delta", "Core", "Yield"] as const

const minute = 60_000
const now = Date.now()
const ago = (minutes: number): string => new Date(now - minutes * minute).toISOString()

export const vaultName = (index: number): string => `${words[index % words.length] ?? ""} ${Math.floor(index / 8) + 1}`
export const poolOf = (index: number) => addressOf(index + 1)
const networkOf = (index: number) => networks[index % networks.length] ?? "base"
const walletOf = (index: number) => addressOf(8_000 + index % 3)
const walletLabels = ["momentum desk", "carry desk", "treasury"]

/** The value of a vault over a week, in USD. */
const valueAt = (step: number, index: number): number =>
  (52_000 + index * 1_900) * (1 + Math.sin(step / 9 + index) * 0.012 + step * 0.0004)

const steps = 168

const gains = { pnl_usd: "412.55", return_percent: 0.8 }
const losses = { pnl_usd: "-1204.10", return_percent: -2.21 }
const total = { pnl_usd: "8730.42", return_percent: 15.37 }

const trades = {
  ...{ trades: 42, failed: 1, turnover_usd: "184020.5", slippage_oracle_usd: "96.1", slippage_oracle_percent: 0.05 },
  ...{ slippage_quote_percent: 0.01, gas_native: "0.0042", gas_usd: "12.6", charges_usd: "4.2", realised_usd: "812.4" }
}

const curveOf = (index: number) =>
  Array.from({ length: steps }, (_, step) => step).filter((step) => step < 60 || step > 76).map((step) => ({
    ...{ time: ago((steps - step) * 60), block: 1_000 + step, supply: "50000" },
    value_usd: valueAt(step, index).toFixed(2),
    share_price: (valueAt(step, index) / 50_000).toFixed(6),
    share_price_before_fees: (valueAt(step, index) / 49_990).toFixed(6),
    gap: step === 77 ? "The service was not running." : null
  }))

const performanceOf = (index: number, hasHistory: boolean) => ({
  ...{ network: networkOf(index), pool: poolOf(index), from: ago(steps * 60), to: ago(0) },
  reason: hasHistory ? null : "There are fewer than two samples.",
  coverage: { samples: hasHistory ? steps : 1, interval_seconds: 300, covered_percent: 90, gaps: [] },
  ...{ start_value_usd: "52000", end_value_usd: hasHistory ? valueAt(steps, index).toFixed(2) : null },
  ...{ net_flows_usd: "0", start_share_price: "1", end_share_price: hasHistory ? "1.106314" : null },
  ...{ return_percent: 4.2, return_before_fees_percent: 4.4, return_after_gas_percent: 4.1, pnl_usd: "2140" },
  ...{ pnl_after_gas_usd: "2120", realised_usd: "812.4", unrealised_usd: "1200" },
  ...(hasHistory
    ? { day: gains, week: losses, all: total }
    : { day: none, week: none, all: none }),
  fees: { minted_shares: "0", minted_usd: "0", accrued_usd: "3", owed_shares: "3", owed_usd: "3.0126" },
  trading: trades,
  turnover_percent: 320,
  exposure: { average_percent: 55, end_percent: 60 },
  drawdown: { percent: 3.1, from: ago(4_000), to: ago(2_000) },
  statistics: {
    ...{ period_seconds: 3_600, returns: 167, annualisation: 93.6, risk_free: 0, volatility_percent: 22 },
    ...{ sharpe: 1.4, sortino: 1.9, reason: null }
  },
  benchmarks: [{
    ...{ name: "start allocation", return_percent: 3.1, excess_percent: 1.1, reason: null },
    curve: curveOf(index).map(({ time }, step) => ({ time, return_percent: Math.round(step) / 40 }))
  }],
  allocation: !hasHistory ? [] : curveOf(index).map(({ gap, time }, step) => ({
    ...{ time, gap },
    weights: [
      { asset: weth, symbol: "WETH", percent: 60 - step % 20 },
      { asset: usdc, symbol: "USDC", percent: 40 + step % 20 }
    ]
  })),
  attribution: [
    {
      ...{ asset: weth, symbol: "WETH", pnl_usd: "1900.5", contribution_percent: 3.8 },
      ...{ average_weight_percent: 55, end_weight_percent: 60 }
    },
    {
      ...{ asset: null, symbol: "rest", pnl_usd: "239.5", contribution_percent: 0.4 },
      ...{ average_weight_percent: 0, end_weight_percent: 0 }
    }
  ],
  sources: [{ kind: "threshold_bot", id: "WETH-USDC", name: "WETH-USDC bot", ...trades }],
  curve: hasHistory ? curveOf(index) : []
})

const none = { pnl_usd: null, return_percent: null }

const portfolioOf = (vaults: number, hasHistory: boolean) => ({
  value_usd: hasHistory ? "1284020.11" : null,
  ...(hasHistory ? { day: gains, week: losses, all: total } : { day: none, week: none, all: none }),
  curve: !hasHistory ? [] : Array.from({ length: steps }, (_, step) => ({
    time: ago((steps - step) * 60),
    value_usd: step >= 60 && step <= 76 ? null : (1_200_000 + valueAt(step, 3)).toFixed(2),
    pnl_usd: step >= 60 && step <= 76 ? null : (valueAt(step, 3) - 52_000).toFixed(2)
  })),
  vaults: Array.from({ length: vaults }, (_, index) => ({
    ...{ wallet: walletOf(index), network: networkOf(index), pool: poolOf(index) },
    value_usd: hasHistory ? valueAt(steps, index).toFixed(2) : null,
    share_price: "1.1",
    sampled_at: ago(2),
    ...(index % 3 === 1 ? { day: losses } : { day: gains }),
    week: losses,
    all: total,
    sparkline: Array.from(
      { length: 40 },
      (__, step) =>
        step > 14 && step < 18
          ? null
          : (1 + Math.sin(step / 5 + index) * 0.02 + step * (index % 3 - 1) * 0.002).toFixed(5)
    )
  }))
})

const holding = (asset: string, symbol: string, amount: string, price: number) => ({
  ...{ asset, symbol, amount, price, value_usd: Number(amount) * price, isDeposit: true, assetPair: `${symbol}-USD` },
  ...{ kind: "token", reason: null, asset_type: 0, label: symbol, positions: [] }
})

const composition = {
  composition: [
    holding(weth, "WETH", "9.412345678", 3_012.5),
    holding(usdc, "USDC", "18234.551234", 1),
    {
      ...holding(addressOf(7_003), "UNI-V3", "1", 5_230.2),
      ...{ kind: "position", label: "Uniswap V3 positions", asset_type: 7 },
      positions: [{
        ...{ token_id: "123", label: "Uniswap V3 #123 WETH/USDC 0.05 %", token0: weth, token1: usdc, fee: 0.05 },
        ...{ tick_spacing: 10, tick_lower: -100, tick_upper: 100, lower_price: 2_700, upper_price: 3_400 },
        ...{ liquidity: "1000", staked: false }
      }]
    }
  ],
  total_value_usd: 9.412345678 * 3_012.5 + 18_234.551234 + 5_230.2,
  block: 123
}

const tooFar = "Price too far from the oracle: the best quote is 1.05 % worse, your limit is 1 %. Nothing was traded."

const reasons = [
  "WETH is 99.4 % of the pair; within the threshold of 1 %.",
  "Sold 1000 USDC for 0.3319 WETH on uniswapV3.",
  "Nothing to trade: the vault has no USDC above $10."
]

const botOf = (index: number, vaults: number) => {
  const vault = index % vaults
  const isPaused = index % 41 === 7
  return {
    ...{ network: networkOf(vault), pool: poolOf(vault), gasWallet: walletOf(vault) },
    pair:
      ["WETH-USDC", "WBTC-USDC", "AAVE-USDC", "WETH-DAI", "LINK-USDC", "WBTC-DAI"][Math.floor(index / vaults) % 6] ??
        "WETH-USDC",
    ...{ base: addressOf(7_001 + 2 * index), quote: addressOf(7_002 + 2 * index) },
    side: index % 13 === 5 ? "hold" : ["long", "neutral", "long"][index % 3] ?? "long",
    ...{ threshold: 1, max_usd: 10_000, share: 100, slippage: 1, platform: "auto", lending: false, auto_enable: false },
    max_impact: null,
    active: !isPaused && index % 13 !== 5,
    paper: index % 9 === 4,
    paused_reason: isPaused
      ? `Paused after 3 failed attempts. ${tooFar}`
      : null,
    kill_switch: null,
    last_decision: { action: "hold", code: "within_threshold", reason: reasons[index % 3] ?? "", at: ago(1) },
    last_intent_id: null,
    next_check: isPaused ? null : new Date(now + 12_000).toISOString()
  }
}

const id = (number: number): string => `01936f5a-0000-7000-8000-${number.toString(16).padStart(12, "0")}`
const hash = hex(0x7d6a_6b0f, 64)

const entryOf = (index: number) => ({
  ...{ id: id(index), wallet: walletOf(0), action: index % 4 === 2 ? "placeOrder" : "vaultTrade" },
  ...{ bot: index % 2 === 0 ? "WETH-USDC" : null, network: "base", pool: poolOf(0), exchange: null },
  status: index === 3 ? "failed" : "final",
  out: index === 3 ? [] : [{ amount: String(900 + index * 12.5), symbol: "USDC" }],
  in: index === 3 ? [] : [{ amount: String((900 + index * 12.5) / 3_012), symbol: "WETH" }],
  ...{ venue: "uniswapV3", gas: { amount: "0.00021", symbol: "ETH" }, charge_usd: 0.1 },
  tx_hash: index === 3 ? null : hash,
  message: index === 3
    ? `${tooFar} uniswapV3 quoted 0.33012 WETH; kyberswap answered HTTP 429.`
    : "Sold 1000 USDC for 0.332 WETH on uniswapV3.",
  failure: index === 3
    ? { code: "2004", funds: "No funds moved.", next: "Trade a smaller amount, or allow more slippage." }
    : null,
  created_at: ago(4 + index * 37),
  updated_at: ago(3 + index * 37)
})

export const orderOf = (index: number) => ({
  ...{ id: id(0xf000 + index), network: networkOf(index), pool: poolOf(index % 4), gasWallet: walletOf(0) },
  ...(index % 3 === 1
    ? { type: "twap", side: "buy", state: "triggered", limit_price: null, slices: 12, interval: 1_800 }
    : { type: "limit", side: "sell", state: "open", limit_price: "3400", slices: null, interval: null }),
  ...{ pair: "WETH-USDC", paper: false, amount: "2.5", share: null, stop_price: null, take_profit_price: null },
  ...{ trail_percent: null, trail_amount: null, activation_price: null, catch_up: false, max_impact: null },
  ...{ slippage: 0.5, platform: "auto", reduce_only: false, confirmations: 2 },
  sold: { asset: weth, symbol: "WETH", amount: index % 3 === 1 ? "1" : "0", raw: "0" },
  bought: { asset: usdc, symbol: "USDC", amount: index % 3 === 1 ? "3010.55" : "0", raw: "0" },
  ...{
    remaining: index % 3 === 1 ? "1.5" : "2.5",
    average_price: index % 3 === 1 ? "3010.55" : null,
    peak_price: null
  },
  ...{ trigger: null, slices_made: index % 3 === 1 ? 5 : 0, open_intent_id: null, failures: 0 },
  reason: index % 3 === 1 ? "5 of 12 slices are done; the next one is due." : "The price is 3012.5; it waits for 3400.",
  ...{ kill_switch: null, created_at: ago(300 + index), expires_at: new Date(now + 9e8).toISOString(), ended_at: null }
})

/** The secret of a new sub-key. */
export const newKey = "6d2f0c52-7f7e-4a63-9c39-0d0f6a1b2c3d"

const subKey = {
  ...{ sub_key_id: id(0xf00), last_four: "a1f2", label: "rebalancing agent", scopes: ["trade", "lend"] },
  ...{ endpoints: null, vaults: [`base/${poolOf(0)}`], max_usd_per_trade: "250", max_usd_per_day: "1000" },
  ...{ sources: ["192.0.2.0/24"], created_at: ago(2_000), expires_at: new Date(now + 5 * 86_400_000).toISOString() },
  last_used_at: ago(12)
}

/** The wallet and the sub-key in the address of the sub-key's page. */
export const subKeyPath = `${walletOf(0)}/${subKey.sub_key_id}`

/** Everything that acts by itself at the first vault, as the authority of its wallet lists it. */
const place = { network: "base", pool: poolOf(0), gas_wallet: walletOf(0) }
const atFirstVault = {
  bots: [{ kind: "strategy", ...place, subaccount: null, pair: "ema-cross", set_by: null, active: true }],
  guardians: ["health_factor", "loss_breaker", "oracle", "gas"].map((kind, index) => ({
    ...{ guardian_id: id(0xa00 + index), kind, may: ["repay"], paper: kind === "oracle", ...place },
    ...{
      state: ["acting", "tripped"][index] ?? "armed",
      reason: ["Repays 1200 USDC.", "It lost 6.1 %."][index] ?? "",
      failures: 0
    }
  })),
  sub_keys: [subKey],
  followers: [{ follower_id: id(0xb00), leader: addressOf(6_001), state: "following", ...place }]
}

const noTerms = {
  ...{ floor: null, target: null, prefer: null, max_daily_loss: null, max_total_loss: null, close_into: null },
  ...{ close_positions: null, max_age: null, max_depeg: null, assets: null, min_gas: null, target_gas: null },
  slippage: null
}

const guardianOf = (index: number, kind: string, some: Readonly<Record<string, unknown>>) => ({
  ...{ id: id(0xa00 + index), network: "base", pool: poolOf(0), gasWallet: walletOf(0), kind, state: "armed" },
  ...{ paper: false, ...noTerms, confirmations: 2, holds: false, open_intent_id: null, failures: 0, skipped: [] },
  ...{ proposed_refill: null, kill_switch: null, tripped_at: null, checked_at: ago(index), created_at: ago(9_000) },
  ...some
})

const guardians = [
  guardianOf(0, "health_factor", {
    ...{ floor: "1.25", target: "1.5", prefer: ["repay", "unlend", "deleverage"], slippage: 1, state: "acting" },
    ...{ reading: "The vault has a health factor of 1.21.", reason: "Below the floor of 1.25: it repays 1200 USDC." }
  }),
  guardianOf(1, "loss_breaker", {
    ...{ max_daily_loss: 5, max_total_loss: 15, close_into: "USDC", close_positions: true, slippage: 1 },
    ...{ state: "tripped", tripped_at: ago(50), reading: "The share price is 0.9312, 6.1 % below the day’s first." },
    reason: "It tripped and sold all tokens into USDC. Arm it again when you have looked."
  }),
  guardianOf(2, "oracle", {
    ...{ max_age: 3_600, max_depeg: 2, paper: true, reading: "The oldest price is 4 minutes old; USDC is at 0.9998." },
    reason: "Every price is younger than an hour, and no stablecoin is off its peg."
  }),
  guardianOf(3, "gas", {
    ...{ min_gas: "0.005", target_gas: "0.015", reading: "The wallet has 0.0512 ETH.", reason: "It has enough gas." }
  })
]

const follower = {
  ...{ id: id(0xb00), network: "base", pool: poolOf(0), leader: addressOf(6_001), leader_kind: "vault" },
  ...{ gasWallet: walletOf(0), state: "following", base: "USDC", ratio: 50, threshold: 2, max_weight: 40 },
  ...{ max_usd: "1000", max_usd_interval: "5000", interval: 86_400, assets: null, without: ["AAVE"], delay: 600 },
  ...{ slippage: 1, max_impact: 1, leader_usd: 250_000.5 },
  weights: [
    { asset: weth, symbol: "WETH", weight: 60, target: 30, reason: null },
    {
      asset: addressOf(7_004),
      symbol: "AAVE",
      weight: 20,
      target: 0,
      reason: "It is on the list of those never traded."
    },
    { asset: addressOf(7_005), symbol: "PEPE", weight: 5, target: 0, reason: "The vault may not hold it." }
  ],
  reading: "The leader is worth $250000.50: WETH 60.00 %, AAVE 20.00 %, PEPE 5.00 %.",
  reason: "WETH is 4.1 points below its target; the difference has lasted 3 of 10 minutes.",
  ...{ open_intent_id: null, failures: 0, kill_switch: null, stopped_at: null, checked_at: ago(0) },
  created_at: ago(9_000)
}

const followed = {
  data: follower,
  trades: [
    {
      ...{ step: 2, intent_id: id(3), side: "buy", from: "USDC", to: "WETH", amount: "1000", usd: 1_000 },
      ...{ state: "failed", tx_hash: null, message: tooFar, begun_at: ago(30), ended_at: ago(30) }
    },
    {
      ...{ step: 1, intent_id: id(2), side: "buy", from: "USDC", to: "WETH", amount: "1000", usd: 1_000 },
      ...{ state: "succeeded", tx_hash: hash, message: null, begun_at: ago(90), ended_at: ago(89) }
    }
  ],
  events: [
    { at: ago(30), kind: "trade_failed", reason: "Price too far from the oracle; it tries again." },
    { at: ago(89), kind: "trade_succeeded", reason: "Sold 1000 USDC for 0.332 WETH." },
    { at: ago(9_000), kind: "set", reason: "It was set." }
  ]
}

const strategies = [
  {
    name: "ema-cross",
    description: {
      description: "Holds each asset while its fast average is above its slow one.",
      history: 400,
      inputs: {
        fast: { type: "integer", default: 12, minimum: 2, maximum: 200, description: "Candles of the fast average." },
        slow: { type: "integer", default: 26, minimum: 3, maximum: 400 },
        invested: { type: "number", default: 95, minimum: 0, maximum: 100 },
        shape: { type: "choice", default: "exponential", choices: ["exponential", "simple"] }
      }
    },
    problem: null
  },
  { name: "broken", description: null, problem: "SyntaxError: unexpected token in line 12" }
]

const strategyBot = {
  ...{ id: id(0xc00), network: "base", pool: poolOf(0), gasWallet: walletOf(0), strategy: "ema-cross" },
  ...{ digest: "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", mode: "paper", active: true },
  ...{ paused_code: null, reason: "WETH is rising. Trades: USDC for WETH.", kill_switch: null, assets: ["WETH"] },
  ...{ quote: "USDC", inputs: { fast: 12, slow: 26, invested: 95, shape: "exponential" }, interval: "3600s" },
  ...{ max_usd: 1_000, min_trade_usd: 1, tolerance: 1, slippage: 1, max_impact: null, platform: "auto", memory: null },
  ...{ open_intent_id: null, failures: 0, paper_holdings: { WETH: "0.3", USDC: "100" }, checked_at: ago(1) },
  created_at: ago(9_000)
}

const decisions = [
  { reason: "The fast average crossed above the slow one: 95 % WETH.", state: "done", trades: 1 },
  { reason: "The averages have not crossed; nothing to do.", state: "done", trades: 0 },
  { reason: "A trade failed: the price was too far from the oracle.", state: "failed", trades: 1 }
].map(({ reason, state, trades: size }, index) => ({
  ...{ number: 3 - index, candle: 1_795_168_800 - index * 3_600, decision: {}, reason, state },
  trades: size === 0 ? [] : [{
    ...{ from: "USDC", to: "WETH", amount: "950", min_out: "0.31", usd: 950, intent_id: null, tx_hash: null },
    ...(state === "failed"
      ? { state: "failed", bought: null, message: tooFar }
      : { state: "paper", bought: "0.3154", message: null })
  }],
  decided_at: ago(index * 60 + 4)
}))

const channelOf = (index: number, some: Readonly<Record<string, unknown>>) => ({
  ...{ channel_id: id(0xd00 + index), enabled: true, smtp_port: null, from: null, to: null, bot: null, bound: false },
  ...{ events: ["intent.failed", "gas.low", "guardian.tripped"], quiet_hours: null, digest_minutes: 0 },
  ...{ max_per_hour: 60, commands: "none", templates: {}, created_at: ago(9_000), ...some }
})

/** The first channel. */
export const channelId = id(0xd00)

const channels = [
  channelOf(0, {
    ...{ kind: "telegram", name: "phone", host: "api.telegram.org", bot: "my_vault_bot", bound: true },
    ...{ quiet_hours: "22:00-07:00 Europe/Berlin", commands: "pause" }
  }),
  channelOf(1, { kind: "slack", name: "desk", host: "hooks.slack.com", digest_minutes: 60 })
]

const messageOf = (index: number, some: Readonly<Record<string, unknown>>) => ({
  ...{ message_id: id(0xe00 + index), channel_id: id(0xd00), kind: "events", title: "Gas is low", events: 1 },
  ...{ state: "sent", attempts: 1, may_repeat: false, last_error: null, created_at: ago(index * 40 + 2) },
  ...{ next_attempt_at: null, ...some }
})

const messages = [
  messageOf(0, {}),
  messageOf(1, {
    ...{ channel_id: id(0xd01), title: "Bot paused itself", state: "dropped", attempts: 8 },
    last_error: "hooks.slack.com answered 404: no_service."
  }),
  messageOf(2, { title: "Guardian tripped", events: 3 })
]

const quantity = (asset: string, symbol: string, amount: number) => ({
  asset,
  symbol,
  amount: String(amount),
  raw: "1"
})
const charge = { usd: 0.1, native_wei: "30000000000000" }

interface TradeCall {
  readonly amount: BigDecimal.BigDecimal
  readonly dryRun?: boolean
  readonly from: string
  readonly to: string
}

export interface FixtureOptions {
  readonly vaults?: number
  readonly bots?: number
  readonly orders?: number
  /** False before the second sample. */
  readonly hasHistory?: boolean
  /** Networks whose nodes do not answer. */
  readonly dead?: ReadonlyArray<string>
  /** Percent by which a trade's quote is worse than the oracle. */
  readonly impact?: number
  /** True for a manager who has set nothing besides bots. */
  readonly isBare?: boolean
}

export const answersOf = (
  { bots = 6, dead = [], hasHistory = true, impact = 0.12, isBare = false, orders = 4, vaults = 5 }: FixtureOptions = {}
): Answers => ({
  ...webhookAnswers(isBare),
  whoAmI: () => ({
    ...{ manager, network: null, networks: [...networks], explorers: {}, protocol: "demo", version: "1", devnet: true }
  }),
  switches: () => [],
  managedVaults: () =>
    networks.map((network) => ({
      network,
      vaults: dead.includes(network) ? null : Array.from({ length: vaults }, (_, index) => index)
        .filter((index) => networkOf(index) === network)
        .map((index) => ({ pool: poolOf(index), name: vaultName(index), trader: walletOf(index) }))
    })),
  links: () =>
    Array.from({ length: vaults }, (_, index) => ({
      ...{ wallet: walletOf(index), label: walletLabels[index % 3], network: networkOf(index), pool: poolOf(index) },
      ...{ protocol: "demo", is_trader: index === 2 ? false : true, linked_at: ago(9_000) }
    })),
  activity: ({ limit, pool, status }: { limit: number; pool?: string; status?: string }) => ({
    entries: Array.from({ length: Math.min(limit, 24) }, (_, index) => entryOf(index)).filter((entry) =>
      (status !== "done" || entry.status === "final") && (pool === undefined || pool === entry.pool)
    ),
    cursor: null
  }),
  orders: () => ({ orders: Array.from({ length: orders }, (_, index) => orderOf(index)), cursor: null }),
  portfolio: () => portfolioOf(vaults, hasHistory),
  runs: () => [],
  "manager.getApprovals": () => ({
    ...{ status: "success", requests: [], is_approver: false, needed: 0, time_lock_hours: null, approvers: [] }
  }),
  "manager.getAssociatedGasWallets": () => ({
    status: "success",
    message: "",
    wallets: walletLabels.map((label, index) => ({ address: walletOf(index), label, since: ago(9_000) }))
  }),
  gasBalances: ({ network }: { network: string }) =>
    walletLabels.map((label, index) => ({
      ...{ network, address: walletOf(index), label, token: "ETH" },
      ...(dead.includes(network)
        ? { balance: null, error: "The network cannot be reached." }
        : index === 1 && network === "arbitrum"
        ? { balance: "0.0004", balance_usd: 1.2 }
        : { balance: "0.0512", balance_usd: 154.2 })
    })),
  "manager.getAllBots": () => ({
    status: "success",
    bots: Array.from({ length: bots }, (_, index) => botOf(index, vaults)),
    index_bots: []
  }),
  "manager.calculate-fee": () => ({
    status: "success",
    action: "trade",
    network: "base",
    fee_usd: 0.1,
    fee_native: "0.00003",
    token: "ETH"
  }),
  "wallet.poolComposition": ({ network }: { network: string }) =>
    dead.includes(network)
      ? `Network ${network} cannot be reached; its nodes do not answer.`
      : { status: "success", ...composition },
  "wallet.getPerformance": ({ pool }: { pool: string }) => ({
    status: "success",
    csv: null,
    data: performanceOf(
      Math.max(0, Array.from({ length: vaults }, (_, index) => poolOf(index)).indexOf(pool as `0x${string}`)),
      hasHistory
    )
  }),
  "manager.getAuditLog": ({ action }: { action?: string }) => ({
    ...{ status: "success", cursor: null },
    entries: action !== "bot.set" ? [] : [["WETH-USDC", "2500"], ["WBTC-USDC", "90"]].map(([pair, max_usd], index) => ({
      ...{ seq: 40 - index, at: ago(300 + index), action: "bot.set", description: "A bot was set." },
      ...{ wallet: walletOf(0), subject: id(index), actor_kind: "manager", actor: manager, from: null },
      ...{ credential: null, digest: "0".repeat(64) },
      details: {
        ...{ bot: "threshold", network: networkOf(0), pool: poolOf(0), pair, side: "long", share: 50, max_usd },
        ...{ paper: false, revision: 1, was: null }
      }
    }))
  }),
  "wallet.getTaxLots": ({ lots }: { lots?: string }) => ({
    ...{ status: "success", method: lots ?? "fifo", disposals: [], open: [], realised_usd: null, unrealised_usd: null },
    ...{ notes: [], csv: `method,${lots ?? "fifo"}` }
  }),
  "wallet.getTearsheet": () => ({ status: "success", html: "<!doctype html><title>Tearsheet</title>" }),
  "wallet.getIntents": () => ({
    status: "success",
    cursor: null,
    intents: Array.from({ length: 8 }, (_, index) => ({
      ...{ intent_id: id(index), endpoint: "setBot", status: index === 2 ? "fail" : "success", network: "base" },
      ...{ pool: poolOf(0), tx_hash: index === 2 ? null : hash },
      message: index === 2 ? entryOf(3).message : "Sold 1000 USDC for 0.332 WETH on uniswapV3.",
      ...{ created_at: ago(20 + index * 90), updated_at: ago(20 + index * 90) }
    }))
  }),
  "wallet.getIntent": () => ({
    ...{ status: "success", intent_id: id(1), tx_hash: hash, message: "" },
    intent: {
      ...{
        intent_id: id(1),
        endpoint: "vaultTrade",
        status: "success",
        network: "base",
        pool: poolOf(0),
        tx_hash: hash
      },
      ...{ message: "Sold 4558.6378 USDC for 1.5113 WETH on uniswapV3.", created_at: ago(0), updated_at: ago(0) },
      result: {},
      failure: null
    }
  }),
  "wallet.getWalletAuthority": ({ wallet }: { wallet: string }) => ({
    ...{ status: "success", address: wallet, api_key: null, managers: [], sessions: [], webhook_tokens: [] },
    ...{ webhooks: [], exchange_accounts: [], delegations: [], switches: [], channels: [], orders: [] },
    ...(wallet === walletOf(0) && !isBare ? atFirstVault : { bots: [], guardians: [], followers: [], sub_keys: [] }),
    limits: { vaults: null, max_usd_per_trade: "25000", max_usd_per_day: null, read_only: false, set_by: manager }
  }),
  "wallet.mintManagerFee": ({ network }: { network: string }) => ({
    ...{ status: "success", dryRun: true, plan: {}, intent_id: null, tx_hash: null, message: "Dry run." },
    ...{ network, pool: poolOf(0), manager, availableManagerFee: "12.5", hasFee: true, charge }
  }),
  "wallet.vaultTrade": ({ amount, dryRun, from, to }: TradeCall) => {
    const [sold, bought] = from === "USDC" ? [usdc, weth] : [weth, usdc]
    const price = from === "USDC" ? 1 / 3_012.5 : 3_012.5
    const size = BigDecimal.toNumberUnsafe(amount)
    const out = size * price * (1 - impact / 100)
    const plan = {
      ...{ venue: "uniswapV3", gas: "210000", gas_cost: "0.00021 ETH", charge },
      amountIn: quantity(sold, from, size),
      amountOut: quantity(bought, to, out),
      minOut: quantity(bought, to, out * 0.995)
    }
    return dryRun === true
      ? {
        ...{
          status: "success",
          dryRun: true,
          network: "base",
          plan,
          intent_id: null,
          tx_hash: null,
          message: "Dry run."
        }
      }
      : { ...{ status: "pending", intent_id: id(1), tx_hash: null, message: "In progress." } }
  },
  "wallet.placeOrder": ({ dryRun }: { dryRun?: boolean }) =>
    dryRun === true
      ? {
        ...{ status: "success", dryRun: true, intent_id: null, tx_hash: null, message: "Dry run: nothing was placed." },
        plan: { step: "wait", reason: "The price is 3012.5; it waits for 3400.", price: "3012.5", slice: null }
      }
      : { status: "success", intent_id: null, tx_hash: null, message: "Placed.", data: orderOf(0) },
  "wallet.getOrder": ({ order }: { order: string }) => ({
    status: "success",
    data: Array.from({ length: Math.max(orders, 2) }, (_, index) => orderOf(index)).find((each) => each.id === order) ??
      orderOf(0),
    slices: Array.from({ length: 5 }, (_, index) => ({
      ...{ slice: 5 - index, intent_id: id(index), amount: "0.2", state: index === 1 ? "failed" : "succeeded" },
      ...{
        sold: index === 1 ? null : "0.2",
        bought: index === 1 ? null : "602.11",
        tx_hash: index === 1 ? null : hash
      },
      ...{
        message: index === 1 ? "Price too far from the oracle." : null,
        begun_at: ago(30 * index),
        ended_at: ago(30 * index)
      }
    })),
    events: [
      { at: ago(5), kind: "slice_succeeded", reason: "Sold 0.2 WETH for 602.11 USDC." },
      { at: ago(40), kind: "slice_failed", reason: "Price too far from the oracle; it tries again." },
      { at: ago(300), kind: "placed", reason: "It was placed." }
    ]
  }),
  "wallet.getGuardians": ({ pool }: { pool: string }) => ({
    status: "success",
    message: null,
    guardians: isBare || pool !== poolOf(0) ? [] : guardians.map((data, index) => ({
      data,
      actions: index > 1 ? [] : [
        {
          ...{ step: 2, intent_id: id(2), action: "repay", asset: usdc, state: "in_progress", tx_hash: null },
          ...{ message: null, begun_at: ago(1), ended_at: null }
        },
        {
          ...{ step: 1, intent_id: id(1), action: "sell", asset: weth, state: "succeeded", tx_hash: hash },
          ...{ message: "Sold 0.4 WETH for 1205.1 USDC.", begun_at: ago(2), ended_at: ago(2) }
        }
      ],
      events: [
        { at: ago(1), kind: "action_begun", reason: "It repays 1200 USDC." },
        { at: ago(2), kind: "tripped", reason: "The health factor is 1.21, below the floor of 1.25." },
        { at: ago(9_000), kind: "set", reason: "It was set." }
      ]
    }))
  }),
  "wallet.setGuardian": ({ dryRun }: { dryRun?: boolean }) => ({
    ...{ status: "success", intent_id: null, tx_hash: null },
    data: dryRun === true ? null : guardians[1],
    plan: {
      ...{ step: "wait", reading: "The share price is 1.0312.", reason: "It is 0.4 % below the day’s first." },
      action: "sell 9.41 WETH for USDC"
    },
    message: dryRun === true ? "Dry run: nothing was set." : "The loss_breaker guardian is set."
  }),
  "wallet.resetGuardian": () => ({ status: "success", data: guardians[1], message: "The guardian is armed again." }),
  "wallet.deleteGuardian": () => ({ status: "success", data: guardians[1], message: "The guardian is deleted." }),
  "wallet.getFollowers": ({ pool }: { pool: string }) => ({
    ...{ status: "success", message: null, followers: isBare || pool !== poolOf(0) ? [] : [followed] }
  }),
  "wallet.setFollower": ({ dryRun }: { dryRun?: boolean }) => ({
    ...{ status: "success", data: dryRun === true ? null : follower },
    plan: {
      ...{ step: "trade", reading: follower.reading, reason: "WETH is below its target." },
      ...{ weights: follower.weights, trades: ["1000 USDC for WETH"] }
    },
    message: dryRun === true ? "Dry run: nothing was set." : "The vault follows the leader."
  }),
  "wallet.removeFollower": () => ({
    status: "success",
    data: follower,
    message: "The vault no longer follows the leader."
  }),
  "wallet.getStrategies": () => ({ status: "success", strategies }),
  "wallet.getStrategyBots": ({ pool }: { pool: string }) => ({
    ...{ status: "success", message: null },
    bots: isBare || pool !== poolOf(0) ? [] : [{
      ...{ data: strategyBot, decisions, candles: [] },
      events: [{ at: ago(9_000), kind: "set", reason: "It was set." }]
    }]
  }),
  "wallet.setStrategyBot": ({ mode }: { mode?: string }) => ({
    ...{ status: "success", data: strategyBot },
    message: `The bot of ema-cross is set${mode === "live" ? "" : " on paper"}.`
  }),
  "wallet.deleteStrategyBot": () => ({ status: "success", data: strategyBot, message: "The bot is deleted." }),
  "manager.getChannels": () => ({ status: "success", channels: isBare ? [] : channels }),
  "manager.getChannelMessages": ({ channel_id: channel }: { channel_id?: string }) => ({
    status: "success",
    messages: isBare ? [] : messages.filter(({ channel_id }) => channel === undefined || channel === channel_id)
  }),
  "manager.createChannel": () => ({
    ...{ status: "success", channel: { ...channels[0], bound: false }, bind_code: "the-one-time-code" },
    ...{ bind_url: "https://t.me/my_vault_bot?start=the-one-time-code", bind_expires_at: ago(-30) },
    message: "Send /start and the code to the bot."
  }),
  "manager.updateChannel": () => ({
    ...{ status: "success", channel: channels[0], bind_code: null, bind_url: null, bind_expires_at: null },
    message: "The channel is changed."
  }),
  "manager.testChannel": () => ({ status: "success", delivered: true, message: "The test message was accepted." }),
  "manager.deleteChannel": () => ({ status: "success", message: "The channel is deleted." }),
  toSign: () => ({ typedData: {}, prefix: "v2.1.0123456789abcdef." }),
  "signed.createSubKey": ({ wallet }: { wallet: string }) => ({
    ...{ status: "success", address: wallet, apiKey: newKey, sub_key: subKey },
    message: "The sub-key is shown only in this response."
  }),
  "signed.setKeyLimits": ({ wallet }: { wallet: string }) => ({
    ...{ status: "success", address: wallet, message: "The limits are set as requested." },
    limits: { vaults: null, max_usd_per_trade: "250", max_usd_per_day: null, read_only: false }
  }),
  "wallet.revokeSubKey": () => ({ status: "success", revoked: 1, message: "Ended 1 sub-key." }),
  "wallet.cancelOrder": () => ({ status: "success", orders: [], message: "Cancelled 1 order." })
})
