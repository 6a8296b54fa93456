import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { demoVault, Running, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

await buildConsole()

const ether = 10n ** 18n

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })("a backtest", (it) => {
  it.effect("reads the exchange's candles through the service, and sets a bot only after its review", () =>
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
      const rpc = yield* devnet.rpc("base")
      /** Everything on the chain that a trade would change. */
      const chain = Effect.all({
        usdc: OnChain.balanceOf("base", "USDC", pool),
        weth: OnChain.balanceOf("base", "WETH", pool),
        nonce: Effect.orDie(rpc.request("eth_getTransactionCount", [address, "pending"], Schema.String))
      })
      const botsNow = Effect.map(
        ask("/getAllBots", { json: { apiKey, network: "base" } }),
        ({ fields }) => fields["bots"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      )
      const before = yield* chain
      const about = new URLSearchParams({
        ...{ kind: "threshold", wallet: address, network: "base", pool, pair: "WETH-USDC", side: "long" },
        ...{ threshold: "5", share: "50", max_usd: "400" }
      })
      const form = page.getByRole("dialog", { name: "Deploy a bot" })
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/backtest?${about}`)
        await page.getByRole("button", { name: "Read the candles" }).click()
        await page.getByText(/^ETH-USD of coinbase: 1,460 bars, every 6 hours/).waitFor({ timeout: 60_000 })
        await page.getByRole("button", { name: "Run the backtest" }).click()
        await page.getByRole("table", { name: "Figures of the backtest" }).waitFor()
        await page.getByRole("table", { name: "Trades of the backtest" }).waitFor()
        await page.getByRole("button", { name: "Use these settings" }).click()
        await form.waitFor()
      })
      assert.deepStrictEqual(yield* chain, before)
      assert.deepStrictEqual(yield* botsNow, [])
      const fields = yield* Effect.promise(async () => ({
        threshold: await form.getByLabel("Threshold %").inputValue(),
        share: await form.getByLabel("Share %").inputValue(),
        max: await form.getByLabel("Max per trade, USD").inputValue()
      }))
      assert.deepStrictEqual(fields, { threshold: "5", share: "50", max: "400" })
      const review = page.getByRole("dialog", { name: "Set the bot of WETH-USDC" })
      yield* act(async () => {
        await form.getByLabel("Paper mode").check()
        await form.getByRole("button", { name: "Set the bot" }).click()
        await review.waitFor()
        await review.getByRole("link", { name: "Backtest these terms" }).waitFor()
      })
      assert.deepStrictEqual(yield* botsNow, [])
      yield* act(async () => {
        await review.getByRole("button", { name: "Set it, on paper" }).click()
        await review.waitFor({ state: "detached" })
      })
      const [bot, ...others] = yield* botsNow
      assert.deepStrictEqual([bot?.["threshold"], bot?.["share"], bot?.["max_usd"], bot?.["paper"], others], [
        ...[5, 50, 400, true],
        []
      ])
      // From the bot's page, the same terms are backtested again.
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/bots/base/${pool}/WETH-USDC`)
        await page.locator("main").getByRole("link", { name: "Backtest" }).click()
        await page.getByRole("heading", { level: 1, name: "Backtest" }).waitFor()
        await page.getByLabel("Max per trade, USD").waitFor()
        assert.strictEqual(await page.getByLabel("Max per trade, USD").inputValue(), "400")
      })
      assert.deepStrictEqual(yield* chain, before)
      assert.deepStrictEqual(guest.complaints, [])
    }))
})
