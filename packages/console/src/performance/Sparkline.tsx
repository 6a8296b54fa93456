/** A small line of recent share prices, with breaks in gaps. Decorative: the change beside it says the same. */
import { toHundredths } from "../shell/Format.ts"

/** The least height of the picture, as a part of the price. */
const leastSpan = 0.0002

export function Sparkline({ height = 28, values, width = 96 }: {
  readonly values: ReadonlyArray<string | null>
  readonly width?: number
  readonly height?: number
}) {
  const numbers = values.map((value) => value === null ? null : Number(value))
  const known = numbers.filter((value) => value !== null)
  if (known.length < 2) return <span style={{ display: "inline-block", width, height }} />
  const [low, high] = [Math.min(...known), Math.max(...known)]
  // A line that moves by less than its change shows is level.
  const span = Math.max(high - low, Math.abs(high) * leastSpan)
  const y = (value: number) => span === 0 ? height / 2 : height / 2 + ((high + low) / 2 - value) / span * (height - 6)
  const x = (index: number) => index / (numbers.length - 1) * width
  let isDrawing = false
  const path = numbers.map((value, index) => {
    if (value === null) {
      isDrawing = false
      return ""
    }
    const command = isDrawing ? "L" : "M"
    isDrawing = true
    return `${command}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
  }).join("")
  const [first = 0, last = 0] = [known[0], known.at(-1)]
  const change = first === 0 ? 0 : toHundredths((last - first) / first * 100)
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke={change > 0 ? "var(--gain)" : change < 0 ? "var(--loss)" : "var(--mantine-color-dimmed)"}
        strokeWidth="1.6"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
