/** A table of a thing's terms: what each is called, and its value. Those without a value are left out. */
import { Table, Text } from "@mantine/core"
import type { ReactNode } from "react"

export type Fact = readonly [label: string, value: ReactNode]

export function Facts({ facts, label }: { readonly label: string; readonly facts: ReadonlyArray<Fact> }) {
  return (
    <Table className="figures" aria-label={label}>
      <Table.Tbody>
        {facts.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th fw={400} scope="row">
              <Text size="sm" c="dimmed">{name}</Text>
            </Table.Th>
            <Table.Td ta="end" style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
