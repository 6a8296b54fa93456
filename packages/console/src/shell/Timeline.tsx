/** The history of a thing, or its decisions, as a line with a point for each entry. */
import { Text } from "@mantine/core"
import type { ReactNode } from "react"
import { readable } from "./Format.ts"
import { Time } from "./Time.tsx"

export interface TimelineEntry {
  readonly key: string
  readonly at: string
  readonly label: string
  readonly reason: string
  readonly state?: "done" | "failed" | "open" | undefined
  readonly children?: ReactNode
}

export function Timeline({ entries }: { readonly entries: ReadonlyArray<TimelineEntry> }) {
  return (
    <ol className="timeline">
      {entries.map(({ at, children, key, label, reason, state }) => (
        <li key={key} data-state={state}>
          <Text size="sm" fw={600}>{label}</Text>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>{readable(reason)}</Text>
          {children}
          <Text size="xs" c="dimmed">
            <Time at={at} />
          </Text>
        </li>
      ))}
    </ol>
  )
}

/** Returns the entries of a history of events with these labels. */
export const entriesOf = <Kind extends string>(
  events: ReadonlyArray<{ readonly at: string; readonly kind: Kind; readonly reason: string }>,
  labels: Readonly<Record<Kind, string>>,
  states: Readonly<Partial<Record<Kind, TimelineEntry["state"]>>>
): ReadonlyArray<TimelineEntry> =>
  events.map(({ at, kind, reason }, index) => ({
    ...{ key: `${at}/${kind}/${index}`, at, reason, label: labels[kind], state: states[kind] }
  }))
