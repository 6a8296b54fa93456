/**
 * A chart on a canvas, loaded on first use. A table shows the same data, so the chart is hidden from screen readers.
 */
import { Anchor, Box, Group, Text, useComputedColorScheme } from "@mantine/core"
import {
  AreaSeries,
  CandlestickSeries,
  type CandlestickData,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  LineSeries,
  LineStyle,
  type LineData,
  type SeriesMarker,
  type UTCTimestamp
} from "lightweight-charts"
import { useEffect, useRef } from "react"
import { T } from "../text/Sentence.tsx"
import { locale } from "../text/Text.ts"

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
  /** A value over time. The line breaks at points without a value. */
  | {
    readonly kind: "value"
    /** Of the line; needed where others are compared with it. */
    readonly name?: string
    /** Lines to compare it with, at most two. */
    readonly compared?: ReadonlyArray<{
      readonly name: string
      readonly points: ReadonlyArray<{ readonly time: number; readonly value: number }>
    }>
    readonly points: ReadonlyArray<{ readonly time: number; readonly value: number | null }>
    readonly format: (value: number) => string
    /** The smallest difference that the format shows; the axis has no finer one. */
    readonly step: number
    readonly marks: ReadonlyArray<Mark>
  }

export interface Mark {
  readonly time: number
  readonly side: "buy" | "sell"
  readonly text: string
}

const at = (time: number) => time as UTCTimestamp

/** The chart's colours in a scheme; the page's styles do not reach a canvas. */
const coloursOf = (scheme: "light" | "dark") =>
  scheme === "dark"
    ? {
      line: "#979fec",
      fill: "rgba(151, 159, 236, 0.28)",
      none: "rgba(151, 159, 236, 0)",
      grid: "#262b37",
      text: "#b6bcc9",
      compared: ["#ffa94d", "#adb5bd"]
    }
    : {
      line: "#3f49ad",
      fill: "rgba(63, 73, 173, 0.22)",
      none: "rgba(63, 73, 173, 0)",
      grid: "#e9ecf2",
      text: "#454c58",
      compared: ["#b35900", "#5a5a5a"]
    }

const markers = (marks: ReadonlyArray<Mark>) =>
  marks.map(({ side, text, time }): SeriesMarker<UTCTimestamp> => ({
    time: at(time),
    text,
    position: side === "buy" ? "belowBar" : "aboveBar",
    shape: side === "buy" ? "arrowUp" : "arrowDown",
    color: side === "buy" ? "#2b8a3e" : "#e8590c"
  }))

/** Returns the median time between two points. */
const typicalStep = (points: ReadonlyArray<{ readonly time: number }>): number => {
  const steps = points.slice(1).map(({ time }, index) => time - (points[index]?.time ?? time)).sort((one, other) =>
    one - other
  )
  return Math.max(1, steps[Math.floor(steps.length / 2)] ?? 1)
}

/** Most times that fill one gap. */
const maxFill = 200

/** Returns evenly spaced times between two, without them. */
const between = (from: number, to: number, step: number): ReadonlyArray<number> => {
  const count = Math.min(maxFill, Math.floor((to - from) / step) - 1)
  return count < 1
    ? []
    : Array.from({ length: count }, (_, index) => Math.round(from + (to - from) * (index + 1) / (count + 1)))
}

