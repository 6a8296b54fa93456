import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, looked, managing } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, rows, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import { answersOf, poolOf } from "./Fixture.ts"
import { dialogText, openedFleet, pausedBot } from "./FleetFixture.ts"

await buildConsole()

const scopeOf = (pool: string, { base, quote }: Readonly<Record<string, unknown>>) =>
  `bot/base/${pool}/${String(base)}/${String(quote)}`

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })("selected bots", (it) => {
  it.effect("are paused alone: one does not trade, its vault's other one does, until a signature resumes it", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const devnet = yield* Devnet
      const { pool } = yield* Effect.orDie(
        devnet.createVault({ network: "base", name: "Stops", invested: 1_000_000_000n })
      )
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const { of } = yield* managing(guest, pool, "stops")
      const set = (pair: string, side: string) => of("/setBot", { pair, side, max_usd: 100 })
      for (const pair of ["WETH-USDC", "BTC-USDC"]) succeeded(yield* set(pair, "hold"))
      const bots = yield* rows(`select pair, base, quote from threshold_bots where pool = '${pool}' order by pair`)
      const weth = bots.find(({ pair }) => pair === "WETH-USDC") ?? {}
      const switches = rows(`select scope, set_by as by from kill_switches where scope like 'bot/%'`)

      const table = page.getByRole("table", { name: "Bots" })
      const dialog = page.getByRole("dialog")
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/bots?kind=all`)
        await table.getByRole("row", { name: /WETH-USDC/ }).getByRole("checkbox").check()
        await page.getByRole("button", { name: "Pause", exact: true }).click()
        await dialog.getByText("Stops this bot alone. The other bots and orders of its vault continue.").waitFor()
      })
      assert.deepStrictEqual(yield* switches, [])
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Pause", exact: true }).click()
        await dialog.getByText("1 of 1 done").waitFor()
        await dialog.getByText("Signing is stopped for this bot (stopped in the console).").waitFor()
        await dialog.getByRole("button", { name: "Close" }).last().click()
        await page.getByText("Stopped: 1 bot").waitFor()
      })
      assert.deepStrictEqual(yield* switches, [{ scope: scopeOf(pool, weth), by: "owner" }])

      // Both are set to trade. The balances on chain say which did.
      const waits = succeeded(yield* set("WETH-USDC", "long"))
      assert.match(String(waits["message"]), /stopped for this bot \(stopped in the console\); the bot waits/)
      succeeded(yield* set("BTC-USDC", "long"))
      const held = (symbol: string) => OnChain.balanceOf("base", symbol, pool)
      yield* until("the other bot's trade", Effect.map(held("WBTC"), (amount) => amount > 0n ? true : undefined))
      assert.strictEqual(yield* held("WETH"), 0n)

      // By the palette: the review comes first, and the manager's wallet signs the pair.
      yield* act(async () => {
        await page.keyboard.press("Control+k")
        await page.getByPlaceholder("Search vaults, bots, wallets and pages").fill("resume weth")
        await page.locator(".mantine-Spotlight-action", { hasText: "Resume WETH-USDC on " }).waitFor()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await dialog.getByText("Resumes this bot, which was stopped alone, with a signature of your wallet.").waitFor()
      })
      yield* looked(guest, "bot-stops-resume")
      assert.lengthOf(yield* switches, 1)
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByText("1 of 1 done").waitFor()
        await dialog.getByRole("button", { name: "Close" }).last().click()
      })
      assert.deepStrictEqual(yield* switches, [])
      yield* rows(`update threshold_bots set next_check = now() where pool = '${pool}'`)
      yield* until("the resumed bot's trade", Effect.map(held("WETH"), (amount) => amount > 0n ? true : undefined))
      assert.deepStrictEqual(guest.complaints, [])
    }))

  it.effect("are stopped with their vault when they are an index, and each stop ends by itself", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const devnet = yield* Devnet
      const { pool } = yield* Effect.orDie(
        devnet.createVault({ network: "base", name: "Basket", invested: 1_000_000_000n })
      )
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const { of } = yield* managing(guest, pool, "basket")
      succeeded(yield* of("/setBot", { pair: "BTC-USDC", side: "hold", max_usd: 100 }))
      const targets = [{ asset: "WETH", weight: 60 }, { asset: "USDC", weight: 40 }]
      succeeded(yield* of("/setIndexBot", { targets, interval: "6h", max_usd: 500 }))
      const scopes = Effect.map(
        rows(`select scope from kill_switches where scope like 'bot/base/${pool}%' order by length(scope)`),
        (found) => found.map(({ scope }) => String(scope).split("/").length)
      )
      const dialog = page.getByRole("dialog")
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/bots?kind=all`)
        await page.getByLabel("Select all 2 bots").check()
        await page.getByRole("button", { name: "Pause", exact: true }).click()
        await dialog.getByText(
          "Is stopped with its vault: also its orders and all else that trades it, such as WBTC-USDC."
        ).waitFor()
      })
      yield* looked(guest, "bot-stops-pause")
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Pause", exact: true }).click()
        await dialog.getByText("2 of 2 done").waitFor()
        await dialog.getByRole("button", { name: "Close" }).last().click()
        await page.getByText("Stopped: the bots of 1 vault and 1 bot").waitFor()
      })
      assert.deepStrictEqual(yield* scopes, [3, 5])
      const { fields } = yield* of("/rebalancePool", { execute: true })
      assert.deepInclude(fields, { status: "fail", status_code: "2040", error_type: "paused" })
      // A phone resumes both: the bot that was stopped alone, and the vault.
      yield* act(async () => {
        await page.setViewportSize({ width: 360, height: 740 })
        await page.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByText("Resumes this bot, which was stopped alone, with a signature of your wallet.").waitFor()
        await dialog.getByText(/^Resumes all bots and orders of this vault, with a signature of your wallet: /)
          .waitFor()
        await dialog.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByText("2 of 2 done").waitFor()
      })
      assert.deepStrictEqual(yield* scopes, [])
      assert.deepStrictEqual(guest.complaints, [])
    }))
})

