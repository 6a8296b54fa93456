/** A vault's value and share price over time, with its trades as marks. */
import { Card, Group, SimpleGrid } from "@mantine/core"
import type { Range } from "@vault-trader/core/performance/Performance"
import { useState } from "react"
import type { Mark } from "../chart/Chart.tsx"
import { useTrades } from "../chart/Charts.ts"
import { AllocationCurve } from "../performance/AllocationCurve.tsx"
import { benchmarkName } from "../performance/Benchmarks.ts"
import { changesOf, curveOf, returnsOf } from "../performance/Curve.ts"
import { usePerformance } from "../performance/Performance.ts"
import { ValueCurve } from "../performance/ValueCurve.tsx"
import { dollars, money, price, signedPercent, spanOf, unknown } from "../shell/Format.ts"
import { ProfitStats, Stat } from "../shell/Stat.tsx"
import { type Link, useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"

const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1000)

/** Most marks beside each other on a curve; trades closer together share one. */
const maxMarks = 40

/** Places trades on a curve as marks: buys bring something else than a stablecoin into the vault. */
const marksOf = (trades: NonNullable<ReturnType<typeof useTrades>["data"]>, from: number): ReadonlyArray<Mark> => {
  const width = Math.max(1, (Date.now() / 1000 - from) / maxMarks)
  const shared = new Map<string, { readonly time: number; readonly side: "buy" | "sell"; count: number }>()
  for (const { created_at, in: incoming, out } of [...trades].reverse()) {
    const time = seconds(created_at)
    if (out.length === 0 || incoming.length === 0 || time < from) continue
    const side = incoming.some(({ symbol }) => /USD|DAI/.test(symbol)) ? "sell" : "buy"
    const key = `${side}/${Math.floor(time / width)}`
    const mark = shared.get(key) ?? { time, side, count: 0 }
    mark.count += 1
    shared.set(key, mark)
  }
  return [...shared.values()].map(({ count: number, side, time }) => ({
    time,
    side,
    text: `${side === "buy" ? "B" : "S"}${number > 1 ? number : ""}`
  }))
}

/** The views of the chart. */
const views = [
  { value: "share_price", label: t("Share price") },
  { value: "value_usd", label: t("Value") },
  { value: "return", label: t("Return") },
  { value: "allocation", label: t("Allocation") }
] as const
type View = (typeof views)[number]["value"]

/** A chart compares with at most so many benchmarks. */
const maxCompared = 2

/** The chart of a vault in the chosen view. */
function History({ link, none, performance, range, setRange, setView, view }: {
  readonly link: Link
  readonly none: string
  readonly performance: ReturnType<typeof usePerformance>
  readonly range: Range
  readonly setRange: (range: Range) => void
  readonly view: View
  readonly setView: (view: View) => void
}) {
  const trades = useTrades(link).data ?? []
  const { data, error } = performance
  const frame = {
    ...{ range, setRange, none, error },
    label: views.find(({ value }) => value === view)?.label ?? "",
    isPending: data === undefined && error === null,
    choice: (
      <SegmentedControl
        size="xs"
        aria-label={t("What the curve shows")}
        value={view}
        data={views}
        onChange={(value) => setView(views.find((each) => each.value === value)?.value ?? "share_price")}
      />
    )
  }
  if (view === "allocation") return <AllocationCurve {...frame} allocation={data?.allocation ?? []} />
  const points = curveOf(data?.curve ?? [], view === "value_usd" ? "value_usd" : "share_price")
  const marks = marksOf(trades, points[0]?.time ?? 0)
  return view === "return"
    ? (
      <ValueCurve
        {...frame}
        points={changesOf(points)}
        format={signedPercent}
        step={0.01}
        marks={marks}
        compared={(data?.benchmarks ?? []).map(({ curve, name }) => ({
          name: benchmarkName(name),
          points: returnsOf(curve)
        }))
          .filter(({ points: known }) => known.length >= 2).slice(0, maxCompared)}
      />
    )
    : (
      <ValueCurve
        {...frame}
        points={points}
        format={view === "share_price" ? (value) => `$${price(value)}` : dollars}
        step={view === "share_price" ? 0.000001 : 0.01}
        marks={marks}
      />
    )
}

export function VaultValue({ link, vault }: { readonly link: Link; readonly vault: VaultRef }) {
  const [range, setRange] = useState<Range>("7d")
  const [view, setView] = useState<View>("share_price")
  const performance = usePerformance(vault, range)
  const composition = useComposition(link)
  const { data } = performance
  const isLoading = data === undefined && performance.error === null
  const none = data === undefined || data.coverage.interval_seconds === 0
    ? t("The vault’s value is recorded at intervals; a curve needs two records.")
    : t("No history yet: a sample is taken every {intervalSeconds}, and a curve needs two.", {
      intervalSeconds: spanOf(data.coverage.interval_seconds)
    })
  return (
    <Card withBorder component="section" aria-label={t("Value")}>
      <Group justify="space-between" align="flex-end" mb="sm">
        <Stat
          size="xl"
          label={t("Value")}
          value={composition.data === undefined && composition.error === null
            ? undefined
            : money(composition.data?.total_value_usd ?? data?.end_value_usd)}
        />
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg" verticalSpacing="xs">
          <Stat
            label={t("Share price")}
            value={isLoading ? undefined : data?.end_share_price === null || data === undefined
              ? unknown
              : `$${price(data.end_share_price)}`}
          />
          <ProfitStats isLoading={isLoading} profits={data} />
        </SimpleGrid>
      </Group>
      <History {...{ link, none, performance, range, setRange, setView, view }} />
    </Card>
  )
}
