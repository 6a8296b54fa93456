/** The prices of a backtest: candles of an exchange, or files of the user's, which are read in the browser only. */
import type { Address } from "@vault-trader/core/chain/Address"
import { useRef, useState } from "react"
import { call } from "../connection/RpcConnection.ts"
import type { Answer, SeriesNote, Source } from "./BacktestJob.ts"
import { faultText, seriesText } from "./BacktestTexts.ts"
import { start } from "./useBacktest.ts"
import { t } from "../text/Text.ts"

/** Most candles that the service returns at once. */
const pageSize = 1_000
/** Most candles of one asset. */
export const maxCandles = 20_000

export interface ExchangeSeries {
  readonly wallet: string
  readonly exchange: string
  /** As the exchange lists it. */
  readonly pair: string
  readonly timeframe: string
  readonly bars: number
}

/** Reads candles page by page, the newest first; `report` gets how many there are. */
const candlesOf = async (
  { bars, exchange, pair, timeframe, wallet }: ExchangeSeries,
  report: (count: number) => void
): Promise<ReadonlyArray<unknown>> => {
  let rows: ReadonlyArray<{ readonly time: number }> = []
  while (rows.length < bars) {
    const asked = Math.min(pageSize, bars - rows.length)
    const oldest = rows[0]?.time
    const { candles } = await call((client) =>
      client.wallet.getCandles({
        ...{ wallet: wallet as Address, exchange, pair, timeframe, bars_back: asked },
        ...(oldest === undefined ? {} : { before: oldest })
      })
    )
    const older = candles.filter(({ time }) => oldest === undefined || time < oldest)
    rows = [...older, ...rows]
    report(rows.length)
    if (older.length < asked) break
  }
  return rows
}

export type SourceState =
  | { readonly _tag: "loading"; readonly count: number }
  | { readonly _tag: "ready"; readonly source: Source; readonly series: SeriesNote | null; readonly count: number }
  | { readonly _tag: "failed"; readonly message: string }

type States = Readonly<Record<string, SourceState | undefined>>

export const textOfState = (state: SourceState): string => {
  switch (state._tag) {
    case "loading":
      return t("Reading… {count} candles so far", { count: state.count })
    case "failed":
      return state.message
    case "ready":
      return t("{name}: {content}", {
        name: state.source.name,
        content: state.series === null
          ? t("{count, plural, one {# signal} other {# signals}}", { count: state.count })
          : seriesText(state.series)
      })
  }
}

const stateOf = (source: Source, answer: Answer): SourceState =>
  answer._tag === "described"
    ? { _tag: "ready", source, series: answer.series, count: answer.count }
    : {
      _tag: "failed",
      message: answer._tag === "refused"
        ? faultText("threshold", answer.fault)
        : faultText("threshold", { code: "broken" })
    }

/** The sources by key: an asset's symbol, `signals` or `inverse`. The last choice for a key counts. */
export const useSources = () => {
  const [states, setStates] = useState<States>({})
  const latest = useRef<Record<string, number>>({})
  const begin = (key: string) => {
    const number = (latest.current[key] ?? 0) + 1
    latest.current[key] = number
    return (state: SourceState | undefined) => {
      if (latest.current[key] === number) setStates((before) => ({ ...before, [key]: state }))
    }
  }
  const describe = async (key: string, reading: Promise<Source>, set: (state: SourceState) => void) => {
    const state = await reading.then(
      async (source) =>
        stateOf(
          source,
          await start({ _tag: "describe", source, content: key === "signals" ? "signals" : "candles" }).answer
        ),
      (error: unknown): SourceState => ({
        _tag: "failed",
        message: error instanceof Error ? error.message : String(error)
      })
    )
    set(state)
  }
  return {
    states,
    sources: Object.fromEntries(
      Object.entries(states).map(([key, state]) => [key, state?._tag === "ready" ? state.source : undefined])
    ),
    readFile: (key: string, file: File) => {
      const set = begin(key)
      set({ _tag: "loading", count: 0 })
      void describe(key, file.text().then((text) => ({ name: file.name, text })), set)
    },
    readExchange: (key: string, series: ExchangeSeries) => {
      const set = begin(key)
      set({ _tag: "loading", count: 0 })
      const reading = candlesOf(series, (count) => set({ _tag: "loading", count })).then((rows) => ({
        name: t("{pair} of {exchange}", { pair: series.pair, exchange: series.exchange }),
        text: JSON.stringify(rows)
      }))
      void describe(key, reading, set)
    },
    remove: (key: string) => begin(key)(undefined)
  }
}

export type Sources = ReturnType<typeof useSources>
