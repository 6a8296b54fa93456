/** The backtest command on its sample files, and the page's report of the same input. */
import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import type { Curve, Job, Report } from "../src/backtest/BacktestJob.ts"
import { reportOf } from "../src/backtest/BacktestReport.ts"

const root = Path.join(import.meta.dirname, "../../..")
const sample = Path.join(root, "packages/app/src/cli/backtest/sample")
/** Returns the path of a sample file. */
export const file = (name: string) => Path.join(sample, name)
export const sourceOf = (name: string) => ({ name, text: Fs.readFileSync(file(name), "utf8") })

export const costs = { cost_slippage: "0.5", cost_fee: "0.1", start_usd: "100000" }
export const base: Job = {
  kind: "threshold",
  values: { ...costs, pair: "WETH-USDC", side: "hold", threshold: "1", share: "100", max_usd: "10000000" },
  targets: [],
  candles: [{ symbol: "WETH", source: sourceOf("weth.csv") }],
  signals: null,
  inverse: null
}

/** Runs `npm run backtest` as a user does, and returns what it printed and wrote. */
const command = async (...args: ReadonlyArray<string>) => {
  const out = Fs.mkdtempSync(Path.join(Os.tmpdir(), "backtest-"))
  try {
    const words = [Path.join(root, "scripts/run.mjs"), "backtest", ...args, "--out", out]
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text
      })
    }
    const [code] = await once(child, "close") as [number | null]
    assert.strictEqual(code, 0, said)
    const read = (name: string) => Fs.readFileSync(Path.join(out, name), "utf8")
    return { said, trades: read("trades.csv"), equity: read("equity.csv") }
  } finally {
    Fs.rmSync(out, { recursive: true })
  }
}

const ratio = (value: number | null) => value === null ? "–" : value.toFixed(2)
const dollars = (value: number) =>
  `${value < 0 ? "-" : ""}$ ${
    Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  }`

/** Returns the cells of a line of the command's table. */
const lineOf = (said: string, name: string) =>
  (said.split("\n").find((line) => line.startsWith(`${name}  `)) ?? "").slice(name.length).trim().split(/ {2,}/)

/** Returns the report of a job that runs. */
export const reportFor = (job: Job): Report => {
  const found = reportOf(job)
  if (found._tag === "Failure") assert.fail(JSON.stringify(found.failure))
  return found.success
}

/** Asserts that the page's report has the command's figures and files, to the last digit. */
export const equal = async (job: Job, ...args: ReadonlyArray<string>) => {
  const wanted = await command(...args)
  const report = reportFor(job)
  assert.strictEqual(report.csv.trades, wanted.trades)
  assert.strictEqual(report.csv.equity, wanted.equity)
  const figures = (show: (figures: Curve["figures"]) => string) => report.curves.map((curve) => show(curve.figures))
  assert.deepStrictEqual({
    end: figures(({ end }) => dollars(end)),
    pnl: figures(({ pnl }) => dollars(pnl)),
    percent: figures(({ percent }) => percent.toFixed(2)),
    drawdown: figures(({ drawdown }) => drawdown.toFixed(2)),
    volatility: figures(({ volatility }) => ratio(volatility)),
    sharpe: figures(({ sharpe }) => ratio(sharpe)),
    sortino: figures(({ sortino }) => ratio(sortino)),
    totals: [String(report.trades.length), dollars(report.turnover), dollars(report.costs)]
  }, {
    end: lineOf(wanted.said, "end"),
    pnl: lineOf(wanted.said, "PnL"),
    percent: lineOf(wanted.said, "PnL %"),
    drawdown: lineOf(wanted.said, "max drawdown %"),
    volatility: lineOf(wanted.said, "volatility % a year"),
    sharpe: lineOf(wanted.said, "Sharpe"),
    sortino: lineOf(wanted.said, "Sortino"),
    totals: [...lineOf(wanted.said, "trades"), ...lineOf(wanted.said, "turnover"), ...lineOf(wanted.said, "costs")]
  })
  return report
}
