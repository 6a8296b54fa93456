import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser, picture } from "@vault-trader/testing/harness/Browser"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { demoVault, rows, Running, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

await buildConsole()

layer(running({ networks: ["optimism", "base"], devnetWallet: true }), { timeout: 300_000, excludeTestServices: true })(
  "who has read only the README",
  (it) => {
    it.effect("goes from the service's first page to a bot that trades without leaving the browser", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const chromium = yield* browser
        const page = yield* Effect.promise(() =>
          chromium.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
        )
        const asked: Array<string> = []
        page.on("dialog", (dialog) => {
          asked.push(dialog.message())
          void dialog.accept()
        })
        const pool = yield* demoVault("base")
        let clicks = 0
        const click = (target: { readonly click: () => Promise<void> }) => {
          clicks += 1
          return target.click()
        }
        const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
        const secrets = page.getByRole("dialog", { name: "Your new gas wallet" })
        yield* act(async () => {
          await page.goto(baseUrl)
          await click(button("Sign in with Devnet Wallet"))
          // Without a vault, the first page is the first steps.
          await page.getByRole("heading", { name: "First steps" }).waitFor()
          await click(button("Add a gas wallet"))
          await page.getByLabel("Label").fill("momentum")
          await click(button("Create gas wallet"))
          await click(secrets.getByLabel("I stored both"))
          await click(secrets.getByRole("button", { name: "Close" }))
          await page.getByText("1 of 5 done").waitFor()
        })

        // Gas comes from the manager's own wallet, on its network; the amount is suggested.
        const refill = page.getByRole("dialog", { name: "Refill" })
        yield* act(async () => {
          await click(button("Refill it from your wallet"))
          await refill.getByText("Confirm the address and the network above to refill.").waitFor()
          await click(refill.getByLabel("Refill this wallet on base"))
          await click(refill.getByRole("button", { name: "Refill", exact: true }))
          // The manager is faster than the service, which has not read the new balance yet.
          await refill.waitFor({ state: "detached" })
        })
        const [wallet] = yield* rows("select address from gas_wallets")
        const address = String(wallet?.["address"])
        assert.isTrue(asked.at(-1)?.includes(`Send this transaction on chain 8453?\n\nTo: ${address}`), asked.at(-1))

        // A vault of the manager on that network is suggested. One dialog sets its trader and links it.
        const linking = page.getByRole("dialog", { name: "Link a vault" })
        yield* act(async () => {
          await click(button("Link a vault"))
          // Not the first of all vaults, which is on a network without gas.
          await linking.getByRole("row", { name: /^Vault 0x[0-9a-fA-F]{40} on base$/ }).waitFor()
          await linking.getByText("Trade the vault’s assets. No withdrawals.").waitFor()
        })
        assert.strictEqual(
          yield* Effect.promise(() => linking.getByLabel("Vault", { exact: true }).inputValue()),
          `base/${pool}`
        )
        assert.deepStrictEqual(yield* barriers(page), [])
        yield* picture(page, "journey-link-light")
        yield* act(async () => {
          await click(linking.getByRole("button", { name: "Set the trader and link" }))
          await linking.waitFor({ state: "detached" })
          // Home is still the first steps.
          await page.getByText("3 of 5 done").waitFor()
        })
        assert.strictEqual(yield* OnChain.traderOf("base", pool), address)

        // The bot's limit suits the vault; nothing is approved before.
        const review = page.getByRole("dialog", { name: "Set the bot of WETH-USDC" })
        yield* act(async () => {
          await click(button("Deploy a bot"))
          await review.getByText(/^Sell [\d,]+ USDC$/).waitFor()
          await review.getByText(/^about \d+ trades, at most \$[\d.]+ of charges and gas$/).waitFor()
        })
        const countOf = (text: string | null) => Number(/about (\d+) trades/.exec(text ?? "")?.[1])
        const planned = countOf(yield* Effect.promise(() => review.textContent()))
        yield* picture(page, "journey-review-light")
        yield* act(async () => {
          await click(review.getByRole("button", { name: "Set it and trade" }))
          await page.getByText("5 of 5 done").waitFor({ timeout: 120_000 })
        })
        assert.isAtMost(clicks, 12)
        assert.isTrue((yield* OnChain.balanceOf("base", "USDC", pool)) < 100_000_000_000n)
        const approvals = yield* rows("select count(*)::int as count from intents where endpoint = 'approve'")
        assert.deepStrictEqual(approvals, [{ count: 0 }])
        yield* picture(page, "journey-done-light")
        yield* act(async () => {
          await page.getByRole("link", { name: "View your vaults" }).click()
          await page.getByRole("heading", { name: "Home", exact: true }).waitFor()
          await page.getByText("Nothing needs your attention.").waitFor()
        })
        // The gas that was suggested lasts for the whole run.
        const runway = page.getByRole("table", { name: "Gas runway" })
        yield* act(() => runway.getByText(/about \d+ trades/).waitFor())
        assert.isAtLeast(countOf(yield* Effect.promise(() => runway.textContent())), planned)
        yield* picture(page, "journey-home-light")
      }))
  }
)
