import { assert, describe, it } from "@effect/vitest"
import { backtestSearchOf, searchOfBot, searchOfIndex } from "../src/bots/BacktestSearch.ts"
import type { Fault, SweepJob, SweepRow } from "../src/backtest/BacktestJob.ts"
import { reportOf } from "../src/backtest/BacktestReport.ts"
import { combinationsOf, maxCombinations, sweep, walk } from "../src/backtest/BacktestSweep.ts"
import {
  botOf,
  costFault,
  indexOf,
  jobOf,
  neededOf,
  newCosts,
  orderOf,
  type Terms
} from "../src/backtest/BacktestTerms.ts"
import { faultText } from "../src/backtest/BacktestTexts.ts"
import { base, reportFor, sourceOf } from "./BacktestCommand.ts"

const job: SweepJob = {
  ...base,
  signals: sourceOf("signals.csv"),
  swept: [{ name: "threshold", values: "1..9:4" }, { name: "cost_fee", values: "0|0.5" }],
  objective: "return",
  windows: null
}

const rowsOf = (given: SweepJob): ReadonlyArray<SweepRow> => {
  const told: Array<number> = []
  const result = sweep(given, (_, done) => told.push(done))
  if (result._tag === "Failure") assert.fail(JSON.stringify(result.failure))
  assert.deepStrictEqual(told, result.success.map((_, index) => index + 1))
  return result.success
}

const faultOf = (result: { readonly _tag: "Success" } | { readonly _tag: "Failure"; readonly failure: Fault }) =>
  result._tag === "Failure" ? faultText("threshold", result.failure) : assert.fail("it ran")

describe("a sweep", () => {
  it("has for each combination the figures of a run with its values", () => {
    const rows = rowsOf(job)
    assert.deepStrictEqual(rows.map(({ values }) => [values["threshold"], values["cost_fee"]]), [
      ...[["1", "0"], ["1", "0.5"], ["5", "0"], ["5", "0.5"], ["9", "0"], ["9", "0.5"]]
    ])
    for (const { figures, score, values } of rows) {
      const { curves, trades } = reportFor({ ...job, values: { ...job.values, ...values } })
      const own = curves[0]?.figures
      assert.deepStrictEqual(
        figures,
        {
          ...{ percent: own?.percent, drawdown: own?.drawdown, sharpe: own?.sharpe, trades: trades.length }
        } as typeof figures
      )
      assert.strictEqual(score, figures.percent)
    }
    // Costs make a difference, so the rows do not repeat one run.
    assert.isAbove(new Set(rows.map(({ score }) => score)).size, 1)
  })

  it("is refused with the number of its combinations when there are more than a thousand, and runs none", () => {
    const refused = (swept: SweepJob["swept"]) => faultOf(combinationsOf(swept))
    assert.strictEqual(maxCombinations, 1_000)
    assert.match(refused([{ name: "threshold", values: "0..100:0.05" }]), /^These are 2001 combinations; at most 1000 /)
    assert.match(
      refused([{ name: "threshold", values: "1..40:1" }, { name: "share", values: "1..40" }]),
      /^These are 1600 combinations; at most 1000 /
    )
    assert.lengthOf(
      (combinationsOf([{ name: "threshold", values: "1..40" }, { name: "share", values: "4..100:4" }]) as {
        readonly success: ReadonlyArray<unknown>
      }).success,
      1_000
    )
  })

  it("names what is not a range, a value that the bot does not take, and a sweep through nothing", () => {
    const refused = (name: string, values: string) => faultOf(sweep({ ...job, swept: [{ name, values }] }, () => {}))
    for (const text of ["", "a..b", "5..1", "1|x", "1..5:0"]) {
      assert.match(refused("threshold", text), /^Threshold %: .* is no range\. Write 1\.\.10:1/)
    }
    assert.strictEqual(refused("threshold", "50|101"), "Threshold % cannot be 101.")
    assert.match(faultOf(sweep({ ...job, swept: [] }, () => {})), /^Choose a parameter/)
  })

  it("measures each train window's best in the window after it, and says how many bars windows need", () => {
    const told: Array<number> = []
    const walked = walk(job, { train: 200, test: 100 }, (done, of) => {
      told.push(done)
      assert.strictEqual(of, 2 * 7)
    })
    if (walked._tag === "Failure") assert.fail(JSON.stringify(walked.failure))
    const { combinations, folds, gained, percent } = walked.success
    assert.deepStrictEqual([combinations, folds.length, told.length], [6, 2, 14])
    assert.strictEqual(gained, folds.filter(({ tested }) => tested.percent > 0).length)
    assert.approximately(
      percent,
      (folds.reduce((whole, { tested }) => whole * (1 + tested.percent / 100), 1) - 1) * 100,
      1e-9
    )
    assert.isAbove(folds[1]?.from ?? 0, folds[0]?.to ?? Infinity)
    assert.match(faultOf(walk(job, { train: 400, test: 81 }, () => {})), /There are 480 bars; .* need 481/)
    assert.match(faultOf(walk(job, { train: Number.NaN, test: 40 }, () => {})), /^Train window, bars cannot be NaN/)
  })
})

