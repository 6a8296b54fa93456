import { assert, layer } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Page } from "playwright-core"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser } from "@vault-trader/testing/harness/Browser"
import { type Answers, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, fits } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager, poolOf, vaultName } from "./Fixture.ts"
import { type Asked, compositionOf, liquidityAnswers, positions, usdc, weth } from "./LiquidityFixture.ts"

await buildConsole()

/** Asserts no accessibility violations, and no sideways scrolling on a phone. The deep test has the pictures. */
const checked = (page: Page, name: string) =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* barriers(page), [], name)
    yield* act(() => page.setViewportSize({ width: 360, height: 740 }))
    // A chart or a dialog follows its page by a frame or two.
    yield* act(() => page.waitForFunction(() => document.documentElement.scrollWidth <= 360).catch(() => undefined))
    assert.isAtMost(yield* fits(page), 360, `${name} is wider than a phone`)
    yield* act(() => page.setViewportSize({ width: 1_280, height: 900 }))
  })

/** Answers an action as the fixture does, and keeps what was asked. */
const recording = (action: string, asked: Array<Asked>): Answers => ({
  [`wallet.${action}`]: (payload: Asked) => {
    asked.push(payload)
    return (liquidityAnswers[`wallet.${action}`] as (payload: Asked) => unknown)(payload)
  }
})

/** Opens the liquidity page of the first vault on given answers. `prepare` sees the page before it loads anything. */
const opened = (answers: Answers = {}, prepare: (page: Page) => Promise<unknown> = () => Promise.resolve()) =>
  Effect.gen(function*() {
    const { called, url } = yield* serve(manager, { ...answersOf(), ...liquidityAnswers, ...answers })
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce", hasTouch: true }))
    page.setDefaultTimeout(20_000)
    const complaints: Array<string> = []
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
    })
    yield* act(async () => {
      await prepare(page)
      await page.goto(`${url}/console/vaults/base/${poolOf(0)}/liquidity`)
      await page.getByRole("heading", { name: `Liquidity of ${vaultName(0)}`, level: 1 }).waitFor()
    })
    return { called, complaints, page }
  })

const ticketOf = (page: Page) => {
  const dialog = page.getByRole("dialog", { name: "Add liquidity", exact: true })
  const end = (name: "Lowest" | "Highest") => ({
    field: dialog.getByLabel(`${name} price`, { exact: true }),
    slider: dialog.getByRole("slider", { name: `${name} price, on the chart` })
  })
  return { dialog, low: end("Lowest"), high: end("Highest"), review: dialog.getByRole("button", { name: "Review" }) }
}

const adding = async (page: Page, amount: string) => {
  await page.getByRole("button", { name: "Add liquidity" }).click()
  await page.getByLabel("Amount of USDC").fill(amount)
}

const valuesOf = ({ high, low }: ReturnType<typeof ticketOf>) =>
  Effect.promise(async () => [await low.field.inputValue(), await high.field.inputValue()])

const decimal = (value: unknown) => BigDecimal.isBigDecimal(value) ? BigDecimal.format(value) : value

