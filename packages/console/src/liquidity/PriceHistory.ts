/** The price of one asset in another over time, by closed candles of an exchange. */
import { pairOf } from "../chart/Charts.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"

/** The exchange whose candles are shown, as on the charts page. */
const exchange = "coinbase"
const bars = 200

/** Lengths of a candle, and the days that all candles of one make. */
export const timeframes = [["1h", 8], ["6h", 50], ["1d", 200]] as const
export type Timeframe = typeof timeframes[number][0]

interface Point {
  /** Unix seconds. */
  readonly time: number
  readonly price: number
}

export interface PriceHistory {
  /** The pair as the exchange lists it. */
  readonly pair: string
  readonly exchange: string
  /** Oldest first; empty where the exchange has no candles of the pair. */
  readonly points: ReadonlyArray<Point>
  readonly isPending: boolean
}

const useClosings = ({ wallet }: VaultRef, pair: string | undefined, timeframe: Timeframe) =>
  useLive(
    ["candles", exchange, pair, timeframe],
    pair === undefined
      ? undefined
      : (client) => client.live["wallet.getCandles"]({ wallet, exchange, pair, timeframe, bars_back: bars }),
    ({ candles }) => candles
  )

/** Follows the price of `first` in `second`. An exchange lists a pair in one direction: the other is tried after it. */
export const usePriceHistory = (
  vault: VaultRef,
  first: string,
  second: string,
  timeframe: Timeframe
): PriceHistory => {
  const [straight, reverse] = [pairOf(`${first}-${second}`), pairOf(`${second}-${first}`)]
  const listed = useClosings(vault, straight, timeframe)
  const isMissing = listed.data === undefined ? listed.error !== null : listed.data.length === 0
  const other = useClosings(vault, isMissing ? reverse : undefined, timeframe)
  const candles = (isMissing ? other : listed).data ?? []
  return {
    exchange,
    pair: isMissing ? reverse : straight,
    points: candles.flatMap(({ close, time }) => close > 0 ? [{ time, price: isMissing ? 1 / close : close }] : []),
    isPending: isMissing ? other.isPending && other.error === null : listed.isPending && listed.error === null
  }
}
