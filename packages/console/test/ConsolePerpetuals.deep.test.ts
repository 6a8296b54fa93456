import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Page } from "playwright-core"
import { buildConsole } from "../../../scripts/console.mjs"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { type Answers, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, closeSecrets, createWallet, looked, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, running, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import { manager, poolOf } from "./Fixture.ts"
import { account, ended, type Order, orderAnswer, perpetualAnswers, pool as fakedPool } from "./PerpetualFixture.ts"

await buildConsole()

const network = "hyperliquid"
const rejected = "The transaction was mined, HyperCore rejected the order: nothing was traded"

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name })

/** Closes the dialog of an outcome. */
const finish = (page: Page, name: string) =>
  act(async () => {
    await dialogOf(page, name).getByRole("button", { name: "Done" }).click()
    await dialogOf(page, name).waitFor({ state: "detached" })
  })

interface Ticket {
  readonly coin: string
  /** Fills the fields of the ticket. */
  readonly fill: (ticket: ReturnType<typeof dialogOf>) => Promise<void>
}

/** Fills a ticket and reviews it. Returns the texts of the review. */
const reviewed = (page: Page, { coin, fill }: Ticket) =>
  Effect.promise(async () => {
    await page.getByRole("button", { name: `Trade ${coin}`, exact: true }).click()
    const ticket = dialogOf(page, "Place an order")
    await fill(ticket)
    await ticket.getByRole("rowheader", { name: "Worst case" }).waitFor()
    await ticket.getByRole("button", { name: "Review the order" }).click()
    const review = dialogOf(page, /^(Buy|Sell) /)
    await review.getByRole("rowheader", { name: "Worst case" }).waitFor()
    return review.innerText()
  })

const place = (page: Page) =>
  act(() => dialogOf(page, /^(Buy|Sell) /).getByRole("button", { name: "Place the order" }).click())

/** Fills a limit order of 0.1 coins. */
const limit = (price: string, tif: "gtc" | "ioc"): Ticket["fill"] => async (ticket) => {
  await ticket.getByText("Limit", { exact: true }).click()
  await ticket.getByRole("button", { name: "Use a size" }).click()
  await ticket.getByLabel("Size in ETH").fill("0.1")
  await ticket.getByLabel("Limit price").fill(price)
  await ticket.getByLabel("Time in force").selectOption(tif)
}

const env = { PERPETUAL_LOST_SECONDS: "15", WAIT_SECONDS: "20" }

