/** A summary of an action's effects, as lines of name and value. */
import type { ReactNode } from "react"

type Line = readonly [name: string, value: ReactNode]

export function ActionSummary(
  { label, lines }: { readonly label: string; readonly lines: ReadonlyArray<Line | undefined> }
) {
  return (
    <table className="table" aria-label={label} data-kind="summary">
      <tbody>
        {lines.flatMap((line) =>
          line === undefined ? [] : [
            (
              <tr key={line[0]}>
                <th scope="row">{line[0]}</th>
                <td style={{ overflowWrap: "anywhere" }}>{line[1]}</td>
              </tr>
            )
          ]
        )}
      </tbody>
    </table>
  )
}
