import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, looked } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, channelId, manager, orderOf, poolOf, subKeyPath, vaultName } from "./Fixture.ts"

await buildConsole()

const pages = [
  ["home", "", "Home"],
  ["vault", `vaults/base/${poolOf(0)}`, vaultName(0)],
  ["bot", `bots/base/${poolOf(0)}/WETH-USDC`, `WETH-USDC on ${vaultName(0)}`],
  ["bots-all", "bots?kind=all", "Trading Bots"],
  ["orders", "orders", "Orders"],
  ["order", `orders/${orderOf(1).id}`, "Buy WETH: TWAP"],
  ["guardians", "guardians", "Guardians"],
  ["guardian", `guardians/base/${poolOf(0)}/loss_breaker`, "Guardian: Loss breaker"],
  ["channels", "notifications", "Notifications"],
  ["channel", `notifications/${channelId}`, "phone"],
  ["webhooks", "webhooks", "Webhooks"],
  ["followers", "followers", "Copy Trading"],
  ["follower", `followers/base/${poolOf(0)}`, `Copy trading of ${vaultName(0)}`],
  ["strategies", "strategies", "Strategies"],
  ["strategy", `strategies/base/${poolOf(0)}/ema-cross`, "ema-cross"],
  ["keys", "keys", "Keys"],
  ["key", `keys/${subKeyPath}`, "rebalancing agent"],
  ["style", "style", "Style"]
] as const

layer(Layer.empty, { excludeTestServices: true })("each new page of the console", (it) => {
  it.effect("has no accessibility violation in either scheme, fits a phone, and complains of nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const { url } = yield* serve(manager, answersOf())
      const chromium = yield* browser
      const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
      const complaints: Array<string> = []
      page.on("pageerror", (error) => complaints.push(error.message))
      page.on("console", (line) => {
        if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
      })
      for (const [name, path, title] of pages) {
        yield* act(async () => {
          await page.goto(`${url}/console/${path}`)
          await page.getByRole("heading", { name: title, exact: true, level: 1 }).waitFor()
          await page.getByText(/^updated \d+ s ago$/).waitFor()
        })
        yield* looked({ page }, `product-${name}`)
      }
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("shows what a bot was set to, and begins a new bot with its terms", () =>
    Effect.scoped(Effect.gen(function*() {
      const { url } = yield* serve(manager, answersOf())
      const chromium = yield* browser
      const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
      const settings = page.getByRole("list", { name: "Settings" })
      const form = page.getByRole("dialog", { name: "Deploy a bot" })
      yield* act(async () => {
        await page.goto(`${url}/console/bots/base/${poolOf(0)}/WETH-USDC`)
        await settings.getByText("Side long, 50 % of it per trade, worth at most $2,500.00").waitFor()
      })
      // Not that of another pair.
      assert.strictEqual(yield* Effect.promise(() => settings.getByRole("listitem").count()), 1)
      const parameters = yield* Effect.promise(() => page.getByRole("table", { name: "Parameters" }).innerText())
      yield* act(async () => {
        await page.getByRole("button", { name: "Clone", exact: true }).click()
        await form.getByLabel("Threshold %").waitFor()
      })
      const threshold = yield* Effect.promise(() => form.getByLabel("Threshold %").inputValue())
      assert.include(parameters.replaceAll(/\s+/g, " "), `Trade when off target by more than ${threshold} %`)
      assert.strictEqual(yield* Effect.promise(() => form.getByRole("combobox", { name: "Vault" }).inputValue()), "")
      assert.isTrue(yield* Effect.promise(() => form.getByRole("combobox", { name: "Vault" }).isEnabled()))
    })))

  it.effect("saves a vault’s tearsheet and its tax lots by the chosen method", () =>
    Effect.scoped(Effect.gen(function*() {
      const { url } = yield* serve(manager, answersOf())
      const chromium = yield* browser
      const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
      yield* act(async () => {
        await page.goto(`${url}/console/vaults/base/${poolOf(0)}`)
        await page.getByRole("link", { name: "Report", exact: true }).click()
        await page.getByRole("table", { name: "Against benchmarks" }).getByText("+1.10").waitFor()
        await page.getByLabel("Lots sold first").selectOption("hifo")
      })
      yield* looked({ page }, "product-report")
      const saved = (name: string) =>
        Effect.promise(async () => {
          const [file] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name, exact: true }).click()
          ])
          return { name: file.suggestedFilename(), text: Fs.readFileSync(await file.path(), "utf8") }
        })
      const lots = yield* saved("Tax lots as CSV")
      assert.match(lots.name, /^lots-base-0x[0-9a-f]{6}-\d{4}-\d\d-\d\d\.csv$/)
      assert.strictEqual(lots.text, "method,hifo")
      const sheet = yield* saved("Tearsheet, to print or to save as PDF")
      assert.match(sheet.name, /\.html$/)
      assert.strictEqual(sheet.text, "<!doctype html><title>Tearsheet</title>")
    })))

  it.effect("places, amends and cancels an order from its tickets", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, url } = yield* serve(manager, answersOf())
      const chromium = yield* browser
      const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
      yield* act(async () => {
        await page.goto(`${url}/console/vaults/base/${poolOf(0)}`)
        await page.getByRole("button", { name: "Place order" }).click()
        await page.getByLabel("Amount of WETH").fill("2.5")
        await page.getByRole("button", { name: "Review order" }).click()
        // The limit price is missing.
        await page.getByText("Required").waitFor()
        await page.getByLabel("Limit price").fill("3400")
        await page.getByRole("button", { name: "Review order" }).click()
        await page.getByText("The price is 3012.5; it waits for 3400.").waitFor()
      })
      yield* looked({ page }, "product-order-review")
      yield* act(async () => {
        await page.getByRole("dialog").getByRole("button", { name: "Place order" }).click()
        await page.getByRole("link", { name: "View order" }).click()
        await page.getByRole("heading", { name: "Sell WETH: Limit" }).waitFor()
        await page.getByRole("button", { name: "Cancel order" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Cancel the order" }).click()
        await page.getByText("Cancelled 1 order.").waitFor()
      })
      assert.deepStrictEqual(
        called.filter((tag) => /Order$/.test(tag)),
        ["wallet.placeOrder", "wallet.cancelOrder"]
      )
    })))
})
