import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, looked, rawCall, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, rows, running, wallet } from "@vault-trader/testing/harness/Harness"

await buildConsole()

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "the audit log of a manager",
  (it) => {
    it.effect("shows changes of its wallets as they happen, with their actors, by wallet, and nothing of others", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* signIn(guest)
        const first = yield* createWallet(guest, "momentum")
        yield* closeSecrets(guest)
        const second = yield* createWallet(guest, "reserve")
        yield* closeSecrets(guest)
        const other = yield* wallet
        yield* ask("/pauseWallet", { json: { apiKey: other.apiKey, reason: "of another manager" } })
        const articles = page.getByRole("article")
        const signedIn = page.getByRole("article", { name: /, session\.opened$/ })
        yield* act(async () => {
          await page.getByRole("link", { name: "Audit" }).click()
          await signedIn.getByText("A manager signed in.").waitFor()
          await signedIn.getByText(/^By a manager 0x[0-9a-f]{40} · from 127\.0\.0\.1 · with signature$/).waitFor()
        })
        // A wallet that was created, its key, its place in the list: twice, and the sign-in.
        assert.strictEqual(yield* Effect.promise(() => articles.count()), 7)

        // A change appears while the page is open.
        const stopped = page.getByRole("article", { name: /, switch\.on$/ })
        yield* ask("/pauseWallet", { json: { apiKey: first.apiKey, reason: "a drill" } })
        yield* act(async () => {
          await stopped.getByText("A kill switch was turned on.").waitFor()
          await stopped.getByText(/^By an API key [0-9a-f-]{36} · from 127\.0\.0\.1 · with apiKey$/).waitFor()
          await stopped.getByText(/a drill/).waitFor()
          await stopped.getByText(/momentum/).waitFor()
        })
        assert.notInclude((yield* Effect.promise(() => page.textContent("main"))) ?? "", "of another manager")
        yield* looked(guest, "audit", { screen: 1400, phone: 2200 })

        const choose = page.getByRole("combobox", { name: "Gas wallet" })
        yield* act(async () => {
          await choose.selectOption(second.address)
          await stopped.waitFor({ state: "detached" })
          await signedIn.waitFor({ state: "detached" })
          await page.getByRole("article", { name: /, key\.issued$/ }).waitFor()
        })
        assert.strictEqual(yield* Effect.promise(() => articles.count()), 3)
        yield* act(async () => {
          await choose.selectOption("")
          await stopped.waitFor()
        })

        // Entries beyond the newest page are read on demand.
        for (let index = 0; index < 20; index += 1) {
          yield* ask("/resumeWallet", { json: { privateKey: first.privateKey } })
          yield* ask("/pauseWallet", { json: { apiKey: first.apiKey, reason: `drill ${index}` } })
        }
        const [{ entries } = { entries: 0 }] = yield* rows(`select count(*)::int as entries from audit_entries
          where wallet in ('${first.address}', '${second.address}') or subject = (select manager from manager_wallets
            where wallet = '${first.address}')`)
        yield* act(async () => {
          await page.reload()
          await page.getByRole("button", { name: "Load more" }).click()
          await signedIn.waitFor()
        })
        assert.strictEqual(yield* Effect.promise(() => articles.count()), entries)
      }))

    it.effect("names the network address of the socket, whatever a call's own headers say", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const guest = yield* visitor(yield* browser, baseUrl)
        yield* signIn(guest)
        const forged = [["x-vault-trader-client", "198.51.100.7"], ["X-Vault-Trader-Client", "198.51.100.8"]] as const
        assert.include(yield* rawCall(guest, "createWallet", { label: "forged" }, forged), `"_tag":"Success"`)
        // Nor does another session's cookie end the call or stand in its place.
        const cookie = [["cookie", "vault_trader_session=0"]] as const
        assert.include(yield* rawCall(guest, "createWallet", { label: "other" }, cookie), `"_tag":"Success"`)
        const origins = yield* rows(
          `select distinct origin from audit_entries where wallet in (select wallet from manager_wallets
            where label in ('forged', 'other'))`
        )
        assert.deepStrictEqual(origins, [{ origin: "127.0.0.1" }])
      }))
  }
)
