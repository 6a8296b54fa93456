import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { type Answers, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, looked } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager, poolOf, vaultName } from "./Fixture.ts"
import { compositionOf, liquidityAnswers } from "./LiquidityFixture.ts"

await buildConsole()

/** Opens the liquidity page of the first vault on given answers. */
const opened = (answers: Answers = {}) =>
  Effect.gen(function*() {
    const { called, url } = yield* serve(manager, { ...answersOf(), ...liquidityAnswers, ...answers })
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
    page.setDefaultTimeout(20_000)
    const complaints: Array<string> = []
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
    })
    yield* act(async () => {
      await page.goto(`${url}/console/vaults/base/${poolOf(0)}/liquidity`)
      await page.getByRole("heading", { name: `Liquidity of ${vaultName(0)}`, level: 1 }).waitFor()
    })
    return { called, complaints, page }
  })

layer(Layer.empty, { excludeTestServices: true })("the liquidity page", (it) => {
  it.effect("looks", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page } = yield* opened()
      yield* act(() => page.getByText("0.8 WETH and 2,600 USDC").first().waitFor())
      yield* looked({ page }, "liquidity", { screen: 1000, phone: 1700 })
      yield* act(async () => {
        await page.getByRole("button", { name: "Add liquidity" }).click()
        await page.getByLabel("Amount of USDC").fill("2000")
        await page.getByRole("table", { name: "Plan" }).waitFor()
      })
      yield* looked({ page }, "liquidity-add", { screen: 1200, phone: 1900 })
      yield* act(async () => {
        await page.getByRole("button", { name: "Review" }).click()
        await page.getByRole("table", { name: "What this does" }).waitFor()
      })
      yield* looked({ page }, "liquidity-review", { screen: 900, phone: 900 })
      yield* act(async () => {
        await page.getByRole("dialog").getByRole("button", { name: "Add liquidity" }).click()
        await page.getByRole("table", { name: "What moved" }).waitFor()
      })
      yield* looked({ page }, "liquidity-done", { screen: 900, phone: 900 })
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("looks empty", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* opened({ "wallet.poolComposition": () => compositionOf([]) })
      yield* act(() => page.getByText("No liquidity position yet").waitFor())
      yield* looked({ page }, "liquidity-empty")
    })))
})
