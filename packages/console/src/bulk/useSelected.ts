/** The selected rows of a table. Rows that the filter hides, or that are gone, are not acted on. */
import { useMemo, useState } from "react"

export const useSelected = <Row>(
  shown: ReadonlyArray<Row>,
  keyOf: (row: Row) => string,
  nameOf: (row: Row) => string
) => {
  const [selected, onChange] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => shown.filter((row) => selected.has(keyOf(row))), [shown, selected])
  const selection = useMemo(() => ({ selected, onChange, nameOf }), [selected, nameOf])
  return { rows, clear: () => onChange(new Set()), selection }
}
