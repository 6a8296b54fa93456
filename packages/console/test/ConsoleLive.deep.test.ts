import { assert, describe, it, layer } from "@effect/vitest"
import { consoleStreams } from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser, picture, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, rawCall, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, rows, running } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

const openStreams = Effect.map(Metric.value(consoleStreams), ({ value }) => value)

/** The number of open streams once it is stable over several polls. */
const settledStreams = Effect.suspend(() => {
  const seen = { open: -1, times: 0 }
  return until(
    "the streams of the page",
    Effect.map(openStreams, (open) => {
      seen.times = open === seen.open ? seen.times + 1 : 0
      seen.open = open
      return seen.times >= 50 && open > 0 ? open : undefined
    })
  )
})

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "what the console shows",
  (it) => {
    it.effect("shows changes made in another browser or by the API", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const account = privateKeyToAccount(generatePrivateKey())
        const one = yield* visitor(yield* browser, baseUrl, "light", account)
        const other = yield* visitor(yield* browser, baseUrl, "dark", account)
        yield* signIn(one)
        yield* signIn(other)
        yield* act(() => other.page.getByText("No gas wallet yet").waitFor())
        const { apiKey } = yield* createWallet(one, "momentum")
        yield* closeSecrets(one)
        yield* act(() => other.page.getByRole("heading", { name: "momentum" }).waitFor())
        yield* act(async () => {
          const card = other.page.getByRole("region", { name: "momentum" })
          await card.getByRole("button", { name: "Label" }).click()
          await other.page.getByRole("textbox", { name: "Label" }).fill("mean reversion")
          await other.page.getByRole("button", { name: "Save" }).click()
          await one.page.getByRole("heading", { name: "mean reversion" }).waitFor()
        })
        // A program stops the wallet; the open dialog shows it.
        yield* act(async () => {
          await one.page.getByRole("button", { name: "Kill switch" }).click()
          await one.page.getByText("running", { exact: true }).waitFor()
        })
        assert.strictEqual((yield* ask("/pauseWallet", { json: { apiKey } })).fields["status"], "success")
        yield* act(() => one.page.getByText("stopped", { exact: true }).waitFor())
        assert.deepStrictEqual(yield* barriers(one.page), [])
        assert.deepStrictEqual([...one.complaints, ...other.complaints], [])
      }))

    it.effect("receives what changed in a long list, not the list again", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* signIn(guest)
        const wallets = 40
        for (let index = 0; index < wallets; index++) {
          yield* rawCall(guest, "createWallet", { label: `desk ${index}` })
        }
        const owned = yield* rows("select wallet from manager_wallets where label = 'desk 7'")
        const frames: Array<string> = []
        page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))))
        yield* act(async () => {
          await page.goto(`${baseUrl}/console/gas-wallets`)
          await page.getByRole("heading", { name: `desk ${wallets - 1}`, exact: true }).waitFor()
        })
        const isWhole = (frame: string) => frame.includes("desk 7") && frame.includes("desk 8")
        assert.isTrue(frames.some(isWhole))
        const rename = (label: string) =>
          Effect.andThen(
            rawCall(guest, "labelWallet", { wallet: owned[0]?.["wallet"], label }),
            act(() => page.getByRole("heading", { name: label, exact: true }).waitFor())
          )
        // The page loads what applies patches with the first one, and opens the stream again.
        yield* rename("evening desk")
        const before = frames.length
        yield* rename("night desk")
        const changes = frames.slice(before).filter((frame) => frame.includes("night desk"))
        assert.isNotEmpty(changes)
        for (const change of changes) {
          assert.match(change, /"patch":\[\{"op":"replace","path":"[^"]*label","value":"night desk"/)
          assert.isFalse(isWhole(change))
        }
        // The other rows are still there.
        yield* act(() => page.getByRole("heading", { name: "desk 8", exact: true }).waitFor())
        assert.deepStrictEqual(guest.complaints, [])
      }))

    it.effect("uses as many streams as it needs, and none after it is closed", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        yield* until("streams of other pages to end", Effect.map(openStreams, (open) => open === 0 ? true : undefined))
        const guest = yield* visitor(yield* browser, baseUrl)
        yield* signIn(guest)
        yield* act(() => guest.page.getByText("No gas wallet yet").waitFor())
        // The last streams open when the page is idle.
        yield* act(() =>
          guest.page.evaluate(() =>
            new Promise<void>((resolve) => {
              const { requestIdleCallback } = globalThis as unknown as {
                readonly requestIdleCallback: (run: () => void) => void
              }
              requestIdleCallback(() => resolve())
            })
          )
        )
        const needed = yield* settledStreams
        for (const title of ["API Linked Vaults", "Activity", "Trading Bots", "Managed Vaults", "Gas Wallets"]) {
          yield* act(async () => {
            await guest.page.getByRole("link", { name: title }).click()
            await guest.page.getByRole("heading", { name: title }).waitFor()
            await guest.page.getByText(/updated \d+ s ago/).waitFor()
          })
        }
        yield* until(
          "those of the pages before to end",
          Effect.map(openStreams, (open) => open === needed ? true : undefined)
        )
        yield* act(() => guest.page.close())
        yield* until("all to end", Effect.map(openStreams, (open) => open === 0 ? true : undefined))
      }))

    it.effect("ends when its session ends elsewhere, and a stream of another manager's wallet is refused", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const owner = yield* visitor(yield* browser, baseUrl)
        yield* signIn(owner)
        const { address } = yield* createWallet(owner, "mine")
        yield* closeSecrets(owner)
        const guest = yield* visitor(yield* browser, baseUrl)
        yield* signIn(guest)
        assert.match(yield* rawCall(guest, "live.wallet.getIntents", { wallet: address }), /"code":"1005".*is not in/)
        assert.match(yield* rawCall(guest, "live.activity", { wallet: address, limit: 10 }), /"code":"1005".*is not in/)
        assert.match(yield* rawCall(guest, "live.wallet.pauseWallet", { wallet: address }), /Unknown request tag/)
        const tab = yield* Effect.promise(() => guest.page.context().newPage())
        yield* act(async () => {
          await tab.goto(`${baseUrl}/console/activity`)
          await tab.getByText("Nothing yet").waitFor()
          await guest.page.getByRole("button", { name: "Sign out" }).click()
          // The wallet is available in the first tab only.
          await tab.getByText("No wallet found in this browser").waitFor()
        })
        // The operator ends all sessions.
        yield* rows("delete from sessions")
        yield* act(() => owner.page.getByRole("button", { name: "Sign in with Test Wallet" }).waitFor())
      }))
  }
)

