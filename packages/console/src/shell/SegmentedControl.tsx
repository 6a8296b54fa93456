/**
 * A choice of one of a few values, as radio buttons side by side. It looks like Mantine's, which measures its place in
 * the page after each drawing, so that the browser lays the whole page out twice.
 */
import { type CSSProperties, type ReactNode, useId } from "react"

interface SegmentedControlProps {
  readonly data: ReadonlyArray<{ readonly value: string; readonly label: ReactNode }>
  readonly value: string
  readonly onChange: (value: string) => void
  readonly "aria-label"?: string
  readonly "aria-labelledby"?: string
  readonly size?: "xs" | "sm"
  readonly fullWidth?: boolean
  readonly isVertical?: boolean
  readonly style?: CSSProperties
}

export function SegmentedControl(
  { data, fullWidth = false, isVertical = false, onChange, size = "sm", style, value, ...labels }: SegmentedControlProps
) {
  const name = useId()
  return (
    <div
      {...labels}
      role="radiogroup"
      className="segmented"
      data-size={size}
      data-full={fullWidth || undefined}
      data-vertical={isVertical || undefined}
      style={style}
    >
      {data.map((each) => (
        <label key={each.value}>
          <input
            type="radio"
            name={name}
            value={each.value}
            checked={each.value === value}
            onChange={() => onChange(each.value)}
          />
          <span>{each.label}</span>
        </label>
      ))}
    </div>
  )
}
