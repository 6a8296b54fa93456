/** A table of a thing's terms: what each is called, and its value. Those without a value are left out. */
import { Text } from "@mantine/core"
import type { ReactNode } from "react"

export type Fact = readonly [label: string, value: ReactNode]

export function Facts({ facts, label }: { readonly label: string; readonly facts: ReadonlyArray<Fact> }) {
  return (
    <table className="table figures" aria-label={label}>
      <tbody>
        {facts.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => (
          <tr key={name}>
            <th className="plain" scope="row">
              <Text size="sm" c="dimmed">{name}</Text>
            </th>
            <td className="end" style={{ overflowWrap: "anywhere" }}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
