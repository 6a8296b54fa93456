import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import type { Page } from "playwright-core"
import { act, fits } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, type FixtureOptions, manager, newKey, poolOf } from "./Fixture.ts"

await buildConsole()

/** Asserts no accessibility violations, and no sideways scrolling on a phone. `ConsolePages.deep` has the pictures. */
const checked = (page: Page, name: string) =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* barriers(page), [], name)
    yield* act(() => page.setViewportSize({ width: 360, height: 740 }))
    // A chart or a dialog follows its page by a frame or two.
    yield* act(() => page.waitForFunction(() => document.documentElement.scrollWidth <= 360).catch(() => undefined))
    assert.isAtMost(yield* fits(page), 360, `${name} is wider than a phone`)
    yield* act(() => page.setViewportSize({ width: 1_280, height: 900 }))
  })

/** Opens the console on given answers. Returns its page, and a function that opens a path and waits for its title. */
const opened = (options: FixtureOptions = {}) =>
  Effect.gen(function*() {
    const { called, url } = yield* serve(manager, answersOf(options))
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
    page.setDefaultTimeout(20_000)
    const complaints: Array<string> = []
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
    })
    const go = (path: string, title: string) =>
      act(async () => {
        await page.goto(`${url}/console/${path}`)
        await page.getByRole("heading", { name: title, exact: true, level: 1 }).waitFor()
        await page.getByText(/updated \d+ s ago/).waitFor()
      })
    return { called, complaints, go, page }
  })

/** Returns the name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as {
      readonly document: {
        readonly activeElement: {
          readonly textContent: string
          readonly getAttribute: (name: string) => string | null
        } | null
      }
    }
    return document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""
  })

/** Runs in the page: a wallet of the manager that signs whatever it is asked for. */
const announceWallet = (account: string) => {
  const { addEventListener, dispatchEvent } = globalThis as unknown as {
    readonly addEventListener: (name: string, listener: () => void) => void
    readonly dispatchEvent: (event: unknown) => void
  }
  const provider = {
    request: ({ method }: { readonly method: string }) =>
      Promise.resolve(method === "eth_signTypedData_v4" ? `0x${"12".repeat(65)}` : [account]),
    on: () => {},
    removeListener: () => {}
  }
  const info = { uuid: "0b6cf3c5-3ef5-4b0a-8f9d-0f6f3f0c8a11", name: "Test Wallet", rdns: "org.example.wallet" }
  const detail = Object.freeze({ info: { ...info, icon: "data:image/svg+xml,<svg/>" }, provider })
  const say = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
  addEventListener("eip6963:requestProvider", say)
  say()
}

/** Returns all that the page has stored or shows, as a text. */
const keptBy = (page: Page) =>
  Effect.promise(() =>
    page.evaluate(() => {
      const { document, localStorage, location, sessionStorage } = globalThis as unknown as {
        readonly document: { readonly documentElement: { readonly outerHTML: string } }
        readonly localStorage: unknown
        readonly location: { readonly href: string }
        readonly sessionStorage: unknown
      }
      return JSON.stringify([localStorage, sessionStorage, location.href]) + document.documentElement.outerHTML
    })
  )

