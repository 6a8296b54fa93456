/**
 * The console's pictures in the documents. Each is drawn from the tests' answers;
 * `UPDATE_PICTURES=1 TEST_DEEP=1 npx vitest run test/DocumentPictures.deep.test.ts` writes them to docs/images.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { type Answers, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager, poolOf, vaultName } from "./Fixture.ts"
import { liquidityAnswers } from "./LiquidityFixture.ts"
import { isUpdate, pinFonts, read, stepped, write } from "./StylePictures.ts"

await buildConsole()
pinFonts(["/usr/share/fonts"])

const root = Path.join(import.meta.dirname, "../../..")
const folder = Path.join(root, "docs/images")

/** Bytes that no picture exceeds. */
const limit = 150_000

/** Percent by which each venue's quote is worse than the oracle. */
const impacts: Readonly<Record<string, number>> = {
  "uniswapV3": 0.12,
  "odosV3": 0.18,
  "kyberswap": 0.31,
  "1inch": 0.24
}

interface Quote {
  readonly plan: Readonly<Record<string, unknown>>
}

/** Quotes that differ from venue to venue. */
const quotes: Answers = {
  "wallet.vaultTrade": (payload: { readonly platform?: string }) => {
    const venue = payload.platform === undefined || payload.platform === "auto" ? "uniswapV3" : payload.platform
    const answer = answersOf({ impact: impacts[venue] ?? 0.6 })["wallet.vaultTrade"] as (payload: unknown) => Quote
    const quote = answer(payload)
    return { ...quote, plan: { ...quote.plan, venue } }
  }
}

/** Opens a page at a size, on answers. */
const opened = (path: string, height: number, answers: Answers, scheme: "light" | "dark") =>
  Effect.gen(function*() {
    const { url } = yield* serve(manager, answers)
    const chromium = yield* browser
    const page = yield* Effect.promise(() =>
      chromium.newPage({
        ...{ viewport: { width: 1_200, height }, colorScheme: scheme, reducedMotion: "reduce" },
        ...{ locale: "en-US", timezoneId: "UTC", deviceScaleFactor: 1 }
      })
    )
    yield* act(async () => {
      await page.goto(`${url}/console/${path}`)
      await page.addStyleTag({
        content: ":root:root { --mantine-font-family: 'Open Sans', 'DejaVu Sans', sans-serif; }"
      })
    })
    return page
  })

type Page = Effect.Success<ReturnType<typeof opened>>

interface Scene {
  readonly name: string
  readonly path: string
  readonly height: number
  readonly scheme?: "light" | "dark"
  readonly answers?: Answers
  /** Prepares the page and waits until it is drawn. */
  readonly prepare: (page: Page) => Promise<unknown>
}

const vault = `vaults/base/${poolOf(0)}`

const scenes: ReadonlyArray<Scene> = [
  {
    ...{ name: "home", path: "", height: 860 },
    prepare: async (page) => {
      await page.getByRole("region", { name: /^Vaults/ }).waitFor()
      await page.locator("main canvas").first().waitFor()
    }
  },
  {
    ...{ name: "vault", path: vault, height: 900, scheme: "dark" },
    prepare: async (page) => {
      await page.getByRole("heading", { name: vaultName(0), exact: true }).waitFor()
      await page.locator("main canvas").first().waitFor()
      await page.getByRole("row", { name: /WETH/ }).first().waitFor()
    }
  },
  {
    ...{ name: "bot", path: `bots/base/${poolOf(0)}/WETH-USDC`, height: 900 },
    prepare: async (page) => {
      await page.getByRole("table", { name: "Parameters" }).waitFor()
      await page.getByText("Side long, 50 % of it per trade, worth at most $2,500.00").waitFor()
    }
  },
  {
    ...{ name: "trade", path: vault, height: 1_000, answers: quotes },
    prepare: async (page) => {
      const ticket = page.getByRole("dialog", { name: "Trade" })
      await page.getByRole("button", { name: "Trade", exact: true }).click()
      await ticket.getByLabel("Amount of WETH").fill("1.5")
      await ticket.getByRole("group", { name: "Quote" }).waitFor()
      await ticket.getByRole("button", { name: "Compare venues" }).click()
      await ticket.getByText("best", { exact: true }).first().waitFor()
      await page.waitForFunction(() => document.querySelector(".venues [aria-label^='Loading']") === null)
    }
  },
  {
    ...{ name: "liquidity", path: `${vault}/liquidity`, height: 960, answers: liquidityAnswers },
    prepare: async (page) => {
      const dialog = page.getByRole("dialog", { name: "Add liquidity", exact: true })
      await page.getByRole("button", { name: "Add liquidity" }).click()
      await dialog.getByText(/closed candles of ETH-USDC on coinbase/).waitFor()
      await page.getByLabel("Amount of USDC").fill("1000")
      await dialog.getByRole("button", { name: "±5 %" }).click()
      await dialog.locator("button:enabled", { hasText: "Review" }).waitFor()
    }
  },
  {
    ...{ name: "bots", path: "bots", height: 820, answers: answersOf({ bots: 200, vaults: 40 }) },
    prepare: async (page) => {
      await page.getByText("200 bots").waitFor()
      await page.getByRole("table", { name: "Bots" }).getByRole("link").first().waitFor()
    }
  }
]

/** Draws a scene, and keeps it where pictures are written again. Returns the size of the picture. */
const drawn = ({ answers = {}, height, name, path, prepare, scheme = "light" }: Scene) =>
  Effect.scoped(Effect.gen(function*() {
    const page = yield* opened(path, height, { ...answersOf(), ...answers }, scheme)
    yield* act(() => prepare(page))
    const bytes = yield* Effect.promise(async () => {
      const picture = await page.screenshot({ animations: "disabled", caret: "hide", scale: "css" })
      return write(stepped(read(picture), 4))
    })
    const file = isUpdate ? folder : Path.join(root, ".cache/console")
    Fs.mkdirSync(file, { recursive: true })
    Fs.writeFileSync(Path.join(file, `${name}.png`), bytes)
    return { name, size: bytes.length }
  }))

/** The pictures of a document: the text in place of each, and its file. */
const picturesOf = (document: string) =>
  [...Fs.readFileSync(Path.join(root, document), "utf8").matchAll(/!\[([^\]]*)\]\((?:docs\/)?images\/([^)]+)\)/g)].map(
    ([, text = "", file = ""]) => ({ text, file })
  )

layer(Layer.empty, { excludeTestServices: true })("the console’s pictures in the documents", (it) => {
  it.effect("can be drawn, and are small", () =>
    Effect.gen(function*() {
      const all = yield* Effect.forEach(scenes, drawn)
      assert.deepStrictEqual(all.filter(({ size }) => size > limit), [])
      const kept = all.map(({ name }) => ({ name, size: Fs.statSync(Path.join(folder, `${name}.png`)).size }))
      assert.deepStrictEqual(kept.filter(({ size }) => size > limit), [])
    }))

  it.effect("are each in a document, with a text for those who do not see them", () =>
    Effect.sync(() => {
      const shown = ["README.md", "docs/console.md"].flatMap(picturesOf)
      assert.deepStrictEqual(
        scenes.map(({ name }) => `${name}.png`).filter((name) => !shown.some(({ file }) => file === name)),
        []
      )
      assert.deepStrictEqual(shown.filter(({ text }) => text.length < 30), [])
    }))
})
