import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser, picture, visitor } from "@vault-trader/testing/harness/Browser"
import {
  act,
  closeSecrets,
  createWallet,
  fits,
  keptBy,
  looked,
  rawCall,
  signIn
} from "@vault-trader/testing/harness/ConsoleSteps"
import { demoVault, Running, rows, running, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import type { WebSocketRoute } from "playwright-core"

await buildConsole()

const wait = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })("the console", (it) => {
  it.effect("signs a manager in with a one-time message that names this site, and out again", () =>
    Effect.gen(function*() {
      const { ask, baseUrl } = yield* Running
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      yield* act(() => page.getByRole("button", { name: "Sign in with Test Wallet" }).waitFor())
      yield* looked(guest, "sign-in")
      guest.decline(true)
      yield* act(async () => {
        await page.getByRole("button", { name: "Sign in with Test Wallet" }).click()
        await page.getByText("You declined in the wallet. Nothing was done.").waitFor()
      })
      guest.decline(false)
      yield* signIn(guest)
      const host = new URL(baseUrl).host
      const message = guest.asked.at(-1) ?? ""
      assert.match(message, new RegExp(`^${host} wants you to sign in with your Ethereum account:\n0x`))
      assert.include(message, `URI: ${baseUrl}/console\nVersion: 1\nChain ID: 8453\nNonce: `)
      const [cookie] = yield* Effect.promise(() => page.context().cookies(`${baseUrl}/console`))
      assert.deepInclude(cookie, { httpOnly: true, sameSite: "Strict", path: "/console" })
      // The stored digest cannot be used as a cookie, and a used nonce is deleted.
      assert.notInclude(JSON.stringify(yield* rows("select * from sessions")), cookie!.value)
      assert.deepStrictEqual(yield* rows(`select count(*)::int as many from sign_ins where message = '${message}'`), [{
        many: 0
      }])
      yield* act(() => page.reload())
      yield* act(() => page.getByRole("heading", { name: "Gas Wallets" }).waitFor())
      yield* act(() => page.getByRole("button", { name: "Sign out" }).click())
      yield* act(() => page.getByRole("button", { name: "Sign in with Test Wallet" }).waitFor())
      assert.deepStrictEqual(
        yield* rows(`select count(*)::int as many from sessions where manager = '${guest.address}'`),
        [{ many: 0 }]
      )
      const headers = { cookie: `vault_trader_session=${cookie!.value}` }
      assert.deepStrictEqual((yield* ask("/console/session", { headers })).body, { manager: null, expiresAt: null })
      assert.deepStrictEqual(guest.complaints, [])
    }))

  for (const socketState of ["connecting", "breaking"] as const) {
    it.effect(`opens no socket that is refused when its manager signs out while one is ${socketState}`, () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* signIn(guest)
        const sockets: Array<WebSocketRoute> = []
        let connect = () => {}
        const connects = new Promise<void>((resolve) => {
          connect = resolve
        })
        let isAnswered = false
        yield* act(async () => {
          await page.routeWebSocket("**/console/rpc", async (socket) => {
            sockets.push(socket)
            if (socketState === "connecting") await connects
            socket.connectToServer()
          })
          await page.route("**/console/session", async (route) => {
            if (route.request().method() !== "DELETE") return route.continue()
            const response = await route.fetch()
            if (socketState === "breaking") await sockets[0]?.close()
            // Longer than the page waits before it connects again, and before it subscribes again.
            await wait(2_500)
            await route.fulfill({ response })
            isAnswered = true
          })
          await page.reload()
          await page.getByRole("heading", { name: "Gas Wallets" }).waitFor()
          await page.getByRole("button", { name: "Sign out" }).click()
          // Sign-out would be done by then if it did not wait.
          await wait(500)
          connect()
          await page.getByRole("button", { name: "Sign in with Test Wallet" }).waitFor()
        })
        yield* until("the late answer", Effect.sync(() => isAnswered ? true : undefined))
        assert.deepStrictEqual(guest.complaints, [])
        assert.strictEqual(sockets.length, 1)
        // The next session has a socket of its own.
        yield* signIn(guest)
        yield* act(() => page.getByText("No gas wallet yet").waitFor())
        assert.deepStrictEqual(guest.complaints, [])
        assert.strictEqual(sockets.length, 2)
      }))
  }

  it.effect("refuses a sign-in from another site, with another account's signature, or with an unknown nonce", () =>
    Effect.gen(function*() {
      const { ask, baseUrl } = yield* Running
      const own = { origin: baseUrl }
      const begin = (headers: Readonly<Record<string, string>>) =>
        ask("/console/sign-in", {
          json: { address: "0x5C4E1DbAf5b2A90E0B40A1D0A6E5a1B5d9a0c1f2", chainId: 8453 },
          headers
        })
      assert.strictEqual((yield* begin({})).status, 403)
      assert.strictEqual((yield* begin({ origin: "https://evil.example" })).status, 403)
      assert.strictEqual(
        (yield* ask("/console/sign-in", { json: { address: "me", chainId: 1 }, headers: own })).status,
        400
      )
      assert.strictEqual(
        (yield* ask("/console/sign-in", {
          json: { address: "0x5C4E1DbAf5b2A90E0B40A1D0A6E5a1B5d9a0c1f2" },
          headers: own
        })).status,
        400
      )
      const asked = yield* begin(own)
      const nonce = String(asked.body["nonce"])
      const signature = `0x${"12".repeat(65)}`
      const open = () => ask("/console/session", { json: { nonce, signature }, headers: own })
      const refused = yield* open()
      assert.strictEqual(refused.status, 403)
      assert.match(String(refused.body["message"]), /^The signature is not 0x5c4e1d/)
      assert.isNull(refused.headers.get("set-cookie"))
      assert.match(String((yield* open()).body["message"]), /used before/)
      assert.strictEqual((yield* ask("/console/rpc", { headers: own })).status, 401)
    }))

  it.effect("shows a new wallet's secrets once and stores them nowhere", () =>
    Effect.gen(function*() {
      const { ask, baseUrl } = yield* Running
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      yield* signIn(guest)
      const made = yield* createWallet(guest, "momentum")
      assert.match(made.apiKey, /^[0-9a-f-]{36}$/)
      assert.match(made.privateKey, /^[0-9a-f]{64}$/)
      assert.notInclude(made.masked, made.apiKey)
      assert.notInclude(made.masked, made.privateKey)
      yield* looked(guest, "secrets")
      assert.isTrue(yield* Effect.promise(() => page.getByRole("button", { name: "Close" }).isDisabled()))
      yield* act(() => page.keyboard.press("Escape"))
      assert.isTrue(yield* Effect.promise(() => page.getByRole("dialog").isVisible()))
      yield* closeSecrets(guest)
      yield* act(() => page.getByRole("heading", { name: "momentum" }).waitFor())
      const kept = yield* keptBy(guest)
      for (const secret of [made.apiKey, made.privateKey]) {
        assert.notInclude(kept, secret)
        assert.notInclude(guest.sent.join("\n"), secret)
        assert.notInclude(guest.complaints.join("\n"), secret)
      }
      assert.strictEqual(
        (yield* ask("/getGasBalance", { query: { apiKey: made.apiKey, network: "base" } })).fields["status"],
        "success"
      )

      // A wallet added by its key is in the list, too.
      const outside = yield* wallet
      yield* act(async () => {
        await page.getByRole("button", { name: "Add a gas wallet" }).click()
        await page.getByRole("tab", { name: "I have an API key" }).click()
        await page.getByRole("textbox", { name: "API key" }).fill(outside.apiKey)
      })
      yield* looked(guest, "wallet-add")
      yield* act(async () => {
        await page.getByRole("button", { name: "Add to my list" }).click()
        await page.getByRole("heading", { name: outside.address.slice(0, 8) }).waitFor()
      })

      // All wallets can be stopped at once and resumed one by one.
      const stopped = rows(
        `select scope from kill_switches where scope in ('wallet/${made.address}', 'wallet/${outside.address}') ` +
          "order by scope"
      )
      yield* act(async () => {
        await page.getByRole("button", { name: "Kill switch" }).click()
        await page.getByRole("button", { name: "Stop all 2 wallets" }).click()
        await page.getByRole("button", { name: "Resume" }).nth(1).waitFor()
      })
      assert.deepStrictEqual(
        yield* stopped,
        [made.address, outside.address].sort().map((address) => ({ scope: `wallet/${address}` }))
      )
      yield* act(async () => {
        await page.getByRole("button", { name: "Resume" }).nth(1).click()
        await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
        await page.getByRole("button", { name: "Resume" }).click()
        await page.getByRole("button", { name: "Stop", exact: true }).nth(1).waitFor()
        await page.keyboard.press("Escape")
      })
      assert.deepStrictEqual(yield* stopped, [])

      // Another manager sees neither.
      const other = yield* visitor(yield* browser, baseUrl, "dark")
      yield* signIn(other)
      yield* act(() => other.page.getByText("No gas wallet yet").waitFor())

      for (const tag of ["wallet.pauseWallet", "wallet.getIntents", "manager.deassociateGasWallet"]) {
        assert.match(
          yield* rawCall(other, tag, { wallet: made.address }),
          /"_tag":"Failure".*"code":"1005".*is not in/,
          tag
        )
      }
      for (const tag of ["rotateKey", "resumeWallet"]) {
        assert.match(
          yield* rawCall(other, tag, { wallet: made.address, signature: "v2" }),
          /"_tag":"Failure".*"code":"1005".*is not in/,
          tag
        )
      }
      assert.deepStrictEqual(yield* rows(`select 1 from kill_switches where scope = 'wallet/${made.address}'`), [])
      assert.strictEqual(
        (yield* ask("/getGasBalance", { query: { apiKey: made.apiKey, network: "base" } })).fields["status"],
        "success"
      )

      for (const name of ["Label", "Remove from list"]) {
        yield* act(async () => {
          await page.getByRole("region", { name: "momentum" }).getByRole("button", { name }).click()
          await page.getByRole("dialog", { name }).waitFor()
        })
        yield* looked(guest, name === "Label" ? "label" : "take-off")
        yield* act(async () => {
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })
        })
      }

      // Issues a new key after the name is typed; the old key stops working.
      yield* act(async () => {
        const card = page.getByRole("region", { name: "momentum" })
        await card.getByRole("button", { name: "New API key" }).click()
        const revoke = page.getByRole("button", { name: "Revoke the old key" })
        if (!(await revoke.isDisabled())) throw new Error("the key could be rotated without typing the name")
        await page.getByLabel("Type momentum to confirm").fill("momentum")
      })
      yield* looked(guest, "rotate")
      // The session is not enough: the manager's wallet must sign, and the manager may decline.
      guest.decline(true)
      yield* act(async () => {
        await page.getByRole("button", { name: "Revoke the old key" }).click()
        await page.getByText("You declined in the wallet. Nothing was done.").waitFor()
      })
      guest.decline(false)
      assert.strictEqual(
        (yield* ask("/getGasBalance", { query: { apiKey: made.apiKey, network: "base" } })).fields["status"],
        "success"
      )
      yield* act(async () => {
        await page.getByRole("button", { name: "Revoke the old key" }).click()
        await page.getByRole("dialog", { name: "The new API key" }).waitFor()
      })
      yield* looked(guest, "rotated")
      assert.deepInclude(JSON.parse(guest.asked.at(-1) ?? "{}") as object, { primaryType: "ManagerRequest" })
      assert.strictEqual(
        (yield* ask("/getGasBalance", { query: { apiKey: made.apiKey, network: "base" } })).fields["status_code"],
        "1002"
      )
    }))

  it.effect("takes a new manager to a bot that trades, and every page is accessible", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const devnet = yield* Devnet
      const chromium = yield* browser
      const guest = yield* visitor(chromium, baseUrl)
      const { page } = guest
      yield* signIn(guest)
      yield* picture(page, "gas-wallets-empty-light")
      const made = yield* createWallet(guest, "momentum")
      yield* closeSecrets(guest)
      const pool = yield* demoVault("base")
      yield* Effect.orDie(devnet.faucet({ network: "base", address: made.address, amountWei: 10n ** 18n }))
      yield* act(() => page.getByText("1.0000 ETH").waitFor())

      // A vault with another trader is refused with a message; then the wallet becomes its trader.
      const link = async () => {
        await page.getByRole("combobox", { name: "Network" }).selectOption("base")
        await page.getByLabel("Address of the vault").fill(pool)
        await page.getByRole("button", { name: "Link", exact: true }).click()
      }
      yield* act(async () => {
        await page.getByRole("link", { name: "API Linked Vaults" }).click()
        await page.getByRole("button", { name: "Link a vault" }).click()
        await link()
        await page.getByText(/^momentum can’t trade .+ yet\. Make it the vault’s trader first\.$/).waitFor()
        await page.getByRole("button", { name: "Set the trader" }).waitFor()
      })
      yield* looked(guest, "link-refused")
      yield* Effect.orDie(devnet.setTrader({ network: "base", pool, trader: made.address }))
      yield* until(
        "the link",
        Effect.promise(async () => {
          await page.getByRole("button", { name: "Link", exact: true }).click().catch(() => undefined)
          return await page.getByText("wallet is the trader").isVisible() ? true : undefined
        })
      )

      // The form validates like the API, shows the call, and sets the bot.
      yield* act(async () => {
        await page.getByRole("link", { name: "Trading Bots" }).click()
        await page.getByRole("button", { name: "Deploy a bot" }).click()
        await page.getByRole("button", { name: "Set the bot" }).click()
        await page.getByText("Required", { exact: true }).first().waitFor()
        await page.getByRole("combobox", { name: "Network" }).selectOption("base")
        await page.getByRole("combobox", { name: "Vault" }).fill(pool)
        await page.getByLabel("Threshold %").fill("101")
        await page.getByLabel("Slippage %").focus()
        await page.getByText("Must be a percentage from 0 to 100").waitFor()
        await page.getByLabel("Threshold %").fill("2")
        await page.getByLabel("Max per trade, USD").fill("1000")
        await page.getByRole("button", { name: "Show API Code" }).click()
        await page.getByText("Python", { exact: true }).click()
        // Highlighted once the highlighter is loaded.
        await page.getByLabel("Python code").locator("span[style*=color]").first().waitFor()
      })
      const code = yield* Effect.promise(() => page.getByLabel("Python code").textContent())
      assert.include(code ?? "", `"pool": "${pool}"`)
      assert.include(code ?? "", "\"threshold\": 2")
      assert.include(code ?? "", "YOUR_API_KEY")
      yield* looked(guest, "bot-form")
      const before = yield* OnChain.balanceOf("base", "USDC", pool)
      yield* act(async () => {
        await page.getByRole("button", { name: "Set the bot" }).click()
      })
      yield* act(async () => {
        await page.getByRole("button", { name: "Set it and trade" }).click()
        await page.getByRole("heading", { name: "WETH-USDC · long" }).waitFor()
        await page.getByText(/Last decision, .*: trade\./).waitFor({ timeout: 120_000 })
      })
      // Each check sells up to the maximum value of one trade.
      const sold = before - (yield* OnChain.balanceOf("base", "USDC", pool))
      assert.isTrue(sold >= 1_000_000_000n && sold % 1_000_000_000n === 0n, String(sold))
      yield* act(async () => {
        await page.getByRole("link", { name: "Activity" }).click()
        await page.getByText(/^Sold 1000 USDC for/).first().waitFor()
      })

      // Every page in both colour schemes and on a phone.
      const routes = [
        ["gas-wallets", "Gas Wallets"],
        ["vaults", "Managed Vaults"],
        ["links", "API Linked Vaults"],
        ["bots", "Trading Bots"],
        ["activity", "Activity"],
        ["audit", "Audit"],
        ["charts", "Charts"]
      ] as const
      for (const scheme of ["light", "dark"] as const) {
        yield* act(() => page.emulateMedia({ colorScheme: scheme }))
        for (const [path, title] of routes) {
          yield* act(async () => {
            await page.goto(`${baseUrl}/console/${path}`)
            await page.getByRole("heading", { name: title }).waitFor()
            await page.getByText(/updated \d+ s ago/).waitFor()
          })
          if (path === "vaults") yield* act(() => page.getByText(/^Worth \$/).waitFor())
          yield* picture(page, `${path}-${scheme}`)
          assert.deepStrictEqual(yield* barriers(page), [], `${path} in ${scheme}`)
        }
      }
      yield* act(() => page.setViewportSize({ width: 360, height: 740 }))
      for (const [path, title] of routes) {
        yield* act(async () => {
          await page.goto(`${baseUrl}/console/${path}`)
          await page.getByRole("heading", { name: title }).waitFor()
          await page.getByText(/updated \d+ s ago/).waitFor()
        })
        yield* picture(page, `${path}-phone`)
        assert.isAtMost(yield* fits(page), 360, `${path} is wider than the screen`)
      }
      yield* act(() => page.setViewportSize({ width: 1280, height: 900 }))

      // The kill switch in the header, and deleting the bot.
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/bots`)
        await page.getByRole("button", { name: "Kill switch" }).click()
        await page.getByRole("button", { name: "Stop", exact: true }).click()
        await page.getByRole("button", { name: "Resume" }).waitFor()
      })
      yield* looked(guest, "kill-switch")
      assert.deepStrictEqual(
        yield* rows(`select set_by as by from kill_switches where scope = 'wallet/${made.address}'`),
        [{ by: "owner" }]
      )
      yield* act(async () => {
        await page.getByRole("button", { name: "Resume" }).click()
        await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Decisions" }).click()
        await page.getByRole("dialog").getByText(/^Sold 1000 USDC for/).first().waitFor()
      })
      yield* looked(guest, "turns")
      yield* act(async () => {
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Delete" }).click()
        await page.getByLabel("Type WETH-USDC to confirm").fill("WETH-USDC")
      })
      yield* looked(guest, "bot-delete")
      yield* act(async () => {
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
        await page.getByText("No bot yet").waitFor()
      })
      assert.deepStrictEqual(yield* rows("select count(*)::int as many from threshold_bots"), [{ many: 0 }])
      // No requests to other origins, and no console errors.
      assert.deepStrictEqual(
        guest.sent.filter((line) => !/^[A-Z]+ (data:|blob:)/.test(line) && !line.includes(baseUrl)),
        []
      )
      assert.deepStrictEqual(guest.complaints, [])
    }))
})