layer(Layer.empty, { excludeTestServices: true })("the pages of what protects and automates vaults", (it) => {
  it.effect("list guardians by state, review one before it is set, arm again and remove", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, go, page } = yield* opened()
      yield* go("guardians", "Guardians")
      const rows = page.getByRole("table", { name: "Guardians" }).locator("tbody tr")
      assert.match(yield* Effect.promise(() => rows.first().innerText()), /Loss breaker\s+tripped/)
      yield* checked(page, "guardians")
      yield* act(async () => {
        await page.getByRole("button", { name: "Add a guardian" }).click()
        const dialog = page.getByRole("dialog", { name: "Add a guardian" })
        await dialog.getByLabel("Vault", { exact: true }).selectOption({ index: 1 })
        await dialog.getByLabel("Max loss in a day, %").fill("500")
        await dialog.getByText("Must be a percentage above 0 and at most 90").waitFor()
        await dialog.getByLabel("Max loss in a day, %").fill("5")
        await dialog.getByRole("button", { name: "Review" }).click()
        await dialog.getByText("First action, if the limit were passed: sell 9.41 WETH for USDC").waitFor()
      })
      yield* checked(page, "guardian-review")
      yield* act(async () => {
        await page.getByRole("button", { name: "Set the guardian" }).click()
        await page.getByText("The loss_breaker guardian is set.").waitFor()
      })
      yield* go(`guardians/base/${poolOf(0)}/loss_breaker`, "Guardian: Loss breaker")
      yield* checked(page, "guardian")
      yield* act(async () => {
        await page.getByRole("button", { name: "Arm again" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Arm again" }).click()
        await page.getByText("The guardian is armed again.").waitFor()
        await page.getByRole("button", { name: "Remove" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
        await page.getByRole("heading", { name: "Guardians", level: 1 }).waitFor()
      })
      assert.deepStrictEqual(
        called.filter((tag) => tag.endsWith("Guardian")),
        ["wallet.setGuardian", "wallet.resetGuardian", "wallet.deleteGuardian"]
      )
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("add a channel whose secret stays nowhere, show its delivery, and test it", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, go, page } = yield* opened()
      yield* go("notifications", "Notifications")
      yield* checked(page, "channels")
      const secret = "123456789:a-secret-of-the-bot"
      yield* act(async () => {
        await page.getByRole("button", { name: "Add a channel" }).click()
        const dialog = page.getByRole("dialog", { name: "Add a channel" })
        await dialog.getByLabel("Name").fill("phone")
        await dialog.getByRole("button", { name: "Add the channel" }).click()
        await dialog.getByText("Required").waitFor()
        await dialog.getByLabel("Bot token", { exact: true }).fill(secret)
      })
      yield* checked(page, "channel-form")
      yield* act(async () => {
        await page.getByRole("button", { name: "Add the channel" }).click()
        await page.getByRole("dialog", { name: "Bind your chat" }).getByText("the-one-time-code").waitFor()
        await page.getByRole("button", { name: "Close" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
      })
      const stored = yield* keptBy(page)
      assert.notInclude(stored, secret)
      assert.notInclude(stored, "the-one-time-code")
      yield* act(async () => {
        await page.getByRole("link", { name: "phone" }).click()
        await page.getByRole("button", { name: "Send a test" }).click()
        await page.getByText("The test message was accepted.").waitFor()
      })
      yield* checked(page, "channel")
      assert.deepStrictEqual(
        called.filter((tag) => tag.endsWith("Channel")),
        ["manager.createChannel", "manager.testChannel"]
      )
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("follow a leader after a preview of what would be traded, and say what is not copied", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, go, page } = yield* opened()
      yield* go("followers", "Copy Trading")
      yield* checked(page, "followers")
      yield* act(async () => {
        await page.getByRole("button", { name: "Follow a leader" }).click()
        const dialog = page.getByRole("dialog", { name: "Follow a leader" })
        await dialog.getByLabel("Vault", { exact: true }).selectOption({ index: 1 })
        await dialog.getByLabel("Leader").fill("0x00000000000000000000000000000000000000b1")
        await dialog.getByLabel("Max per trade, USD").fill("1000")
        await dialog.getByRole("button", { name: "Review" }).click()
        await dialog.getByText("Would trade: 1000 USDC for WETH").waitFor()
      })
      yield* checked(page, "follower-review")
      yield* act(async () => {
        await page.getByRole("button", { name: "Follow the leader" }).click()
        await page.getByText("The vault follows the leader.").waitFor()
      })
      yield* go(`followers/base/${poolOf(0)}`, "Copy trading of Momentum 1")
      yield* act(() => page.getByText("The vault may not hold it.").waitFor())
      yield* checked(page, "follower")
      yield* act(async () => {
        await page.getByRole("button", { name: "Remove" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Stop following" }).click()
        await page.getByText("The vault no longer follows the leader.").waitFor()
      })
      assert.deepStrictEqual(called.filter((tag) => tag.endsWith("Follower")), [
        "wallet.setFollower",
        "wallet.removeFollower"
      ])
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("deploy a strategy on paper with inputs that it checks, and go live only after its name is typed", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, go, page } = yield* opened()
      yield* go("strategies", "Strategies")
      yield* act(() => page.getByText("SyntaxError: unexpected token in line 12").waitFor())
      yield* checked(page, "strategies")
      yield* act(async () => {
        await page.getByRole("button", { name: "Deploy a strategy" }).click()
        const dialog = page.getByRole("dialog", { name: "Deploy a strategy" })
        await dialog.getByLabel("Vault", { exact: true }).selectOption({ index: 1 })
        await dialog.getByLabel("Strategy", { exact: true }).selectOption("ema-cross")
        await dialog.getByLabel("fast").fill("1")
        await dialog.getByText("Must be a whole number from 2 to 200").waitFor()
        await dialog.getByLabel("fast").fill("9")
        await dialog.getByLabel("Assets").fill("WETH")
        await dialog.getByLabel("Decides every").fill("1h")
        await dialog.getByLabel("Max per decision, USD").fill("1000")
      })
      yield* checked(page, "strategy-form")
      yield* act(async () => {
        await page.getByRole("button", { name: "Deploy on paper" }).click()
        await page.getByText("The bot of ema-cross is set on paper.").waitFor()
      })
      yield* go(`strategies/base/${poolOf(0)}/ema-cross`, "ema-cross")
      yield* checked(page, "strategy")
      yield* act(async () => {
        await page.getByRole("button", { name: "Go live" }).click()
        const dialog = page.getByRole("dialog", { name: "Trade live" })
        await dialog.getByLabel("Type ema-cross to confirm").fill("ema-cross")
        await dialog.getByRole("button", { name: "Go live" }).click()
        await page.getByText("The bot of ema-cross is set.", { exact: true }).waitFor()
      })
      assert.deepStrictEqual(called.filter((tag) => tag.endsWith("StrategyBot")), [
        "wallet.setStrategyBot",
        "wallet.setStrategyBot"
      ])
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("create a sub-key that the manager’s wallet signs, show it once, set limits and revoke", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, go, page } = yield* opened()
      yield* act(() => page.addInitScript(announceWallet, manager))
      yield* go("keys", "Keys")
      yield* checked(page, "keys")
      yield* act(async () => {
        await page.getByRole("button", { name: "Create a sub-key" }).click()
        const dialog = page.getByRole("dialog", { name: "Create a sub-key" })
        await dialog.getByLabel("Gas wallet").selectOption({ index: 1 })
        await dialog.getByLabel("Max a day, USD").fill("lots")
        await dialog.getByText("Must be US dollars as 250 or 250.5").waitFor()
        await dialog.getByLabel("Max a day, USD").fill("1000")
        await dialog.getByLabel("Trade", { exact: true }).check()
      })
      yield* checked(page, "key-form")
      const secrets = page.getByRole("dialog", { name: "Your new sub-key" })
      yield* act(async () => {
        await page.getByRole("button", { name: "Sign and create" }).click()
        await secrets.getByRole("button", { name: "Reveal Sub-key" }).click()
        await secrets.getByText(newKey).waitFor()
        await secrets.getByLabel("I stored it").check()
        await secrets.getByRole("button", { name: "Close" }).click()
        await secrets.waitFor({ state: "detached" })
      })
      assert.notInclude(yield* keptBy(page), newKey)
      yield* act(async () => {
        await page.getByRole("button", { name: "Set limits of momentum desk" }).click()
        const dialog = page.getByRole("dialog", { name: "Limits of momentum desk" })
        await dialog.getByLabel("Max per trade, USD").fill("250")
        await dialog.getByRole("button", { name: "Sign and set" }).click()
        await page.getByText("The limits are set as requested.").waitFor()
        await page.getByRole("link", { name: "rebalancing agent" }).click()
        await page.getByRole("heading", { name: "rebalancing agent", level: 1 }).waitFor()
      })
      yield* checked(page, "key")
      yield* act(async () => {
        await page.getByRole("button", { name: "Revoke" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
        await page.getByText("Ended 1 sub-key.").waitFor()
      })
      assert.deepStrictEqual(called.filter((tag) => /Key$|Limits$|toSign/.test(tag)), [
        "toSign",
        "signed.createSubKey",
        "toSign",
        "signed.setKeyLimits",
        "wallet.revokeSubKey"
      ])
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("are walked through by keyboard only, from Home’s warning about a guardian to the end of a sub-key", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, complaints, go, page } = yield* opened()
      const { keyboard } = page
      /** Presses Tab until the focus is on what has this name, once it is drawn, and Enter. */
      const enter = async (name: string) => {
        const named = { name, exact: true }
        await page.getByRole("button", named).or(page.getByRole("link", named)).first().waitFor()
        for (let turn = 0; turn < 80; turn++) {
          await keyboard.press("Tab")
          if (await focused(page) === name) return keyboard.press("Enter")
        }
        throw new Error(`Tab never reaches ${name}.`)
      }
      /** Confirms what the open dialog asks: Cancel has the focus, the action follows it. */
      const confirm = async (message: string) => {
        await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor()
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByText(message, { exact: true }).waitFor()
      }
      const heading = (name: string) => page.getByRole("heading", { name, exact: true, level: 1 }).waitFor()
      yield* go("", "Home")
      yield* act(async () => {
        await page.getByText("Loss breaker guardian of Momentum 1 tripped").waitFor()
        await enter("Review, then arm again")
        await heading("Guardian: Loss breaker")
        await enter("Arm again")
        await confirm("The guardian is armed again.")
        await page.waitForFunction(() => document.activeElement?.textContent === "Arm again")
      })
      yield* go("guardians", "Guardians")
      yield* act(async () => {
        await enter("Health factor")
        await heading("Guardian: Health factor")
      })
      yield* go("followers", "Copy Trading")
      yield* act(async () => {
        await enter("Momentum 1")
        await heading("Copy trading of Momentum 1")
        await enter("Edit")
        await page.getByRole("dialog").waitFor()
        await keyboard.press("Escape")
        await page.waitForFunction(() => document.activeElement?.textContent === "Edit")
      })
      yield* go("strategies", "Strategies")
      yield* act(async () => {
        await enter("ema-cross")
        await heading("ema-cross")
        await enter("Go live")
        await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor()
        await keyboard.press("Shift+Tab")
        await keyboard.type("ema-cross")
        await keyboard.press("Tab")
        await keyboard.press("Tab")
        await keyboard.press("Enter")
        await page.getByText("The bot of ema-cross is set.", { exact: true }).waitFor()
      })
      yield* go("notifications", "Notifications")
      yield* act(async () => {
        await enter("phone")
        await heading("phone")
        await enter("Send a test")
        await page.getByText("The test message was accepted.").waitFor()
      })
      yield* go("keys", "Keys")
      yield* act(async () => {
        await enter("rebalancing agent")
        await heading("rebalancing agent")
        await enter("Revoke")
        await confirm("Ended 1 sub-key.")
      })
      assert.deepStrictEqual(called.filter((tag) => /reset|setStrategy|testChannel|revoke/.test(tag)), [
        "wallet.resetGuardian",
        "wallet.setStrategyBot",
        "manager.testChannel",
        "wallet.revokeSubKey"
      ])
      assert.deepStrictEqual(complaints, [])
    })))

  it.effect("teach what each page is for while it has nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const { complaints, go, page } = yield* opened({ isBare: true })
      const pages = [
        ["guardians", "Guardians", "No guardian yet"],
        ["notifications", "Notifications", "No channel yet"],
        ["webhooks", "Webhooks", "No webhook yet"],
        ["followers", "Copy Trading", "No vault follows a leader"],
        ["strategies", "Strategies", "No strategy trades a vault"],
        ["keys", "Keys", "No sub-key yet"]
      ] as const
      for (const [path, title, empty] of pages) {
        yield* go(path, title)
        yield* act(() => page.getByRole("heading", { name: empty }).waitFor())
        assert.deepStrictEqual(yield* barriers(page), [], path)
      }
      assert.deepStrictEqual(complaints, [])
    })))
})
