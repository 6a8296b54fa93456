/** Chooses a range of prices: on the chart, by presets or as numbers, which stay in step; says what the range earns. */
import { ActionIcon, Button, Group, Loader, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import { IconArrowsExchange, IconZoomIn, IconZoomOut } from "@tabler/icons-react"
import { useState } from "react"
import { percent } from "../shell/Format.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import type { Side } from "./Positions.ts"
import { type PriceHistory, type Timeframe, timeframes, usePriceHistory } from "./PriceHistory.ts"
import { RangeChart } from "./RangeChart.tsx"
import { around, fullRange, isSame, presets, type PriceRange, shownOf } from "./Ranges.ts"
import { RangeWords } from "./RangeWords.tsx"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { locale, t } from "../text/Text.ts"

/** Names the unit of a price. */
const unitOf = (first: Side, second: Side): string =>
  t("{second} per {first}", { first: first.symbol, second: second.symbol })

const dayOf = (time: number): string =>
  new Date(time * 1000).toLocaleDateString(locale, { month: "short", day: "numeric" })

function Presets({ change, current, range }: {
  readonly range: PriceRange
  readonly current: number | undefined
  readonly change: (range: PriceRange) => void
}) {
  const offers = [
    ...presets.map((width) => ({
      label: `±${percent(width)}`,
      range: current === undefined ? undefined : around(current, width)
    })),
    { label: t("Full range"), range: fullRange }
  ]
  return (
    <Group gap={6} role="group" aria-label={t("Suggested ranges")}>
      {offers.map(({ label, range: offer }) => {
        const isChosen = offer !== undefined && isSame(offer, range)
        return (
          <Button
            key={label}
            size="compact-sm"
            variant={isChosen ? "filled" : "default"}
            aria-pressed={isChosen}
            disabled={offer === undefined}
            onClick={() => offer !== undefined && change(offer)}
          >
            {label}
          </Button>
        )
      })}
    </Group>
  )
}

/** Says whose prices the curve is. */
function Caption({ history: { exchange, isPending, pair, points } }: { readonly history: PriceHistory }) {
  const [oldest, newest] = [points[0], points.at(-1)]
  if (isPending) return <Loader size="xs" aria-label={t("Loading the price history")} />
  return (
    <Text size="xs" c="dimmed">
      {oldest === undefined || newest === undefined
        ? t("No price history of this pair.")
        : t("{from} to {to}: closed candles of {pair} on {exchange}.", {
          ...{ from: dayOf(oldest.time), to: dayOf(newest.time), pair, exchange }
        })}
    </Text>
  )
}

/** The most that the chart is magnified. */
const maxZoom = 32

function Zoom({ set, zoom }: { readonly zoom: number; readonly set: (zoom: number) => void }) {
  return (
    <ActionIcon.Group>
      <ActionIcon
        variant="default"
        aria-label={t("Show more prices")}
        disabled={zoom === 1}
        onClick={() => set(zoom / 2)}
      >
        <IconZoomOut size={16} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t("Show fewer prices")}
        disabled={zoom === maxZoom}
        onClick={() => set(zoom * 2)}
      >
        <IconZoomIn size={16} aria-hidden="true" />
      </ActionIcon>
    </ActionIcon.Group>
  )
}

function Chart({ change, current, first, range, second, vault }: Omit<PickerProps, "faults" | "invert">) {
  const [timeframe, setTimeframe] = useState<Timeframe>("6h")
  const [zoom, setZoom] = useState(1)
  const history = usePriceHistory(vault, first.symbol, second.symbol, timeframe)
  const prices = history.points.map((point) => point.price)
  const shown = shownOf(prices, range, current, zoom)
  if (shown === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {t("The present price cannot be read right now. Type the ends of the range; the service checks them.")}
      </Text>
    )
  }
  return (
    <Stack gap={6}>
      <RangeChart {...{ change, current, prices, range, shown }} unit={unitOf(first, second)} />
      <Group justify="space-between" gap="xs">
        <Caption history={history} />
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t("Time shown")}
            value={timeframe}
            data={timeframes.map(([value, days]) => ({ value, label: t("{count} d", { count: days }) }))}
            onChange={(value) => setTimeframe(timeframes.find(([each]) => each === value)?.[0] ?? "6h")}
          />
          <Zoom zoom={zoom} set={setZoom} />
        </Group>
      </Group>
    </Stack>
  )
}

interface PickerProps {
  readonly vault: VaultRef
  readonly range: PriceRange
  /** The present price by the vault's oracle; undefined while it is unknown. */
  readonly current: number | undefined
  /** Prices are of the first asset in the second. */
  readonly first: Side
  readonly second: Side
  readonly faults: Readonly<Record<"lower" | "upper", string | null>>
  readonly change: (range: PriceRange) => void
  /** Changes the direction of the price. */
  readonly invert: () => void
}

export function RangePicker({ faults, invert, ...picked }: PickerProps) {
  const { change, current, first, range, second } = picked
  const field = (end: "lower" | "upper", label: string, open: string) => (
    <TextInput
      label={label}
      description={unitOf(first, second)}
      placeholder={open}
      inputMode="decimal"
      autoComplete="off"
      value={range[end]}
      error={faults[end]}
      onChange={(event) => change({ ...range, [end]: event.currentTarget.value })}
    />
  )
  return (
    <Stack gap="sm" role="group" aria-label={t("Price range")}>
      <Group justify="space-between" gap="xs">
        <Presets {...{ change, current, range }} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowsExchange size={14} aria-hidden="true" />}
          aria-label={t("Price in {unit}", { unit: unitOf(second, first) })}
          onClick={invert}
        >
          {unitOf(second, first)}
        </Button>
      </Group>
      <Chart {...picked} />
      <SimpleGrid cols={2} spacing="sm">
        {field("lower", t("Lowest price"), "0")}
        {field("upper", t("Highest price"), "∞")}
      </SimpleGrid>
      <RangeWords {...{ current, first, range, second }} />
    </Stack>
  )
}
