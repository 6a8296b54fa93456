/**
 * A chart on a canvas, loaded on first use. A table shows the same data, so the chart is hidden from screen readers.
 */
import { Anchor, Box, Text, useComputedColorScheme } from "@mantine/core"
import {
  CandlestickSeries,
  type CandlestickData,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  LineSeries,
  type LineData,
  type SeriesMarker,
  type UTCTimestamp
} from "lightweight-charts"
import { useEffect, useRef } from "react"

/** Data of a chart. Times are unix seconds, ascending and unique. */
export type ChartData =
  | {
    readonly kind: "candles"
    readonly candles: ReadonlyArray<Readonly<Record<"time" | "open" | "high" | "low" | "close", number>>>
    readonly marks: ReadonlyArray<Mark>
  }
  | {
    readonly kind: "line"
    readonly points: ReadonlyArray<{ readonly time: number; readonly value: number }>
    readonly unit: string
  }

export interface Mark {
  readonly time: number
  readonly side: "buy" | "sell"
  readonly text: string
}

const at = (time: number) => time as UTCTimestamp

const draw = (chart: IChartApi, data: ChartData) => {
  if (data.kind === "line") {
    const line = chart.addSeries(LineSeries, {
      lineWidth: 2,
      color: "#228be6",
      priceFormat: {
        type: "custom",
        formatter: (value: number) => `${value.toFixed(4)} ${data.unit}`,
        minMove: 0.0001
      }
    })
    line.setData(data.points.map(({ time, value }): LineData<UTCTimestamp> => ({ time: at(time), value })))
    return
  }
  // Up and down differ only in colour; the table has the same data for users who cannot distinguish the colours.
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: "#2b8a3e",
    downColor: "#e03131",
    borderVisible: false,
    wickUpColor: "#2b8a3e",
    wickDownColor: "#e03131"
  })
  candles.setData(
    data.candles.map(({ time, ...candle }): CandlestickData<UTCTimestamp> => ({ time: at(time), ...candle }))
  )
  createSeriesMarkers(
    candles,
    data.marks.map(({ side, text, time }): SeriesMarker<UTCTimestamp> => ({
      time: at(time),
      text,
      position: side === "buy" ? "belowBar" : "aboveBar",
      shape: side === "buy" ? "arrowUp" : "arrowDown",
      color: side === "buy" ? "#228be6" : "#e8590c"
    }))
  )
}

export function Chart({ data }: { readonly data: ChartData }) {
  const box = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme("light")
  useEffect(() => {
    if (box.current === null) return
    const grid = scheme === "dark" ? "#373a40" : "#e9ecef"
    const chart = createChart(box.current, {
      autoSize: true,
      layout: {
        background: { color: "transparent" },
        textColor: scheme === "dark" ? "#c9c9c9" : "#343a40",
        attributionLogo: false
      },
      grid: { vertLines: { color: grid }, horzLines: { color: grid } },
      // The page is in English, and the browser's locale may be invalid for formatting.
      localization: { locale: "en" },
      timeScale: { timeVisible: true, borderColor: grid },
      rightPriceScale: { borderColor: grid },
      // The wheel scrolls the page, not the chart.
      handleScroll: { mouseWheel: false },
      handleScale: { mouseWheel: false }
    })
    draw(chart, data)
    const fit = () => chart.timeScale().fitContent()
    fit()
    const resizeObserver = new ResizeObserver(fit)
    resizeObserver.observe(box.current)
    return () => {
      resizeObserver.disconnect()
      chart.remove()
    }
  }, [scheme, JSON.stringify(data)])
  return (
    <Box>
      <Box ref={box} h={280} aria-hidden="true" />
      <Text size="xs" c="dimmed" ta="right">
        Charts by{" "}
        <Anchor size="xs" href="https://www.tradingview.com/" target="_blank" rel="noreferrer" underline="always">
          TradingView
        </Anchor>{" "}
        Lightweight Charts™
      </Text>
    </Box>
  )
}