layer(Layer.empty, { excludeTestServices: true })("the liquidity page", (it) => {
  it.effect("shows each position with its range, its amounts and what its exchange allows", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, page } = yield* opened()
      const card = (name: string) => page.getByRole("listitem", { name })
      yield* act(() => page.getByText("0.8 WETH and 2,600 USDC").nth(2).waitFor())
      yield* checked(page, "liquidity")
      const texts = yield* Effect.promise(() =>
        Promise.all(["#123", "#77", "#9"].map((id) => card(`WETH/USDC, position ${id}`).innerText()))
      )
      assert.match(texts[0] ?? "", /Uniswap V3 · 0\.05\s%\s+in range/)
      assert.match(texts[0] ?? "", /Value\s+\$5,000\.00[^]*2,700 to 3,400 USDC per WETH[^]*Collect fees\s+Remove$/)
      assert.match(texts[1] ?? "", /out of range[^]*Claim rewards\s+Remove\s+Unstake$/)
      assert.match(texts[2] ?? "", /Every price[^]*Collect fees\s+Remove\s+Stake$/)
      assert.deepStrictEqual(called.filter((tag) => /iquidity|Fees|Rewards/.test(tag)), [])
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("teaches what a position is while there is none", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* opened({ "wallet.poolComposition": () => compositionOf([]) })
      yield* act(() => page.getByText("No liquidity position yet").waitFor())
      yield* checked(page, "liquidity-empty")
      yield* act(async () => {
        await page.getByRole("button", { name: "Add liquidity" }).click()
        await page.getByRole("dialog", { name: "Add liquidity" }).waitFor()
      })
    })))

  it.effect("picks a range by keys, presets, numbers, mouse and touch, which stay in step", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, page } = yield* opened()
      const ticket = ticketOf(page)
      const { dialog, high, low } = ticket
      yield* act(async () => {
        await page.getByRole("button", { name: "Add liquidity" }).click()
        await dialog.getByText(/closed candles of ETH-USDC on coinbase/).waitFor()
        await dialog.getByRole("button", { name: "±5 %" }).click()
      })
      assert.deepStrictEqual(yield* valuesOf(ticket), ["2850", "3150"])
      yield* act(async () => {
        await low.slider.focus()
        await page.keyboard.press("PageDown")
        await page.keyboard.press("ArrowUp")
        await high.slider.focus()
        await page.keyboard.press("ArrowUp")
      })
      assert.deepStrictEqual(yield* valuesOf(ticket), ["2721.04", "3165.75"])
      assert.strictEqual(
        yield* Effect.promise(() => low.slider.getAttribute("aria-valuetext")),
        "2,721.04 USDC per WETH, −9.30\u00a0% from the present price"
      )
      yield* act(() => dialog.getByText("Earns fees while 1 WETH costs between 2,721.04 and 3,165.75 USDC.").waitFor())

      // Numbers move the handles, also beside the price.
      yield* act(async () => {
        await low.field.fill("3100")
        await dialog.getByText(/all of it is WETH, and it earns nothing until the price rises/).waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => low.slider.getAttribute("aria-valuenow")), "3100")

      // The other direction is the same range.
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Price in WETH per USDC" }).click()
        await dialog.getByText(/Earns fees while 1 USDC costs between 0\.000315881 and 0\.000322581 WETH/).waitFor()
        await dialog.getByRole("button", { name: "Price in USDC per WETH" }).click()
      })
      assert.deepStrictEqual(yield* valuesOf(ticket), ["3100", "3165.75"])

      // By mouse: up beyond the other end, where it stops.
      yield* act(() => dialog.getByRole("button", { name: "±20 %" }).click())
      yield* act(async () => {
        const box = await low.slider.boundingBox()
        const top = await high.slider.boundingBox()
        const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 10]
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x, y - 40, { steps: 4 })
        await page.mouse.up()
        await page.mouse.move(x, (top?.y ?? 0) + 20)
      })
      const [dragged = ""] = yield* valuesOf(ticket)
      assert.isAbove(Number(dragged), 2_450)
      assert.isBelow(Number(dragged), 3_000)

      // By touch.
      yield* act(async () => {
        const box = await high.slider.boundingBox()
        const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 20]
        const session = await page.context().newCDPSession(page)
        const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) =>
          session.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [{ x, y: at }] })
        await touch("touchStart", y)
        await touch("touchMove", y + 15)
        await touch("touchMove", y + 30)
        await touch("touchEnd")
      })
      const [, lowered = ""] = yield* valuesOf(ticket)
      assert.isBelow(Number(lowered), 3_550)
      assert.isAbove(Number(lowered), 3_000)

      yield* act(async () => {
        await dialog.getByRole("button", { name: "Full range" }).click()
        await dialog.getByText("Earns fees at every price, but less of them than a narrower range.").waitFor()
      })
      assert.deepStrictEqual(yield* valuesOf(ticket), ["", ""])
      assert.strictEqual(yield* Effect.promise(() => high.slider.getAttribute("aria-valuetext")), "unbounded")
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("shows the plan of exactly the terms, reviews it, sends it once and says what moved", () =>
    Effect.scoped(Effect.gen(function*() {
      const asked: Array<Asked> = []
      const { called, complaints, page } = yield* opened(recording("addLiquidity", asked))
      const { dialog, low, review } = ticketOf(page)
      yield* act(async () => {
        await adding(page, "2000")
        await low.field.fill("2500")
        await dialog.getByLabel("Exchange").selectOption("uniswapV3")
        await dialog.getByLabel("Fee tier").selectOption("500")
        await dialog.getByRole("table", { name: "Plan" }).getByText("2,699.71 to 3,299.12 USDC per WETH").waitFor()
      })
      yield* checked(page, "liquidity-add")
      yield* act(async () => {
        await review.click()
        await page.getByRole("rowheader", { name: "Worst case" }).waitFor()
      })
      const text = yield* Effect.promise(() => page.getByRole("table", { name: "What this does" }).innerText())
      assert.match(text, /Swapped first\s+1,004 USDC for at least 0\.334 WETH on uniswapV3/)
      assert.match(text, /Goes in\s+0\.332 WETH and 996 USDC \(\$1,992\.00\)/)
      assert.match(text, /Max gas\s+0\.00071 ETH\s+Charge\s+\$0\.10\s+Worst case\s+\$2\.10 and the gas/)
      yield* checked(page, "liquidity-review")
      yield* act(async () => {
        await page.getByRole("dialog").getByRole("button", { name: "Add liquidity" }).click()
        await page.getByRole("table", { name: "What moved" }).waitFor()
      })
      yield* checked(page, "liquidity-done")
      const { idempotency_key, lower_price, upper_price, ...sent } = asked.find(({ dryRun }) => dryRun !== true) ?? {}
      assert.match(idempotency_key ?? "", /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual([decimal(lower_price), decimal(upper_price)], ["2500", "3600"])
      assert.deepInclude(sent, { asset1: weth, asset2: usdc, input_asset: usdc, dex: "uniswapV3", fee_tier: 500 })
      // The plan that was reviewed is that of what was sent.
      const last = asked.filter(({ dryRun }) => dryRun === true).at(-1)
      assert.deepStrictEqual([decimal(last?.lower_price), decimal(last?.upper_price)], ["2500", "3600"])
      assert.deepStrictEqual(called.filter((tag) => tag === "wallet.addLiquidity").length, 1)
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("says why a deposit would fail in the service’s words, and finds an empty range by itself", () =>
    Effect.scoped(Effect.gen(function*() {
      const budget =
        "The vault's slippage budget of the last 24 hours is spent; it recovers with time. Nothing was sent."
      const market = "The vault platform does not allow positions of pancakeCl on base. Nothing was sent."
      const asked: Array<Asked> = []
      const { called, page } = yield* opened({
        "wallet.addLiquidity": (payload: Asked) => {
          asked.push(payload)
          return payload.dex === "pancakeCl" ? market : budget
        }
      })
      const { dialog, high, low, review } = ticketOf(page)
      yield* act(async () => {
        await adding(page, "2000")
        await dialog.getByRole("alert").getByText(budget).waitFor()
      })
      assert.isTrue(yield* Effect.promise(() => review.isDisabled()))
      yield* act(async () => {
        await dialog.getByLabel("Exchange").selectOption("pancakeCl")
        await dialog.getByRole("alert").getByText(market).waitFor()
        await low.field.fill("3700")
        await dialog.getByText("Must be above the lowest price").waitFor()
      })
      assert.isTrue(yield* Effect.promise(() => review.isDisabled()))
      assert.strictEqual(yield* Effect.promise(() => high.field.getAttribute("aria-invalid")), "true")
      const before = asked.length
      yield* act(async () => {
        await high.field.fill("3700")
        await dialog.getByText("Must be above the lowest price").waitFor()
        await high.field.fill("x")
        await dialog.getByText("Must be a decimal number above 0").waitFor()
        await high.field.press("Enter")
      })
      assert.strictEqual(asked.length, before)
      assert.deepStrictEqual(called.filter((tag) => tag === "wallet.addLiquidity"), [])
    })))

  it.effect("sends the same key after a lost answer, also when the page was loaded again, until the outcome is known", () =>
    Effect.scoped(Effect.gen(function*() {
      const keys: Array<string> = []
      const ranges: Array<string> = []
      // The price moves after the first answer was lost.
      const answers: Answers = {
        "wallet.poolComposition": () => compositionOf(positions, true, keys.length === 0 ? 3_000 : 3_100)
      }
      const { page } = yield* opened(answers, (before) =>
        before.routeWebSocket(/console\/rpc/, (socket) => {
          const server = socket.connectToServer()
          socket.onMessage((message) => {
            server.send(message)
            for (const line of String(message).split("\n").filter((each) => each.includes("wallet.addLiquidity"))) {
              const { payload } = JSON.parse(line) as { readonly payload: Asked }
              if (payload.dryRun === true) continue
              keys.push(payload.idempotency_key ?? "")
              ranges.push(JSON.stringify([payload.lower_price, payload.upper_price]))
              // The service has the first two requests; their answers never arrive.
              if (keys.length <= 2) void socket.close()
            }
          })
        }))
      const { dialog, review } = ticketOf(page)
      const confirm = page.getByRole("dialog").getByRole("button", { name: "Add liquidity" })
      const reviewed = async () => {
        await adding(page, "2000")
        await dialog.getByRole("table", { name: "Plan" }).waitFor()
        await review.click()
      }
      const isUnknown = page.getByRole("alert").getByText("It is not known whether it was done")
      yield* act(async () => {
        await reviewed()
        await confirm.click()
        await isUnknown.waitFor()
        // A call that the page could not send yet is not known to have been done either.
        while (keys.length < 2) {
          await confirm.click()
          await confirm.and(page.locator(":enabled")).waitFor()
        }
        await isUnknown.waitFor()
        await page.reload()
        await page.getByRole("button", { name: "Add liquidity" }).first().click()
        await dialog.getByText("Add 2,000 USDC: it may have been done. Send it unchanged to learn its outcome")
          .waitFor()
        await dialog.getByRole("table", { name: "Plan" }).waitFor()
      })
      yield* checked(page, "liquidity-lost")
      yield* act(async () => {
        await review.click()
        await confirm.click()
        await page.getByRole("table", { name: "What moved" }).waitFor()
      })
      assert.lengthOf(keys, 3)
      assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(new Set(keys).size, 1)
      assert.deepStrictEqual(new Set(ranges).size, 1)
      yield* act(async () => {
        await page.reload()
        await reviewed()
        await confirm.click()
        await page.getByRole("table", { name: "What moved" }).waitFor()
      })
      assert.lengthOf(keys, 4)
      assert.notStrictEqual(keys[3], keys[0])
    })))

  it.effect("takes a typed range while neither the oracle nor an exchange has a price", () =>
    Effect.scoped(Effect.gen(function*() {
      const asked: Array<Asked> = []
      const { page } = yield* opened({
        ...recording("addLiquidity", asked),
        "wallet.poolComposition": () => compositionOf(positions, false),
        "wallet.getCandles": () => "The exchange does not answer."
      })
      const ticket = ticketOf(page)
      const { dialog, high, low } = ticket
      yield* act(async () => {
        await page.getByRole("button", { name: "Add liquidity" }).click()
        await dialog.getByText(/The present price cannot be read right now/).waitFor()
      })
      assert.isTrue(yield* Effect.promise(() => dialog.getByRole("button", { name: "±5 %" }).isDisabled()))
      assert.deepStrictEqual(yield* valuesOf(ticket), ["", ""])
      yield* act(async () => {
        await dialog.getByLabel(/^Amount of/).fill("2000")
        await low.field.fill("2700")
        await high.field.fill("3300")
        await dialog.getByText(/Earns fees while 1 WETH costs between 2,700 and 3,300 USDC/).waitFor()
        await dialog.getByRole("table", { name: "Plan" }).waitFor()
        await low.slider.focus()
        await page.keyboard.press("ArrowDown")
        await dialog.getByText(/between 2,686\.5 and 3,300 USDC/).waitFor()
        await dialog.getByText("unknown, no price").waitFor()
      })
      assert.isAbove(asked.length, 0)
    })))

  it.effect("removes a part into one asset, collects, stakes, unstakes and claims by the position’s own exchange", () =>
    Effect.scoped(Effect.gen(function*() {
      const asked: Array<Asked> = []
      const actions = ["removeLiquidity", "collectFees", "stakeLiquidity", "unstakeLiquidity", "claimRewards"]
      const { called, complaints, page } = yield* opened(
        Object.assign({}, ...actions.map((action) => recording(action, asked))) as Answers
      )
      const card = (name: string) => page.getByRole("listitem", { name: `WETH/USDC, position ${name}` })
      const done = async () => {
        await page.getByRole("table", { name: "What moved" }).waitFor()
        await page.getByRole("button", { name: "Done" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
      }
      yield* act(async () => {
        await card("#123").getByRole("button", { name: "Remove" }).click()
        const dialog = page.getByRole("dialog", { name: "Remove liquidity from #123" })
        await dialog.getByRole("button", { name: "50 %" }).click()
        await dialog.getByRole("slider").focus()
        await page.keyboard.press("ArrowRight")
        await dialog.getByLabel("Receive").selectOption(usdc)
        await dialog.getByRole("table", { name: "Plan" }).getByText("51 % of #123").waitFor()
      })
      yield* checked(page, "liquidity-remove")
      yield* act(async () => {
        await page.getByRole("button", { name: "Review" }).click()
        await page.getByRole("table", { name: "What this does" }).waitFor()
        await page.getByRole("button", { name: "Remove liquidity" }).click()
        await done()
        for (
          const [id, name] of [["#9", "Collect fees"], ["#9", "Stake"], ["#77", "Unstake"], ["#77", "Claim rewards"]]
        ) {
          await card(id ?? "").getByRole("button", { name: name ?? "", exact: true }).click()
          const dialog = page.getByRole("dialog", { name: `${name}: position ${id}` })
          await dialog.getByRole("rowheader", { name: "Worst case" }).waitFor()
          await dialog.getByRole("button", { name: name ?? "", exact: true }).click()
          await done()
        }
      })
      const sent = asked.filter(({ dryRun }) => dryRun !== true)
      assert.deepStrictEqual(
        sent.map(({ amount, dex, token_id }) => [String(token_id), dex, amount]),
        [
          ["123", "uniswapV3", 51],
          ["9", "pancakeCl", undefined],
          ["9", "pancakeCl", undefined],
          ["77", "velodromeCl", undefined],
          ["77", "velodromeCl", undefined]
        ]
      )
      assert.deepInclude(sent[0], { asset1: weth, asset2: usdc, output_asset: usdc })
      assert.strictEqual(new Set(sent.map(({ idempotency_key }) => idempotency_key)).size, 5)
      assert.deepStrictEqual(
        called.filter((tag) => actions.includes(tag.replace("wallet.", ""))),
        actions.slice(0, 3).concat(["unstakeLiquidity", "claimRewards"]).map((action) => `wallet.${action}`)
      )
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("sends nothing where nothing is owed, nor for a wallet that is not the vault’s trader", () =>
    Effect.scoped(Effect.gen(function*() {
      const nothing = "Position 123 is owed no fees. Nothing was sent."
      const links = (answersOf()["links"] as () => ReadonlyArray<object>)()
      const idle = yield* opened({
        "wallet.collectFees": (payload: Asked) => {
          const answer = (liquidityAnswers["wallet.collectFees"] as (payload: Asked) => object)(payload)
          return "plan" in answer ? { ...answer, plan: { ...answer.plan as object, note: nothing } } : answer
        }
      })
      yield* act(async () => {
        const { page } = idle
        await page.getByRole("listitem", { name: /#123/ }).getByRole("button", { name: "Collect fees" }).click()
        await page.getByRole("dialog").getByText(nothing).waitFor()
      })
      assert.isTrue(
        yield* Effect.promise(() =>
          idle.page.getByRole("dialog").getByRole("button", { name: "Collect fees" }).isDisabled()
        )
      )
      const stranger = yield* opened({ links: () => links.map((link) => ({ ...link, is_trader: false })) })
      const { page } = stranger
      yield* act(() => page.getByText("The gas wallet cannot trade this vault").waitFor())
      const buttons = page.getByRole("listitem", { name: /#123/ }).getByRole("button")
      yield* act(() => buttons.first().waitFor())
      const disabled = yield* Effect.promise(async () =>
        Promise.all((await buttons.all()).map((button) => button.isDisabled()))
      )
      assert.deepStrictEqual(disabled, [true, true])
      assert.isTrue(yield* Effect.promise(() => page.getByRole("button", { name: "Add liquidity" }).isDisabled()))
    })))
})
