/** A vault's performance as one HTML page: no script, nothing loaded, ready to print or to save as PDF. */
import type { CurvePoint, Performance } from "./Performance.ts"
import { type ChartPoint, chartOf, escaped } from "./TearsheetChart.ts"
import { tearsheetStyle } from "./TearsheetStyle.ts"

const none = "–"

/** Formats dollars of a decimal text with two decimals, or more for prices below one. */
const dollars = (text: string | null): string => {
  if (text === null) return none
  const value = Number(text)
  const small = value !== 0 && Math.abs(value) < 0.01
  return `${value < 0 ? "−" : ""}$${
    Math.abs(value).toLocaleString("en-US", {
      minimumFractionDigits: 2,
      maximumFractionDigits: small ? 6 : 2
    })
  }`
}

const price = (text: string | null): string =>
  text === null
    ? none
    : `$${Number(text).toLocaleString("en-US", { minimumFractionDigits: 4, maximumFractionDigits: 4 })}`

const signed = (value: number, digits = 2): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`
const percent = (value: number | null): string => value === null ? none : `${signed(value)} %`
const plainPercent = (value: number | null): string => value === null ? none : `${value.toFixed(2)} %`
const number = (value: number | null): string => value === null ? none : signed(value).replace("+", "")
const quantity = (text: string | null): string =>
  text === null ? none : Number(text).toLocaleString("en-US", { maximumFractionDigits: 6 })
const timeText = (iso: string | null): string => iso === null ? none : `${iso.slice(0, 16).replace("T", " ")} UTC`
const toneOf = (value: number | null): string => value === null || value === 0 ? "" : value > 0 ? "up" : "down"
const numberOf = (text: string | null): number | null => text === null ? null : Number(text)

const compact = (value: number): string =>
  `${value < 0 ? "−" : ""}$${
    Math.abs(value).toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 2 })
  }`

const pointsOf = (
  curve: ReadonlyArray<CurvePoint>,
  valueOf: (point: CurvePoint) => string | null
): ReadonlyArray<ChartPoint> =>
  curve.map((point) => ({
    time: Date.parse(point.time),
    value: numberOf(valueOf(point)),
    afterGap: point.gap !== null
  }))

/** Returns how far the share price is below its peak, in percent; the peak begins again after a time without tokens. */
const underwater = (curve: ReadonlyArray<CurvePoint>): ReadonlyArray<ChartPoint> => {
  let peak = 0
  return pointsOf(curve, ({ share_price }) => share_price).map((point) => {
    if (point.value === null) {
      peak = 0
      return point
    }
    peak = Math.max(peak, point.value)
    return { ...point, value: peak === 0 ? 0 : (point.value / peak - 1) * 100 }
  })
}

const figure = (name: string, value: string, note: string, tone = "") =>
  `<div class="figure"><dt>${escaped(name)}</dt><dd class="${tone}">${escaped(value)}</dd><p>${escaped(note)}</p></div>`

type Row = ReadonlyArray<string | { readonly text: string; readonly tone: string }>

const cellOf = (cell: Row[number], index: number, tag: "td" | "th") => {
  const { text, tone } = typeof cell === "string" ? { text: cell, tone: "" } : cell
  return `<${tag} class="${index === 0 ? "name" : "value"} ${tone}">${escaped(text)}</${tag}>`
}

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string =>
  `<table>${
    head.length === 0 ? "" : `<thead><tr>${head.map((cell, index) => cellOf(cell, index, "th")).join("")}</tr></thead>`
  }<tbody>${
    rows.map((row) => `<tr>${row.map((cell, index) => cellOf(cell, index, "td")).join("")}</tr>`).join("")
  }</tbody></table>`

const section = (title: string, body: string, kind = ""): string =>
  `<section class="${kind}"><h2>${escaped(title)}</h2>${body}</section>`

const toned = (value: number | null, text: string) => ({ text, tone: toneOf(value) })
const money = (text: string | null) => toned(numberOf(text), dollars(text))
const change = (value: number | null) => toned(value, percent(value))

const headline = (data: Performance): string => {
  const { drawdown, return_percent: net, statistics } = data
  return `<dl class="figures">${
    [
      figure("Return", percent(net), "time-weighted, after fees", toneOf(net)),
      figure("Profit", dollars(data.pnl_usd), "without deposits and withdrawals", toneOf(numberOf(data.pnl_usd))),
      figure("Value", dollars(data.end_value_usd), `${price(data.end_share_price)} a share`),
      figure("Largest drawdown", drawdown === null ? none : plainPercent(drawdown.percent), "of the share price"),
      figure(
        "Sharpe",
        number(statistics.sharpe),
        statistics.sharpe === null ? "too few returns" : "a year, risk-free 0"
      )
    ].join("")
  }</dl>`
}

const charts = ({ curve }: Performance): string =>
  [
    section(
      "Share price",
      chartOf({
        title: "Share price",
        points: pointsOf(curve, ({ share_price }) => share_price),
        format: (value) => `$${value.toFixed(value >= 100 ? 0 : 3)}`,
        ...{ tone: "line", height: 210 }
      })
    ),
    `<div class="pair">${
      section(
        "Value",
        chartOf({
          ...{ title: "Value", points: pointsOf(curve, ({ value_usd }) => value_usd), format: compact },
          ...{ base: 0, tone: "area", height: 260 }
        })
      )
    }${
      section(
        "Below the peak",
        chartOf({
          ...{ title: "Below the peak", points: underwater(curve), format: (value: number) => `${value.toFixed(1)} %` },
          ...{ base: 0, tone: "loss", height: 260 }
        })
      )
    }</div>`
  ].join("")

const returnsTable = (data: Performance): string =>
  section(
    "Returns",
    table(["", "Return", "Profit"], [
      ["Period, after fees", change(data.return_percent), money(data.pnl_usd)],
      ["Before the manager's fees", change(data.return_before_fees_percent), none],
      ["After gas and charges", change(data.return_after_gas_percent), money(data.pnl_after_gas_usd)],
      ["Last day", change(data.day.return_percent), money(data.day.pnl_usd)],
      ["Last week", change(data.week.return_percent), money(data.week.pnl_usd)],
      ["All samples", change(data.all.return_percent), money(data.all.pnl_usd)],
      ...data.benchmarks.map((benchmark): Row => [
        benchmark.name === "start allocation" ? "Holding the start allocation" : `Holding ${benchmark.name}`,
        change(benchmark.return_percent),
        benchmark.excess_percent === null ? none : `excess ${percent(benchmark.excess_percent)}`
      ])
    ])
  )

const riskTable = ({ exposure, statistics, trading, turnover_percent, ...data }: Performance): string =>
  section(
    "Risk and trading",
    table([], [
      ["Volatility a year", plainPercent(statistics.volatility_percent)],
      ["Sharpe / Sortino", `${number(statistics.sharpe)} / ${number(statistics.sortino)}`],
      [
        "Exposure, mean / end",
        `${plainPercent(exposure.average_percent)} / ${plainPercent(exposure.end_percent)}`
      ],
      ["Trades / failed", `${trading.trades} / ${trading.failed}`],
      ["Turnover", `${dollars(trading.turnover_usd)} (${plainPercent(turnover_percent)})`],
      ["Slippage against the oracle", plainPercent(trading.slippage_oracle_percent)],
      ["Slippage against quotes", plainPercent(trading.slippage_quote_percent)],
      ["Realised / unrealised", `${dollars(data.realised_usd)} / ${dollars(data.unrealised_usd)}`],
      ["Net deposits", dollars(data.net_flows_usd)],
      ["Value at the start", dollars(data.start_value_usd)],
      ["Value at the end", dollars(data.end_value_usd)],
      ["Largest drawdown", data.drawdown === null ? none : plainPercent(data.drawdown.percent)],
      [
        "From its peak to its end",
        data.drawdown === null || data.drawdown.percent === 0
          ? none
          : `${data.drawdown.from.slice(0, 10)} to ${data.drawdown.to.slice(0, 10)}`
      ],
      ["Samples", `${data.coverage.samples} (${plainPercent(data.coverage.covered_percent)} covered)`]
    ])
  )

const costTable = ({ fees, trading }: Performance): string =>
  section(
    "Costs",
    table([], [
      ["Manager's fees accrued", dollars(fees.accrued_usd)],
      ["Fees minted", `${quantity(fees.minted_shares)} shares`],
      ["Fees owed at the end", `${quantity(fees.owed_shares)} shares`],
      ["Gas, paid by the gas wallet", dollars(trading.gas_usd)],
      ["Charges, paid by the gas wallet", dollars(trading.charges_usd)]
    ])
  )

const attributionTable = ({ attribution }: Performance): string =>
  attribution.length === 0 ? "" : section(
    "Attribution",
    table(
      ["Asset", "Profit", "Contribution", "Mean weight", "End weight"],
      attribution.map((row): Row => [
        row.asset === null ? "Trades, interest, fees, gaps" : row.symbol,
        money(row.pnl_usd),
        change(row.contribution_percent),
        row.asset === null ? none : plainPercent(row.average_weight_percent),
        row.asset === null ? none : plainPercent(row.end_weight_percent)
      ])
    )
  )

const sourceTable = ({ sources }: Performance): string =>
  sources.length === 0 ? "" : section(
    "Bots and orders",
    table(
      ["", "Trades", "Failed", "Turnover", "Slippage", "Gas", "Realised"],
      sources.map((row): Row => [
        row.name.charAt(0).toUpperCase() + row.name.slice(1),
        String(row.trades),
        String(row.failed),
        dollars(row.turnover_usd),
        plainPercent(row.slippage_oracle_percent),
        dollars(row.gas_usd),
        money(row.realised_usd)
      ])
    )
  )

/** Maximum number of gaps that are listed. */
const maxGaps = 8

const gapTable = ({ coverage: { covered_percent, gaps } }: Performance): string =>
  gaps.length === 0 ? "" : section(
    "Gaps",
    table(
      ["From", "To", "Reason"],
      gaps.slice(0, maxGaps).map(({ from, reason, to }): Row => [timeText(from), timeText(to), reason])
    ) +
      `<p class="note">${plainPercent(covered_percent)} of the period is sampled.${
        gaps.length > maxGaps ? ` ${gaps.length - maxGaps} more gaps are not listed.` : ""
      } Nothing is interpolated: the shaded parts of the charts are not known.</p>`,
    "gaps"
  )

const methodNote = ({ coverage, statistics }: Performance): string =>
  `Returns are by the share price after fees that are owed, from ${coverage.samples} samples. A deposit or a ` +
  "withdrawal is no profit. Gas and charges are paid by the gas wallet, not by the vault. Statistics are of " +
  `${statistics.returns} returns of ${statistics.period_seconds} s, annualised over 365 days with a risk-free rate of ` +
  `0${
    statistics.reason === null ? "" : ` (${statistics.reason})`
  }. Realised and unrealised profit are by lots, without ` +
  "gas and charges. Past returns do not predict later ones."

/** Writes the page. */
export const tearsheetOf = (data: Performance, now: Date): string => {
  const title = `Vault ${data.pool.slice(0, 6)}…${data.pool.slice(-4)}`
  const warning = data.reason === null ? "" : `<p class="warning">${escaped(data.reason)}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)} on ${data.network}: performance</title>
<style>${tearsheetStyle}</style>
</head>
<body>
<main>
<header>
<div><h1>${escaped(title)}</h1><p class="address">${data.pool} · ${data.network}</p></div>
<div class="period"><strong>${timeText(data.from)}</strong> to <strong>${timeText(data.to)}</strong>
<br>written ${timeText(now.toISOString())}</div>
</header>
${warning}${headline(data)}
${charts(data)}
<div class="pair"><div>${returnsTable(data)}${costTable(data)}</div>${riskTable(data)}</div>
${attributionTable(data)}
${sourceTable(data)}
${gapTable(data)}
<footer>${escaped(methodNote(data))}</footer>
</main>
</body>
</html>
`
}
