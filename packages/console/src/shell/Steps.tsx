/** Trades or actions of a guardian, a follower or a strategy: what, its outcome, and its transaction. */
import { Group, Stack, Text } from "@mantine/core"
import { readable } from "./Format.ts"
import { StatusBadge } from "./StatusBadge.tsx"
import { Time } from "./Time.tsx"
import { Transaction } from "./Transaction.tsx"
import { t } from "../text/Text.ts"

export interface Step {
  readonly key: string
  readonly title: string
  readonly state: string
  readonly message: string | null
  readonly tx_hash: string | null
  readonly begun_at?: string
}

const colours: Readonly<Record<string, string>> = { in_progress: "blue", succeeded: "green", failed: "red" }
const labels: Readonly<Record<string, string>> = { in_progress: t("in progress"), succeeded: t("done") }

export function Steps({ network, steps }: { readonly network: string; readonly steps: ReadonlyArray<Step> }) {
  return (
    <Stack gap="xs" component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
      {steps.map(({ begun_at: begunAt, key, message, state, title, tx_hash: hash }) => (
        <Group key={key} component="li" justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" className="figure">{title}</Text>
            {message !== null && <Text size="xs" style={{ overflowWrap: "anywhere" }}>{readable(message)}</Text>}
            <Text size="xs" c="dimmed" component="div">
              {begunAt !== undefined && <Time at={begunAt} />}
              {hash !== null && (
                <>
                  {begunAt === undefined ? "" : " · "}
                  <Transaction network={network} hash={hash} />
                </>
              )}
            </Text>
          </div>
          <StatusBadge color={colours[state] ?? "gray"} label={labels[state] ?? state.replaceAll("_", " ")} />
        </Group>
      ))}
    </Stack>
  )
}
