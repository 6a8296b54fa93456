import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import { buildConsole } from "../../../scripts/console.mjs"
import { act, looked } from "@vault-trader/testing/harness/ConsoleSteps"
import type { Page } from "playwright-core"
import { openedBacktest, sample } from "./BacktestFixture.ts"

await buildConsole()

const choose = (page: Page, name: string, file: string | { readonly name: string; readonly text: string }) =>
  page.getByLabel(`File: ${name}`, { exact: true }).setInputFiles(
    typeof file === "string"
      ? sample(file)
      : { name: file.name, mimeType: "text/csv", buffer: Buffer.from(file.text) }
  )

const figuresIn = (page: Page) => page.getByRole("table", { name: "Figures of the backtest" })

/** Returns how many runs were done when the sweep was stopped. */
const runsDone = (page: Page) =>
  Effect.promise(async () =>
    Number(/after (\d+) of/.exec(await page.getByText(/^Stopped after/).innerText())?.[1] ?? "991")
  )

layer(Layer.empty, { excludeTestServices: true })("the backtest page", (it) => {
  it.effect("names file and line of what it cannot read, and runs once a file is right; files stay in the browser", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, page } = yield* openedBacktest(
        "backtest?kind=threshold&side=%3Cb%3E&threshold=-5&x=1"
      )
      const requests: Array<string> = []
      page.on("request", (request) => requests.push(`${request.method()} ${request.postData() ?? ""}`))
      yield* act(async () => {
        // Garbage in the URL is ignored: the form has its defaults.
        await page.getByLabel("Threshold %").waitFor()
        assert.strictEqual(await page.getByLabel("Threshold %").inputValue(), "1")
        assert.strictEqual(await page.getByLabel("Side", { exact: true }).inputValue(), "long")
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await page.getByText("There are no prices of WETH.").waitFor()
        await choose(page, "Candles of WETH", {
          name: "bad.csv",
          text: "time,open,high,low,close\n1,1,1,1,1\n2,1,1,1,x\n"
        })
        await page.getByText("bad.csv line 3: close 'x' is not a price").waitFor()
        await choose(page, "Candles of WETH", { name: "empty.csv", text: "" })
        await page.getByText("empty.csv is empty; expected columns").waitFor()
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await page.getByText("There are no prices of WETH.").waitFor()
        await choose(page, "Candles of WETH", "weth.csv")
        await page.getByText("weth.csv: 480 bars, every 6 hours, no gaps").waitFor()
        await choose(page, "Signals", { name: "signals.csv", text: "time,side\n2026-01-13,up\n" })
        await page.getByText("signals.csv line 2: side 'up' is unknown").waitFor()
        await choose(page, "Signals", "signals.csv")
        await page.getByText("signals.csv: 8 signals").waitFor()
        await page.getByLabel("Threshold %").fill("5")
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await figuresIn(page).waitFor()
      })
      const trades = yield* Effect.promise(async () => {
        const [saved] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Trades as CSV" }).click()
        ])
        return Fs.readFileSync(await saved.path(), "utf8")
      })
      yield* looked({ page }, "backtest", { screen: 2400, phone: 4200 })
      assert.match(trades, /^time,sold,sold_amount,bought,bought_amount,worth_usd,cost_usd,reason\n2026-01-/)
      yield* act(async () => {
        await page.getByLabel("Side", { exact: true }).selectOption("short")
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await page.getByText("A bot that goes short holds the inverse token.").waitFor()
      })
      assert.isTrue(requests.every((request) => request === "GET "), requests.join("\n"))
      assert.deepStrictEqual([called(), complaints], [[], []])
    })))

  it.effect("says which pair the exchange lacks, and keeps the other assets usable", () =>
    Effect.scoped(Effect.gen(function*() {
      const targets = encodeURIComponent("WETH:40,LINK:40,USDC:20")
      const { called, page } = yield* openedBacktest(`backtest?kind=index&targets=${targets}&interval=1d`)
      yield* act(async () => {
        await page.getByRole("button", { name: "Read the candles" }).click()
        await page.getByText("ETH-USD of coinbase: 1,460 bars").waitFor()
        await page.getByRole("alert").getByText("coinbase has no market LINK-USD.").waitFor()
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await page.getByText("There are no prices of LINK.").waitFor()
        // Another name of the pair helps.
        await page.getByLabel("LINK at the exchange").fill("BTC-USD")
        await page.getByRole("button", { name: "Read the candles" }).click()
        await page.getByText("BTC-USD of coinbase: 1,460 bars").waitFor()
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await figuresIn(page).waitFor()
        await figuresIn(page).getByText("Holding the targets").waitFor()
        // Too many candles of one asset are not asked for.
        await page.getByLabel("Candles of", { exact: true }).selectOption("5m")
        await page.getByText("105,120 candles are too many; at most 20,000.").waitFor()
        assert.isTrue(await page.getByRole("button", { name: "Read the candles" }).isDisabled())
      })
      assert.deepStrictEqual([...new Set(called())], ["wallet.getCandles"])
      const form = page.getByRole("dialog", { name: "Set an index" })
      yield* act(async () => {
        await page.getByRole("button", { name: "Use these settings" }).click()
        await form.waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => form.getByLabel("Check every").inputValue()), "1d")
      assert.deepStrictEqual([...new Set(called())], ["wallet.getCandles"])
    })))

  it.effect("sweeps two parameters of an order with a heat map, takes values into the form, and walks forward", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page } = yield* openedBacktest(
        "backtest?kind=order&type=trailing_stop&pair=WETH-USDC&trail_percent=8&share=100"
      )
      yield* act(async () => {
        await choose(page, "Candles of WETH", "weth.csv")
        await page.getByText("weth.csv: 480 bars").waitFor()
        await page.getByRole("tab", { name: "Sweep" }).click()
        await page.getByLabel("First parameter", { exact: true }).selectOption("trail_percent")
        await page.getByLabel("Values of: First parameter").fill("1..90:0.05")
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.getByText("These are 1781 combinations; at most 1000 can run.").waitFor()
        await page.getByLabel("Values of: First parameter").fill("4..8:2")
        await page.getByLabel("Second parameter", { exact: true }).selectOption("cost_fee")
        await page.getByLabel("Values of: Second parameter").fill("0|0.5")
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.getByText("6 combinations, the best first by: Sharpe ratio").waitFor()
        await page.getByRole("table", { name: "Heat map" }).waitFor()
        await page.getByText("The best of many is partly luck").waitFor()
      })
      yield* looked({ page }, "backtest-sweep", { screen: 2200, phone: 3600 })
      const cells = yield* Effect.promise(() =>
        page.getByRole("table", { name: "Heat map" }).locator("tbody td").allInnerTexts()
      )
      assert.lengthOf(cells, 6)
      assert.isTrue(cells.every((cell) => /^−?\d+\.\d\d$/.test(cell)), cells.join())
      yield* act(async () => {
        await page.getByRole("switch", { name: /Walk forward/ }).check()
        await page.getByLabel("Train window, bars").fill("1000")
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.getByText("There are 480 bars; both windows together need 1040 at least.").waitFor()
        await page.getByLabel("Train window, bars").fill("200")
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.getByText(/All test windows together: .*; \d of 7 gained\./).waitFor()
        await page.getByRole("button", { name: /^Put .* into the form$/ }).first().click()
        await page.getByRole("tab", { name: "One run", selected: true }).waitFor()
        assert.match(await page.getByLabel("Trail by, %").inputValue(), /^[468]$/)
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await figuresIn(page).waitFor()
        await page.getByRole("rowheader", { name: "At the end" }).waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("stops a sweep at once, and keeps what was known by then", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* openedBacktest("backtest?kind=threshold&pair=WETH-USDC")
      yield* act(async () => {
        await page.getByLabel("How far back").selectOption("1095")
        await page.getByRole("button", { name: "Read the candles" }).click()
        await page.getByText("ETH-USD of coinbase: 4,380 bars").waitFor()
        await page.getByRole("tab", { name: "Sweep" }).click()
        await page.getByLabel("First parameter", { exact: true }).selectOption("share")
        await page.getByLabel("Values of: First parameter").fill("1..100:0.1")
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.getByText(/^\d+ of 991 runs$/).waitFor()
        // The page answers meanwhile.
        await page.getByLabel("Best by").selectOption("return")
        await page.getByRole("button", { name: "Stop", exact: true }).click()
        await page.getByText(/^Stopped after \d+ of 991 runs\.$/).waitFor()
        await page.getByText(/^\d+ runs? so far, the best first$/).waitFor()
        await page.getByRole("table", { name: "Combinations" }).waitFor()
      })
      assert.isBelow(yield* runsDone(page), 991)
    })))
})
