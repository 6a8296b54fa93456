/** The selection of a table's rows: one by one, in ranges, by group, or all that are shown. */
import { useCallback, useRef } from "react"

export interface FleetSelection<Row> {
  /** The keys of the selected rows. */
  readonly selected: ReadonlySet<string>
  readonly onChange: (selected: ReadonlySet<string>) => void
  /** Names a row for its checkbox. */
  readonly nameOf: (row: Row) => string
}

/** A checkbox whose label is the whole cell, so that fingers hit it. */
export function SelectBox({ isPartly = false, isSelected, label, onSelect, position }: {
  readonly label: string
  readonly isSelected: boolean
  /** True if some of what it stands for is selected. */
  readonly isPartly?: boolean
  readonly position?: number
  /** `extend`: Shift was held. */
  readonly onSelect: (isSelected: boolean, extend: boolean) => void
}) {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={label}
        data-position={position}
        checked={isSelected}
        ref={(input) => {
          if (input !== null) input.indeterminate = isPartly && !isSelected
        }}
        onChange={({ currentTarget, nativeEvent }) =>
          onSelect(currentTarget.checked, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </label>
  )
}

/** A checkbox for many rows. */
export function SelectMany({ keys, label, selectMany, selection: { selected } }: {
  readonly label: string
  readonly keys: ReadonlyArray<string>
  readonly selection: Pick<FleetSelection<never>, "selected">
  readonly selectMany: (keys: ReadonlyArray<string>, isSelected: boolean) => void
}) {
  return (
    <SelectBox
      label={label}
      isSelected={keys.length > 0 && keys.every((key) => selected.has(key))}
      isPartly={keys.some((key) => selected.has(key))}
      onSelect={(chosen) => selectMany(keys, chosen)}
    />
  )
}

/**
 * Returns functions that change a selection of rows in the order of their keys. With `extend`, everything between the
 * row that was changed last and this one gets the same state.
 */
export const useRange = (keys: ReadonlyArray<string>, selection: FleetSelection<never> | undefined) => {
  const last = useRef<string>(undefined)
  const latest = useRef({ keys, selection })
  latest.current = { keys, selection }
  const selectMany = useCallback((changed: ReadonlyArray<string>, isSelected: boolean) => {
    const { selection: now } = latest.current
    if (now === undefined) return
    const next = new Set(now.selected)
    for (const key of changed) {
      if (isSelected) next.add(key)
      else next.delete(key)
    }
    now.onChange(next)
  }, [])
  const select = useCallback((position: number, isSelected: boolean, extend: boolean) => {
    const { keys: order } = latest.current
    const anchor = last.current === undefined ? -1 : order.indexOf(last.current)
    const from = extend && anchor !== -1 ? anchor : position
    selectMany(order.slice(Math.min(from, position), Math.max(from, position) + 1), isSelected)
    last.current = order[position]
  }, [selectMany])
  return { select, selectMany }
}
