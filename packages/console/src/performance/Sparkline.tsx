/** A small line of recent share prices, with breaks in gaps. Decorative: the change beside it says the same. */
export function Sparkline({ height = 28, values, width = 96 }: {
  readonly values: ReadonlyArray<string | null>
  readonly width?: number
  readonly height?: number
}) {
  const numbers = values.map((value) => value === null ? null : Number(value))
  const known = numbers.filter((value) => value !== null)
  if (known.length < 2) return <span style={{ display: "inline-block", width, height }} />
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const y = (value: number) => high === low ? height / 2 : 3 + (high - value) / (high - low) * (height - 6)
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
  const isGain = (known.at(-1) ?? 0) >= (known[0] ?? 0)
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke={isGain ? "var(--gain)" : "var(--loss)"}
        strokeWidth="1.6"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
