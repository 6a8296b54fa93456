/** A table that is readable on phones: on narrow screens each row becomes a list of its cells under the first one. */
import type { ReactNode } from "react"

interface Row {
  readonly key: string
  /** One cell per column; the first is the row's heading. */
  readonly cells: ReadonlyArray<ReactNode>
}

/** A responsive table. The roles are explicit because the narrow layout would remove the implicit ones. */
export function ResponsiveTable(
  { columns, figuresFrom = Infinity, label, rows }: {
    readonly label: string
    readonly columns: ReadonlyArray<string>
    /** The first column of figures, which are aligned at the end as what follows them; none without it. */
    readonly figuresFrom?: number
    readonly rows: ReadonlyArray<Row>
  }
) {
  return (
    <table role="table" aria-label={label} className="table rows figures" data-dense>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column, index) => (
            <th role="columnheader" key={column} className={index < figuresFrom ? undefined : "end"}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ cells, key }) => (
          <tr role="row" key={key}>
            {columns.map((column, index) => (
              <td role="cell" key={column} data-column={column} className={index < figuresFrom ? undefined : "end"}>
                {cells[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