layer(Layer.empty, { excludeTestServices: true })("bots that cannot be stopped or resumed", (it) => {
  it.effect("say why: the operator's are left, others wait for their vault, and a stopped one is not stopped again", () =>
    Effect.scoped(Effect.gen(function*() {
      const { bots } = (answersOf({ bots: 4, vaults: 1 })["manager.getAllBots"] as () => {
        readonly bots: ReadonlyArray<Readonly<Record<string, unknown>>>
      })()
      const own = (index: number) => scopeOf(poolOf(0), bots[index] ?? {})
      const why = "Signing is stopped for this bot (by test)"
      const { page, sent } = yield* openedFleet({ bots: 4, vaults: 1 }, "bots?kind=all", [], {
        answers: {
          switches: () => [
            { scope: own(0), reason: "by test", by: "operator" },
            { scope: own(1), reason: "by test", by: "owner" },
            { scope: `bot/base/${poolOf(0)}`, reason: "by test", by: "guardian" }
          ],
          "manager.getAllBots": () => ({
            status: "success",
            bots: bots.map((bot) => ({ ...bot, active: false, kill_switch: why })),
            index_bots: []
          })
        }
      })
      const dialog = page.getByRole("dialog")
      yield* act(async () => {
        await page.getByLabel("Select all 4 bots").check()
        await page.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByRole("list").waitFor()
      })
      const lines = yield* dialogText(page, "list")
      assert.match(lines, /The operator has stopped this bot; only the operator can resume it\.\s+Left as it is/)
      assert.match(lines, /Ends this bot’s own stop, with a signature of your wallet\. It waits until its vault/)
      assert.match(lines, /A guardian holds them until its rule is met again\.\s+Left as it is/)
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Cancel" }).click()
        await page.getByRole("button", { name: "Pause", exact: true }).click()
        await dialog.getByRole("button", { name: "Pause", exact: true }).click()
        await dialog.getByText("2 of 2 done, 2 left as they are").waitFor()
      })
      assert.sameMembers(sent.pauseBot.map(({ pair }) => pair), bots.slice(2).map(({ pair }) => String(pair)))
    })))

  it.effect("are tried again under the same key after a lost answer, which the review says", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, sent } = yield* openedFleet({ bots: 20, vaults: 4 }, "bots?kind=all", [], { lost: [poolOf(3)] })
      const dialog = page.getByRole("dialog", { name: "Resume the selected bots" })
      yield* act(async () => {
        await page.getByLabel("State").selectOption("paused")
        await page.getByLabel("Select all 1 bot").check()
        await page.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByRole("button", { name: "Resume", exact: true }).click()
        await dialog.getByText("0 of 1 done, 1 failed").waitFor()
        await dialog.getByText("It may have been done. Another try sends the same request, so that it is done once.")
          .waitFor()
      })
      yield* looked({ page }, "bot-stops-lost")
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Retry 1 failed" }).click()
        await dialog.getByText("1 of 1 done").waitFor()
      })
      const keys = sent.setBot.map(({ idempotency_key }) => idempotency_key)
      assert.lengthOf(keys, 2)
      assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/)
      assert.strictEqual(keys[0], keys[1])
      assert.strictEqual(sent.setBot[1]?.["pair"], pausedBot?.["pair"])
    })))
})
