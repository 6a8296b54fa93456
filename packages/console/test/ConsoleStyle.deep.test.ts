/**
 * Compares the sections of the style page with the pictures in `style`, which
 * `UPDATE_PICTURES=1 TEST_DEEP=1 npx vitest run test/ConsoleStyle.deep.test.ts` writes again.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, looked } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager } from "./Fixture.ts"
import { differenceOf, faultOf, isUpdate, kept, partOf, pinFonts, read } from "./StylePictures.ts"

await buildConsole()
pinFonts()

/** How the page is drawn. The screen is as high as the page, so that nothing is scrolled. */
const variants = [
  { name: "light", scheme: "light", width: 1_280, height: 4_200 },
  { name: "dark", scheme: "dark", width: 1_280, height: 4_200 },
  { name: "phone", scheme: "light", width: 360, height: 9_000 }
] as const

/** Runs in the page: its clock begins at a time. It continues, which the connection to the service needs. */
const beginAt = (time: number) => {
  const now = Date.now.bind(Date)
  const start = now()
  Date.now = () => time + now() - start
}

/** Opens the style page with a given time, zone and language, and waits until its charts are drawn. */
const opened = ({ height, scheme, width }: (typeof variants)[number]) =>
  Effect.gen(function*() {
    const { url } = yield* serve(manager, answersOf())
    const chromium = yield* browser
    const page = yield* Effect.promise(() =>
      chromium.newPage({
        ...{ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce" },
        ...{ locale: "en-US", timezoneId: "UTC", deviceScaleFactor: 1 }
      })
    )
    yield* act(async () => {
      await page.addInitScript(beginAt, Date.parse("2026-11-20T12:00:20.000Z"))
      await page.goto(`${url}/console/style`)
      await page.getByRole("heading", { name: "Style", exact: true }).waitFor()
      await page.getByRole("slider").nth(1).waitFor()
      await page.waitForFunction(() => document.querySelectorAll("main canvas").length >= 10)
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      // A skeleton's animation, however short, may be caught half-way.
      await page.addStyleTag({ content: "*, *::before, *::after { animation: none !important; }" })
    })
    return page
  })

type Page = Effect.Success<ReturnType<typeof opened>>

const screenshot = { animations: "disabled", caret: "hide", scale: "css" } as const

/** Returns a picture of each section by its title. */
const sectionsOf = (page: Page) =>
  Effect.promise(async () => {
    const whole = read(await page.screenshot(screenshot))
    const boxes = await page.locator("main section").evaluateAll((sections) =>
      sections.map((section) => {
        const { height, width, x, y } = section.getBoundingClientRect()
        return { title: section.getAttribute("aria-label") ?? "", x, y, width, height }
      })
    )
    return boxes.map(({ title, ...box }) => ({ title, picture: partOf(whole, box) }))
  })

/** The page's dialogs, by the buttons that open them. */
const dialogs = [["Confirm a trade", "confirm"], ["Delete an account", "type to confirm"]] as const

/** Opens a dialog, returns its picture, and closes it. */
const dialogOf = (page: Page, button: string, title: string) =>
  Effect.promise(async () => {
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: button }).click()
    await dialog.getByRole("button").first().waitFor()
    const whole = read(await page.screenshot(screenshot))
    const picture = partOf(whole, await dialog.boundingBox() ?? { x: 0, y: 0, width: 1, height: 1 })
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    return { title: `dialog ${title}`, picture }
  })

const faultsOf = (variant: (typeof variants)[number]) =>
  Effect.gen(function*() {
    const page = yield* opened(variant)
    const sections = yield* sectionsOf(page)
    const asked = yield* Effect.forEach(dialogs, ([button, title]) => dialogOf(page, button, title))
    return yield* Effect.forEach([...sections, ...asked], ({ picture, title }) => {
      const name = `${variant.name}-${title.toLowerCase().replaceAll(" ", "-")}`
      return Effect.map(faultOf(name, picture), (fault) => ({ name, fault }))
    })
  })

layer(Layer.empty, { excludeTestServices: true })("the style page", (it) => {
  it.effect("looks as in its pictures: light, dark and on a phone", () =>
    Effect.scoped(Effect.gen(function*() {
      const drawn = (yield* Effect.forEach(variants, (variant) => Effect.scoped(faultsOf(variant)))).flat()
      assert.deepStrictEqual(drawn.flatMap(({ fault }) => fault ?? []), [])
      // No picture stays of a section that is gone.
      const names = drawn.map(({ name }) => `${name}.png`)
      if (isUpdate) {
        Fs.readdirSync(kept).filter((file) => !names.includes(file)).forEach((file) => Fs.rmSync(`${kept}/${file}`))
      }
      assert.deepStrictEqual(Fs.readdirSync(kept).sort(), names.sort())
    })))

  it.effect("differs from its pictures where one colour or one radius has changed", () =>
    Effect.scoped(Effect.gen(function*() {
      const page = yield* opened(variants[0])
      const before = yield* sectionsOf(page)
      /** The sections that have changed since. */
      const changed = Effect.map(sectionsOf(page), (now) =>
        now.flatMap(({ picture, title }, index) => {
          const was = before[index]
          return was !== undefined && differenceOf(was.picture, picture) === undefined ? [] : [title]
        }))
      const styled = (css: string) =>
        Effect.gen(function*() {
          const tag = yield* Effect.promise(() => page.addStyleTag({ content: css }))
          const found = yield* changed
          yield* act(() => tag.evaluate((element) => (element as Element).remove()))
          return found
        })
      assert.deepStrictEqual(yield* changed, [])
      const slightly = ":root:root[data-mantine-color-scheme=\"light\"] { --gain: #1c7b3c; }"
      assert.sameMembers(yield* styled(slightly), ["Colours", "Stats", "Long table", "Decisions", "Pictures"])
      assert.include(yield* styled("main .mantine-Button-root { border-radius: 2px; }"), "Buttons")
      assert.deepStrictEqual(yield* changed, [])
    })))

  it.effect("has no accessibility violation and fits a phone", () =>
    Effect.scoped(Effect.gen(function*() {
      yield* looked({ page: yield* opened(variants[0]) }, "style")
    })))
})
