/** The tearsheet of a run: equity against holding, figures, trades with their reasons, files, and what is left out. */
import { Button, Group, List, SimpleGrid, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useMemo, useState } from "react"
import type { BacktestSearch } from "../bots/BacktestSearch.ts"
import type { ChartData } from "../chart/Chart.tsx"
import { download } from "../shell/Download.ts"
import { type Fact, Facts } from "../shell/Facts.tsx"
import { amount, dollars, moment, percent, price, signedMoney, signedPercent, unknown } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { stateLabelOf } from "../vault-order/VaultOrders.ts"
import type { Report } from "./BacktestJob.ts"
import type { Terms } from "./BacktestTerms.ts"
import { curveLabel, seriesText } from "./BacktestTexts.ts"
import { UseSettings } from "./UseSettings.tsx"
import { locale, t } from "../text/Text.ts"

const Chart = lazy(() => import("../chart/Chart.tsx").then(({ Chart }) => ({ default: Chart })))

/** Most points of a line; more are not visible. */
const maxPoints = 1_500
/** Most marks that can be distinguished. */
const maxMarks = 400
/** Trades that are listed at first. */
const firstTrades = 25
/** Most trades that are listed; the file has all of them. */
const maxTrades = 1_000

const timeText = (seconds: number) => moment(new Date(seconds * 1000).toISOString())
const ratio = (value: number | null) => value === null ? unknown : value.toFixed(2).replace("-", "−")

/** Returns what is drawn: evenly chosen bars, with each trade at the bar that is drawn before it. */
const chartOf = ({ curves, kind, quote, times, trades }: Report): ChartData => {
  const step = Math.max(1, Math.ceil(times.length / maxPoints))
  const drawn = times.map((_, place) => place).filter((place) => place % step === 0 || place === times.length - 1)
  const pointsOf = (values: ReadonlyArray<number>) =>
    drawn.map((place) => ({ time: times[place] ?? 0, value: values[place] ?? 0 }))
  const drawnTimes = drawn.map((place) => times[place] ?? 0)
  const [own, ...others] = curves
  return {
    kind: "value",
    name: own === undefined ? "" : curveLabel(kind, own, 0),
    points: pointsOf(own?.values ?? []),
    compared: others.slice(0, 2).map((curve, place) => ({
      name: curveLabel(kind, curve, place + 1),
      points: pointsOf(curve.values)
    })),
    format: dollars,
    step: 0.01,
    marks: trades.length > maxMarks ? [] : trades.flatMap(({ from, time }) => {
      const at = drawnTimes.findLast((each) => each <= time)
      const side = from === quote ? "buy" as const : "sell" as const
      return at === undefined ? [] : [{ time: at, side, text: side === "buy" ? "B" : "S" }]
    })
  }
}

function Figures({ report }: { readonly report: Report }) {
  const { curves, kind } = report
  return (
    <ResponsiveTable
      label={t("Figures of the backtest")}
      columns={[
        t("Compared"),
        t("End value"),
        t("Profit"),
        t("Return"),
        t("Greatest fall"),
        t("Volatility a year"),
        t("Sharpe ratio"),
        t("Sortino ratio")
      ]}
      rows={curves.map((curve, place) => {
        const { drawdown, end, percent: gained, pnl, sharpe, sortino, volatility } = curve.figures
        return {
          key: curve.name,
          cells: [
            <Text key="name" span size="sm" fw={place === 0 ? 650 : 400}>{curveLabel(kind, curve, place)}</Text>,
            dollars(end),
            signedMoney(pnl),
            signedPercent(gained),
            percent(drawdown),
            volatility === null ? unknown : percent(volatility),
            ratio(sharpe),
            ratio(sortino)
          ]
        }
      })}
    />
  )
}

/** Says how far the bot is ahead of holding each asset. */
const againstOf = ({ curves }: Report): ReadonlyArray<Fact> =>
  curves.slice(1).map((curve) => [
    curve.held === null
      ? t("Compared with holding the targets")
      : t("Compared with holding {name}", { name: curve.held }),
    signedMoney((curves[0]?.figures.end ?? 0) - curve.figures.end)
  ])

const orderFacts = ({ order }: Report): ReadonlyArray<Fact> =>
  order === null ? [] : [
    [t("At the end"), stateLabelOf({ kill_switch: null, state: order.state }).label],
    [t("Last reason"), order.reason],
    [
      t("Triggered"),
      order.trigger === null
        ? t("no")
        : t("at {price}, {time}", { price: price(order.trigger.price), time: timeText(order.trigger.at) })
    ]
  ]