layer(running({ networks: [network], aggregators: true, env }), { timeout: 240_000, excludeTestServices: true })(
  "the page of perpetual contracts",
  (it) => {
    it.effect(
      "deposits, trades, rests, cancels, closes and withdraws, as HyperCore has it",
      () =>
        Effect.gen(function*() {
          const { ask, baseUrl } = yield* Running
          const devnet = yield* Devnet
          const { core } = devnet
          const pool = yield* yieldVault(network)
          const guest = yield* visitor(yield* browser, baseUrl)
          const { page } = guest
          yield* signIn(guest)
          const { address, apiKey } = yield* createWallet(guest, "basis desk")
          yield* closeSecrets(guest)
          yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
          yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
          yield* until(
            "the link",
            Effect.map(
              ask("/linkGasWallet", { json: { apiKey, network, pool } }),
              ({ fields }) => fields["status"] === "success" ? true : undefined
            )
          )
          /** Queries HyperCore directly, as any client can. */
          const atCore = Effect.map(
            Effect.orDie(core.info({ type: "clearinghouseState", user: pool })),
            (state) =>
              state as {
                readonly marginSummary: { readonly accountValue: string }
                readonly assetPositions: ReadonlyArray<
                  { readonly position: { readonly coin: string; readonly szi: string } }
                >
              }
          )
          const sizes = Effect.map(
            atCore,
            ({ assetPositions }) => assetPositions.map(({ position }) => [position.coin, Number(position.szi)])
          )
          const open = Effect.map(
            Effect.orDie(core.info({ type: "frontendOpenOrders", user: pool })),
            (orders) => (orders as ReadonlyArray<{ readonly limitPx: string }>).map(({ limitPx }) => Number(limitPx))
          )
          const held = OnChain.balanceOf(network, "USDC", pool)
          const before = yield* held

          yield* act(async () => {
            await page.goto(`${baseUrl}/console/vaults/${network}/${pool}`)
            await page.getByRole("link", { name: /^Perpetuals/ }).click()
            await page.getByRole("heading", { name: /^Perpetuals of / }).waitFor()
            await page.getByText("No position", { exact: true }).waitFor()
            await page.getByRole("button", { name: "Deposit", exact: true }).click()
            const deposit = dialogOf(page, "Deposit margin")
            await deposit.getByLabel("Amount of USDC").fill("5000")
            await deposit.getByRole("button", { name: "Review" }).click()
            await deposit.getByRole("rowheader", { name: "Max gas" }).waitFor()
            await deposit.getByRole("button", { name: "Deposit", exact: true }).click()
            await dialogOf(page, "Deposit done").waitFor({ timeout: 60_000 })
          })
          assert.strictEqual(Number((yield* atCore).marginSummary.accountValue), 5_000)
          assert.strictEqual(before - (yield* held), 5_000_000_000n)
          yield* finish(page, "Deposit done")

          const text = yield* reviewed(page, {
            coin: "ETH",
            fill: async (ticket) => {
              await ticket.getByLabel("Value in USD").fill("1000")
              await ticket.getByText(/^at least \$(39|40)\.\d\d, at the contract’s highest leverage of 25×$/).waitFor()
            }
          })
          // The bound is 0.5 % above the middle of the market, and the order is worth no more than was typed.
          assert.match(text, /Buys\s+0\.33\d+ ETH/)
          assert.match(text, /at most \$3,0\d\d/)
          assert.match(text, /a loss can take all of the account’s \$5,000\.00/)
          yield* looked(guest, "perpetual-review")
          yield* place(page)
          const taken = dialogOf(page, "HyperCore has the order")
          yield* act(() => taken.getByText(/^Filled: 0\.33\d+ ETH$/).waitFor({ timeout: 60_000 }))
          const [bought] = yield* sizes
          assert.strictEqual(bought?.[0], "ETH")
          assert.match(yield* Effect.promise(() => taken.innerText()), new RegExp(`Filled: ${String(bought?.[1])}`))
          yield* finish(page, "HyperCore has the order")
          const positions = page.getByRole("table", { name: "Positions" })
          yield* act(() => positions.getByRole("row", { name: /ETH · Long.*20×/ }).waitFor())

          // A limit order rests, and its cancellation is read from the order.
          yield* reviewed(page, { coin: "ETH", fill: limit("2000", "gtc") })
          yield* place(page)
          yield* act(() => taken.getByText("Resting: nothing is filled yet").waitFor({ timeout: 60_000 }))
          assert.deepStrictEqual(yield* open, [2_000])
          yield* finish(page, "HyperCore has the order")
          const resting = page.getByRole("table", { name: "Resting orders" })
          yield* act(() => resting.getByRole("row", { name: /Buy ETH.*\$2,000.*0\.1 \/ 0\.1 ETH/ }).waitFor())
          yield* looked(guest, "perpetuals", { screen: 1_300, phone: 740 })
          yield* act(async () => {
            await resting.getByRole("button", { name: "Cancel the order" }).click()
            const cancel = dialogOf(page, "Cancel the order")
            await cancel.getByRole("rowheader", { name: "Not filled yet" }).waitFor()
            await cancel.getByRole("button", { name: "Cancel the order" }).click()
            await dialogOf(page, "Order cancelled").waitFor({ timeout: 60_000 })
          })
          assert.deepStrictEqual(yield* open, [])
          yield* finish(page, "Order cancelled")

          // The transaction succeeds and HyperCore rejects the order: the page says both.
          yield* reviewed(page, { coin: "ETH", fill: limit("2000", "ioc") })
          yield* place(page)
          const failed = dialogOf(page, "Order failed")
          yield* act(async () => {
            await failed.getByText(rejected).waitFor({ timeout: 60_000 })
            await failed.getByText(/nothing could be filled at its price at once/).waitFor()
            await failed.getByRole("button", { name: /Copy transaction/ }).waitFor()
          })
          assert.deepStrictEqual(yield* sizes, [bought])
          yield* finish(page, "Order failed")

          // While HyperCore cannot be read, the last values stay, and the page says that they are old.
          yield* Effect.orDie(core.fail("serverError"))
          yield* act(async () => {
            await page.getByText("The data shown is outdated").first().waitFor({ timeout: 60_000 })
            await positions.getByRole("row", { name: /ETH · Long/ }).waitFor()
          })
          yield* Effect.orDie(core.heal)
          yield* act(() => page.getByText("The data shown is outdated").first().waitFor({ state: "detached" }))

          yield* act(async () => {
            await positions.getByRole("button", { name: "Close ETH" }).click()
            const review = dialogOf(page, "Close ETH")
            await review.getByText("yes: it opens nothing").waitFor()
            await review.getByRole("button", { name: "Close the position" }).click()
            await taken.getByText(`Filled: ${String(bought?.[1])} ETH`).waitFor({ timeout: 60_000 })
          })
          assert.deepStrictEqual(yield* sizes, [])
          yield* finish(page, "HyperCore has the order")

          yield* act(async () => {
            await page.getByText("No position", { exact: true }).waitFor()
            await page.getByRole("button", { name: "Withdraw", exact: true }).click()
            const withdrawal = dialogOf(page, "Withdraw margin")
            await withdrawal.getByRole("button", { name: "Max" }).click()
            await withdrawal.getByRole("button", { name: "Review" }).click()
            await withdrawal.getByRole("rowheader", { name: "Max gas" }).waitFor()
            await withdrawal.getByRole("button", { name: "Withdraw", exact: true }).click()
            await dialogOf(page, "Withdrawal done").waitFor({ timeout: 60_000 })
          })
          // Each action was one transaction, and the money is back but for what trading cost.
          assert.strictEqual(yield* OnChain.transactionCount(network, address), 7)
          yield* until("the USDC", Effect.map(held, (now) => before - now < 10_000_000n ? true : undefined))
          assert.isBelow(Number((yield* atCore).marginSummary.accountValue), 0.01)
          const intents = succeeded(yield* ask("/getIntents", { json: { apiKey, limit: 20 } }))["intents"]
          assert.lengthOf(intents as ReadonlyArray<unknown>, 7)
          assert.deepStrictEqual(guest.complaints, [])
        }),
      240_000
    )
  }
)

