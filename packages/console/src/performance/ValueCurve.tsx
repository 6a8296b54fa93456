/** A curve over a period that can be chosen, with breaks where nothing was sampled, and the same data as a table. */
import { Box, Button, Group, SegmentedControl, Skeleton, Stack, Table, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconChartLine } from "@tabler/icons-react"
import type { Range } from "@vault-trader/core/performance/Performance"
import { lazy, type ReactNode, Suspense } from "react"
import type { Mark } from "../chart/Chart.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { moment, unknown } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { knownPoints, type Point } from "./Curve.ts"
import { ranges } from "./Performance.ts"
import { t } from "../text/Text.ts"

const Chart = lazy(() => import("../chart/Chart.tsx").then(({ Chart }) => ({ default: Chart })))

const height = 260

function Rows({ format, label, points }: {
  readonly label: string
  readonly points: ReadonlyArray<Point>
  readonly format: (value: number) => string
}) {
  return (
    <Box
      mah={300}
      tabIndex={0}
      role="region"
      aria-label={t("{label}, as a table", { label })}
      style={{ overflow: "auto" }}
    >
      <Table stickyHeader aria-label={label} className="figures">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("Time")}</Table.Th>
            <Table.Th ta="end">{label}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...points].reverse().map(({ time, value }) => (
            <Table.Tr key={time}>
              <Table.Td>{moment(new Date(time * 1000).toISOString())}</Table.Td>
              <Table.Td ta="end">{value === null ? t("{unknown} (not sampled)", { unknown }) : format(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

export function ValueCurve({ choice, error, format, isPending, label, marks = [], none, points, range, setRange }: {
  readonly label: string
  readonly points: ReadonlyArray<Point>
  readonly format: (value: number) => string
  readonly marks?: ReadonlyArray<Mark>
  readonly range: Range
  readonly setRange: (range: Range) => void
  /** The control that selects what is drawn. */
  readonly choice?: ReactNode
  readonly isPending: boolean
  readonly error: Error | null
  /** Why there is no curve yet. */
  readonly none: string
}) {
  const [isTable, { toggle }] = useDisclosure(false)
  const canDraw = knownPoints(points) >= 2
  const chart = isPending
    ? <Skeleton h={height} aria-label={t("Loading the curve")} />
    : !canDraw
    ? error === null && <EmptyState icon={<IconChartLine size={22} />} title={t("No history yet")}>{none}</EmptyState>
    : (
      <Suspense fallback={<Skeleton h={height} />}>
        <Chart data={{ kind: "value", points, format, marks }} height={height} />
      </Suspense>
    )
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
            data={ranges.map((each) => ({ ...each }))}
            onChange={(value) => setRange(ranges.find((each) => each.value === value)?.value ?? "all")}
          />
        </Group>
      </Group>
      {error !== null && <Problem title={t("The history cannot be loaded right now")} message={error.message} />}
      {chart}
      {canDraw && points.some(({ value }) => value === null) && (
        <Text size="xs" c="dimmed">{t("The line is broken where nothing was sampled.")}</Text>
      )}
      {canDraw && isTable && <Rows label={label} points={points} format={format} />}
    </Stack>
  )
}
