import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, looked, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { demoVault, Running, running } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "the activity of a manager",
  (it) => {
    it.effect("shows amounts, costs, status, and the next step after a failure", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const devnet = yield* Devnet
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* signIn(guest)
        const { address, apiKey } = yield* createWallet(guest, "momentum")
        yield* closeSecrets(guest)
        const network = "base"
        const pool = yield* demoVault(network)
        yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
        yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
        yield* until(
          "the link",
          Effect.map(
            ask("/linkGasWallet", { query: { apiKey, network, pool } }),
            ({ fields }) => fields["status"] === "success" ? true : undefined
          )
        )
        yield* act(async () => {
          await page.getByRole("link", { name: "Activity" }).click()
          await page.getByText("Nothing yet").waitFor()
        })
        // New entries appear while the page is open.
        const about = { apiKey, network, pool }
        assert.strictEqual(
          (yield* ask("/approve", { json: { ...about, asset: "USDC", platform: "uniswapV3" } })).fields["status"],
          "success"
        )
        assert.strictEqual(
          (yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "WETH", amount: "1000" } }))
            .fields["status"],
          "success"
        )
        assert.strictEqual(
          (yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "WETH", amount: "999999999999" } }))
            .fields["status"],
          "fail"
        )
        const failed = page.getByRole("article", { name: "Trade, failed" })
        const traded = page.getByRole("article", { name: /^Trade, (mined|done)$/ })
        yield* act(async () => {
          await failed.waitFor()
          await traded.getByText(/^1,000 USDC → 0\.\d+ WETH$/).waitFor()
          await traded.getByText(/base · uniswapV3/).waitFor()
          await traded.getByText(/0\.\d+ ETH$/).waitFor()
          await traded.getByText("$0.10", { exact: true }).waitFor()
          await page.getByRole("article", { name: /^Approval, / }).waitFor()
        })
        const told = yield* Effect.promise(() => failed.textContent())
        assert.match(told ?? "", /\(2002\)/)
        assert.include(told ?? "", "No funds moved")
        assert.include(told ?? "", "Ask for no more than the vault holds")
        yield* looked(guest, "activity-told", { screen: 1400, phone: 1900 })

        // The filters are in the URL and restored from it.
        yield* act(async () => {
          await page.getByRole("combobox", { name: "Status" }).selectOption("failed")
          await traded.waitFor({ state: "detached" })
          await failed.waitFor()
          await page.waitForURL(/status=failed/)
          await page.reload()
          await failed.waitFor()
          await page.getByRole("combobox", { name: "Status" }).selectOption("")
          await page.getByRole("searchbox", { name: "Search" }).fill("may now take")
          await failed.waitFor({ state: "detached" })
          await page.getByRole("article", { name: /^Approval, / }).waitFor()
          await page.getByRole("searchbox", { name: "Search" }).fill("no such thing")
          await page.getByText("No matches").waitFor()
          await page.getByRole("link", { name: "Show all" }).click()
          await failed.waitFor()
        })
        const [saved] = yield* Effect.promise(() =>
          Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()])
        )
        const lines = Fs.readFileSync(yield* Effect.promise(() => saved.path()), "utf8").split("\r\n")
        assert.strictEqual(
          lines[0],
          "created_at,wallet,action,bot,network,pool,exchange,status,out,in,venue,gas,charge_usd,tx_hash,message," +
            "failure_code,id"
        )
        assert.strictEqual(lines.length, 5)
        assert.match(
          lines[2] ?? "",
          new RegExp(
            ",vaultTrade,,base,0x[0-9a-f]{40},,(mined|final),1000 USDC,0\\.\\d+ WETH,uniswapV3,0\\.\\d+ ETH,0\\.1," +
              "0x[0-9a-f]{64},"
          )
        )

        // More than a page: new entries keep appearing, and rows they push out of the first page stay visible.
        const articles = page.getByRole("article")
        for (const [more, shown] of [[20, 23], [12, 35]] as const) {
          for (let index = 0; index < more; index += 1) {
            yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "WETH", amount: "999999999999" } })
          }
          yield* until(`${shown} rows`, Effect.promise(async () => await articles.count() === shown ? true : undefined))
        }
        yield* act(async () => {
          await page.reload()
          await page.getByRole("button", { name: "Load more" }).waitFor()
          if (await articles.count() !== 30) throw new Error(`${await articles.count()} rows at first`)
          await page.getByRole("button", { name: "Load more" }).click()
          await page.getByRole("article", { name: /^Approval, / }).waitFor()
          if (await articles.count() !== 35) throw new Error(`${await articles.count()} rows in all`)
          await page.getByRole("button", { name: "Load more" }).waitFor({ state: "detached" })
        })

        // The charts of the same vault.
        yield* act(async () => {
          await page.getByRole("link", { name: "Charts" }).click()
          const price = page.getByRole("region", { name: "Price and trades", exact: true })
          await price.locator("canvas").first().waitFor()
          await price.getByRole("button", { name: "Show as a table" }).click()
          await price.getByText(/^Bought by vaultTrade: Sold 1000 USDC for/).waitFor()
          await page.getByText(/The chart needs two days/).waitFor()
          await page.getByText("The chart needs two rebalances of an index bot; this vault has had 0.").waitFor()
        })
        yield* looked(guest, "charts", { screen: 1400, phone: 1900 })
        yield* act(async () => {
          await page.getByRole("textbox", { name: "Pair" }).fill("DOGE-USD")
          await page.keyboard.press("Enter")
          await page.getByText("This cannot be loaded right now").waitFor()
        })
        assert.deepStrictEqual(
          guest.sent.filter((line) => !/^[A-Z]+ (data:|blob:)/.test(line) && !line.includes(baseUrl)),
          []
        )
        assert.deepStrictEqual(guest.complaints, [])
      }))
  }
)
