import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { parseAbi } from "viem"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, looked, managing } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, running, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

const network = "base"
const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function getUserReserveData(address asset, address user) view returns (uint256 supplied, uint256 stableDebt, uint256 variableDebt, uint256, uint256, uint256, uint256, uint40, bool)"
])

/** Reads of a vault's positions at the lenders' contracts. */
const marketsOf = (pool: Address) =>
  Effect.gen(function*() {
    const { aaveV3, comets } = (yield* Devnet).file.networks[network] ?? {}
    const comet = comets?.["USDC"]
    if (aaveV3 === undefined || comet === undefined) return yield* Effect.die(new Error("no lenders"))
    const reserve = (symbol: string) =>
      Effect.flatMap(
        OnChain.token(network, symbol),
        (token) => OnChain.read(network, aaveV3.poolDataProvider, abi, "getUserReserveData", [token, pool])
      )
    return {
      supplied: (symbol: string) => Effect.map(reserve(symbol), ([supplied]) => supplied),
      owed: (symbol: string) => Effect.map(reserve(symbol), (facts) => facts[2]),
      inComet: OnChain.read(network, comet, abi, "balanceOf", [pool])
    }
  })

interface Step {
  /** The name of the button on the page. */
  readonly button: string
  readonly action: "Supply" | "Withdraw" | "Borrow" | "Repay"
  readonly symbol: string
  /** The amount to enter; without it, Max. */
  readonly amount?: string
  readonly review: string
  readonly done: string
}

/** Opens the ticket of an action, and its review. */
const reviewed = async (page: Page, { action, amount, button, review, symbol }: Step) => {
  await page.getByRole("button", { name: button }).click()
  const ticket = page.getByRole("dialog", { name: action, exact: true })
  if (amount === undefined) await ticket.getByRole("button", { name: "Max" }).click()
  else await ticket.getByLabel(`Amount of ${symbol}`).fill(amount)
  await ticket.getByRole("table", { name: "What would happen" }).waitFor({ timeout: 60_000 })
  await ticket.getByRole("button", { name: review }).click()
  const dialog = page.getByRole("dialog", { name: `${action} ${symbol}` })
  await dialog.getByRole("rowheader", { name: "Worst case" }).waitFor()
  return dialog.getByRole("button", { name: action, exact: true })
}

/** Waits for the outcome of a step; returns its text, and closes it. */
const outcomeOf = async (page: Page, { done }: Step) => {
  const dialog = page.getByRole("dialog", { name: done })
  await dialog.waitFor({ timeout: 120_000 })
  await dialog.getByRole("table", { name: "What moved" }).waitFor()
  const text = await dialog.innerText()
  await dialog.getByRole("button", { name: "Done" }).click()
  await dialog.waitFor({ state: "detached" })
  return text.replaceAll(/\s+/g, " ")
}

const supply: Step = {
  ...{ button: "Supply WETH to lenderA", action: "Supply", symbol: "WETH", amount: "2" },
  ...{ review: "Review supply", done: "Supplied to the lender" }
}
const borrow: Step = {
  ...{ button: "Borrow USDC from lenderA", action: "Borrow", symbol: "USDC", amount: "1000" },
  ...{ review: "Review loan", done: "Borrowed from the lender" }
}
const repay: Step = {
  ...{ button: "Repay USDC to lenderA", action: "Repay", symbol: "USDC" },
  ...{ review: "Review repayment", done: "Repaid to the lender" }
}
const withdraw: Step = {
  ...{ button: "Withdraw WETH from lenderA", action: "Withdraw", symbol: "WETH" },
  ...{ review: "Review withdrawal", done: "Withdrawn from the lender" }
}

