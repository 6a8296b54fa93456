/** The frame of a chart over a period: what it shows, the period, and a table of the same data. */
import { Box, Button, Group, Skeleton, Stack } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconChartLine } from "@tabler/icons-react"
import type { Range } from "@vault-trader/core/performance/Performance"
import type { ReactNode } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Problem } from "../shell/Problem.tsx"
import { ranges } from "./Performance.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"

/** The height of a chart, in pixels. */
export const height = 260

/** The parts of a frame that its owner decides. */
export interface FrameProps {
  readonly range: Range
  readonly setRange: (range: Range) => void
  /** The control that selects what is drawn. */
  readonly choice?: ReactNode
  readonly isPending: boolean
  readonly error: Error | null
  /** Why there is no curve yet. */
  readonly none: string
}

export function CurveFrame(
  { canDraw, children, choice, error, isPending, label, none, range, setRange, table }: FrameProps & {
    readonly label: string
    readonly canDraw: boolean
    readonly children: ReactNode
    /** The rows of the same data. */
    readonly table: ReactNode
  }
) {
  const [isTable, { toggle }] = useDisclosure(false)
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        {choice ?? <span />}
        <Group gap="xs">
          {canDraw && (
            <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={isTable}>
              {isTable ? t("Hide the table") : t("Show as a table")}
            </Button>
          )}
          <SegmentedControl
            size="xs"
            aria-label={t("Period")}
            value={range}
            data={ranges}
            onChange={(value) => setRange(ranges.find((each) => each.value === value)?.value ?? "all")}
          />
        </Group>
      </Group>
      {error !== null && <Problem title={t("The history cannot be loaded right now")} message={error.message} />}
      {isPending
        ? <Skeleton h={height} aria-label={t("Loading the curve")} />
        : canDraw
        ? children
        : error === null && (
          <EmptyState icon={<IconChartLine size={22} />} title={t("No history yet")}>{none}</EmptyState>
        )}
      {canDraw && isTable && (
        <Box
          mah={300}
          tabIndex={0}
          role="region"
          aria-label={t("{label}, as a table", { label })}
          style={{ overflow: "auto" }}
        >
          {table}
        </Box>
      )}
    </Stack>
  )
}
