import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import { buildConsole } from "../../../scripts/console.mjs"
import { act, looked } from "@vault-trader/testing/harness/ConsoleSteps"
import { interactionsOf, interactionsText } from "@vault-trader/testing/harness/ConsoleInteractions"
import { orderOf, poolOf } from "./Fixture.ts"
import { openedFleet, pausedBot } from "./FleetFixture.ts"

await buildConsole()

layer(Layer.empty, { excludeTestServices: true })("many bots and orders", (it) => {
  it.effect("are selected by range, group and filter; a selected bot that the filter hides is not acted on", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, sent } = yield* openedFleet({ bots: 120, vaults: 40 }, "bots?kind=all&group=network")
      const table = page.getByRole("table", { name: "Bots" })
      yield* act(async () => {
        await table.getByLabel("Select all of Arbitrum").check()
        await page.getByText("39 selected").waitFor()
        await page.getByRole("button", { name: "Clear" }).click()
        await table.locator("tbody tr:not(.fleet-group) input").nth(1).click()
        await table.locator("tbody tr:not(.fleet-group) input").nth(5).click({ modifiers: ["Shift"] })
        await page.getByText("5 selected").waitFor()
        await table.getByLabel("Select all 120 bots").click()
        await page.getByText("120 selected").waitFor()
        await page.getByLabel("State").selectOption("paused")
        await page.getByText("3 selected").waitFor()
      })
      yield* looked({ page }, "fleet-selected")
      yield* act(async () => {
        await page.getByRole("button", { name: "Remove" }).click()
        await page.getByLabel("Type 3 bots to confirm").waitFor()
      })
      yield* looked({ page }, "fleet-review")
      yield* act(async () => {
        await page.getByLabel("Type 3 bots to confirm").fill("3 bots")
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
        await page.getByText("3 of 3 done").waitFor()
      })
      assert.lengthOf(sent.deleteBot, 3)
    })))

  it.effect("are cancelled in bulk; those that the service refused, again", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, sent } = yield* openedFleet({ orders: 6 }, "orders", [orderOf(2).id])
      yield* act(async () => {
        await page.getByLabel("Select all 6 orders").check()
        await page.getByRole("button", { name: "Cancel orders" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Cancel orders" }).click()
        await page.getByText("5 of 6 done, 1 failed").waitFor()
      })
      yield* looked({ page }, "fleet-failed")
      yield* act(async () => {
        await page.getByRole("button", { name: "Retry 1 failed" }).click()
        await page.getByText("6 of 6 done").waitFor()
      })
      assert.lengthOf(sent.cancelOrder, 7)
    })))

  it.effect("start again after they paused themselves: a refused try is another request, the bots that run are left", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, sent } = yield* openedFleet({ bots: 20, vaults: 4 }, "bots?kind=all", [poolOf(3)])
      const dialog = page.getByRole("dialog", { name: "Resume the selected bots" })
      yield* act(async () => {
        await page.getByLabel("Select all 20 bots").check()
        await page.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByText("0 of 1 done, 1 failed, 19 left as they are").waitFor()
        await dialog.getByRole("button", { name: "Retry 1 failed" }).click()
        await dialog.getByText("1 of 1 done, 19 left as they are").waitFor()
      })
      const keys = sent.setBot.map(({ idempotency_key }) => idempotency_key)
      assert.lengthOf(keys, 2)
      assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/)
      assert.notStrictEqual(keys[0], keys[1])
      assert.strictEqual(sent.setBot[1]?.["pair"], pausedBot?.["pair"])
    })))

  it.effect("are shown by a view that is saved under a name, opens by its link, and is renamed and deleted", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, url } = yield* openedFleet({ bots: 30, vaults: 6 }, "bots?kind=all")
      const dialog = page.getByRole("dialog", { name: "Views of bots" })
      yield* act(async () => {
        await page.getByLabel("Search", { exact: true }).last().fill("weth")
        await page.getByLabel("State").selectOption("active")
        await page.getByLabel("Group by").selectOption("Vault")
        await page.getByRole("columnheader", { name: "Next check" }).getByRole("button").click()
        await page.waitForURL(/q=weth.*sort=-next/)
        await page.getByRole("button", { name: "Views" }).click()
        await dialog.getByLabel("Save the table as it is now, as").fill("Running")
        await page.keyboard.press("Enter")
        await dialog.getByText("The table is shown as “Running”.").waitFor()
      })
      yield* looked({ page }, "fleet-views")
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Rename Running" }).click()
        await dialog.getByLabel("New name of Running").fill("WETH by vault")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Escape")
        await page.getByLabel("View", { exact: true }).selectOption("All bots")
        await page.getByText("30 bots").waitFor()
        await page.getByLabel("View", { exact: true }).selectOption("WETH by vault")
        await page.waitForURL(/state=active/)
      })
      const stored = yield* Effect.promise(() => page.evaluate(() => JSON.stringify(localStorage)))
      assert.match(stored, /vault-trader\/views\/0x[0-9a-f]+\/bots/)
      // The link opens the same view, in whose browser ever.
      const shared = page.url()
      yield* act(async () => {
        await page.goto(`${url}/console/`)
        await page.goto(shared)
        await page.getByLabel("View", { exact: true }).waitFor()
        await page.locator(".fleet-group").first().waitFor()
        await page.getByRole("button", { name: "Views" }).click()
        await dialog.getByRole("button", { name: "Delete WETH by vault" }).click()
        await dialog.getByLabel("Save the table as it is now, as").waitFor()
      })
    })))
})

layer(Layer.empty, { excludeTestServices: true })("1,000 bots and 200 vaults", (it) => {
  it.effect("are sorted, searched, selected, scrolled and opened; the times are printed", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, url } = yield* openedFleet({ bots: 1_000, vaults: 200 }, "bots?kind=all")
      const found = yield* interactionsOf(page, url)
      process.stdout.write(`\n${interactionsText(found)}\n`)
      // For `npm run bench -- console`, which runs this test.
      const file = process.env["CONSOLE_INTERACTIONS"]
      if (file !== undefined) Fs.writeFileSync(file, JSON.stringify(found))
      assert.isAtLeast(found.length, 15)
      yield* act(() => page.getByText(/^\d+ of 200 vaults$/).waitFor())
    })))
})