describe("a console whose service restarts", () => {
  it.live("shows it, reconnects with the same session, and shows what happened since", () =>
    Effect.gen(function*() {
      const dataDir = yield* ServiceProcess.dataDirectory
      const port = String(yield* ServiceProcess.freePort)
      const service = ServiceProcess.start({ DATA_DIR: dataDir, PORT: port })
      const { baseUrl, kill } = yield* service
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      yield* signIn(guest)
      const { apiKey } = yield* createWallet(guest, "momentum")
      yield* closeSecrets(guest)
      yield* act(() => page.getByRole("heading", { name: "momentum" }).waitFor())
      yield* kill
      yield* act(() => page.getByText("reconnecting", { exact: true }).waitFor())
      // Old data stays visible and accessible.
      yield* act(() => page.getByRole("heading", { name: "momentum" }).waitFor())
      yield* picture(page, "reconnecting-light")
      assert.deepStrictEqual(yield* barriers(page), [])
      const next = yield* service
      yield* act(() => page.getByText("reconnecting", { exact: true }).waitFor({ state: "detached", timeout: 120_000 }))
      yield* act(() => page.getByRole("button", { name: "Kill switch" }).click())
      assert.strictEqual((yield* next.ask("/pauseWallet", { json: { apiKey } })).fields["status"], "success")
      yield* act(() => page.getByText("stopped", { exact: true }).waitFor())
      // Open streams do not block the service's shutdown.
      assert.strictEqual((yield* next.stop).code, 0)
    }), 600_000)
})
