import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { backtestFlags } from "../../src/cli/backtest/BacktestFlags.ts"
import { optionsOf } from "../../src/cli/backtest/BacktestOptions.ts"
import { ticksOf } from "../../src/cli/backtest/Chart.ts"
import { play } from "../../src/cli/backtest/Play.ts"
import * as Sample from "../../src/cli/backtest/Sample.ts"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import { programFile } from "@vault-trader/testing/harness/ServiceProcess"
import { parsed } from "../cli/ParsedWords.ts"

const sample = (name: string) => Path.join(Sample.folder, name)

interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs `npm run backtest -- …` as a user does. */
const backtest = (...args: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn(process.execPath, [programFile, "backtest", ...args], { stdio: ["ignore", "pipe", "pipe"] })
    ),
    (child) =>
      Effect.promise(async (): Promise<Said> => {
        const said = { out: "", err: "" }
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          said.out += text
        })
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          said.err += text
        })
        const [code] = await once(child, "close") as [number | null]
        return { code, ...said }
      }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Splits a CSV row whose cells contain no line breaks. */
const cellsOf = (line: string) =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => cell.replace(/^"|"$/g, "")).slice(0, -1)
const csvOf = (text: string) => {
  const [head = "", ...lines] = text.trimEnd().split("\n")
  const names = head.split(",")
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, place) => [names[place] ?? "", cell])))
}

/** Asserts that an SVG is well-formed: elements are closed in order, and attributes are quoted. */
const wellFormed = (xml: string) => {
  const open: Array<string> = []
  const rest = xml.replace(
    /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<&]*(?:&(?:amp|lt|gt|quot);[^"<&]*)*")*)\s*(\/?)>/g,
    (_, ends: string, name: string, _attributes: string, alone: string) => {
      if (ends === "/") assert.strictEqual(open.pop(), name)
      else if (alone === "") open.push(name)
      return ""
    }
  )
  assert.deepStrictEqual(open, [])
  assert.notMatch(rest, /[<>]|&(?!(amp|lt|gt|quot);)/)
}

/**
 * Asserts that the outputs agree: the same number of trades in the table, the CSV and the chart, and the same final
 * equity.
 */
const reported = (folder: string, { code, err, out }: Said) => {
  assert.strictEqual(code, 0, err)
  const read = (name: string) => Fs.readFileSync(Path.join(folder, name), "utf8")
  const [trades, equity, svg] = [csvOf(read("trades.csv")), csvOf(read("equity.csv")), read("chart.svg")]
  wellFormed(svg)
  assert.strictEqual(svg.match(/class="trade"/g)?.length ?? 0, trades.length)
  assert.strictEqual(Number(/^trades +(\d+)$/m.exec(out)?.[1]), trades.length)
  const end = /^end +\$ ([\d,.]+)/m.exec(out)?.[1]?.replaceAll(",", "")
  assert.closeTo(Number(end), Number(equity.at(-1)?.["bot_usd"]), 0.01)
  const costs = /^costs +\$ ([\d,.]+)/m.exec(out)?.[1]?.replaceAll(",", "")
  assert.closeTo(Number(costs), trades.reduce((sum, { cost_usd: cost }) => sum + Number(cost), 0), 0.01)
  return { trades, equity, svg }
}

