/**
 * A decorative percentage ring; callers must show the same data as text. The component library's ring would include its
 * tooltips.
 */

interface Part {
  /** Percent. */
  readonly value: number
  /** A CSS colour. */
  readonly colour: string
}

const radius = 50

/** `thickness` is relative to a radius of 50, `size` is in pixels. Parts start at the top and run clockwise. */
export function RingChart(
  { parts, size, thickness }: { readonly parts: ReadonlyArray<Part>; readonly size: number; readonly thickness: number }
) {
  const middle = radius - thickness / 2
  const from = (index: number) => parts.slice(0, index).reduce((sum, { value }) => sum + value, 0)
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${2 * radius} ${2 * radius}`}
      aria-hidden="true"
      style={{ transform: "rotate(-90deg)" }}
    >
      {parts.map(({ colour, value }, index) => (
        <circle
          key={`${colour}/${from(index)}`}
          cx={radius}
          cy={radius}
          r={middle}
          fill="none"
          stroke={colour}
          strokeWidth={thickness}
          pathLength={100}
          strokeDasharray={`${value} ${100 - value}`}
          strokeDashoffset={-from(index)}
        />
      ))}
    </svg>
  )
}
