/** Formats times, dollars and quantities of a backtest. */
import { format, usd } from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"

/** `2026-01-31 18:00`, UTC. */
export const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")

export const dollarText = (usd18: bigint): string => {
  const dollars = usd(usd18)
  return `${dollars < 0 ? "-" : ""}$ ${
    Math.abs(dollars).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  }`
}

/** Formats a quantity with six significant digits. */
export const quantityText = (token: Token, raw: bigint): string => {
  const value = Number(format(raw, token.decimals))
  return `${
    value.toLocaleString("en-US", { maximumSignificantDigits: Math.max(6, Math.floor(value).toString().length) })
  } ${token.symbol}`
}

const units = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]] as const

/** `6 hours`. */
export const spanText = (seconds: number): string => {
  const [unit, each] = units.find(([, of]) => seconds % of === 0) ?? ["second", 1]
  return `${seconds / each} ${unit}${seconds === each ? "" : "s"}`
}

/** `360 bars of 6 hours`. */
export const barsOf = (count: number, step: number): string =>
  step === 0 ? `${count} bars` : `${count} bars of ${spanText(step)}`