function Totals({ report }: { readonly report: Report }) {
  const { costs, curves, fall, times, trades, turnover } = report
  const start = curves[0]?.figures.start ?? 0
  return (
    <Facts
      label={t("Trades and costs")}
      facts={[
        [
          t("Period"),
          `${timeText(times[0] ?? 0)} – ${timeText(times.at(-1) ?? 0)}`
        ],
        [t("Trades"), trades.length.toLocaleString(locale)],
        [
          t("Turnover"),
          start > 0
            ? t("{usd}, {times} × the start value", { usd: dollars(turnover), times: (turnover / start).toFixed(2) })
            : dollars(turnover)
        ],
        [t("Lost to fee and slippage"), dollars(costs)],
        ...againstOf(report),
        ...(fall === null ? [] : [[t("Greatest fall"), `${timeText(fall.from)} – ${timeText(fall.to)}`] as const]),
        ...orderFacts(report)
      ]}
    />
  )
}

function Trades({ report: { trades } }: { readonly report: Report }) {
  const [isAll, setIsAll] = useState(false)
  if (trades.length === 0) return <Text size="sm">{t("It traded nothing.")}</Text>
  const shown = trades.slice(0, isAll ? maxTrades : firstTrades)
  return (
    <Stack gap="xs">
      <ResponsiveTable
        label={t("Trades of the backtest")}
        columns={[t("Time"), t("Sold"), t("Bought"), t("Value"), t("Cost"), t("Reason")]}
        rows={shown.map(({ bought, cost, from, reason, sold, time, to, usd }, place) => ({
          key: String(place),
          cells: [
            timeText(time),
            `${amount(sold)} ${from}`,
            `${amount(bought)} ${to}`,
            dollars(usd),
            dollars(cost),
            <Text key="reason" span size="xs" style={{ overflowWrap: "anywhere" }}>{reason}</Text>
          ]
        }))}
      />
      {trades.length > shown.length && (
        <Group gap="xs">
          {!isAll && (
            <Button size="xs" variant="default" onClick={() => setIsAll(true)}>
              {t("Show more of {count} trades", { count: trades.length.toLocaleString(locale) })}
            </Button>
          )}
          {isAll && (
            <Text size="xs" c="dimmed">
              {t("The first {count} are shown; the file has all of them.", { count: maxTrades.toLocaleString(locale) })}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  )
}

const notesOf = ({ hasSideColumn, kind, left, series, signals, trades }: Report): ReadonlyArray<string> => [
  ...series.map((note) => t("{name}: {content}", { name: note.name, content: seriesText(note) })),
  ...(left === 0
    ? []
    : [t("{count, plural, one {# time} other {# times}} that not all series have, left out", { count: left })]),
  ...(signals === null
    ? []
    : [
      t("{count, plural, one {# signal} other {# signals}}, {late} of them after the last bar", {
        count: signals.count,
        late: signals.late
      })
    ]),
  ...(hasSideColumn ? [t("The side comes from a column of the candles.")] : []),
  ...(trades.length > maxMarks ? [t("There are too many trades to mark them in the chart.")] : []),
  kind === "order"
    ? t("Within a bar, the price goes first to its extreme that is worse for the order, then to the other one.")
    : t("It decides at a bar’s close and trades at the next open. No price is known before its time."),
  t("Each trade loses the fee and then the slippage of the costs. Gas, the service’s charges and interest are not counted."),
  t("Every trade is made, and moves no price: with amounts that are large for a real pool, results are too good."),
  kind === "order"
    ? t("Pools are not simulated: a limit of the impact has no effect here.")
    : t("A live bot checks every few seconds, this one once a bar."),
  t("The quote is always a dollar.")
]

export function Tearsheet({ report, search, terms }: {
  /** The terms that were run. */
  readonly terms: Terms
  readonly search: BacktestSearch
  readonly report: Report
}) {
  const data = useMemo(() => chartOf(report), [report])
  const save = (name: "trades" | "equity") => download(`backtest-${name}.csv`, "text/csv", report.csv[name])
  return (
    <Stack>
      <Section title={t("Result")} action={<UseSettings terms={terms} search={search} />}>
        <Stack>
          <Figures report={report} />
          <Suspense fallback={null}>
            <Chart data={data} height={320} />
          </Suspense>
        </Stack>
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Section title={t("Trades and costs")}>
          <Totals report={report} />
        </Section>
        <Section title={t("How it is calculated")}>
          <List size="sm" spacing={4}>
            {notesOf(report).map((note) => <List.Item key={note} style={{ overflowWrap: "anywhere" }}>{note}
            </List.Item>)}
          </List>
        </Section>
      </SimpleGrid>
      <Section
        title={t("Trades")}
        action={
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => save("trades")}>{t("Trades as CSV")}</Button>
            <Button size="xs" variant="default" onClick={() => save("equity")}>{t("Equity as CSV")}</Button>
          </Group>
        }
      >
        <Trades report={report} />
      </Section>
    </Stack>
  )
}