/** Opens the page on given answers. */
const opened = (answers: Answers, path = `${network}/${fakedPool}`) =>
  Effect.gen(function*() {
    const { url } = yield* serve(manager, { ...perpetualAnswers, ...answers })
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
    page.setDefaultTimeout(20_000)
    yield* act(async () => {
      await page.goto(`${url}/console/vaults/${path}/perpetuals`)
      await page.getByRole("heading", { name: /^Perpetuals of / }).waitFor()
    })
    return page
  })

const market: Ticket["fill"] = (ticket) => ticket.getByLabel("Value in USD").fill("1000")

layer(Layer.empty, { excludeTestServices: true })("the page of perpetual contracts, of a faked service", (it) => {
  it.effect("has each position's distance to its liquidation, and warns before a larger one", () =>
    Effect.scoped(Effect.gen(function*() {
      const page = yield* opened({})
      const positions = page.getByRole("table", { name: "Positions" })
      yield* act(async () => {
        await positions.getByRole("row", { name: /ETH · Long.*−\$12\.50.*\$2,850\s*close: 5\s%\saway/ }).waitFor()
        await positions.getByRole("row", { name: /BTC · Short.*0\.02 BTC.*\+\$10\.00.*\$81,000\s*35\s%\saway/ })
          .waitFor()
        const contracts = page.getByRole("table", { name: "Contracts" })
        await contracts.getByRole("row", { name: /BTC.*\+0\.00125\s%.*\+10\.95\s%.*40×/ }).waitFor()
        await contracts.getByRole("row", { name: /HPOS.*isolated margin only: not for vaults/ }).waitFor()
      })
      yield* looked({ page }, "perpetuals-faked", { screen: 1_300, phone: 740 })
      const text = yield* reviewed(page, { coin: "ETH", fill: market })
      assert.match(text, /The position is liquidated at \$2,850 now/)
      assert.match(text, /about \$50\.24, at the position’s leverage of 20×/)
    })))

  it.effect("says before the review that the free margin does not cover an order", () =>
    Effect.scoped(Effect.gen(function*() {
      const poor = { ...account, margin: { ...account.margin, accountValue: "100" } }
      const page = yield* opened({ "wallet.getPerpetualPositions": () => ({ status: "success", data: poor }) })
      yield* act(async () => {
        await page.getByRole("button", { name: "Trade ETH" }).click()
        await market(dialogOf(page, "Place an order"))
        await page.getByText(/^It needs \$50\.24, and \$2\.50 are free: HyperCore would reject it\./).waitFor()
      })
    })))

  it.effect("keeps the last values with their age while HyperCore cannot be read", () =>
    Effect.scoped(Effect.gen(function*() {
      let isDown = false
      const failing = (name: string) => (payload: never) =>
        isDown ? "HyperCore's info API cannot be queried (HTTP 500)." : perpetualAnswers[name]?.(payload)
      const page = yield* opened({
        "wallet.getPerpetualPositions": failing("wallet.getPerpetualPositions"),
        "wallet.getPerpetualMarkets": failing("wallet.getPerpetualMarkets"),
        "wallet.getPerpetualOrders": failing("wallet.getPerpetualOrders")
      })
      yield* act(async () => {
        await page.getByRole("table", { name: "Resting orders" }).waitFor()
        await page.getByRole("button", { name: "Trade BTC" }).waitFor()
      })
      isDown = true
      yield* act(async () => {
        await page.getByRole("alert").filter({ hasText: "HyperCore's info API cannot be queried" }).nth(2).waitFor()
        await page.getByText("$1,003.20").first().waitFor()
        await page.getByText(/updated \d+ s ago/).waitFor()
        await page.getByRole("table", { name: "Resting orders" }).waitFor()
      })
    })))

  it.effect("sends the same price under the same key after a lost answer, also when the market has moved", () =>
    Effect.scoped(Effect.gen(function*() {
      const sent: Array<Order> = []
      let price = "3015"
      const page = yield* opened({
        "wallet.placePerpetualOrder": orderAnswer(() => price, (order) => {
          sent.push(order)
          if (sent.length < 3) throw new Error("The connection ended.")
          return undefined
        })
      })
      yield* reviewed(page, { coin: "ETH", fill: market })
      yield* place(page)
      const review = dialogOf(page, "Buy ETH")
      yield* act(async () => {
        await review.getByText("It is not known whether it was done").waitFor()
        await review.getByText(/The answer was lost\. Choose it again/).waitFor()
      })
      yield* place(page)
      yield* until("the second click", Effect.sync(() => sent.length === 2 ? true : undefined))
      price = "3100"
      yield* act(async () => {
        await review.getByRole("button", { name: "Cancel", exact: true }).click()
        const ticket = dialogOf(page, "Place an order")
        await ticket.getByText("at most $3,100").waitFor({ timeout: 30_000 })
        await ticket.getByRole("button", { name: "Review the order" }).click()
        await review.getByText("at most $3,015").waitFor()
      })
      yield* place(page)
      yield* act(() => dialogOf(page, "Order in progress").waitFor())
      assert.lengthOf(sent, 3)
      assert.lengthOf(new Set(sent.map(({ idempotency_key }) => idempotency_key)), 1)
      assert.lengthOf(new Set(sent.map((order) => JSON.stringify(order.price))), 1)
    })))

  it.effect("offers the order whose answer was lost as it was sent when the page is loaded again, and so its closing", () =>
    Effect.scoped(Effect.gen(function*() {
      const sent: Array<Order & { readonly size?: unknown }> = []
      let price = "3015"
      const page = yield* opened({
        "wallet.placePerpetualOrder": orderAnswer(() => price, (order) => {
          sent.push(order)
          // The first order and the first closing are done; their answers are lost.
          if (sent.length === 1 || sent.length === 3) throw new Error("The connection ended.")
          return undefined
        })
      })
      const lost = page.getByText("It is not known whether it was done")
      const ticket = dialogOf(page, "Place an order")
      yield* reviewed(page, { coin: "ETH", fill: market })
      yield* place(page)
      yield* act(() => lost.waitFor())
      price = "3100"
      yield* act(async () => {
        await page.reload()
        await page.getByRole("button", { name: "Trade BTC", exact: true }).click()
        await ticket.getByText("Buy 0.3333 ETH at 3,015: it may have been done. Send it unchanged").waitFor()
        await ticket.getByRole("rowheader", { name: "Worst case" }).waitFor()
      })
      yield* looked({ page }, "perpetual-lost", { screen: 900, phone: 1_100 })
      yield* act(async () => {
        await ticket.getByRole("button", { name: "Review the order" }).click()
        await dialogOf(page, "Buy ETH").getByText("at most $3,015").waitFor()
      })
      yield* place(page)
      yield* act(() => dialogOf(page, "Order in progress").waitFor())
      const same = (order: typeof sent[number] | undefined) => ({ ...order })
      assert.lengthOf(sent, 2)
      assert.deepStrictEqual(same(sent[1]), same(sent[0]))

      const closing = dialogOf(page, "Close ETH")
      const close = async () => {
        await page.reload()
        await page.getByRole("table", { name: "Positions" }).getByRole("button", { name: /^Close/ }).first().click()
        await closing.getByRole("button", { name: "Close the position" }).click()
      }
      yield* act(async () => {
        await close()
        await lost.waitFor()
      })
      price = "3200"
      yield* act(async () => {
        await close()
        await dialogOf(page, "Order in progress").waitFor()
      })
      assert.lengthOf(sent, 4)
      assert.deepStrictEqual(same(sent[3]), same(sent[2]))
      assert.notStrictEqual(sent[2]?.idempotency_key, sent[0]?.idempotency_key)
    })))

  it.effect("words HyperCore's state of an order: rejected although it was mined, partly filled, or resting", () =>
    Effect.scoped(Effect.gen(function*() {
      const order = { coin: "ETH", side: "buy", size: "0.3333", limit_price: "3015", average_price: "3001.2" }
      const failure = {
        ...{ status_code: "2031", error_type: "exchange_rejected" },
        message: "HyperCore refused the order: the vault's margin at HyperCore does not cover it (perpMarginRejected)."
      }
      const cases = [
        [ended({ status: "fail", failure }), "Order failed", rejected],
        [
          ended({ result: { ...order, order_status: "canceled", filled: "0.1" } }),
          "HyperCore has the order",
          "Partly filled: 0.1 of 0.3333 ETH; the rest is cancelled"
        ],
        [
          ended({ result: { ...order, order_status: "open", filled: "0.1" } }),
          "HyperCore has the order",
          "Resting, partly filled: 0.1 of 0.3333 ETH"
        ]
      ] as const
      for (const [answer, title, words] of cases) {
        const page = yield* opened({ "wallet.getIntent": answer })
        yield* reviewed(page, { coin: "ETH", fill: market })
        yield* place(page)
        yield* act(() => dialogOf(page, title).getByText(words).waitFor())
      }
    })))

  it.effect("has no contracts for vaults of other networks", () =>
    Effect.scoped(Effect.gen(function*() {
      const page = yield* opened({}, `base/${poolOf(0)}`)
      yield* act(() => page.getByText("Only vaults on hyperliquid trade perpetual contracts.").waitFor())
    })))
})
