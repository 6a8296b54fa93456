import { assert, describe, it as check, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers } from "@vault-trader/testing/harness/Browser"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { parseViews, savedAs, viewsText, withView } from "../src/views/SavedViews.ts"
import { viewOf } from "../src/views/TableView.ts"
import { poolOf } from "./Fixture.ts"
import { dialogText, openedFleet } from "./FleetFixture.ts"

await buildConsole()

describe("a saved view", () => {
  check("is what a URL contains, and of storage only what is one", () => {
    assert.deepStrictEqual(viewOf({ q: "weth", sort: "-next", kind: "all", other: 1, group: "" }), {
      q: "weth",
      sort: "-next"
    })
    assert.deepStrictEqual(parseViews(""), [])
    const views = [{ name: "a & b", view: { q: "weth=1", sort: "-next" } }, { name: "c", view: {} }]
    assert.deepStrictEqual(parseViews(viewsText(views)), views)
    assert.deepStrictEqual(parseViews("a=q%3D5%26other%3D1&+=q%3D1"), [{ name: "a", view: { q: "5" } }])
  })

  check("replaces the one of its name, and is found by what it shows", () => {
    const views = withView(withView([], { name: "paused", view: { state: "paused" } }), {
      name: "paused",
      view: { state: "paused", group: "vault" }
    })
    assert.lengthOf(views, 1)
    assert.strictEqual(savedAs(views, { group: "vault", state: "paused" })?.name, "paused")
    assert.isUndefined(savedAs(views, { state: "paused" }))
  })
})

layer(Layer.empty, { excludeTestServices: true })("many bots and orders", (it) => {
  it.effect("are paused at once by keyboard only: by vault, after a review that names all, and only the failed again", () =>
    Effect.scoped(Effect.gen(function*() {
      // Six bots at three vaults; the second vault's pause is refused once.
      const { page, sent } = yield* openedFleet({ bots: 6, vaults: 3 }, "bots?kind=all&sort=vault", [poolOf(1)])
      const { keyboard } = page
      const boxes = page.getByRole("table", { name: "Bots" }).locator("tbody input")
      yield* act(async () => {
        await page.getByText("6 bots").waitFor()
        await boxes.first().focus()
        await keyboard.press("Space")
        await page.getByText("1 selected").waitFor()
        // Arrows move, Shift extends.
        await keyboard.press("ArrowDown")
        await keyboard.press("Shift+ArrowDown")
        await page.getByText("3 selected").waitFor()
        await keyboard.press("ArrowDown")
        await keyboard.press("Shift+Space")
        await page.getByText("4 selected").waitFor()
        await keyboard.press("Control+a")
        await page.getByText("6 selected").waitFor()
      })
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await page.getByRole("button", { name: "Pause", exact: true }).focus()
        await keyboard.press("Enter")
        await page.getByRole("dialog", { name: "Pause the selected bots" }).waitFor()
      })
      const lines = yield* dialogText(page, "list")
      assert.match(lines, /Momentum 1\s+Stops all bots and orders of this vault: WETH-USDC, WBTC-USDC\./)
      assert.match(lines, /Carry 1\s+Stops/)
      assert.deepStrictEqual(yield* barriers(page), [])
      assert.deepStrictEqual(sent.pauseBot, [])
      yield* act(async () => {
        // Cancel has the focus; the action follows it.
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByText("2 of 3 done, 1 failed").waitFor()
      })
      assert.match(yield* dialogText(page, "list"), /Carry 1[^]*The service is busy; try again in a moment/)
      yield* act(async () => {
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByText("3 of 3 done").waitFor()
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().press("Enter")
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await page.waitForFunction(() => document.activeElement?.textContent === "Pause")
      })
      assert.deepStrictEqual(sent.pauseBot.map(({ pool }) => pool), [0, 1, 2, 1].map(poolOf))
    })))
})