layer(running({ networks: [network] }), { timeout: 400_000, excludeTestServices: true })("a vault’s lending", (it) => {
  it.effect("supplies, borrows, repays all and withdraws all through the page, once each, and says what the chain says", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const pool = yield* yieldVault(network)
      const markets = yield* marketsOf(pool)
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const { of } = yield* managing(guest, pool, "lending desk")
      const held = (symbol: string) => OnChain.balanceOf(network, symbol, pool)
      const before = { usdc: yield* held("USDC"), weth: yield* held("WETH") }

      // The first answer after the click never reaches the page.
      let isLost = false
      let isSent = false
      let isBack = false
      yield* act(() =>
        page.routeWebSocket(/console\/rpc/, (socket) => {
          const service = socket.connectToServer()
          let isBroken = false
          socket.onMessage((message) => {
            const line = String(message)
            if (line.includes("\"wallet.lend\"") && line.includes("idempotency_key")) isSent = true
            service.send(message)
          })
          service.onMessage((message) => {
            if (isBroken) return
            isBack = isLost
            if (!isSent || isLost || !String(message).includes("intent_id")) return socket.send(message)
            isLost = true
            isBroken = true
            void socket.close()
          })
        })
      )
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/vaults/${network}/${pool}/lending`)
        await page.getByRole("heading", { name: "This vault lends nothing yet" }).waitFor({ timeout: 60_000 })
        await page.getByRole("button", { name: supply.button }).waitFor({ timeout: 60_000 })
      })
      yield* looked(guest, "lending-devnet-empty", { screen: 1_300, phone: 2_400 })

      const click = yield* Effect.promise(async () => {
        const button = await reviewed(page, supply)
        await button.click()
        await page.getByText("The answer did not arrive").waitFor({ timeout: 60_000 })
        return button
      })
      // While the connection is broken, a click sends nothing.
      yield* until("an answer on the next connection", Effect.sync(() => isBack || undefined))
      const supplied = yield* Effect.promise(async () => {
        await page.getByText("reconnecting", { exact: true }).waitFor({ state: "detached" })
        await click.click()
        return outcomeOf(page, supply)
      })
      assert.match(supplied, /Supplied 2 WETH Lender lenderA/)
      assert.isTrue(isLost)
      assert.strictEqual(before.weth - (yield* held("WETH")), 2n * 10n ** 18n)
      assert.isAtLeast(Number(yield* markets.supplied("WETH")), 2e18)

      const borrowed = yield* Effect.promise(async () => {
        const click = await reviewed(page, borrow)
        return { click, text: await page.getByRole("group", { name: "Health factor" }).innerText() }
      })
      yield* looked(guest, "lending-review", { screen: 1_000, phone: 1_200 })
      const outcome = yield* Effect.promise(async () => {
        await borrowed.click.click()
        return outcomeOf(page, borrow)
      })
      assert.match(borrowed.text, /∞\s+no debt\s+Afterwards\s+4\.9\d\s+safe/i)
      assert.match(outcome, /Borrowed 1,000 USDC Lender lenderA/)
      assert.strictEqual((yield* held("USDC")) - before.usdc, 1_000_000_000n)
      assert.isAtLeast(Number(yield* markets.owed("USDC")), 1_000_000_000)
      yield* act(async () => {
        await page.getByRole("region", { name: "Overview" }).getByText("safe").waitFor({ timeout: 60_000 })
        await page.getByRole("button", { name: repay.button }).waitFor({ timeout: 60_000 })
        await page.getByRole("button", { name: withdraw.button }).waitFor()
      })
      yield* looked(guest, "lending-devnet", { screen: 1_300, phone: 2_400 })

      const repaid = yield* Effect.promise(async () => {
        await (await reviewed(page, repay)).click()
        return outcomeOf(page, repay)
      })
      assert.match(repaid, /Repaid 1,000(\.\d+)? USDC Lender lenderA Still owed 0 USDC/)
      assert.strictEqual(yield* markets.owed("USDC"), 0n)

      yield* Effect.promise(async () => {
        await (await reviewed(page, withdraw)).click()
        await outcomeOf(page, withdraw)
        await page.getByRole("heading", { name: "This vault lends nothing yet" }).waitFor({ timeout: 60_000 })
      })
      assert.strictEqual(yield* markets.supplied("WETH"), 0n)
      assert.isAtLeast(Number(yield* held("WETH")), Number(before.weth))

      const { fields } = yield* of("/getIntents", { limit: 20 })
      const intents = fields["intents"] as ReadonlyArray<{ readonly endpoint: string; readonly status: string }>
      assert.deepStrictEqual(
        intents.map(({ endpoint, status }) => `${endpoint} ${status}`).sort(),
        ["borrow success", "lend success", "repay success", "unlend success"]
      )
    }))

  it.effect("supplies to lenderB and withdraws all from it, and shows why nothing may be borrowed without collateral", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const pool = yield* yieldVault(network)
      const markets = yield* marketsOf(pool)
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const { of } = yield* managing(guest, pool, "second desk")
      const usdc = { ...supply, symbol: "USDC", button: "Supply USDC to lenderB", amount: "100" }
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/vaults/${network}/${pool}`)
        await page.getByRole("link", { name: /^Lending/ }).click()
        await (await reviewed(page, usdc)).click()
        await outcomeOf(page, usdc)
      })
      assert.approximately(Number(yield* markets.inComet), 100e6, 10)
      const back = { ...withdraw, symbol: "USDC", button: "Withdraw USDC from lenderB" }
      yield* act(async () => {
        await (await reviewed(page, back)).click()
        await outcomeOf(page, back)
      })
      assert.strictEqual(yield* markets.inComet, 0n)

      const ticket = page.getByRole("dialog", { name: "Borrow", exact: true })
      yield* act(async () => {
        await page.getByRole("button", { name: borrow.button }).click()
        await ticket.getByRole("alert").getByText(/collateral/).waitFor({ timeout: 60_000 })
      })
      assert.isTrue(yield* Effect.promise(() => ticket.getByRole("button", { name: borrow.review }).isDisabled()))
      const { fields } = yield* of("/getIntents", { limit: 20 })
      const intents = fields["intents"] as ReadonlyArray<{ readonly endpoint: string }>
      assert.deepStrictEqual(intents.map(({ endpoint }) => endpoint).sort(), ["lend", "unlend"])
      assert.deepStrictEqual(guest.complaints, [])
    }))
})
