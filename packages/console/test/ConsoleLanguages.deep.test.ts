import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, looked } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager, poolOf, vaultName } from "./Fixture.ts"
import { catalogueOf, locales } from "./text/Catalogues.ts"

await buildConsole()

/** The network of the fixture's vaults, whose name is also the word for the base asset of a vault that copies. */
const network = "Base"

/** Returns what a reader or a screen reader meets on the page. */
const wordsOn = (): ReadonlyArray<string> => {
  const found: Array<string> = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode() !== null) found.push(nodes.currentNode.textContent ?? "")
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) found.push(element.getAttribute(name) ?? "")
  }
  return found.map((text) => text.trim())
}

/** Returns the headings, buttons and states whose text is wider than their place. */
const cutOff = (): ReadonlyArray<string> =>
  [...document.querySelectorAll<HTMLElement>("h1, h2, h3, th, button, [role=tab], td:has(.state)")]
    .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
    .map((element) => `${element.tagName} ${element.textContent ?? ""}`)

/** Returns where the last button of the header ends, in pixels. */
const headerEnd = (): number =>
  Math.max(...[...document.querySelectorAll("header button")].map((button) => button.getBoundingClientRect().right))

layer(Layer.empty, { excludeTestServices: true })("the console in German and in Spanish", (it) => {
  it.effect.each(locales)(
    "has no English text where the catalogue has another, fits a phone, and has no accessibility violation: %s",
    (locale) =>
      Effect.scoped(Effect.gen(function*() {
        const { url } = yield* serve(manager, answersOf())
        const chromium = yield* browser
        const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce", locale }))
        const catalogue = catalogueOf(locale)
        const translated = (message: string): string => catalogue[message] ?? assert.fail(message)
        const english = () =>
          Effect.map(Effect.promise(() => page.evaluate(wordsOn)), (words) =>
            words.filter((word) =>
              word !== network && Object.hasOwn(catalogue, word) && catalogue[word] !== word &&
              // A word that is also the translation of another message.
              !Object.values(catalogue).includes(word)
            ))
        const pages = [
          ["home", "", translated("Home")],
          [
            "bot",
            `bots/base/${poolOf(0)}/WETH-USDC`,
            translated("{pair} on {vaultName}")
              .replace("{pair}", "WETH-USDC").replace("{vaultName}", vaultName(0))
          ]
        ] as const
        for (const [name, path, title] of pages) {
          yield* act(async () => {
            await page.goto(`${url}/console/${path}`)
            await page.getByRole("heading", { name: title, exact: true, level: 1 }).waitFor()
          })
          assert.strictEqual(
            yield* Effect.promise(() =>
              page.evaluate(() =>
                document.documentElement.lang
              )
            ),
            locale
          )
          yield* looked({ page }, `language-${locale}-${name}`)
          assert.deepStrictEqual(yield* english(), [], name)
        }

        // Without a session there is the sign-in.
        yield* act(async () => {
          await page.route("**/console/session", (route) => route.fulfill({ json: { manager: null, expiresAt: null } }))
          await page.goto(`${url}/console/`)
          await page.getByText(translated("No wallet found in this browser")).waitFor()
        })
        yield* looked({ page }, `language-${locale}-sign-in`)
        assert.deepStrictEqual(yield* english(), [], "sign-in")

        // The choice is kept, against the browser's language.
        yield* act(async () => {
          await page.getByLabel(translated("Language")).selectOption("English")
          await page.getByText("No wallet found in this browser").waitFor()
          await page.reload()
          await page.getByText("No wallet found in this browser").waitFor()
        })
        assert.strictEqual(yield* Effect.promise(() => page.evaluate(() => document.documentElement.lang)), "en")
      })),
    240_000
  )

  it.effect.each(["de"] as const)(
    "has room for its words on the pages of vaults, bots, guardians and strategies, and in the trade ticket: %s",
    (locale) =>
      Effect.scoped(Effect.gen(function*() {
        const { url } = yield* serve(manager, answersOf({ bots: 24, vaults: 10 }))
        const chromium = yield* browser
        const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce", locale }))
        const catalogue = catalogueOf(locale)
        const translated = (message: string): string => catalogue[message] ?? assert.fail(message)
        const check = (name: string) =>
          Effect.gen(function*() {
            yield* looked({ page }, `language-${locale}-${name}`)
            assert.deepStrictEqual(yield* Effect.promise(() => page.evaluate(cutOff)), [], name)
            yield* act(() => page.setViewportSize({ width: 360, height: 740 }))
            const ends = yield* Effect.promise(() => page.evaluate(headerEnd))
            yield* act(() => page.setViewportSize({ width: 1280, height: 900 }))
            assert.isAtMost(ends, 360, `the header on a phone, ${name}`)
            // Dollars are written alike in each language.
            assert.notMatch(yield* Effect.promise(() => page.locator("body").innerText()), /USD\s?[\d−-]|\$\s/, name)
          })
        const pages = [
          ["fleet", "bots?kind=all&group=state", translated("Trading Bots")],
          ["guardians", "guardians", translated("Guardians")],
          ["strategies", "strategies", translated("Strategies")],
          ["vault", `vaults/base/${poolOf(0)}`, vaultName(0)]
        ] as const
        for (const [name, path, title] of pages) {
          yield* act(async () => {
            await page.goto(`${url}/console/${path}`)
            await page.getByRole("heading", { name: title, exact: true, level: 1 }).waitFor()
            await page.locator("main").getByRole("row").or(page.locator("main h2")).first().waitFor()
          })
          yield* check(name)
        }
        yield* act(async () => {
          await page.getByRole("button", { name: translated("Trade"), exact: true }).click()
          await page.getByRole("dialog").getByRole("textbox").first().waitFor()
        })
        yield* check("trade")
      })),
    400_000
  )

  it.effect.each(["fr-FR", "de-DE"])(
    "is in English when the browser's language is another, and when a catalogue cannot be loaded: %s",
    // A browser for each: this Chromium runs in one process, which ends when two of its pages have other languages.
    (locale) =>
      Effect.scoped(Effect.gen(function*() {
        const { url } = yield* serve(manager, answersOf())
        const chromium = yield* browser
        const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce", locale }))
        yield* act(async () => {
          await page.route("**/assets/de-*.js", (route) => route.abort())
          await page.goto(`${url}/console/`)
          await page.getByRole("heading", { name: "Home", exact: true, level: 1 }).waitFor()
        })
        assert.strictEqual(yield* Effect.promise(() => page.evaluate(() => document.documentElement.lang)), "en")
      }))
  )
})
