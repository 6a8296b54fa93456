import { assert, describe, it as check, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers } from "@vault-trader/testing/harness/Browser"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { parseViews, savedAs, viewsText, withView } from "../src/views/SavedViews.ts"
import { viewOf } from "../src/views/TableView.ts"
import { parseTags, type Tags, tagsText, withTag } from "../src/views/Tags.ts"
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

describe("tags", () => {
  check("are stored as they are, at most ten of 30 characters for one thing; blank ones are none", () => {
    const tags = withTag(
      withTag(new Map(), ["base/0x1", "base/0x2"], " core  vaults & more ", true),
      ["base/0x2"],
      "b",
      true
    )
    assert.deepStrictEqual(parseTags(tagsText(tags)), tags)
    assert.deepStrictEqual([...tags], [["base/0x1", ["core vaults & more"]], ["base/0x2", ["b", "core vaults & more"]]])
    assert.deepStrictEqual([...withTag(tags, ["base/0x1"], "core vaults & more", false).keys()], ["base/0x2"])
    assert.strictEqual(withTag(tags, ["base/0x1"], "  ", true), tags)
    const many = Array.from({ length: 12 }, (_, index) => `tag ${index}`)
    const full = many.reduce<Tags>((all, tag) => withTag(all, ["x"], tag, true), new Map())
    assert.lengthOf(full.get("x") ?? [], 10)
    assert.lengthOf(parseTags(new URLSearchParams(many.map((tag) => ["x", tag])).toString()).get("x") ?? [], 10)
    assert.lengthOf(withTag(new Map(), ["x"], "y".repeat(40), true).get("x")?.[0] ?? "", 30)
  })
})

layer(Layer.empty, { excludeTestServices: true })("many bots and orders", (it) => {
  it.effect("have tags, which a page shows, and by which they are filtered and grouped, also after a reload", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* openedFleet({ bots: 6, vaults: 3 }, "bots?kind=all&sort=vault")
      const dialog = page.getByRole("dialog", { name: "Tags of 2 bots" })
      const boxes = page.getByRole("table", { name: "Bots" }).locator("tbody input")
      yield* act(async () => {
        await boxes.nth(0).check()
        await boxes.nth(1).check()
        await page.getByRole("button", { name: "Tags", exact: true }).click()
        await dialog.getByLabel("New tag").fill("core")
        await page.keyboard.press("Enter")
        await dialog.getByRole("checkbox", { name: "core" }).waitFor()
        await dialog.getByLabel("New tag").fill("slow")
        await page.keyboard.press("Enter")
        await dialog.getByRole("checkbox", { name: "slow" }).uncheck()
      })
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Done" }).click()
        await dialog.waitFor({ state: "detached" })
        await page.getByLabel("Tag", { exact: true }).selectOption("core")
        await page.getByText("2 of 6 bots").or(page.getByText("2 selected")).waitFor()
        await page.waitForURL(/tag=core/)
        await page.reload()
        await page.getByText("2 of 6 bots").waitFor()
        await page.getByLabel("Tag", { exact: true }).selectOption("")
        await page.getByLabel("Group by").selectOption("Tags")
        await page.locator(".fleet-group", { hasText: "core" }).waitFor()
        await page.locator(".fleet-group", { hasText: "No tag" }).waitFor()
      })
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* act(async () => {
        await page.getByRole("table", { name: "Bots" }).locator("tbody a").first().click()
        await page.getByRole("heading", { level: 1, name: / on / }).waitFor()
        await page.locator("main").getByText("core", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Tags", exact: true }).waitFor()
      })
      const stored = yield* Effect.promise(() => page.evaluate(() => JSON.stringify(localStorage)))
      assert.match(stored, /vault-trader\/tags\/0x[0-9a-f]+\/bots/)
    })))

  it.effect("are paused at once by keyboard only: each alone, after a review that names all, and only the failed again", () =>
    Effect.scoped(Effect.gen(function*() {
      // Six bots at three vaults; the pause of one is refused once.
      const { page, sent } = yield* openedFleet({ bots: 6, vaults: 3 }, "bots?kind=all&sort=vault", [
        `${poolOf(1)}/WBTC-USDC`
      ])
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
      assert.match(lines, /WETH-USDC on Momentum 1\s+Stops this bot alone\. The other bots and orders of its vault con/)
      assert.match(lines, /WBTC-USDC on Carry 1\s+Stops this bot alone/)
      assert.deepStrictEqual(yield* barriers(page), [])
      assert.deepStrictEqual(sent.pauseBot, [])
      yield* act(async () => {
        // Cancel has the focus; the action follows it.
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByText("5 of 6 done, 1 failed").waitFor()
      })
      assert.match(
        yield* dialogText(page, "list"),
        /WBTC-USDC on Carry 1[^]*The service is busy; try again in a moment/
      )
      yield* act(async () => {
        await page.getByRole("button", { name: "Retry 1 failed" }).and(page.locator(":enabled")).waitFor()
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByText("6 of 6 done").waitFor()
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().press("Enter")
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await page.waitForFunction(() => document.activeElement?.textContent === "Pause")
      })
      const paused = sent.pauseBot.map(({ pair, pool }) => `${pool}/${pair}`)
      const all = [0, 1, 2].flatMap((index) => ["WETH-USDC", "WBTC-USDC"].map((pair) => `${poolOf(index)}/${pair}`))
      assert.sameMembers(paused, [...all, `${poolOf(1)}/WBTC-USDC`])
      assert.strictEqual(paused.at(-1), `${poolOf(1)}/WBTC-USDC`)
    })))
})
