/** Form values of a bot, and the API's parameters that they are. */
import type { Bot } from "../bots/Bots.ts"
import { platforms } from "@vault-trader/core/venue/VenueName"
import { largestSize } from "../vault/TradeSize.ts"

export interface BotTerms {
  readonly wallet: string
  readonly network: string
  readonly pool: string
  readonly pair: string
  readonly side: string
  readonly threshold: string
  readonly share: string
  readonly max_usd: string
  readonly slippage: string
  /** Empty: the default, 0.3 % more than a small trade loses. */
  readonly max_impact: string
  /** Empty for the API's default. */
  readonly platform: string
  readonly lending: boolean
  readonly auto_enable: boolean
  readonly paper: boolean
}

/** The form as a bot is set now. */
export const termsOf = (bot: Bot): BotTerms => ({
  wallet: bot.gasWallet,
  network: bot.network,
  pool: bot.pool,
  pair: bot.pair,
  side: bot.side,
  threshold: String(bot.threshold),
  share: String(bot.share),
  max_usd: String(bot.max_usd),
  slippage: String(bot.slippage),
  max_impact: bot.max_impact === null ? "" : String(bot.max_impact),
  platform: bot.platform === "auto" ? "" : bot.platform,
  lending: bot.lending,
  auto_enable: bot.auto_enable,
  paper: bot.paper
})

export const newTerms: BotTerms = {
  wallet: "",
  network: "",
  pool: "",
  pair: "WETH-USDC",
  side: "long",
  threshold: "1",
  share: "100",
  max_usd: largestSize,
  slippage: "1",
  max_impact: "",
  platform: "",
  lending: false,
  auto_enable: false,
  paper: false
}

/** Builds the API's parameters. Empty fields are omitted, so that their defaults apply. */
export const paramsOf = (
  { auto_enable, lending, paper, wallet: _, ...terms }: BotTerms
): Readonly<Record<string, string | number | boolean>> => {
  const text = Object.entries(terms).filter(([, value]) => value.trim() !== "").map(([name, value]) => {
    const trimmed = value.trim()
    return [
      name,
      ["threshold", "share", "max_usd", "slippage", "max_impact"].includes(name) && /^\d+(\.\d+)?$/.test(trimmed)
        ? Number(trimmed)
        : trimmed
    ]
  })
  return {
    ...Object.fromEntries(text) as Record<string, string | number>,
    ...(lending ? { lending } : {}),
    ...(auto_enable ? { auto_enable } : {}),
    ...(paper ? { paper } : {})
  }
}

/** Returns the form's venue or way to choose one, "auto" by default. */
export const venueOf = ({ platform }: { readonly platform?: string }) =>
  platforms.find((known) => known === platform) ?? "auto"

/** Returns the spender that is approved for the form's bot. A venue that is chosen for each trade is not known before. */
export const spenderOf = (terms: { readonly platform?: string }) => {
  const venue = venueOf(terms)
  return venue === "best" ? "auto" : venue
}

/** Trades are counted up to this number. */
export const maxCounted = 1_000

/**
 * Returns how many trades a bot makes until its pair is on its side, if prices stay; amounts are in USD. The bot stops
 * once the wrong side is no more than the threshold.
 */
export const tradesUntilDone = (
  { max, share, threshold, total, wrong }: {
    readonly wrong: number
    readonly total: number
    readonly max: number
    readonly share: number
    readonly threshold: number
  }
): number => {
  let left = wrong
  let count = 0
  while (count < maxCounted && left > 0.005 && left > total * threshold / 100) {
    left -= Math.min(left * share / 100, max)
    count += 1
  }
  return count
}
