/** The limit that the forms of bots propose, on given answers: a vault of $51,819.30 on base, a dead network. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager, poolOf } from "../Fixture.ts"

await buildConsole()

/** Opens the form of a new bot of a kind. */
const opened = (kind: "threshold" | "index", button: string, field: string) =>
  Effect.gen(function*() {
    const { url } = yield* serve(manager, answersOf({ dead: ["arbitrum"] }))
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce", locale: "en-US" }))
    const dialog = page.getByRole("dialog")
    yield* act(async () => {
      await page.goto(`${url}/console/bots?kind=${kind}`)
      await page.getByRole("button", { name: button, exact: true }).click()
      await dialog.getByRole("combobox", { name: "Gas wallet" }).selectOption({ index: 1 })
    })
    const choose = (network: string, pool: string) =>
      act(async () => {
        await dialog.getByRole("combobox", { name: "Network" }).selectOption(network)
        await dialog.getByRole("combobox", { name: "Vault" }).fill(pool)
      })
    const size = dialog.getByLabel(field)
    const note = dialog.getByText(/^Proposed for this vault/)
    return { choose, dialog, note, page, size, read: Effect.promise(() => size.inputValue()) }
  })

layer(Layer.empty, { excludeTestServices: true })("a new bot’s limit", (it) => {
  it.effect("is a twentieth of the vault that is chosen, says so, and is the default where the vault cannot be read", () =>
    Effect.scoped(Effect.gen(function*() {
      const { choose, note, read } = yield* opened("threshold", "Deploy a bot", "Max per trade, USD")
      assert.strictEqual(yield* read, "10,000")
      yield* choose("base", poolOf(0))
      yield* act(() => note.waitFor())
      assert.strictEqual(yield* read, "2,000")
      assert.match(
        yield* Effect.promise(() => note.innerText()),
        /^Proposed for this vault of \$51,\d{3}\.\d\d: about 5\s%/
      )
      yield* choose("arbitrum", poolOf(1))
      yield* act(() => note.waitFor({ state: "detached" }))
      assert.strictEqual(yield* read, "10,000")
    })))

  it.effect("stays as the manager typed it, also when another vault is chosen, and reaches the call", () =>
    Effect.scoped(Effect.gen(function*() {
      const { choose, dialog, note, read, size } = yield* opened("threshold", "Deploy a bot", "Max per trade, USD")
      yield* choose("base", poolOf(0))
      yield* act(async () => {
        await note.waitFor()
        await size.fill("300")
        await note.waitFor({ state: "detached" })
      })
      yield* choose("base", poolOf(3))
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Show API Code" }).click()
        await dialog.getByLabel("Webhook URL code").getByText(poolOf(3)).waitFor()
      })
      assert.strictEqual(yield* read, "300")
      assert.match(
        yield* Effect.promise(() => dialog.getByLabel("Webhook URL code").innerText()),
        /max_usd["=:\s]+300\b/
      )
    })))

  it.effect("is a fifth of the vault for a run of an index, and at most $10,000", () =>
    Effect.scoped(Effect.gen(function*() {
      const { choose, note, read } = yield* opened("index", "Set an index", "Max per run, USD")
      yield* choose("base", poolOf(0))
      yield* act(() => note.waitFor())
      assert.strictEqual(yield* read, "10,000")
      assert.match(yield* Effect.promise(() => note.innerText()), /about 20\s% of it, from \$10\.00 to \$10,000\.00$/)
    })))
})
