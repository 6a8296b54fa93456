import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers } from "@vault-trader/testing/harness/Browser"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { openedBacktest } from "./BacktestFixture.ts"
import { poolOf } from "./Fixture.ts"

await buildConsole()

layer(Layer.empty, { excludeTestServices: true })("the backtest page", (it) => {
  it.effect("runs the terms of a bot over an exchange's candles, and opens its form with them; nothing is sent", () =>
    Effect.scoped(Effect.gen(function*() {
      const { asked, called, complaints, page } = yield* openedBacktest(`bots/base/${poolOf(0)}/WETH-USDC`)
      yield* act(async () => {
        await page.locator("main").getByRole("link", { name: "Backtest" }).click()
        await page.getByRole("heading", { level: 1, name: "Backtest" }).waitFor()
        await page.getByRole("button", { name: "Read the candles" }).click()
        await page.getByText("ETH-USD of coinbase: 1,460 bars, every 6 hours, no gaps").waitFor()
      })
      // Pages of a thousand, each before the one that was read.
      assert.deepStrictEqual(asked.map(({ bars_back: bars, pair }) => [pair, bars]), [["ETH-USD", 1000], [
        "ETH-USD",
        460
      ]])
      const figures = page.getByRole("table", { name: "Figures of the backtest" })
      yield* act(async () => {
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await figures.waitFor()
      })
      const text = yield* Effect.promise(() => figures.innerText())
      assert.match(text, /Threshold bot[^]*Holding WETH[^]*Holding USDC/)
      assert.deepStrictEqual(yield* barriers(page), [])
      const form = page.getByRole("dialog", { name: /WETH-USDC/ })
      yield* act(async () => {
        await page.getByRole("button", { name: "Use these settings" }).click()
        await form.waitFor()
      })
      const reads = ["wallet.getCandles", "whoAmI"]
      assert.deepStrictEqual([called().filter((tag) => !reads.includes(tag)), complaints], [[], []])
    })))
})
