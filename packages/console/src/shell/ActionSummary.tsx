/** A summary of an action's effects, as lines of name and value. */
import { Table } from "@mantine/core"
import type { ReactNode } from "react"

type Line = readonly [name: string, value: ReactNode]

export function ActionSummary(
  { label, lines }: { readonly label: string; readonly lines: ReadonlyArray<Line | undefined> }
) {
  return (
    <Table aria-label={label} variant="vertical" verticalSpacing={6} layout="fixed">
      <Table.Tbody>
        {lines.flatMap((line) =>
          line === undefined ? [] : [
            (
              <Table.Tr key={line[0]}>
                <Table.Th w="38%" scope="row">{line[0]}</Table.Th>
                <Table.Td style={{ overflowWrap: "anywhere" }}>{line[1]}</Table.Td>
              </Table.Tr>
            )
          ]
        )}
      </Table.Tbody>
    </Table>
  )
}
