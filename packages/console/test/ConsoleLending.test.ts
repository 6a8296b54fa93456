import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { until } from "@vault-trader/testing/harness/Until"
import type { Page } from "playwright-core"
import { poolOf, vaultName } from "./Fixture.ts"
import { checked, openedLending, typed, usdc, weth } from "./LendingFixture.ts"

await buildConsole()

const textOf = (page: Page, table: string) =>
  Effect.promise(async () =>
    (await page.getByRole("table", { name: table, exact: true }).innerText()).replaceAll(/\s+/g, " ")
  )

layer(Layer.empty, { excludeTestServices: true })("a vault’s lending", (it) => {
  it.effect("shows how safe it is, what it supplied and borrowed at each lender, and the markets by what it holds", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page } = yield* openedLending()
      const overview = page.getByRole("region", { name: "Overview" })
      yield* act(async () => {
        await overview.getByText("2.10", { exact: true }).waitFor()
        await overview.getByText("safe").waitFor()
        await overview.getByText("$15,153.00").waitFor()
        await overview.getByText("+$252.10 at today’s rates").waitFor()
        // The rates and what the vault holds are read by themselves.
        await page.getByRole("table", { name: "Supplied", exact: true }).getByText(/^1\.82\s%$/).waitFor()
        await page.getByRole("button", { name: "Supply WETH to lenderA" }).and(page.locator(":enabled")).waitFor()
      })
      assert.include(yield* textOf(page, "Supplied"), "WETH lenderA yes 4.2 $12,652.50 1.82 %")
      assert.include(yield* textOf(page, "Supplied"), "USDC lenderB no 2,500.5 $2,500.50 4.8 %")
      assert.include(yield* textOf(page, "Borrowed"), "USDC lenderA 5,000.12 $5,000.12 5.48 %")
      const markets = yield* textOf(page, "Markets")
      const order = ["WETH lenderA", "USDC by the growth", "USDC lenderB", "USDC lenderA", "DAI lenderA"]
      assert.deepStrictEqual(
        [...order].sort((one, other) => markets.indexOf(one) - markets.indexOf(other)),
        order,
        markets
      )
      // Vaults borrow from lenderA only, and supply only what they hold.
      assert.strictEqual(yield* Effect.promise(() => page.getByRole("button", { name: /^Borrow / }).count()), 3)
      assert.isTrue(
        yield* Effect.promise(() => page.getByRole("button", { name: "Supply DAI to lenderA" }).isDisabled())
      )
      yield* checked(page, "lending")
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("is reached from the vault’s page, and offers no action while the gas wallet is not the trader", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page, url } = yield* openedLending()
      yield* act(async () => {
        await page.goto(`${url}/console/vaults/base/${poolOf(0)}`)
        await page.getByRole("link", { name: "Supply, withdraw, borrow or repay" }).click()
        await page.getByRole("heading", { name: `Lending of ${vaultName(0)}`, level: 1 }).waitFor()
      })
      const untraded = yield* openedLending({}, 2)
      const actions = untraded.page.getByRole("button", { name: /^(Withdraw|Repay|Borrow|Supply) / })
      yield* act(async () => {
        await untraded.page.getByText("Make the gas wallet the vault’s trader first, on the vault’s page.").waitFor()
        await actions.last().waitFor()
      })
      const enabled = yield* Effect.promise(async () =>
        (await Promise.all((await actions.all()).map((action) => action.isEnabled()))).filter((yes) => yes)
      )
      assert.deepStrictEqual(enabled, [])
      assert.deepStrictEqual([...complaints, ...untraded.complaints], [])
    })))

  it.effect("borrows after a review with the health factor before and after, and asks again where it becomes thin", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page, sent } = yield* openedLending({ after: "1.21" })
      const ticket = page.getByRole("dialog", { name: "Borrow", exact: true })
      yield* act(async () => {
        await page.getByRole("button", { name: "Borrow USDC from lenderA" }).click()
        await ticket.getByText("At most 1,234.5 USDC may be borrowed now").waitFor()
        await ticket.getByLabel("Amount of USDC").fill("750")
        const change = ticket.getByRole("group", { name: "Health factor" })
        await change.getByText("2.10").waitFor()
        await change.getByText("1.21").waitFor()
        await change.getByText(/may fall by 52\.39\s% before liquidation now, and by 17\.36\s% afterwards/).waitFor()
      })
      yield* checked(page, "lending-ticket")
      const review = page.getByRole("dialog", { name: "Borrow USDC" })
      const borrow = review.getByRole("button", { name: "Borrow", exact: true })
      yield* act(async () => {
        await ticket.getByRole("button", { name: "Review loan" }).click()
        await review.getByText(/When the collateral falls by 17\.36\s% against the debt, anyone may liquidate it/)
          .waitFor()
      })
      yield* checked(page, "lending-review")
      assert.isTrue(yield* Effect.promise(() => borrow.isDisabled()))
      assert.deepStrictEqual(sent, [])
      yield* act(async () => {
        await review.getByLabel("Continue with a health factor of 1.21").check()
        await borrow.click()
        await page.getByRole("dialog", { name: "Borrowed from the lender" }).waitFor()
      })
      assert.lengthOf(sent, 1)
      assert.deepInclude(sent[0], { action: "borrow", asset: usdc, platform: "lenderA" })
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("withdraws and repays everything by a share of 100, so that interest until then is included", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page, sent } = yield* openedLending({ after: "infinity" })
      const all = async (open: string, ticket: string, review: string, title: string) => {
        await page.getByRole("button", { name: open }).click()
        const form = page.getByRole("dialog", { name: ticket, exact: true })
        await form.getByRole("button", { name: "Max" }).click()
        await form.getByText("All of it, with the interest until then").waitFor()
        await form.getByRole("button", { name: review }).click()
        const dialog = page.getByRole("dialog", { name: title })
        await dialog.getByText(/all of it, with the interest until then/).waitFor()
        await dialog.getByRole("button", { name: ticket, exact: true }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Done" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
      }
      yield* act(async () => {
        await all("Repay USDC to lenderA", "Repay", "Review repayment", "Repay USDC")
        await all("Withdraw WETH from lenderA", "Withdraw", "Review withdrawal", "Withdraw WETH")
        await all("Withdraw USDC from lenderB", "Withdraw", "Review withdrawal", "Withdraw USDC")
      })
      assert.deepStrictEqual(
        sent.map(({ action, amount, asset, platform, share }) => [action, asset, platform, share, amount]),
        [
          ["repay", usdc, "lenderA", 100, undefined],
          ["unlend", weth, "lenderA", 100, undefined],
          ["unlend", usdc, "lenderB", 100, undefined]
        ]
      )
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("shows the service’s sentence where a dry run is refused, and then sends nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const tooLow = "Borrowing 9000 USDC takes the health factor from 2.1 to 1.02, below the floor of 1.3; at most " +
        "3100 USDC can be borrowed. Nothing was sent."
      const closed = "lenderB accepts no supply of USDC right now. Nothing was sent."
      const { complaints, page, sent } = yield* openedLending({ refused: { borrow: tooLow, lend: closed } })
      const refused = async (open: string, ticket: string, review: string, size: string, sentence: string) => {
        await page.getByRole("button", { name: open }).click()
        const form = page.getByRole("dialog", { name: ticket, exact: true })
        await form.getByLabel("Amount of USDC").fill(size)
        await form.getByRole("alert").getByText(sentence.slice(0, 40)).waitFor()
        const isDisabled = await form.getByRole("button", { name: review }).isDisabled()
        // Neither the button nor the Enter key leads on.
        await form.getByLabel("Amount of USDC").press("Enter")
        await form.getByRole("alert").getByText(sentence.slice(0, 40)).waitFor()
        await form.getByRole("button", { name: "Cancel" }).click()
        await form.waitFor({ state: "detached" })
        return isDisabled
      }
      const borrowing = yield* Effect.promise(() =>
        refused("Borrow USDC from lenderA", "Borrow", "Review loan", "9000", tooLow)
      )
      const supplying = yield* Effect.promise(() =>
        refused("Supply USDC to lenderB", "Supply", "Review supply", "100", closed)
      )
      assert.deepStrictEqual([borrowing, supplying], [true, true])
      assert.deepStrictEqual(sent, [])
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("sends a second click after a lost answer as the same request", () =>
    Effect.scoped(Effect.gen(function*() {
      const { line, page, sent } = yield* openedLending({ after: "2.4" })
      const review = page.getByRole("dialog", { name: "Supply USDC" })
      const supply = review.getByRole("button", { name: "Supply", exact: true })
      yield* act(async () => {
        await page.getByRole("button", { name: "Supply USDC to lenderA" }).click()
        const ticket = page.getByRole("dialog", { name: "Supply", exact: true })
        await ticket.getByLabel("Amount of USDC").fill("100")
        await ticket.getByRole("button", { name: "Review supply" }).click()
        await review.getByRole("rowheader", { name: "Worst case" }).waitFor()
      })
      line.answer = (message) => message.includes("\"status\":\"pending\"") ? null : message
      yield* act(async () => {
        await supply.click()
        await review.getByRole("alert").getByText("The answer did not arrive").waitFor()
        await review.getByText(/A second try gets the outcome of the first: nothing is done twice/).waitFor()
      })
      yield* checked(page, "lending-lost")
      let isBack = false
      line.answer = (message) => {
        isBack = true
        return message
      }
      // While the connection is broken, a click sends nothing.
      yield* until("an answer on the next connection", Effect.sync(() => isBack || undefined))
      yield* act(async () => {
        await page.getByText("reconnecting", { exact: true }).waitFor({ state: "detached" })
        await supply.click()
        await page.getByRole("dialog", { name: "Supplied to the lender" }).waitFor()
      })
      assert.lengthOf(sent, 2)
      assert.match(sent[0]?.idempotency_key ?? "", /^[0-9a-f-]{36}$/)
      assert.strictEqual(sent[0]?.idempotency_key, sent[1]?.idempotency_key)
      assert.deepStrictEqual(sent[0]?.amount, sent[1]?.amount)
    })))

  it.effect("says why a request was refused after the click, and sends another try as another request", () =>
    Effect.scoped(Effect.gen(function*() {
      const refusedOnce = "The health factor would fall from 2.1 to 1.29, below the floor of 1.3. Nothing was sent."
      const { line, page, sent } = yield* openedLending({ refusedOnce })
      line.answer = typed(refusedOnce, "health_factor_too_low")
      const review = page.getByRole("dialog", { name: "Withdraw WETH" })
      const withdraw = review.getByRole("button", { name: "Withdraw", exact: true })
      yield* act(async () => {
        await page.getByRole("button", { name: "Withdraw WETH from lenderA" }).click()
        const ticket = page.getByRole("dialog", { name: "Withdraw", exact: true })
        await ticket.getByLabel("Amount of WETH").fill("1")
        await ticket.getByRole("button", { name: "Review withdrawal" }).click()
        await withdraw.click()
        await review.getByRole("alert").getByText(/^The health factor would fall from 2\.1 to 1\.29/).waitFor()
        await withdraw.click()
        await page.getByRole("dialog", { name: "Withdrawn from the lender" }).waitFor()
      })
      assert.deepStrictEqual(sent.map(({ action }) => action), ["unlend", "unlend"])
      assert.notStrictEqual(sent[0]?.idempotency_key, sent[1]?.idempotency_key)
    })))

  it.effect("shows what it supplied and borrowed also while rates cannot be read", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page } = yield* openedLending({ unreadRates: "The rates of base cannot be read; try again." })
      yield* act(async () => {
        await page.getByText("The rates cannot be read right now").waitFor()
        await page.getByRole("table", { name: "Supplied", exact: true }).getByText("cUSDCv3").waitFor()
        await page.getByRole("button", { name: "Repay USDC to lenderA" }).waitFor()
      })
      assert.include(yield* textOf(page, "Supplied"), "WETH lenderA yes 4.2 $12,652.50 –")
      assert.include(yield* textOf(page, "Supplied"), "cUSDCv3 lenderB no 2,500.5 $2,500.50 –")
      assert.include(yield* textOf(page, "Borrowed"), "USDC lenderA 5,000.12 $5,000.12 –")
      assert.isTrue(
        yield* Effect.promise(() => page.getByRole("button", { name: "Repay USDC to lenderA" }).isEnabled())
      )
      yield* checked(page, "lending-unread")
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("says what lending is where a vault has none, and serves a network without lenderA", () =>
    Effect.scoped(Effect.gen(function*() {
      const empty = yield* openedLending({ isEmpty: true })
      yield* act(() => empty.page.getByRole("heading", { name: "This vault lends nothing yet" }).waitFor())
      assert.strictEqual(
        yield* Effect.promise(() => empty.page.getByRole("table", { name: "Supplied", exact: true }).count()),
        0
      )
      yield* checked(empty.page, "lending-empty")
      const without = yield* openedLending({ unreadAccount: "lenderA is not on base." })
      without.line.answer = typed("lenderA is not on base.", "market_not_available")
      yield* without.go
      yield* act(async () => {
        await without.page.getByRole("table", { name: "Supplied", exact: true }).waitFor()
        // Its place is kept until the service says that there is no lenderA.
        await without.page.getByText("Health factor").waitFor({ state: "detached" })
      })
      assert.strictEqual(yield* Effect.promise(() => without.page.getByRole("alert").count()), 0)
      assert.strictEqual(yield* Effect.promise(() => without.page.getByText("Health factor").count()), 0)
    })))
})