describe("a file of a backtest", () => {
  const refused = (name: string, text: string) =>
    faultOf(reportOf({ ...base, candles: [{ symbol: "WETH", source: { name, text } }] }))

  it("is named with its line when it cannot be used", () => {
    assert.match(refused("a.csv", "time,open,high,low,close\n1,1,1,1,1\n2,1,1,1,0\n"), /^a\.csv line 3: close '0'/)
    assert.match(refused("b.csv", ""), /^b\.csv is empty; /)
    assert.match(refused("c.json", "[]"), /^c\.json has no candles; /)
    assert.match(
      refused("d.csv", "time,open,high,low,close\n2,1,1,1,1\n1,1,1,1,1"),
      /^d\.csv line 3: time '1' is before/
    )
  })
})

describe("an order of a backtest", () => {
  const refused = (values: Readonly<Record<string, string>>) =>
    faultOf(reportOf({ ...base, kind: "order", values: { ...base.values, side: "sell", share: "100", ...values } }))

  it("is refused where the service would refuse it", () => {
    assert.match(refused({ type: "bracket", stop_price: "3000", take_profit_price: "2900" }), /^To sell, the target/)
    assert.match(refused({ type: "twap", duration: "60", slices: "10" }), /^Each slice needs ten seconds/)
    assert.match(refused({ type: "dca", interval: "366d", slices: "2", share: "", amount: "1" }), /longer than a year/)
    assert.match(refused({ type: "dca", interval: "1d", slices: "2" }), /DCA order has an amount/)
    assert.match(refused({ type: "limit", limit_price: "1", share: "" }), /^Enter an amount or a share/)
    assert.match(refused({ type: "limit", limit_price: "1", share: "", amount: "1e-20" }), /smallest unit/)
    assert.match(refused({ type: "limit", limit_price: "-1" }), /cannot be -1/)
    assert.match(refused({ type: "limit" }), / is missing/)
  })
})

describe("the search parameters of a backtest", () => {
  const termsOf = (search: Readonly<Record<string, unknown>>): Terms => {
    const given = backtestSearchOf(search)
    return {
      ...{ kind: given.kind ?? "threshold", bot: botOf(given), index: indexOf(given), order: orderOf(given) },
      costs: newCosts
    }
  }

  it("that are garbage are ignored, one by one", () => {
    assert.deepStrictEqual(backtestSearchOf({ kind: "x", pair: ["a"], share: {}, other: 1, side: " ", pool: null }), {})
    assert.deepStrictEqual(backtestSearchOf({ pair: "y".repeat(601), threshold: 5 }), { threshold: "5" })
    const fresh = botOf({})
    const { bot } = termsOf({
      kind: "threshold",
      pair: "<b>",
      side: "up",
      threshold: "-1",
      share: "1e9",
      max_usd: "25"
    })
    assert.deepStrictEqual(bot, { ...fresh, max_usd: "25" })
    const { index } = termsOf({ kind: "index", targets: "WETH:40,USDC:50", tolerance: "x", interval: "2d" })
    assert.deepStrictEqual([index.targets.map(({ weight }) => weight), index.tolerance, index.interval], [
      ["50", "50"],
      "5",
      "2d"
    ])
    const { order } = termsOf({ kind: "order", type: "rocket", side: "up", share: "200", stop_price: "2700" })
    assert.deepStrictEqual([order.type, order.side, order.share, order.stop_price], [
      "stop_loss",
      "sell",
      "100",
      "2700"
    ])
  })

  it("are the terms of a bot, and name the prices that it needs", () => {
    const bot = { ...botOf({}), pair: "WBTC-USDC", threshold: "7", max_usd: "123.5", wallet: "0x1", pool: "0x2" }
    assert.deepStrictEqual(termsOf(searchOfBot({ ...bot })).bot, bot)
    const rows = [["WETH", "40", "2"], ["WBTC", "40", ""], ["USDC", "20", ""]].map((
      [asset = "", weight = "", tolerance = ""],
      key
    ) => ({ key: String(key), asset, weight, tolerance }))
    const terms = termsOf(searchOfIndex({ ...indexOf({}), interval: "6h", targets: rows }))
    assert.deepStrictEqual(terms.index.targets.map(({ asset, tolerance, weight }) => [asset, weight, tolerance]), [
      ...[["WETH", "40", "2"], ["WBTC", "40", ""], ["USDC", "20", ""]]
    ])
    assert.deepStrictEqual(neededOf(terms).map(({ symbol }) => symbol), ["WETH", "WBTC"])
    assert.deepStrictEqual(jobOf(terms, {}).candles, [])
  })
})

describe("the costs of a backtest", () => {
  it("are percentages below 100 and a start value above 0", () => {
    const faults = (name: string, texts: ReadonlyArray<string>) =>
      texts.filter((text) => costFault(name, text) !== null)
    assert.deepStrictEqual(faults("cost_fee", ["0", "99.9", "", "-1", "100", "x"]), ["", "-1", "100", "x"])
    assert.deepStrictEqual(faults("start_usd", ["1", "1e6", "0", "", "-5"]), ["0", "", "-5"])
  })
})
