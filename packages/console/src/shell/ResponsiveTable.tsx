/** A table that is readable on phones: on narrow screens each row becomes a list of its cells under the first one. */
import { Table } from "@mantine/core"
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
    <Table role="table" aria-label={label} className="rows figures" verticalSpacing={4}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((column, index) => (
            <Table.Th role="columnheader" key={column} ta={index < figuresFrom ? undefined : "end"}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(({ cells, key }) => (
          <Table.Tr role="row" key={key}>
            {columns.map((column, index) => (
              <Table.Td role="cell" key={column} data-column={column} ta={index < figuresFrom ? undefined : "end"}>
                {cells[index]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
