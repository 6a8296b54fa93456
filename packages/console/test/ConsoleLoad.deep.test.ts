/** How the console loads on a slow phone; `npm run bench -- console` prints what this measures. */
import { assert, describe, it } from "@effect/vitest"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { loadOf, loadsText } from "@vault-trader/testing/harness/ConsoleLoad"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import type { Page } from "playwright-core"
import { buildConsole } from "../../../scripts/console.mjs"
import { answersOf, manager } from "./Fixture.ts"

await buildConsole()

/** A manager with 200 bots is the case that the goal names. */
const answers = answersOf({ bots: 200, vaults: 50 })

describe("the console on a slow phone", () => {
  it.live(
    "draws its skeleton before its scripts have arrived, signed in or not, and loads in at most 12 requests",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const open = yield* serve(manager, answers)
        const closed = yield* serve(manager, answers, { signedIn: false })
        const loads = yield* Effect.forEach([
          {
            name: "sign-in",
            url: `${closed.url}/console/`,
            isKnown: false,
            isThere: (page: Page) => page.getByText("No wallet found in this browser").waitFor()
          },
          {
            name: "home, 200 bots",
            url: `${open.url}/console/`,
            isKnown: true,
            isThere: (page: Page) => page.getByRole("heading", { name: "Needs attention" }).waitFor()
          },
          {
            name: "bots, 200 bots",
            url: `${open.url}/console/bots?kind=all`,
            isKnown: true,
            isThere: (page: Page) => page.getByRole("table", { name: "Bots" }).locator("tbody a").first().waitFor()
          }
        ], loadOf)
        process.stdout.write(`\n${loadsText(loads)}\n`)
        // For `npm run bench -- console`, which runs this test.
        const file = process.env["CONSOLE_LOADS"]
        if (file !== undefined) Fs.writeFileSync(file, JSON.stringify(loads))
        for (const { firstPaint, name, requests, scripts } of loads) {
          assert.isBelow(firstPaint, scripts, name)
          assert.isAtMost(requests, 12, name)
        }
      })),
    120_000
  )
})
