import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser, picture } from "@vault-trader/testing/harness/Browser"
import { act, approve, closeSecrets, createWallet, openPage } from "@vault-trader/testing/harness/ConsoleSteps"
import { demoVault, Running, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

await buildConsole()

layer(running({ networks: ["base"], devnetWallet: true }), { timeout: 300_000, excludeTestServices: true })(
  "who has read only the README",
  (it) => {
    it.effect("goes from the service's first page to a bot that trades without leaving the browser", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const chromium = yield* browser
        const page = yield* Effect.promise(() =>
          chromium.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
        )
        const guest = { page }
        const asked: Array<string> = []
        page.on("dialog", (dialog) => {
          asked.push(dialog.message())
          void dialog.accept()
        })
        const pool = yield* demoVault("base")
        yield* act(async () => {
          await page.goto(baseUrl)
          await page.getByRole("button", { name: "Sign in with Devnet Wallet" }).click()
          // Without a vault, the first page is the first steps.
          await page.getByRole("heading", { name: "First steps" }).waitFor()
        })
        yield* openPage(guest, "Gas Wallets")
        const made = yield* createWallet(guest, "momentum")
        yield* closeSecrets(guest)

        // Gas comes from the manager's own wallet.
        const refill = page.getByRole("dialog", { name: "Refill" })
        yield* act(async () => {
          await page.getByRole("region", { name: "momentum" }).getByRole("button", { name: "Click to refill" }).click()
          await refill.getByLabel("Network").selectOption("base")
          await refill.getByLabel("Amount in USD").fill("50")
          await refill.getByLabel("Refill this wallet on base").check()
          await refill.getByRole("button", { name: "Refill", exact: true }).click()
          await refill.getByText("Confirmed.").waitFor()
          await refill.getByRole("button", { name: "Close", exact: true }).last().click()
        })
        assert.isTrue(
          asked.at(-1)?.includes(`Send this transaction on chain 8453?\n\nTo: ${made.address}`),
          asked.at(-1)
        )

        // The demo vault is found by its manager; its trader is set after the link is refused.
        const card = page.getByRole("region", { name: `Vault ${pool}` })
        const linking = page.getByRole("dialog", { name: "Link a vault" })
        yield* act(async () => {
          await page.getByRole("link", { name: "Managed Vaults" }).click()
          await card.getByText("It has no trader yet.").waitFor()
        })
        assert.deepStrictEqual(yield* barriers(page), [])
        yield* picture(page, "vaults-unlinked-light")
        yield* act(async () => {
          await card.getByRole("button", { name: "Link to a gas wallet" }).click()
          await linking.getByRole("button", { name: "Link", exact: true }).click()
          await linking.getByRole("button", { name: "Set the trader" }).click()
        })
        const trader = page.getByRole("dialog", { name: "The vault’s trader" })
        yield* act(async () => {
          await trader.getByRole("button", { name: "Set the trader" }).click()
          await trader.getByText("The gas wallet is the vault’s trader.").waitFor()
          await trader.getByRole("button", { name: "Close" }).last().click()
          await linking.getByRole("button", { name: "Link", exact: true }).click()
          await linking.waitFor({ state: "detached" })
          await card.getByText(/^Worth \$/).waitFor()
        })
        assert.strictEqual(yield* OnChain.traderOf("base", pool), made.address)

        // Then approvals and the bot, from the first steps.
        yield* act(async () => {
          await page.getByRole("link", { name: "First steps" }).click()
          await page.getByText("4 of 7 done").waitFor()
        })
        yield* approve(guest, "WETH")
        yield* approve(guest, "USDC")
        const review = page.getByRole("dialog", { name: "Set the bot of WETH-USDC" })
        yield* act(async () => {
          await page.getByRole("button", { name: "Deploy a bot" }).click()
          await page.getByLabel("Max per trade, USD").fill("1000")
          await page.getByRole("button", { name: "Set the bot" }).click()
          await review.getByText("Sell 1,000 USDC").waitFor()
          await review.getByRole("button", { name: "Set it and trade" }).click()
          await page.getByText("7 of 7 done").waitFor({ timeout: 120_000 })
        })
        assert.isTrue((yield* OnChain.balanceOf("base", "USDC", pool)) < 100_000_000_000n)
        yield* picture(page, "journey-done-light")
      }))
  }
)
