/** A table that can be read on a phone: where there is no room for columns, each row is a list of its cells under its first one. */
import { Table } from "@mantine/core"
import type { ReactNode } from "react"

export interface Row {
  readonly key: string
  /** As many as there are columns; the first says what the row is about. */
  readonly cells: ReadonlyArray<ReactNode>
}

/** The roles are said because a narrow screen's layout would take them away. */
export function Rows({ columns, label, rows }: { readonly label: string; readonly columns: ReadonlyArray<string>; readonly rows: ReadonlyArray<Row> }) {
  return (
    <Table role="table" aria-label={label} className="rows" verticalSpacing={4}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">{columns.map((column) => <Table.Th role="columnheader" key={column}>{column}</Table.Th>)}</Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(({ cells, key }) => (
          <Table.Tr role="row" key={key}>
            {columns.map((column, place) => <Table.Td role="cell" key={column} data-column={column}>{cells[place]}</Table.Td>)}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
