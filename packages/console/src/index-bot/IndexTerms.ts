/** Form values of an index, and the API's parameters that they are. */
import { defaults } from "@vault-trader/core/index-bot/IndexBot"
import type { Value } from "@vault-trader/core/console/Snippet"
import type { Index } from "../bots/Bots.ts"
import { largestSize } from "../vault/TradeSize.ts"

export interface TargetRow {
  /** Identifies the row independently of its content. */
  readonly key: string
  readonly asset: string
  readonly weight: string
  /** Empty for the index's tolerance. */
  readonly tolerance: string
}

export interface IndexTerms {
  readonly wallet: string
  readonly network: string
  readonly pool: string
  readonly targets: ReadonlyArray<TargetRow>
  readonly interval: string
  readonly max_usd: string
  readonly min_trade_usd: string
  readonly tolerance: string
  readonly slippage: string
  readonly quote: string
  readonly platform: string
  readonly enabled: boolean
  readonly paper: boolean
}

export const rowOf = (asset = "", weight = "", tolerance = ""): TargetRow => ({
  key: crypto.randomUUID(),
  asset,
  weight,
  tolerance
})

export const newTerms = (wallet: string): IndexTerms => ({
  wallet,
  network: "",
  pool: "",
  targets: [rowOf("WETH", "50"), rowOf("USDC", "50")],
  interval: "1d",
  max_usd: largestSize,
  min_trade_usd: defaults.minTradeUsd,
  tolerance: String(defaults.tolerance),
  slippage: String(defaults.slippage),
  quote: defaults.quote,
  platform: "auto",
  enabled: false,
  paper: false
})

/** Formats seconds as `6h`. */
const intervalOf = (seconds: number): string => {
  const [size, unit] = ([[86_400, "d"], [3_600, "h"], [60, "m"]] as const).find(([each]) => seconds % each === 0) ??
    [1, "s"]
  return `${seconds / size}${unit}`
}

/** Returns the form values of an existing index. */
export const termsOf = (bot: Index): IndexTerms => ({
  wallet: bot.gasWallet,
  network: bot.network,
  pool: bot.pool,
  targets: bot.targets.map(({ asset, tolerance, weight }) =>
    rowOf(asset, String(weight), tolerance === bot.tolerance ? "" : String(tolerance))
  ),
  interval: intervalOf(bot.interval),
  max_usd: String(bot.max_usd),
  min_trade_usd: String(bot.min_trade_usd),
  tolerance: String(bot.tolerance),
  slippage: String(bot.slippage),
  quote: bot.quote,
  platform: bot.platform,
  enabled: bot.enabled,
  paper: bot.paper
})

const number = (text: string): string | number => /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text.trim()

/** Builds the list of targets. */
export const targetsOf = (rows: ReadonlyArray<TargetRow>) =>
  rows.map(({ asset, tolerance, weight }) => ({
    asset: asset.trim(),
    weight: number(weight),
    ...(tolerance.trim() === "" ? {} : { tolerance: number(tolerance) })
  }))

/** Returns the sum of the weights that are numbers, in percent. */
export const sumOf = (rows: ReadonlyArray<TargetRow>): number =>
  Math.round(rows.reduce((sum, { weight }) => sum + (Number.isFinite(Number(weight)) ? Number(weight) : 0), 0) * 1e6) /
  1e6

/** Builds the API's parameters. Empty fields are omitted, so that their defaults apply. */
export const paramsOf = (
  { enabled, paper, targets, wallet: _, ...terms }: IndexTerms
): Readonly<Record<string, Value>> => ({
  ...Object.fromEntries(
    Object.entries(terms).filter(([, value]) => value.trim() !== "").map((
      [name, value]
    ) => [name, ["max_usd", "min_trade_usd", "tolerance", "slippage"].includes(name) ? number(value) : value.trim()])
  ) as Readonly<Record<string, string | number>>,
  targets: targetsOf(targets),
  ...(enabled ? { enabled } : {}),
  ...(paper ? { paper } : {})
})
