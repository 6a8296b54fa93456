/** Targets next to live weights: a ring of each, and a table with bars that show each band. */
import { Alert, Badge, Box, ColorSwatch, Group, Stack, Text } from "@mantine/core"
import { dollars, percent } from "../shell/Format.ts"
import { RingChart } from "../shell/RingChart.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import type { Allocations as AllocationsOf } from "./Indexes.ts"
import { locale, t } from "../text/Text.ts"

type Line = AllocationsOf["allocations"][number]

const colours = [
  "blue.6",
  "teal.6",
  "grape.6",
  "orange.6",
  "cyan.6",
  "pink.6",
  "lime.7",
  "indigo.6",
  "yellow.6",
  "violet.6"
]
const colourOf = (index: number) => colours[index % colours.length] ?? "blue.6"
const variable = (colour: string) => `var(--mantine-color-${colour.replace(".", "-")})`

/** Formats a value, or returns "unknown". */
const formatOrUnknown = (value: number | null, show: (value: number) => string) =>
  value === null ? t("unknown") : show(value)

/** Formats percentage points with their sign. */
const points = (drift: number) =>
  t("{points} pp", {
    points: `${drift > 0 ? "+" : drift < 0 ? "−" : ""}${
      Math.abs(drift).toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false })
    }`
  })

/** Returns the parts of a ring; the remainder to 100 % is grey. */
const partsOf = (values: ReadonlyArray<number>) => {
  const rest = 100 - values.reduce((sum, value) => sum + value, 0)
  return [
    ...values.map((value, index) => ({ value, colour: variable(colourOf(index)) })),
    ...(rest > 0.01 ? [{ value: rest, colour: "var(--mantine-color-gray-5)" }] : [])
  ]
}

/** Current weights (outer ring) around targets (inner ring). The outer ring is grey while the weights are unknown. */
function Rings({ lines }: { readonly lines: ReadonlyArray<Line> }) {
  const over = {
    position: "absolute",
    inset: 0,
    display: "flex",
    alignItems: "center",
    justifyContent: "center"
  } as const
  return (
    <Stack gap={4} align="center" aria-hidden="true">
      <Box pos="relative" w={150} h={150}>
        <RingChart size={150} thickness={12} parts={partsOf(lines.map(({ currentPct }) => currentPct ?? 0))} />
        <div style={over}>
          <RingChart size={100} thickness={12} parts={partsOf(lines.map(({ targetPct }) => targetPct))} />
        </div>
        <Text size="xs" style={over}>{t("target")}</Text>
      </Box>
      <Text size="xs" c="dimmed">{t("outer ring: now")}</Text>
    </Stack>
  )
}

/** A bar from 0 to `max` percent: the band without trades, the target, and the current weight. */
function Bar(
  { line: { currentPct, outOfBand, targetPct, tolerance }, max }: { readonly line: Line; readonly max: number }
) {
  const at = (value: number) => `${Math.max(0, Math.min(100, value / max * 100))}%`
  const from = Math.max(0, targetPct - tolerance)
  const band = { left: at(from), width: at(Math.min(max, targetPct + tolerance) - from) }
  return (
    <Box
      aria-hidden="true"
      pos="relative"
      h={18}
      miw={140}
      style={{
        flex: 1,
        borderRadius: 4,
        background: "light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-4))"
      }}
    >
      <Box
        pos="absolute"
        top={0}
        h={18}
        style={{
          ...band,
          borderRadius: 4,
          background: "light-dark(var(--mantine-color-green-2), var(--mantine-color-green-9))"
        }}
      />
      <Box
        pos="absolute"
        top={0}
        h={18}
        w={2}
        style={{ left: at(targetPct), background: "var(--mantine-color-text)" }}
      />
      {currentPct !== null && (
        <Box
          pos="absolute"
          top={3}
          h={12}
          w={12}
          style={{
            left: `calc(${at(currentPct)} - 6px)`,
            borderRadius: outOfBand === true ? 2 : 6,
            background: outOfBand === true ? "var(--mantine-color-red-7)" : "var(--mantine-color-green-7)",
            border: "1px solid var(--mantine-color-body)"
          }}
        />
      )}
    </Box>
  )
}

const StateBadge = ({ inVault, outOfBand }: Line) =>
  !inVault
    ? <Badge color="gray">{t("not in the vault")}</Badge>
    : outOfBand === null ?
    <Badge color="gray">{t("unknown")}</Badge>
    : outOfBand
    ? <Badge color="red">{t("out of band")}</Badge>
    : <Badge color="green" variant="dot">{t("in band")}</Badge>

const columns = [t("Asset"), t("Now"), t("Target"), t("Drift"), t("Band"), t("State")]

const rowOf = (line: Line, index: number, max: number) => ({
  key: line.contract,
  cells: [
    <Group key="asset" gap={6} wrap="nowrap">
      <ColorSwatch color={variable(colourOf(index))} size={12} withShadow={false} aria-hidden="true" />
      {line.asset}
    </Group>,
    <span key="now" title={formatOrUnknown(line.valueUsd, dollars)}>{formatOrUnknown(line.currentPct, percent)}</span>,
    <span key="target" title={formatOrUnknown(line.targetUsd, dollars)}>
      {percent(line.targetPct)} ± {line.tolerance}
    </span>,
    formatOrUnknown(line.driftPct, points),
    <Bar key="band" line={line} max={max} />,
    <StateBadge key="state" {...line} />
  ]
})

export function Allocations(
  { data: { allocations, needsRebalance, reason, totalValueUsd, unmanagedAssets } }: { readonly data: AllocationsOf }
) {
  const max = Math.min(
    100,
    1.08 *
      Math.max(
        ...allocations.map(({ currentPct, targetPct, tolerance }) => Math.max(currentPct ?? 0, targetPct + tolerance))
      )
  )
  return (
    <Stack gap="xs">
      {reason !== null && <Alert color="orange" title={t("The vault’s value is unknown")}>{reason}</Alert>}
      {totalValueUsd !== null && (
        <Text size="sm">
          {needsRebalance === true
            ? t("Worth {totalValueUsd}. At least one weight is out of its band, so a run would trade.", {
              totalValueUsd: dollars(totalValueUsd)
            })
            : t("Worth {totalValueUsd}. All weights are in their bands, so a run would trade nothing.", {
              totalValueUsd: dollars(totalValueUsd)
            })}
        </Text>
      )}
      <Group align="center" justify="center" gap="md">
        <Rings lines={allocations} />
        <Box style={{ flex: "1 1 280px", minWidth: 0 }}>
          <ResponsiveTable
            label={t("Targets and weights")}
            columns={columns}
            rows={allocations.map((line, index) => rowOf(line, index, max))}
          />
        </Box>
      </Group>
      {unmanagedAssets.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("Not managed, but part of the vault’s value: {unmanagedAssets}.", {
            unmanagedAssets: unmanagedAssets.map(({ currentPct, label, valueUsd }) =>
              `${label} ${formatOrUnknown(currentPct, percent)} (${formatOrUnknown(valueUsd, dollars)})`
            ).join(", ")
          })}
        </Text>
      )}
    </Stack>
  )
}
