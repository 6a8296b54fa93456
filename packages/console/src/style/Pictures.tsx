/** Charts, curves, rings, and pictures of ranges and of the safety of loans. */
import { Group, Stack } from "@mantine/core"
import { lazy, Suspense } from "react"
import type { ChartData } from "../chart/Chart.tsx"
import { HealthAfter } from "../lending/HealthChange.tsx"
import { around } from "../liquidity/Ranges.ts"
import { PositionRange } from "../liquidity/PositionRange.tsx"
import { Sparkline } from "../performance/Sparkline.tsx"
import { money } from "../shell/Format.ts"
import { RingChart } from "../shell/RingChart.tsx"
import { Section } from "../shell/Section.tsx"

const Chart = lazy(() => import("../chart/Chart.tsx").then(({ Chart }) => ({ default: Chart })))
const RangeChart = lazy(() => import("../liquidity/RangeChart.tsx").then(({ RangeChart }) => ({ default: RangeChart })))

const start = 1_790_000_000
const hours = Array.from({ length: 60 }, (_, index) => start + index * 3_600)
const wave = (index: number) => Math.round(Math.sin(index / 6) * 220 + index * 9)

/** A curve with a gap, always the same. */
const value: ChartData = {
  kind: "value",
  name: "Vault",
  points: hours.map((time, index) => ({ time, value: index > 24 && index < 30 ? null : 10_000 + wave(index) })),
  compared: [{ name: "Held", points: hours.map((time, index) => ({ time, value: 10_000 + index * 4 })) }],
  format: money,
  step: 0.01,
  marks: [{ time: start + 8 * 3_600, side: "buy", text: "B" }, { time: start + 40 * 3_600, side: "sell", text: "S" }]
}

const candles: ChartData = {
  kind: "candles",
  candles: hours.map((time, index) => {
    const [open, close] = [3_000 + wave(index) / 4, 3_000 + wave(index + 1) / 4]
    return { time, open, close, high: Math.max(open, close) + 9, low: Math.min(open, close) - 7 }
  }),
  marks: []
}

export function Charts() {
  return (
    <Section title="Charts">
      <Suspense fallback={null}>
        <Stack>
          <Chart data={value} />
          <Chart data={candles} height={200} />
        </Stack>
      </Suspense>
    </Section>
  )
}

export function Pictures() {
  return (
    <Section title="Pictures">
      <Stack>
        <Group gap="xl">
          <Sparkline values={["1", "1.1", "1.05", "1.2", null, "1.18", "1.3"]} />
          <Sparkline values={["1.3", "1.2", "1.22", "1.1", "1.05", "0.98"]} />
          <RingChart
            size={72}
            thickness={14}
            parts={[
              { value: 60, colour: "var(--mantine-primary-color-filled)" },
              { value: 30, colour: "var(--gain)" },
              { value: 10, colour: "var(--mantine-color-default-border)" }
            ]}
          />
        </Group>
        <HealthAfter account={{ healthFactor: "1.62" } as never} plan={{ projected_health_factor: "1.21" } as never} />
        <PositionRange position={{ current: 3_012.5, low: 2_700, high: 3_400 } as never} />
        <Suspense fallback={null}>
          <RangeChart
            {...{ current: 3_012.5, range: around(3_012.5, 5), unit: "USDC per WETH", change: () => {} }}
            prices={hours.map((_, index) => 2_960 + wave(index) / 5)}
            shown={{ bottom: 2_750, top: 3_280 }}
          />
        </Suspense>
      </Stack>
    </Section>
  )
}
