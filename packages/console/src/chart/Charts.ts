/** Live queries for the charts of a vault. All data is stored by the service. */
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import { useLive } from "../connection/useLive.ts"
import type { Link } from "../vault/useVaults.ts"
import type { Mark } from "./Chart.tsx"
import { t } from "../text/Text.ts"

/** A series of candles: the exchange's ccxt id, the pair as the exchange lists it, and the timeframe. */
export interface Candles {
  readonly exchange: string
  readonly pair: string
  readonly timeframe: string
}

export const timeframes = { "5m": 300, "15m": 900, "1h": 3_600, "6h": 21_600, "1d": 86_400 } as const

export const useCandles = ({ wallet }: Link, { exchange, pair, timeframe }: Candles) =>
  useLive(
    ["candles", exchange, pair, timeframe],
    (client) => client.live["wallet.getCandles"]({ wallet, exchange, pair, timeframe, bars_back: 200 }),
    ({ candles }) => candles
  )

export const useTrades = ({ network, pool, wallet }: Link) =>
  useLive(
    ["trades", wallet, network, pool],
    (client) => client.live.activity({ wallet, network, pool, status: "done", limit: 100 }),
    ({ entries }) => entries
  )

export const useDays = ({ network, pool, wallet }: Link) =>
  useLive(
    ["days", wallet, network, pool],
    (client) => client.live["wallet.getReport"]({ wallet, network, pool }),
    ({ days }) => days
  )

export const useRuns = ({ network, pool, wallet }: Link) =>
  useLive(["runs", wallet, network, pool], (client) => client.live.runs({ wallet, network, pool }))

/** Exchange symbols of wrapped tokens. */
const exchangeSymbols: Readonly<Record<string, string>> = { WETH: "ETH", WBTC: "BTC", WMATIC: "POL", WHYPE: "HYPE" }
const listedSymbol = (symbol: string) => exchangeSymbols[symbol] ?? symbol

/** Converts a bot's pair to the form in which exchanges list it. */
export const pairOf = (pair: string): string => pair.split("-").map(listedSymbol).join("-")

/** A trade of a pair, as a table row. */
interface Trade {
  readonly id: string
  readonly at: Date
  readonly side: "buy" | "sell"
  readonly text: string
  readonly by: string
}

/** Returns the trades that bought or sold the base, oldest first. */
export const tradesOf = (entries: ReadonlyArray<ActivityEntry>, pair: string): ReadonlyArray<Trade> => {
  const [base = ""] = pair.split("-")
  return entries.flatMap((entry): ReadonlyArray<Trade> => {
    const { action, bot, created_at, id, in: incoming, message, out } = entry
    if (out.length === 0 || incoming.length === 0) return []
    const side = incoming.some(({ symbol }) => listedSymbol(symbol) === base)
      ? "buy"
      : out.some(({ symbol }) => listedSymbol(symbol) === base)
      ? "sell"
      : undefined
    return side === undefined
      ? []
      : [{ id, at: new Date(created_at), side, text: message, by: bot === null ? action : t("bot {bot}", { bot }) }]
  }).reverse()
}

/**
 * Places each trade at its candle. Trades after the last closed candle are placed there; trades before the first are
 * omitted.
 */
export const marksOf = (
  trades: ReadonlyArray<Trade>,
  candles: ReadonlyArray<{ readonly time: number }>
): ReadonlyArray<Mark> =>
  trades.flatMap(({ at, side }): ReadonlyArray<Mark> => {
    const time = candles.findLast((candle) => candle.time <= at.getTime() / 1000)?.time
    return time === undefined ? [] : [{ time, side, text: side === "buy" ? "B" : "S" }]
  })
