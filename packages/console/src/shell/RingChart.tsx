/** A ring of parts of a hundred, for the eyes: whoever shows it says the same in text. Drawn here, because the component library's brings its tooltips along. */

export interface Part {
  /** Percent. */
  readonly value: number
  /** As CSS has it. */
  readonly colour: string
}

const radius = 50

/** `thickness`: of a radius of 50; `size`: pixels. Parts begin at the top and go with the clock. */
export function Ring({ parts, size, thickness }: { readonly parts: ReadonlyArray<Part>; readonly size: number; readonly thickness: number }) {
  const middle = radius - thickness / 2
  const from = (place: number) => parts.slice(0, place).reduce((sum, { value }) => sum + value, 0)
  return (
    <svg width={size} height={size} viewBox={`0 0 ${2 * radius} ${2 * radius}`} aria-hidden="true" style={{ transform: "rotate(-90deg)" }}>
      {parts.map(({ colour, value }, place) => (
        <circle key={`${colour}/${from(place)}`} cx={radius} cy={radius} r={middle} fill="none" stroke={colour} strokeWidth={thickness} pathLength={100} strokeDasharray={`${value} ${100 - value}`} strokeDashoffset={-from(place)} />
      ))}
    </svg>
  )
}
