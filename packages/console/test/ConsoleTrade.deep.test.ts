import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, looked, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { demoVault, Running, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

await buildConsole()

const ether = 10n ** 18n

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })("the trade ticket", (it) => {
  it.effect("compares the venues, trades once on the chain, and shows the transaction and what it moved", () =>
    Effect.gen(function*() {
      const { ask, baseUrl } = yield* Running
      const devnet = yield* Devnet
      const pool = yield* demoVault("base")
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      yield* signIn(guest)
      const { address, apiKey } = yield* createWallet(guest, "momentum")
      yield* closeSecrets(guest)
      yield* Effect.orDie(devnet.faucet({ network: "base", address, amountWei: ether }))
      yield* Effect.orDie(devnet.setTrader({ network: "base", pool, trader: address }))
      const linked = yield* ask("/linkGasWallet", { json: { apiKey, network: "base", pool } })
      assert.strictEqual(linked.fields["status"], "success", linked.text)
      const before = {
        usdc: yield* OnChain.balanceOf("base", "USDC", pool),
        weth: yield* OnChain.balanceOf("base", "WETH", pool)
      }

      const ticket = page.getByRole("dialog", { name: "Trade", exact: true })
      const venues = ticket.getByRole("table", { name: "Quotes of the venues" })
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/vaults/base/${pool}`)
        await page.getByRole("button", { name: "Trade", exact: true }).click()
        await ticket.getByLabel("Sell").selectOption("USDC")
        await ticket.getByLabel("Buy").selectOption("WETH")
        await ticket.getByLabel("Amount of USDC").fill("250")
        await ticket.getByRole("group", { name: "Quote" }).waitFor()
        await ticket.getByRole("group", { name: "Quote" }).getByText(/^USDC → .*WETH$/).waitFor()
        await ticket.getByRole("button", { name: "Compare venues" }).click()
        await venues.getByRole("row", { name: /uniswapV3/ }).getByText("WETH").waitFor()
        await venues.getByText("best", { exact: true }).first().waitFor()
        await page.waitForFunction(() => document.querySelector(".venues [aria-label^='Loading']") === null)
      })
      yield* looked(guest, "trade-venues", { screen: 1100, phone: 1300 })
      yield* act(async () => {
        const use = venues.getByRole("button", { name: "Use uniswapV3" })
        if (await use.isVisible()) await use.click()
        await ticket.getByRole("group", { name: "Quote" }).getByText("uniswapV3").waitFor()
        await ticket.getByRole("button", { name: "Review trade" }).click()
      })
      const review = page.getByRole("dialog", { name: "Sell USDC for WETH" })
      yield* act(() => review.getByRole("rowheader", { name: "Route" }).waitFor())
      yield* looked(guest, "trade-review", { screen: 900, phone: 900 })
      const done = page.getByRole("dialog", { name: "Trade done" })
      yield* act(async () => {
        await review.getByRole("button", { name: "Trade", exact: true }).click()
        await done.waitFor({ timeout: 120_000 })
        await done.getByRole("table", { name: "What moved" }).waitFor()
      })
      yield* looked(guest, "trade-done")

      // The page says what the chain says.
      const sold = before.usdc - (yield* OnChain.balanceOf("base", "USDC", pool))
      const bought = (yield* OnChain.balanceOf("base", "WETH", pool)) - before.weth
      assert.strictEqual(sold, 250_000_000n)
      const text = yield* Effect.promise(() => done.innerText())
      assert.match(text, /Sold\s+250 USDC/)
      const shown = /Bought\s+([\d.]+) WETH/.exec(text)?.[1] ?? ""
      assert.approximately(Number(shown), Number(bought) / 1e18, 1e-4)
      const { fields } = yield* ask("/getIntents", { json: { apiKey, limit: 10 } })
      const trades = (fields["intents"] as ReadonlyArray<{ readonly endpoint: string; readonly tx_hash: string }>)
        .filter(({ endpoint }) => endpoint === "vaultTrade")
      assert.lengthOf(trades, 1)
      assert.include(text, trades[0]?.tx_hash.slice(0, 6) ?? "no transaction")
      assert.deepStrictEqual(guest.complaints, [])
    }))
})
