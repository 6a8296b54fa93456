import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs"
import { buildConsole } from "../../../scripts/console.mjs"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import {
  act,
  closeSecrets,
  createWallet,
  keptBy,
  looked,
  managing,
  rawCall,
  signIn
} from "@vault-trader/testing/harness/ConsoleSteps"
import { holds } from "@vault-trader/testing/harness/ExchangeSetup"
import { Running, rows, running, yieldVault } from "@vault-trader/testing/harness/Harness"
import { makeDue, weights } from "@vault-trader/testing/harness/IndexSetup"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

/** A separate vault with 1,000 USDC, too little to move the pools' prices. */
const vault = Effect.flatMap(
  Devnet,
  (devnet) =>
    Effect.map(
      Effect.orDie(devnet.createVault({ network: "base", name: "Console", invested: 1_000_000_000n })),
      ({ pool }) => pool
    )
)

/** 64 characters, like the exchange's keys. */
const issued = Effect.sync(() => randomBytes(32).toString("hex"))

layer(running({ networks: ["base"], env: { EXCHANGE_CHECK_SECONDS: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("in the console", (it) => {
  const indexTitle =
    "an index is set, compared with the vault, rebalanced as previewed, scheduled, and resumed after " +
    "it paused itself"
  it.effect(indexTitle, () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const pool = yield* vault
      yield* managing(guest, pool, "basket")
      yield* act(async () => {
        await page.getByRole("link", { name: "Trading Bots" }).click()
        await page.getByRole("tab", { name: "Index" }).click()
        await page.getByText("No index yet").waitFor()
        await page.waitForURL(/\/bots\?kind=index$/)
        await page.reload()
        await page.getByText("No index yet").waitFor()
      })
      const dialog = page.getByRole("dialog")
      yield* act(async () => {
        await page.getByRole("button", { name: "Set an index" }).click()
        await dialog.getByRole("combobox", { name: "Network" }).selectOption("base")
        await dialog.getByRole("combobox", { name: "Vault" }).fill(pool)
        await dialog.getByLabel("Weight %").first().fill("60")
        await dialog.getByText("Sum 110 %: 10 % too much").waitFor()
        await dialog.getByRole("button", { name: "Set the index" }).click()
        await dialog.getByText("The targets have weights that sum to 110; they must sum to 100.").waitFor()
        await dialog.getByLabel("Weight %").nth(1).fill("40")
        await dialog.getByText("Sum 100 %", { exact: true }).waitFor()
        await dialog.getByLabel("Check every").fill("1s")
        await dialog.getByLabel("Slippage %").focus()
        await dialog.getByText("Must be a whole number of seconds from 60").waitFor()
        await dialog.getByLabel("Check every").fill("6h")
        // A fifth of the vault is proposed, less than its first run needs.
        await dialog.getByText(/^Proposed for this vault of \$1,000\.00/).waitFor()
        await dialog.getByLabel("Max per run, USD").fill("1000")
        await dialog.getByRole("button", { name: "Show API Code" }).click()
        await page.getByText("Python", { exact: true }).click()
        await page.getByLabel("Python code").waitFor()
      })
      const code = yield* Effect.promise(() => page.getByLabel("Python code").textContent())
      assert.include(
        code ?? "",
        `"targets": [\n            {"asset": "WETH", "weight": 60},\n` +
          `            {"asset": "USDC", "weight": 40}\n        ]`
      )
      assert.include(code ?? "", `"interval": "6h"`)
      yield* looked(guest, "index-form")
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Set the index" }).click()
        await page.getByRole("heading", { name: "WETH 60 · USDC 40" }).waitFor()
        await page.getByRole("row", { name: /WETH 0 % 60 % ± 5 −60\.00 pp out of band/ }).waitFor()
        await page.getByText("No run is scheduled.").waitFor()
      })
      yield* looked(guest, "index")

      // The preview matches the execution.
      yield* act(async () => {
        await page.getByRole("button", { name: "Rebalance now" }).click()
        await dialog.getByRole("row", { name: /buy WETH 600 USDC .* \$600\.00/ }).waitFor()
        await dialog.getByText("Worst case: $6.00 less than the oracle value").waitFor()
      })
      assert.deepStrictEqual(yield* rows(`select 1 from index_runs where pool = '${pool}'`), [])
      yield* looked(guest, "index-rebalance")
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Execute this trade" }).click()
        await dialog.getByText("The run is complete").waitFor({ timeout: 120_000 })
        await dialog.getByRole("row", { name: /buy WETH 600 USDC for at least .* 600 USDC for .* done/ }).waitFor()
      })
      yield* looked(guest, "index-rebalanced")
      assert.approximately((yield* weights(pool))["WETH"] ?? 0, 60, 0.5)
      assert.deepStrictEqual(
        yield* rows(`select reason, state, jsonb_array_length(legs) as legs from index_runs where pool = '${pool}'`),
        [{ reason: "asked", state: "done", legs: 1 }]
      )
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Close" }).last().click()
        await page.getByText("All weights are in their bands").waitFor()
        await page.getByText(/Last run, .*: done; 1 of 1 trades, \$600\.00 traded/).waitFor()
        await page.getByRole("button", { name: "Show its trades" }).click()
        await page.getByRole("table", { name: "Trades of the run" }).waitFor()
      })
      yield* looked(guest, "index-after")

      // Schedule, kill switch of the vault's bots, and automatic pause.
      yield* act(async () => {
        await page.getByRole("button", { name: "Enable" }).click()
        await page.getByText("active", { exact: true }).waitFor()
        await page.getByText(/^Next run: /).waitFor()
        await page.getByRole("button", { name: "Pause vault’s bots" }).click()
        await page.getByText(
          "Signing is stopped for the bots of this vault (stopped in the console). It cannot sign anything."
        ).waitFor()
        await page.getByRole("button", { name: "Resume vault’s bots" }).click()
        await page.getByText("active", { exact: true }).waitFor()
      })
      yield* rows(`update index_bots set paused_reason = 'Three runs failed in a row.' where pool = '${pool}'`)
      yield* makeDue(pool)
      yield* act(async () => {
        await page.getByText("Three runs failed in a row.").waitFor()
        await page.getByRole("button", { name: "Resume the bot" }).click()
        await page.getByText("active", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Disable" }).click()
        await page.getByText("disabled", { exact: true }).waitFor()
      })
      assert.deepStrictEqual(
        yield* rows(`select enabled, paused_reason as why from index_bots where pool = '${pool}'`),
        [{ enabled: false, why: null }]
      )
      assert.deepStrictEqual(guest.complaints, [])
    }))

  it.effect(
    "an exchange account is connected, trades, stops, is reactivated and deleted, and its credentials are not " +
      "kept in the browser",
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const { exchange } = yield* Devnet
        exchange.books.setPrice("BTC", "USDT", 50_000)
        const [apiKey, secret] = [yield* issued, yield* issued]
        const there = exchange.books.open({ apiKey, secret, balances: { USDT: 10_000 }, mayWithdraw: false })
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* signIn(guest)
        const made = yield* createWallet(guest, "exchange desk")
        yield* closeSecrets(guest)
        const dialog = page.getByRole("dialog")
        const field = (name: string) => dialog.locator(`input[name=${name}]`)
        yield* act(async () => {
          await page.goto(`${baseUrl}/console/bots?kind=exchange`)
          await page.getByText("No exchange account yet").waitFor()
          await page.getByRole("button", { name: "Connect an account" }).click()
          await dialog.getByLabel("Exchange", { exact: true }).selectOption("okx")
          await dialog.getByText("A key of okx is a UUID, with a passphrase.").waitFor()
          await field("cex_api_key").fill("not-a-uuid")
          await dialog.getByRole("button", { name: "Connect" }).click()
          await dialog.getByText("Must be a UUID, as okx issues them").waitFor()
          await dialog.getByText("Required: a key of okx comes with one").waitFor()
          await dialog.getByLabel("Exchange", { exact: true }).selectOption("binance")
          await field("cex_passphrase").waitFor({ state: "detached" })
          await dialog.getByLabel("Gas wallet").selectOption(made.address)
          await dialog.getByLabel("Name of the account").fill("main")
          await field("cex_api_key").fill(apiKey)
          await field("cex_secret").fill("x".repeat(64))
          await dialog.getByRole("button", { name: "Connect" }).click()
          await dialog.getByText("The account was not connected; nothing was stored").waitFor()
          await dialog.getByText("binance refuses the credentials").waitFor()
          await field("cex_secret").fill(secret)
        })
        yield* looked(guest, "exchange-connect")
        assert.notInclude(yield* keptBy(guest), secret)
        yield* act(async () => {
          await dialog.getByRole("button", { name: "Connect" }).click()
          await dialog.getByText("main on binance is connected. It holds 10000 USDT.").waitFor()
          await dialog.getByRole("button", { name: "Close" }).last().click()
          await page.getByRole("heading", { name: "main", exact: true }).waitFor()
        })
        // The fields are gone with their values; only one request carried the secret.
        for (const each of [apiKey, secret]) {
          assert.notInclude(`${yield* keptBy(guest)}${guest.sent.join("\n")}${guest.complaints.join("\n")}`, each)
        }
        assert.lengthOf(guest.frames.filter((frame) => frame.includes(secret)), 1)
        assert.notInclude(JSON.stringify(yield* rows("select * from exchange_accounts")), secret)

        yield* act(async () => {
          await page.getByRole("button", { name: "Set a side" }).click()
          await dialog.getByLabel("Pair").fill("BTCUSDT")
          await dialog.getByLabel("Share %").fill("101")
          await dialog.getByRole("button", { name: "Set the side" }).click()
          await dialog.getByText("Must be BASE-QUOTE").waitFor()
          await dialog.getByText("Must be a number above 0 and at most 100").waitFor()
          await dialog.getByLabel("Pair").fill("BTC-USDT")
          await dialog.getByLabel("Share %").fill("50")
          await dialog.getByLabel("Max per order, USD").fill("4000")
        })
        yield* looked(guest, "exchange-side")
        yield* act(async () => {
          await dialog.getByRole("button", { name: "Set the side" }).click()
          await page.getByRole("heading", { name: "BTC-USDT · long" }).waitFor()
          await page.getByText(/Last decision, .*: (order|hold)\./).waitFor({ timeout: 60_000 })
          await page.getByRole("button", { name: "Orders" }).click()
          await dialog.getByText(
            /Filled 0\.07958 BTC for 3979\.7958 USDT · the exchange’s fee 0\.00007958 BTC · charged \$0\.10/
          ).waitFor()
        })
        assert.strictEqual(holds(there, "USDT"), "6020.20420000")
        yield* looked(guest, "exchange-orders")
        yield* act(() => page.keyboard.press("Escape"))
        yield* looked(guest, "exchange")

        yield* act(async () => {
          await page.getByRole("button", { name: "Deactivate" }).click()
          await page.getByText("deactivated", { exact: true }).waitFor()
          await page.getByRole("button", { name: "Reactivate" }).click()
          await dialog.getByLabel("Side", { exact: true }).selectOption("neutral")
          await dialog.getByRole("button", { name: "Set the side" }).click()
          await page.getByRole("heading", { name: "BTC-USDT · neutral" }).waitFor()
          await page.getByText("active", { exact: true }).waitFor()
          await page.getByRole("button", { name: "Follow the trend" }).click()
          await page.getByRole("heading", { name: /BTC-USDT · trend/ }).waitFor()
        })
        // Another manager cannot act on it, whatever the page sends.
        const other = yield* visitor(yield* browser, baseUrl)
        yield* signIn(other)
        for (const tag of ["wallet.getAllCEXSubaccounts", "wallet.setCEXSide", "wallet.deleteCEXBot"]) {
          const payload = {
            wallet: made.address,
            subaccount_name: "main",
            pair: "BTC-USDT",
            side: "long",
            max_usd: "1",
            share: 1
          }
          assert.match(yield* rawCall(other, tag, payload), /"_tag":"Failure".*"code":"1005".*is not in/, tag)
        }
        assert.match(
          yield* rawCall(other, "manager.deleteCEXSubaccount", { subaccount_name: "main" }),
          /"_tag":"Failure".*has no sub-account main/
        )

        yield* act(async () => {
          await page.getByRole("button", { name: "Delete the account" }).click()
          await dialog.getByText("deletes its bot (BTC-USDT)").waitFor()
          if (!(await dialog.getByRole("button", { name: "Delete" }).isDisabled())) {
            throw new Error("the account could be deleted without typing its name")
          }
        })
        yield* looked(guest, "exchange-delete")
        yield* until(
          "the account's end",
          Effect.promise(async () => {
            // Refused while an order is pending; repeating it is harmless.
            await dialog.getByLabel("Type main to confirm").fill("main").catch(() => undefined)
            await dialog.getByRole("button", { name: "Delete" }).click({ timeout: 1000 }).catch(() => undefined)
            return await page.getByText("No exchange account yet").isVisible() ? true : undefined
          })
        )
        assert.deepStrictEqual(yield* rows("select 1 from exchange_accounts"), [])
        assert.deepStrictEqual(yield* rows("select 1 from exchange_bots"), [])
        assert.deepStrictEqual(guest.complaints, [])
      })
  )

  it.effect("a bot on paper records what it would have traded, and a chart alert sets its side", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const pool = yield* vault
      const { address, of } = yield* managing(guest, pool, "paper")
      succeeded(
        yield* of("/setBot", { pair: "WETH-USDC", side: "long", max_usd: 100, paper: true, platform: "uniswapV3" })
      )
      const dialog = page.getByRole("dialog")
      yield* act(async () => {
        await page.getByRole("link", { name: "Trading Bots" }).click()
        await page.getByText(/Last decision, .*: trade on paper\./).waitFor({ timeout: 60_000 })
        await page.getByRole("button", { name: "Paper trades" }).click()
        await dialog.getByText(/On paper: .* is sold for WETH\. Nothing was sent\./).first().waitFor()
      })
      yield* looked(guest, "paper-trades")
      yield* act(() => page.keyboard.press("Escape"))

      // It pauses itself after failures; set again with the same terms, including the venue, it resumes.
      yield* rows(
        `update threshold_bots set active = false, paused_reason = 'Three turns failed in a row.' where pool = '${pool}'`
      )
      yield* act(async () => {
        await page.getByText("Three turns failed in a row.").waitFor()
        await page.getByRole("button", { name: "Resume the bot" }).click()
        await page.getByText("Three turns failed in a row.").waitFor({ state: "detached" })
      })
      assert.deepStrictEqual(yield* rows(`select active, platform, paper from threshold_bots where pool = '${pool}'`), [
        { active: true, platform: "uniswapV3", paper: true }
      ])

      yield* act(async () => {
        await page.getByRole("button", { name: "Chart alerts" }).click()
        await dialog.getByText("This bot has no token yet.").waitFor()
        await dialog.getByLabel("Label").fill("tv")
        await dialog.getByRole("button", { name: "Create token" }).click()
        await dialog.getByRole("button", { name: "Reveal Alert URL" }).click()
      })
      const url = /http\S+\/webhook\/whk_[0-9a-f]{64}/.exec(
        yield* Effect.promise(async () => await dialog.textContent() ?? "")
      )?.[0] ?? ""
      yield* act(async () => {
        await dialog.getByLabel("I stored it").check()
        await dialog.getByRole("button", { name: "Close" }).click()
        await dialog.getByRole("row", { name: /tv never/ }).waitFor()
      })
      assert.notInclude(`${yield* keptBy(guest)}${guest.sent.join("\n")}`, url.slice(-64))
      yield* looked(guest, "chart-alerts")
      const { ask } = yield* Running
      // Tried in the page, then sent: refused while muted, carried out from the inbox.
      yield* act(async () => {
        await dialog.getByLabel("Try a message").fill("buy and sell")
        await dialog.getByText(/^It would be refused\. alert: names long \(buy\) and neutral \(sell\)/).waitFor()
        await dialog.getByLabel("Try a message").fill(`{"market_position": "flat"}`)
        await dialog.getByText("It would set the bot from long to neutral.").waitFor()
        await dialog.getByRole("button", { name: "Mute tv", exact: true }).click()
        await dialog.getByRole("button", { name: "Unmute tv" }).waitFor()
      })
      refused(yield* ask(new URL(url).pathname, { json: { market_position: "flat" } }), "1010", /^token: is muted/)
      yield* act(async () => {
        await dialog.getByText(/^1010: token: is muted/).first().waitFor()
        await dialog.getByRole("button", { name: /^Carry out the signal/ }).first().click()
        await dialog.getByText(/WETH-USDC · neutral · accepted/).first().waitFor()
      })
      yield* looked(guest, "signal-inbox")
      yield* act(async () => {
        await dialog.getByRole("button", { name: "Revoke tv" }).click()
        await dialog.getByText("This bot has no token yet.").waitFor()
        await page.keyboard.press("Escape")
        await page.getByRole("heading", { name: "WETH-USDC · neutral" }).waitFor()
      })
      assert.strictEqual(
        (yield* ask(new URL(url).pathname, { json: { market_position: "long" } })).fields["status"],
        "fail"
      )

      // One bot is stopped at once by the session, and resumed by a signature that names its pair.
      yield* act(async () => {
        await page.getByRole("button", { name: "Pause this bot" }).click()
        await page.getByText(
          "Signing is stopped for this bot (stopped in the console). It cannot sign anything."
        ).waitFor()
      })
      const [ofBot, ...others] = yield* rows(`select scope, set_by as by from kill_switches where scope like 'bot/%'`)
      assert.match(String(ofBot?.["scope"]), new RegExp(`^bot/base/${pool}/0x[0-9a-f]{40}/0x[0-9a-f]{40}$`))
      assert.deepStrictEqual([ofBot?.["by"], others], ["owner", []])
      yield* act(async () => {
        await page.getByRole("button", { name: "Resume this bot" }).click()
        await page.getByRole("button", { name: "Pause this bot" }).waitFor()
      })

      // The wallet's switch is separate from the bots' switch: resuming the bots leaves the wallet stopped.
      yield* act(async () => {
        await page.getByRole("button", { name: "Pause vault’s bots" }).click()
        await page.getByText(
          "Signing is stopped for the bots of this vault (stopped in the console). It cannot sign anything."
        ).waitFor()
      })
      assert.deepStrictEqual(yield* rows(`select set_by as by from kill_switches where scope = 'bot/base/${pool}'`), [{
        by: "owner"
      }])
      yield* rows(
        `insert into kill_switches (scope, reason, set_by) values ('wallet/${address}', 'by test', 'operator')`
      )
      yield* act(async () => {
        await page.getByText("Signing is stopped for this wallet (by test). It cannot sign anything.").waitFor()
        await page.getByRole("button", { name: "Resume vault’s bots" }).click()
        await page.getByRole("button", { name: "Pause vault’s bots" }).waitFor()
        await page.getByText("Signing is stopped for this wallet (by test). It cannot sign anything.").waitFor()
      })
      yield* looked(guest, "threshold")
      assert.deepStrictEqual(guest.complaints, [])
    }))

  it.effect("loans show their safety, and charges the amounts spent, on a page and as CSV", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      const pool = yield* yieldVault("base")
      const { of } = yield* managing(guest, pool, "lender")
      yield* act(async () => {
        await page.getByRole("link", { name: "Charges" }).click()
        await page.getByText("No charges").waitFor()
      })
      succeeded(yield* of("/lend", { asset: "WETH", amount: 2 }))
      succeeded(yield* of("/borrow", { asset: "USDC", share: 95 }))
      yield* act(async () => {
        await page.getByRole("link", { name: "Managed Vaults" }).click()
        await page.getByText(/^Health factor 1\.\d\d$/).first().waitFor()
        await page.getByRole("table", { name: "Supplied" }).getByRole("row", { name: /WETH 2 / }).waitFor()
        await page.getByRole("table", { name: "Borrowed" }).getByRole("row", { name: /USDC/ }).waitFor()
        await page.getByText(/Liquidated below 1: when the collateral falls by/).waitFor()
      })
      yield* looked(guest, "health-factor")
      // WETH and thus the collateral lose value; the page warns in text.
      yield* Effect.orDie(movePrices(yield* Devnet, [{ network: "base", symbol: "WETH", usd: 2_500 }]))
      yield* act(async () => {
        await page.getByText("Below 1 the collateral is liquidated, at a penalty. Repay some, or supply more.").waitFor(
          { timeout: 60_000 }
        )
        await page.getByText("thin", { exact: true }).waitFor()
      })
      yield* looked(guest, "health-factor-thin")
      yield* Effect.orDie(movePrices(yield* Devnet, [{ network: "base", symbol: "WETH", usd: 3_000 }]))
      succeeded(yield* of("/repay", { asset: "USDC", share: 100 }))
      yield* act(async () => {
        await page.getByText("Health factor ∞").waitFor({ timeout: 60_000 })
        await page.getByText("no debt", { exact: true }).waitFor()
        await page.getByRole("link", { name: "Charges" }).click()
        await page.getByRole("row", { name: "Lending 3 $0.15" }).waitFor()
      })
      yield* looked(guest, "charges")
      const saved = yield* Effect.promise(async () => {
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Download CSV" }).click()
        ])
        return { name: file.suggestedFilename(), text: Fs.readFileSync(await file.path(), "utf8") }
      })
      assert.match(saved.name, /^charges-\d{4}-\d\d-\d\d\.csv$/)
      const [head, ...lines] = saved.text.trimEnd().split("\r\n")
      assert.match(head ?? "", /^created_at,wallet,owner,network,action,usd,native,token,/)
      assert.lengthOf(lines, 3)
      for (const line of lines) assert.match(line, /,lender,base,lend,0\.05,0\.0000\d+,ETH,/)
      assert.deepStrictEqual(guest.complaints, [])
    }))
})
