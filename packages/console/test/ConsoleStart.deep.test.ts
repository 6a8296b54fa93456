import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { decodeFunctionData, parseAbi } from "viem"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import {
  act,
  approve,
  closeSecrets,
  createWallet,
  looked,
  rawCall,
  signIn
} from "@vault-trader/testing/harness/ConsoleSteps"
import { rows, Running, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

const ether = 10n ** 18n

const managerAbi = parseAbi([
  "function setTrader(address newTrader)",
  "function setTraderAssetChangeDisabled(bool disabled)"
])

/** Makes the wallet of a page answer, while `held`, that no transaction is mined; also after the page is reloaded. */
const heldReceipts = (page: Page) =>
  Effect.promise(async () => {
    const receipts = { held: true, refused: 0 }
    await page.exposeFunction("isReceiptHeld", () => {
      if (receipts.held) receipts.refused++
      return receipts.held
    })
    const hold = () => {
      const scope = globalThis as unknown as {
        readonly isReceiptHeld: () => Promise<boolean>
        walletOfTest: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>
      }
      const answer = scope.walletOfTest
      scope.walletOfTest = async (method, params) =>
        method === "eth_getTransactionReceipt" && await scope.isReceiptHeld()
          ? { result: null }
          : answer(method, params)
    }
    await page.addInitScript(hold)
    await page.evaluate(hold)
    return receipts
  })

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "a manager's first hour in the console",
  (it) => {
    it.effect("creates a vault with the gas wallet as trader, continues after a reload, and leads to a bot that trades", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const devnet = yield* Devnet
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* Effect.orDie(
          devnet.faucet({ network: "base", address: guest.address as `0x${string}`, amountWei: 2n * ether })
        )
        yield* signIn(guest)
        yield* act(async () => {
          await page.getByRole("link", { name: "First steps" }).click()
          await page.getByText("0 of 5 done").waitFor()
        })
        yield* looked(guest, "start-empty")
        const made = yield* createWallet(guest, "momentum")
        yield* closeSecrets(guest)
        yield* act(() => page.getByText("1 of 5 done").waitFor())
        yield* Effect.orDie(devnet.faucet({ network: "base", address: made.address, amountWei: ether }))
        yield* act(() => page.getByText("2 of 5 done").waitFor({ timeout: 60_000 }))

        // The form validates the terms by the platform's rules.
        yield* act(async () => {
          await page.getByRole("link", { name: "Create a vault" }).click()
          await page.getByRole("button", { name: "Review transaction" }).waitFor()
          await page.getByLabel("Network").selectOption("base")
          await page.getByLabel("Performance fee %").waitFor()
          await page.getByLabel("Name of the vault").fill("Momentum Vault")
          await page.getByLabel("Symbol of its token").fill("MOMO")
          await page.getByLabel("Your name as its manager").fill("A. Manager")
          await page.getByLabel("Performance fee %").fill("60")
          await page.getByRole("button", { name: "Review transaction" }).click()
          await page.getByText("Must be at most 50 %").waitFor()
          await page.getByText("Investors need at least one asset to deposit").waitFor()
          await page.getByLabel("Performance fee %").fill("12.5")
          await page.getByLabel("Deposit USDC").check()
          await page.getByLabel("Hold WETH").check()
        })
        yield* looked(guest, "create")
        yield* act(async () => {
          await page.getByRole("button", { name: "Review transaction" }).click()
          await page.getByRole("dialog", { name: "Create the vault" }).getByText("Momentum Vault (MOMO)").waitFor()
        })
        assert.strictEqual(
          yield* Effect.promise(() =>
            page.evaluate(() =>
              (globalThis as unknown as {
                readonly document: { readonly activeElement: { readonly textContent: string } }
              }).document.activeElement.textContent
            )
          ),
          "Cancel"
        )
        yield* looked(guest, "create-transaction")
        guest.decline(true)
        yield* act(async () => {
          await page.getByRole("button", { name: "Create in my wallet" }).click()
          await page.getByText("You declined in the wallet. Nothing was done.").waitFor()
        })
        guest.decline(false)

        // The page is reloaded while the transaction is pending; the creation is resumed. The devnet mines whatever it
        // gets, so the wallet says that there is no receipt yet, however long the reload takes.
        const receipts = yield* heldReceipts(page)
        yield* act(async () => {
          await page.getByRole("button", { name: "Create in my wallet" }).click()
          await page.getByText("Waiting for the transaction to be mined on base.").waitFor({ timeout: 90_000 })
          await page.reload()
        })
        const before = receipts.refused
        yield* until(
          "the reloaded page to look for the receipt",
          Effect.sync(() => receipts.refused > before ? true : undefined)
        )
        yield* act(() =>
          page.getByText("Waiting for the transaction to be mined on base.").waitFor({ timeout: 90_000 })
        )
        receipts.held = false
        const traderStep = page.getByRole("region", { name: "2. Make the gas wallet its trader" })
        yield* act(async () => {
          await traderStep.getByText("not set").waitFor()
          await traderStep.getByText("“Trader can change assets” is on").waitFor()
        })
        yield* looked(guest, "create-steps")
        yield* act(async () => {
          await traderStep.getByRole("button", { name: "Set the trader" }).click()
          await traderStep.getByText("The gas wallet is the vault’s trader.").waitFor()
          await traderStep.getByRole("button", { name: "Turn it off" }).click()
          await traderStep.getByText("The trader cannot change which assets the vault may hold.").waitFor()
          await page.getByRole("button", { name: "Link the vault" }).click()
          await page.getByText("The vault is ready").waitFor()
        })
        const sent = guest.transactions.slice(1).map(({ data }) =>
          decodeFunctionData({ abi: managerAbi, data: data as `0x${string}` })
        )
        assert.deepStrictEqual(sent.map(({ functionName }) => functionName), [
          "setTrader",
          "setTraderAssetChangeDisabled"
        ])
        const [link] = yield* rows(`select pool from vault_links where wallet = '${made.address}'`)
        const pool = String(link?.["pool"]) as `0x${string}`
        const trader = yield* OnChain.traderOf("base", pool)
        assert.strictEqual(trader, made.address)
        yield* looked(guest, "create-done")

        // The manager funds the vault. Approvals are not needed; they can be given in advance from the bot's review.
        yield* Effect.orDie(
          devnet.mintToken({ network: "base", symbol: "USDC", address: pool, amount: 5_000_000_000n })
        )
        yield* act(async () => {
          await page.getByRole("link", { name: "continue with the first steps" }).click()
          await page.getByText("3 of 5 done").waitFor()
        })
        yield* looked(guest, "start-half")
        const review = page.getByRole("dialog", { name: "Set the bot of WETH-USDC" })
        yield* act(async () => {
          // The page of first steps has a button of this name too, until the next page is loaded.
          await page.getByRole("link", { name: "Trading Bots" }).click()
          await page.getByRole("heading", { name: "Trading Bots" }).waitFor()
          await page.getByRole("button", { name: "Deploy a bot" }).click()
          await page.getByLabel("Network").selectOption("base")
          await page.getByRole("combobox", { name: "Vault" }).fill(pool)
          await page.getByLabel("Max per trade, USD").fill("1000")
          await page.getByRole("button", { name: "Set the bot" }).click()
          await review.getByText(/^Each trade approves exactly what it sells/).click()
          await review.getByRole("button", { name: "Approve WETH now" }).click()
          await page.getByRole("dialog", { name: "Approve WETH" }).getByRole("rowheader", { name: "Worst case" })
            .waitFor()
        })
        yield* looked(guest, "approve")
        yield* act(() =>
          page.getByRole("dialog", { name: "Approve WETH" }).getByRole("button", { name: "Cancel" }).click()
        )
        yield* approve(guest, "USDC")
        yield* act(() => review.getByRole("rowheader", { name: "First trade" }).waitFor({ timeout: 60_000 }))
        yield* act(() => review.getByText("Sell 1,000 USDC").waitFor())
        yield* looked(guest, "bot-review")
        yield* act(async () => {
          await review.getByText(/^about 5 trades, at most/).waitFor()
          await review.getByRole("button", { name: "Set it and trade" }).click()
          await page.getByText(/Last decision, .*: trade\./).waitFor({ timeout: 120_000 })
          await page.goto(`${baseUrl}/console/start`)
          await page.getByText("5 of 5 done").waitFor()
        })
        yield* looked(guest, "start-done")
        yield* act(async () => {
          await page.getByRole("button", { name: "View trader" }).click()
          await page.getByRole("dialog", { name: "The vault’s trader" }).getByText(
            "The gas wallet is the vault’s trader."
          ).waitFor()
        })
        yield* looked(guest, "trader")
        for (
          const [path, title] of [["gas-wallets", "Gas Wallets"], ["vaults", "Managed Vaults"], [
            "bots",
            "Trading Bots"
          ]] as const
        ) {
          yield* act(async () => {
            await page.goto(`${baseUrl}/console/${path}`)
            await page.getByRole("heading", { name: title }).waitFor()
            await page.getByRole("button", { name: "Click to refill" }).waitFor()
          })
        }
        assert.match(yield* rawCall(guest, "platform", { network: "polygon" }), /"code":"1000"/)
        yield* until(
          "its nav item to be gone",
          Effect.promise(async () =>
            await page.getByRole("link", { name: "First steps" }).count() === 0 ? true : undefined
          )
        )
        assert.deepStrictEqual(guest.complaints, [])
        assert.deepStrictEqual(
          guest.sent.filter((line) => !/^[A-Z]+ (data:|blob:)/.test(line) && !line.includes(baseUrl)),
          []
        )
      }))
  }
)