describe("npm run backtest", () => {
  it("has a sample that is what its generator makes", () => {
    for (const [name, content] of Object.entries(Sample.files)) {
      assert.strictEqual(Fs.readFileSync(sample(name), "utf8"), content)
    }
  })

  it.effect("shows what a threshold bot would have done by signals, as a table, as CSV and as a chart", () =>
    Effect.gen(function*() {
      const folder = Path.join(yield* temporaryFolder, "deep/report")
      const said = yield* backtest(
        "--candles",
        sample("weth.csv"),
        "--pair",
        "ETH-USDC",
        "--signals",
        sample("signals.csv"),
        "--threshold",
        "5",
        "--fee",
        "0",
        "--slippage",
        "1",
        "--out",
        folder
      )
      const { equity, svg, trades } = reported(folder, said)
      const signals = csvOf(Sample.files["signals.csv"] ?? "")
      // A trade at the open that each signal names, to the side it names, at that bar's opening price less one percent.
      assert.deepStrictEqual(
        trades.map(({ bought, time }) => [time, bought]),
        signals.map(({ side, time }) => [time, side === "long" ? "WETH" : "USDC"])
      )
      const opens = new Map(csvOf(Sample.files["weth.csv"] ?? "").map(({ open, time }) => [time, Number(open)]))
      for (const { bought, bought_amount: got, sold_amount: gave, time } of trades) {
        const price = opens.get(time) ?? Number.NaN
        assert.closeTo(Number(got) / Number(gave), (bought === "WETH" ? 1 / price : price) * 0.99, price * 1e-6)
      }
      assert.strictEqual(equity.length, 480)
      assert.deepInclude(equity[0], { time: "2026-01-01T00:00:00Z", bot_usd: "100000", USDC: "100000", WETH: "0" })
      assert.include(svg, "<title>Threshold bot on WETH-USDC</title>")
      assert.match(said.out, /480 bars of 6 hours, no gaps\./)
    }))

  it.effect("shows what an index bot would have done, in bars that all files have", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const [head = "", ...rows] = (Sample.files["wbtc.csv"] ?? "").split("\n")
      const wbtc = Path.join(folder, "wbtc.csv")
      Fs.writeFileSync(wbtc, [head, ...rows.slice(0, 10), ...rows.slice(13)].join("\n"))
      const files = ["--candles", `WETH=${sample("weth.csv")}`, "--candles", `BTC=${wbtc}`]
      const said = yield* backtest(
        "--bot",
        "index",
        ...files,
        "--targets",
        "ETH:40,WBTC:40:2,USDC:20",
        "--interval",
        "1d",
        "--max-usd",
        "20000",
        "--out",
        folder
      )
      const { equity, trades } = reported(folder, said)
      assert.match(said.out, /wbtc\.csv: 477 bars of 6 hours, 1 gap with 3 missing\./)
      assert.match(said.out, /3 times that not all files have were left out\./)
      assert.strictEqual(equity.length, 477)
      // It starts in the quote: it needs four days of its cap to reach its weights.
      const perRun = new Map<string, number>()
      for (const { time = "", worth_usd: usd } of trades) perRun.set(time, (perRun.get(time) ?? 0) + Number(usd))
      assert.isTrue([...perRun.values()].every((usd) => usd <= 20_000 + 1e-9))
      assert.deepStrictEqual([...perRun].slice(0, 3).map(([time, usd]) => [time, Math.round(usd)]), [
        ["2026-01-01T06:00:00Z", 20_000],
        ["2026-01-02T06:00:00Z", 20_000],
        ["2026-01-03T06:00:00Z", 20_000]
      ])
    }))

  it.effect("shows what an order would have done, with what it waits for at the end", () =>
    Effect.gen(function*() {
      const order = "type=bracket side=sell share=100 stop_price=2700 take_profit_price=3300"
      const flags = yield* parsed(backtestFlags, ["--bot", "order", "--candles", sample("weth.csv"), "--order", order])
      const { fills, lines, notes, title } = yield* Effect.flatMap(optionsOf(flags), play)
      assert.strictEqual(title, "Order bracket to sell BASE-USDC")
      assert.strictEqual(fills.length, 1)
      assert.match(notes[0] ?? "", /^At the end it is done: .* Its (stop|profit) triggered at (2700|3300) on 2026-/)
      assert.deepStrictEqual(lines.map(({ name }) => name), ["order", "hold BASE", "hold USDC"])
      assert.strictEqual(lines[0]?.equity.length, 480)
    }))

  const long = ["--candles", sample("weth.csv"), "--side", "long"]
  const index = ["--bot", "index", "--candles", `WETH=${sample("weth.csv")}`]
  const orders = ["--bot", "order", "--candles", sample("weth.csv"), "--pair", "WETH-USDC"]
  const refused: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
    [[], /^--candles is missing: name a file of prices/],
    [["--candles", "nowhere.csv", "--side", "long"], /^nowhere\.csv cannot be read: ENOENT/],
    [
      ["--candles", sample("signals.csv"), "--side", "long"],
      /signals\.csv line 1: missing columns open, high, low, close; expected columns/
    ],
    [
      ["--candles", sample("weth.csv")],
      /^Nothing says which side to keep: give --side, --signals, or candles with a side column\.$/
    ],
    [
      ["--candles", sample("weth.csv"), "--side", "up"],
      /^--side: expected long, neutral, short, hold, not 'up'$/
    ],
    [["--candles", sample("weth.csv"), "--side", "short"], /give its candles as --inverse FILE\.$/],
    [[...long, "--share", "0"], /^--share: expected a percentage above 0 and at most 100, not '0'$/],
    [[...long, "--fee", "100"], /^--fee: .* not '100'/],
    [[...long, "--max-usd", "much"], /^--max-usd: expected a number of US dollars above 0, not 'much'$/],
    [[...long, "--pair", "WETH"], /^--pair: .* not 'WETH'/],
    [[...long, "--start", "both"], /^--start: .* not 'both'/],
    [[...long, "--bot", "grid"], /^--bot: expected threshold or index or strategy or order, not 'grid'$/],
    [[...long, "--interval", "6h"], /^--interval is not an option of a threshold bot/],
    [[...long, "--sides", "long"], /^There is no option --sides; did you mean --side\?$/],
    [index, /^--targets is missing/],
    [
      [...index, "--targets", "WETH:40,USDC:20"],
      /^--targets 'WETH:40,USDC:20' have weights that sum to 60; they must sum to 100\.$/
    ],
    [[...index, "--targets", "WETH:40,WBTC:60"], /^There are no prices of WBTC: add --candles WBTC=FILE\.$/],
    [[...index, "--targets", "WETH:40,USDC:60", "--interval", "5"], /^--interval: .* not '5'/],
    [[...index, "--targets", "WETH:40,USDC:60", "--threshold", "5"], /^--threshold is not an option of an index bot/],
    [orders, /^--order is missing/],
    [[...orders, "--side", "long"], /^--side is not an option of an order\.$/],
    [
      [...orders, "--order", "type=limit side=sell share=50"],
      /^--order: limit_price: missing; a limit order needs it\.$/
    ],
    [[...orders, "--order", "type=limit side=sell pool=0x1"], /^--order 'pool=0x1' cannot be used: accepted are words/],
    [[...orders, "--order", "type=limit side=up"], /^--order 'side=up' cannot be used: side must be one of buy, sell/],
    [[...orders, "--order", "type=limit share=50"], /^--order lacks side/]
  ]
  for (const [args, sentence] of refused) {
    it.effect(`refuses ${JSON.stringify(args.map((word) => Path.basename(word)).join(" "))} in one sentence`, () =>
      Effect.gen(function*() {
        const message = yield* Effect.flip(
          parsed(backtestFlags, args).pipe(
            Effect.flatMap((flags) => Effect.mapError(Effect.flatMap(optionsOf(flags), play), ({ message }) => message))
          )
        )
        assert.match(message, sentence)
        assert.notInclude(message, "\n")
      }))
  }

  it.effect("prints such a sentence and exits with code 2, before a table, and with code 1 where only the folder cannot be written", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* backtest(...long, "--share", "0"), {
        code: 2,
        out: "",
        err: "--share: expected a percentage above 0 and at most 100, not '0'. Try npx vault-trader backtest --help.\n"
      })
      const { code, err } = yield* backtest(...long, "--out", sample("weth.csv"))
      assert.match(err, /^[^\n]*weth\.csv cannot be written: EEXIST[^\n]*\.\n$/)
      assert.strictEqual(code, 1)
    }))

  it.effect("prints its usage", () =>
    Effect.map(backtest("--help"), ({ code, out }) => {
      assert.match(out, /USAGE\n  vault-trader backtest \[flags\]/)
      assert.strictEqual(code, 0)
    }))
})

describe("the axis of a chart", () => {
  it("has round numbers around what is shown, whatever that is", () => {
    assert.deepStrictEqual(ticksOf(0.9, 5.2), [0, 1, 2, 3, 4, 5, 6])
    assert.deepStrictEqual(ticksOf(97_000, 103_000), [97_000, 98_000, 99_000, 100_000, 101_000, 102_000, 103_000])
    for (const ticks of [ticksOf(100, 100), ticksOf(0, 0), ticksOf(1e-7, 2e-7), ticksOf(1e12, 3e12)]) {
      assert.isAtLeast(ticks.length, 2)
      assert.isBelow(ticks[0] ?? 0, ticks.at(-1) ?? 0)
    }
  })
})
