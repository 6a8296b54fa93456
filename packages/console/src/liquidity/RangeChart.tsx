/**
 * The history of a price with a range in it, whose ends are dragged by mouse or touch, or moved by keys. The picture is
 * for the eye: each end is a slider with its words.
 */
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react"
import { price, signedPercent } from "../shell/Format.ts"
import {
  distanceOf,
  type End,
  heightOf,
  moved,
  pressed,
  priceAt,
  priceOf,
  type PriceRange,
  type Shown
} from "./Ranges.ts"
import { t } from "../text/Text.ts"

/** Points of the curve, in percent of the picture's width and height. */
const curveOf = (shown: Shown, prices: ReadonlyArray<number>): string =>
  prices.map((value, index) => `${index / Math.max(1, prices.length - 1) * 100},${heightOf(shown, value)}`).join(" ")

/** The room that a grip needs beside its line, in percent of the picture's height; it lies inside where there is less. */
const leastRoom = 8

interface EndProps {
  readonly end: End
  readonly range: PriceRange
  readonly current: number | undefined
  readonly shown: Shown
  /** The unit of prices, such as "USDC per WETH". */
  readonly unit: string
  readonly plot: RefObject<HTMLDivElement | null>
  readonly hold: (isHeld: boolean) => void
  readonly isHeld: boolean
  readonly change: (range: PriceRange) => void
}

/** Says where an end is. */
const wordsOf = (value: number | undefined, current: number | undefined, unit: string): string =>
  value === undefined
    ? t("unbounded")
    : current === undefined
    ? t("{price} {unit}", { price: price(value), unit })
    : t("{price} {unit}, {distance} from the present price", {
      ...{ price: price(value), unit },
      distance: signedPercent(distanceOf(value, current))
    })

function RangeEnd({ change, current, end, hold, isHeld, plot, range, shown, unit }: EndProps) {
  const value = priceOf(range[end])
  const edge = end === "lower" ? shown.bottom : shown.top
  const height = heightOf(shown, value ?? edge)
  const onKey = (event: KeyboardEvent) => {
    const next = pressed(range, end, event.key, edge)
    if (next === undefined) return
    event.preventDefault()
    change(next)
  }
  const onMove = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect()
    if (!isHeld || box === undefined) return
    change(moved(range, end, priceAt(shown, (event.clientY - box.top) / box.height * 100)))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={end === "lower" ? t("Lowest price, on the chart") : t("Highest price, on the chart")}
      aria-orientation="vertical"
      aria-valuemin={Math.min(shown.bottom, value ?? edge)}
      aria-valuemax={Math.max(shown.top, value ?? edge)}
      aria-valuenow={value ?? edge}
      aria-valuetext={wordsOf(value, current, unit)}
      className="range-end"
      data-end={end}
      data-inward={end === "lower" ? height > 100 - leastRoom : height < leastRoom}
      style={{ top: `${height}%` }}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
        event.currentTarget.setPointerCapture(event.pointerId)
        hold(true)
      }}
      onPointerMove={onMove}
      onPointerUp={() => hold(false)}
      onPointerCancel={() => hold(false)}
    >
      <span aria-hidden="true">
        {value === undefined
          ? t("unbounded")
          : current === undefined
          ? price(value)
          : `${price(value)} · ${signedPercent(distanceOf(value, current))}`}
      </span>
    </div>
  )
}

export function RangeChart({ change, current, prices, range, shown: fitted, unit }: {
  /** Oldest first. */
  readonly prices: ReadonlyArray<number>
  readonly current: number | undefined
  readonly range: PriceRange
  /** The prices that the picture shows while no end is held. */
  readonly shown: Shown
  readonly unit: string
  readonly change: (range: PriceRange) => void
}) {
  const plot = useRef<HTMLDivElement>(null)
  // The scale stays while an end is held: it would run away from the pointer.
  const [held, setHeld] = useState<{ readonly end: End; readonly shown: Shown }>()
  const shown = held?.shown ?? fitted
  const [top, bottom] = [
    heightOf(shown, priceOf(range.upper) ?? shown.top),
    heightOf(shown, priceOf(range.lower) ?? shown.bottom)
  ]
  return (
    <div className="range-chart" ref={plot}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <rect className="range-area" x="0" width="100" y={top} height={Math.max(0, bottom - top)} />
        {prices.length > 1 && <polyline className="range-curve" points={curveOf(shown, prices)} />}
        {current !== undefined && (
          <line
            className="range-now"
            x1="0"
            x2="100"
            y1={heightOf(shown, current)}
            y2={heightOf(shown, current)}
          />
        )}
      </svg>
      {current !== undefined && (
        <span className="range-now-text" style={{ top: `${heightOf(shown, current)}%` }} aria-hidden="true">
          {t("now {current}", { current: price(current) })}
        </span>
      )}
      {(["upper", "lower"] as const).map((end) => (
        <RangeEnd
          key={end}
          {...{ change, current, end, plot, range, shown, unit }}
          isHeld={held?.end === end}
          hold={(isHeld) => setHeld(isHeld ? { end, shown } : undefined)}
        />
      ))}
    </div>
  )
}
