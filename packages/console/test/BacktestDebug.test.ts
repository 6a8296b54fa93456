import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { openedBacktest, sample } from "./BacktestFixture.ts"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
await buildConsole()
layer(Layer.empty, { excludeTestServices: true })("debug", (it) => {
  it.effect("x", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page } = yield* openedBacktest(
        `backtest?kind=order&type=trailing_stop&pair=WETH-USDC&trail_percent=8&slices=zz&share=100&stop_price=abc`
      )
      yield* act(async () => {
        await page.getByRole("heading", { level: 1, name: "Backtest" }).waitFor()
        await page.getByLabel("File: Candles of WETH", { exact: true }).setInputFiles(sample("weth.csv"))
        await page.getByText("weth.csv: 480 bars").waitFor()
        await page.getByRole("tab", { name: "Sweep" }).click()
        await page.getByLabel("First parameter", { exact: true }).selectOption("trail_percent")
        await page.getByLabel("Values of: First parameter").fill("2..12:2")
        await page.getByLabel("Second parameter", { exact: true }).selectOption("cost_fee")
        await page.getByLabel("Values of: Second parameter").fill("0|0.1|0.5")
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.waitForTimeout(3000)
        await page.screenshot({ path: "/tmp/back-2.png", fullPage: true })
        await page.getByLabel("Walk forward").check()
        await page.getByRole("button", { name: "Run the sweep" }).click()
        await page.waitForTimeout(3000)
        await page.screenshot({ path: "/tmp/back-3.png", fullPage: true })
        console.log(complaints)
      })
    })))
})