/** Splits a curve where it has no value. A series of its own is drawn for each part: one series would bridge the gap. */
const unbroken = (points: ReadonlyArray<{ readonly time: number; readonly value: number | null }>) => {
  const parts: Array<Array<{ readonly time: number; readonly value: number }>> = [[]]
  for (const { time, value } of points) {
    if (value !== null) parts.at(-1)?.push({ time, value })
    else if (parts.at(-1)?.length !== 0) parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

/** Dashes by which lines differ without their colours. */
const dashes = [LineStyle.Dashed, LineStyle.Dotted] as const
const dashNames = ["dashed", "dotted"] as const

const drawCompared = (chart: IChartApi, data: ChartData & { readonly kind: "value" }, scheme: "light" | "dark") => {
  const { compared: colours } = coloursOf(scheme)
  for (const [place, { points }] of (data.compared ?? []).entries()) {
    const line = chart.addSeries(LineSeries, {
      lineWidth: 2,
      color: colours[place % colours.length] ?? "",
      lineStyle: dashes[place % dashes.length] ?? LineStyle.Solid,
      lastValueVisible: false,
      priceLineVisible: false,
      priceFormat: { type: "custom", formatter: data.format, minMove: data.step }
    })
    line.setData(points.map(({ time, value }): LineData<UTCTimestamp> => ({ time: at(time), value })))
  }
}

/** Names the lines of a chart that compares. */
function Legend({ data, scheme }: { readonly data: ChartData; readonly scheme: "light" | "dark" }) {
  if (data.kind !== "value" || data.compared === undefined) return null
  const { compared, line } = coloursOf(scheme)
  const lines = [
    { name: data.name ?? "", color: line, dash: "solid" },
    ...data.compared.map(({ name }, place) => ({
      name,
      color: compared[place % compared.length] ?? "",
      dash: dashNames[place % dashNames.length] ?? "solid"
    }))
  ]
  return (
    <Group gap="md" mt={4}>
      {lines.map(({ color, dash, name }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <Box w={22} style={{ borderTop: `3px ${dash} ${color}` }} aria-hidden="true" />
          <Text size="xs">{name}</Text>
        </Group>
      ))}
    </Group>
  )
}

const draw = (chart: IChartApi, data: ChartData, scheme: "light" | "dark") => {
  if (data.kind === "value") {
    const { fill, line, none } = coloursOf(scheme)
    const parts = unbroken(data.points)
    const step = typicalStep(data.points)
    drawCompared(chart, data, scheme)
    parts.forEach((points, index) => {
      const isLast = index === parts.length - 1
      const area = chart.addSeries(AreaSeries, {
        lineWidth: 2,
        lineColor: line,
        topColor: fill,
        bottomColor: none,
        lastValueVisible: isLast,
        priceLineVisible: isLast,
        priceFormat: { type: "custom", formatter: data.format, minMove: data.step }
      })
      // Times without a value give a gap its width: the chart places times side by side, however far apart they are.
      const next = parts[index + 1]?.[0]?.time
      area.setData([
        ...points.map(({ time, value }) => ({ time: at(time), value })),
        ...(next === undefined ? [] : between(points.at(-1)?.time ?? next, next, step)).map((time) => ({
          time: at(time)
        }))
      ])
      const [from, to] = [points[0]?.time ?? 0, isLast ? Infinity : points.at(-1)?.time ?? 0]
      createSeriesMarkers(area, markers(data.marks.filter(({ time }) => time >= from && time <= to)))
    })
    return
  }
  if (data.kind === "line") {
    const line = chart.addSeries(LineSeries, {
      lineWidth: 2,
      color: coloursOf(scheme).line,
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
  createSeriesMarkers(candles, markers(data.marks))
}

/** Makes the chart in an element. Returns a function that removes it. */
const mount = (element: HTMLElement, data: ChartData, scheme: "light" | "dark"): () => void => {
  const { grid, text } = coloursOf(scheme)
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: text,
      attributionLogo: false
    },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    // The browser's locale may be invalid for formatting.
    localization: { locale },
    timeScale: { timeVisible: true, borderColor: grid },
    rightPriceScale: { borderColor: grid },
    // The wheel scrolls the page, not the chart.
    handleScroll: { mouseWheel: false },
    handleScale: { mouseWheel: false }
  })
  draw(chart, data, scheme)
  // The observer fits the chart also to the size that it has now.
  const resizeObserver = new ResizeObserver(() => chart.timeScale().fitContent())
  resizeObserver.observe(element)
  return () => {
    resizeObserver.disconnect()
    chart.remove()
  }
}

/** Calls a function in a task of its own when the page is drawn. Returns a function that cancels it. */
const whenDrawn = (make: () => void): () => void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(make)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

export function Chart({ data, height = 280 }: { readonly data: ChartData; readonly height?: number }) {
  const box = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme("light")
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let unmount = () => {}
    // The chart measures its element: made within React's task, it would have the browser lay the page out twice.
    const cancel = whenDrawn(() => {
      unmount = mount(element, data, scheme)
    })
    return () => {
      cancel()
      unmount()
    }
  }, [scheme, JSON.stringify(data)])
  return (
    <Box>
      <Box ref={box} h={height} aria-hidden="true" />
      <Legend data={data} scheme={scheme} />
      <Text size="xs" c="dimmed" ta="right">
        <T
          message="Charts by <0>TradingView</0> Lightweight Charts™"
          parts={[
            <Anchor size="xs" href="https://www.tradingview.com/" target="_blank" rel="noreferrer" underline="always" />
          ]}
        />
      </Text>
    </Box>
  )
}
