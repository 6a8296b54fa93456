import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, type FixtureOptions, manager, poolOf, vaultName } from "./Fixture.ts"

await buildConsole()

/** Opens the console on given answers, at a path. */
const opened = (options: FixtureOptions, path: string) =>
  Effect.gen(function*() {
    const { called, url } = yield* serve(manager, answersOf(options))
    const chromium = yield* browser
    const page = yield* Effect.promise(() =>
      chromium.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
    )
    yield* act(() => page.goto(`${url}/console/${path}`))
    return { page, called }
  })

layer(Layer.empty, { excludeTestServices: true })("the console's pages", (it) => {
  it.effect("trade by keyboard only: amount, quote, review of exactly that trade, outcome", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, page } = yield* opened({ impact: 3.4 }, `vaults/base/${poolOf(0)}`)
      const { keyboard } = page
      yield* act(async () => {
        await page.getByRole("heading", { name: vaultName(0) }).waitFor()
        await page.getByRole("button", { name: "Trade", exact: true }).focus()
        await keyboard.press("Enter")
        // The amount has the focus, once the vault is read and the dialog is drawn.
        await page.getByRole("dialog", { name: "Trade" }).getByLabel("Amount of WETH").and(page.locator(":focus"))
          .waitFor()
        await keyboard.type("1.5")
        await page.getByRole("group", { name: "Quote" }).waitFor()
        await keyboard.press("Enter")
        await page.getByRole("dialog", { name: "Sell WETH for USDC" }).waitFor()
      })
      const review = page.getByRole("dialog", { name: "Sell WETH for USDC" })
      const text = yield* Effect.promise(() => review.innerText())
      assert.match(text, /1\.5 WETH \(\$4,518\.75\)/)
      assert.match(text, /You would lose 3\.4\s%/)
      // A trade this far from the oracle needs a tick first; the trade's button follows Cancel.
      assert.isTrue(
        yield* Effect.promise(() => review.getByRole("button", { name: "Trade", exact: true }).isDisabled())
      )
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await review.getByLabel("Trade at this price").focus()
        await keyboard.press("Space")
        await keyboard.press("Tab")
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByRole("dialog", { name: "Trade done" }).waitFor()
      })
      assert.deepStrictEqual(called.filter((tag) => tag === "wallet.vaultTrade"), ["wallet.vaultTrade"])
      // The focus returns to the button that opened the ticket.
      yield* act(async () => {
        await keyboard.press("Escape")
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await page.waitForFunction(() => document.activeElement?.textContent === "Trade")
      })
    })))

  it.effect("list 1,000 bots, of which only the visible rows are in the page, and find one by its name", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* opened({ bots: 1_000, vaults: 200 }, "bots")
      const rows = page.getByRole("table", { name: "Bots" }).locator("tbody tr:not([aria-hidden])")
      yield* act(() => page.getByText("1,000 bots").waitFor())
      assert.isBelow(yield* Effect.promise(() => rows.count()), 60)
      // Those that need a person are first.
      assert.match(yield* Effect.promise(() => rows.first().innerText()), /paused/)
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await page.getByLabel("Search", { exact: true }).last().fill(`${vaultName(153)} weth-usdc`)
        await page.getByText(/^\d+ of 1,000 bots$/).waitFor()
        await page.getByRole("link", { name: "WETH-USDC" }).first().click()
        await page.getByRole("heading", { name: `WETH-USDC on ${vaultName(153)}` }).waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => page.title()), `WETH-USDC on ${vaultName(153)} · Vault Trader`)
      // The palette opens a vault by its name.
      yield* act(async () => {
        await page.keyboard.press("Control+k")
        await page.getByPlaceholder("Search vaults, bots, wallets and pages").fill(vaultName(42))
        await page.locator(".mantine-Spotlight-action", { hasText: `${vaultName(42)}Vault on` }).click()
        await page.getByRole("heading", { name: vaultName(42), exact: true }).waitFor()
      })
    })))

  it.effect("say what is not known: no history yet, a network that does not answer", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* opened({ hasHistory: false, dead: ["base"] }, "")
      yield* act(async () => {
        await page.getByRole("button", { name: /^Show all \d+$/ }).click()
        await page.getByText("Base can’t be read right now").waitFor()
        await page.getByText("No history yet").waitFor()
        await page.getByRole("region", { name: "Vaults (5)" }).getByRole("link", { name: vaultName(1) }).waitFor()
      })
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await page.getByRole("region", { name: "Vaults (5)" }).getByRole("link").nth(1).click()
        await page.getByText("The holdings cannot be read right now").waitFor()
        await page.getByText("a sample is taken every 5 minutes, and a curve needs two").waitFor()
      })
    })))

  it.effect("show what a vault held over time, and its return beside holding what it held, as pictures and as tables", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* opened({}, `vaults/base/${poolOf(0)}`)
      const value = page.getByRole("region", { name: "Value", exact: true })
      const tableOf = (name: string) => value.getByRole("table", { name }).getByRole("row")
      yield* act(async () => {
        await value.getByText("Allocation").click()
        await value.getByText("The line is broken where nothing was sampled.").waitFor()
        await value.getByRole("button", { name: "Show as a table" }).click()
        await tableOf("Allocation").first().waitFor()
        await value.locator("polygon").first().waitFor({ state: "attached" })
      })
      const [header, newest] = yield* Effect.promise(() => tableOf("Allocation").allInnerTexts())
      assert.match(header ?? "", /WETH\s+USDC/)
      assert.match(newest ?? "", /(\d+)\s?%\s+(\d+)\s?%/)
      // Two bands on each side of the gap.
      assert.strictEqual(yield* Effect.promise(() => value.locator("polygon").count()), 4)
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await value.getByText("Return", { exact: true }).click()
        await value.getByRole("button", { name: "Show as a table" }).click()
        await tableOf("Return").first().waitFor()
      })
      const rows = yield* Effect.promise(() => tableOf("Return").allInnerTexts())
      assert.match(rows[0] ?? "", /Return\s+Holding what it held at the start/)
      assert.match(rows.at(-1) ?? "", /0\.00\s?%\s+\+?0\.00\s?%/)
    })))
})
