/** Answers of the service for tests of a vault's lending, and the page on them. */
import type { Answers } from "@vault-trader/testing/harness/ConsoleFixture"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, fits } from "@vault-trader/testing/harness/ConsoleSteps"
import { barriers, browser } from "@vault-trader/testing/harness/Browser"
import { assert } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { answersOf, manager, poolOf, vaultName } from "./Fixture.ts"

const addressOf = (number: number) => `0x${(0xa0_0000 + number).toString(16).padStart(40, "0")}`

export const weth = addressOf(7_001)
export const usdc = addressOf(7_002)
const dai = addressOf(7_004)
const pool = addressOf(7_100)
const comet = addressOf(7_101)
const fToken = addressOf(7_102)

const rateOf = (
  lender: string,
  market: string,
  asset: string,
  symbol: string,
  supply: number | null,
  borrow: number | null,
  note: string | null = null
) => ({
  ...{ network: "base", lender, market, asset, symbol, note },
  ...{ supply_apr: supply, supply_apy: supply, borrow_apr: borrow, borrow_apy: borrow }
})

const rates = [
  rateOf("lenderA", pool, weth, "WETH", 1.82, 2.61),
  rateOf("lenderA", pool, usdc, "USDC", 4.12, 5.48),
  rateOf("lenderA", pool, dai, "DAI", 3.9, 5.2),
  rateOf("lenderB", comet, usdc, "USDC", 4.8, 6.1),
  rateOf("lenderC", fToken, usdc, "USDC", 5.05, null, "by the growth of its share price over the last week")
]

/** The networks of the first vaults. */
const networks = ["base", "arbitrum", "optimism"]

const quantityOf = (asset: string, symbol: string, amount: string) => ({ asset, symbol, amount, raw: "1" })

const position = (lender: string, market: string, side: string, amount: string, value_usd: number, apy: number) => ({
  ...{ lender, market, asset: usdc, symbol: "USDC", side, amount, value_usd, apy }
})

const estimate = {
  ...{ apy: 0.42, total_value_usd: 60_000, annual_usd: 252.1 },
  positions: [
    { ...position("lenderA", pool, "supplied", "4.2", 12_652.5, 1.82), asset: weth, symbol: "WETH" },
    position("lenderA", pool, "borrowed", "5000.12", 5_000.12, -5.48),
    position("lenderB", comet, "supplied", "2500.5", 2_500.5, 4.8)
  ]
}

const cometHolding = {
  ...{ asset: comet, symbol: "cUSDCv3", amount: "2500.5", price: 1, value_usd: 2_500.5, isDeposit: false },
  ...{ assetPair: "cUSDCv3-USD", kind: "token", reason: null, asset_type: 28, label: "cUSDCv3", positions: [] }
}

const accountHolding = {
  ...{ asset: pool, symbol: "POSITION", amount: "1", price: 7_652.38, value_usd: 7_652.38, isDeposit: false },
  ...{ assetPair: "POSITION-USD", kind: "position", reason: null, asset_type: 8, label: "lenderA", positions: [] }
}

export interface LendingCall {
  readonly amount?: BigDecimal.BigDecimal
  readonly asset: string
  readonly dryRun?: boolean
  readonly idempotency_key?: string
  readonly platform: string
  readonly share?: number
}

interface LendingOptions {
  /** The health factor that dry runs project. */
  readonly after?: string
  /** The service's reason to refuse dry runs, by action. */
  readonly refused?: Readonly<Record<string, string>>
  /** The service's reason to refuse the first request that is sent. */
  readonly refusedOnce?: string
  /** True for a vault that has nothing with lenders. */
  readonly isEmpty?: boolean
  /** The reason why rates cannot be read. */
  readonly unreadRates?: string
  /** The reason why the account with lenderA cannot be read. */
  readonly unreadAccount?: string
}

const fields: Readonly<Record<string, string>> = {
  lend: "supplied",
  unlend: "withdrawn",
  borrow: "borrowed",
  repay: "repaid"
}
const symbols: Readonly<Record<string, string>> = { [weth]: "WETH", [usdc]: "USDC", [dai]: "DAI" }
const charge = { usd: 0.05, native_wei: "15000000000000" }

/** The requests that were sent, without dry runs. */
export type Sent = Array<LendingCall & { readonly action: string }>

const lendingAnswers = (options: LendingOptions, sent: Sent): Answers => {
  const { after = "1.84", isEmpty = false, refused = {}, refusedOnce, unreadAccount, unreadRates } = options
  const act = (action: string) => (payload: LendingCall) => {
    const { amount, asset, dryRun, platform, share } = payload
    if (dryRun !== true) {
      sent.push({ ...payload, action })
      if (refusedOnce !== undefined && sent.length === 1) return refusedOnce
      return { status: "pending", intent_id: "01936f5a-0000-7000-8000-000000000001", tx_hash: null, message: "" }
    }
    const refusal = refused[action]
    if (refusal !== undefined) return refusal
    const size = share === undefined ? BigDecimal.format(amount ?? BigDecimal.fromNumberUnsafe(0)) : "1234.5"
    const moves = {
      ...{ lender: platform, market: platform === "lenderA" ? pool : comet },
      projected_health_factor: platform === "lenderA" ? after : null,
      [fields[action] ?? ""]: quantityOf(asset, symbols[asset] ?? "", size),
      ...(action === "repay" ? { still_owed: quantityOf(asset, symbols[asset] ?? "", "0") } : {})
    }
    return {
      ...{ ...moves, status: "success", dryRun: true, network: "base", intent_id: null, tx_hash: null },
      ...{ message: "Dry run: nothing was sent.", plan: { ...moves, gas: "310000", gas_cost: "0.00031 ETH", charge } }
    }
  }
  const base = answersOf()
  const holdings = (base["wallet.poolComposition"] as (of: { readonly network: string }) => {
    readonly composition: ReadonlyArray<unknown>
  })({ network: "base" })
  const assets = { supplied: [["4.2", weth, "WETH", "12652.5"]], borrowed: [["5000.12", usdc, "USDC", "5000.12"]] }
  const lent = (side: keyof typeof assets) =>
    (isEmpty ? [] : assets[side]).map(([amount = "", asset = "", symbol = "", usd]) => ({
      ...quantityOf(asset, symbol, amount),
      ...{ usd, used_as_collateral: side === "supplied" }
    }))
  return {
    ...base,
    "wallet.poolComposition": () => ({
      ...holdings,
      composition: [...holdings.composition, ...(isEmpty ? [] : [accountHolding, cometHolding])]
    }),
    "wallet.getAllYields": () => unreadRates ?? { status: "success", yields: rates, unread: [] },
    "wallet.getEstimatedAnualYield": () =>
      unreadRates ?? {
        ...{ status: "success", network: "base", message: "" },
        data: isEmpty ? { ...estimate, apy: 0, annual_usd: 0, positions: [] } : estimate
      },
    "wallet.lenderAV3/getPoolData": () =>
      unreadAccount ?? {
        status: "success",
        data: {
          ...{ totalCollateralBase: isEmpty ? "0" : "12652.5", totalDebtBase: isEmpty ? "0" : "5000.12" },
          ...{ availableBorrowsBase: "5185", currentLiquidationThreshold: isEmpty ? "0" : "83", ltv: "80.5" },
          healthFactor: isEmpty ? "infinity" : "2.1002"
        }
      },
    "wallet.lenderAV3/getSupplied": () =>
      unreadAccount ?? { status: "success", data: { totalSupplied: "12652.5", assets: lent("supplied") } },
    "wallet.lenderAV3/getBorrowed": () =>
      unreadAccount ?? { status: "success", data: { totalBorrowed: "5000.12", assets: lent("borrowed") } },
    "wallet.lend": act("lend"),
    "wallet.unlend": act("unlend"),
    "wallet.borrow": act("borrow"),
    "wallet.repay": act("repay")
  }
}

/** The sockets of a page, whose messages a test may lose or change. */
export interface Line {
  /** Returns what the page gets in place of a message of the service; null to break the connection instead. */
  answer: (message: string) => string | null
}

/** Gives a failure of the faked service, by its message, the type that the real one has. */
export const typed = (message: string, errorType: string) => (text: string): string =>
  text.replaceAll(
    `"_tag":"ValidationFailure","code":"1010","message":"${message}"`,
    `"_tag":"ExecutionFailure","errorType":"${errorType}","message":"${message}"`
  )

/** Asserts no accessibility violations, and no sideways scrolling on a phone. The deep test has the pictures. */
export const checked = (page: Page, name: string) =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* barriers(page), [], name)
    yield* act(() => page.setViewportSize({ width: 360, height: 740 }))
    // A chart or a dialog follows its page by a frame or two.
    yield* act(() => page.waitForFunction(() => document.documentElement.scrollWidth <= 360).catch(() => undefined))
    assert.isAtMost(yield* fits(page), 360, `${name} is wider than a phone`)
    yield* act(() => page.setViewportSize({ width: 1_280, height: 900 }))
  })

/** Opens the lending of a vault, the first unless another is given, on given answers. */
export const openedLending = (options: LendingOptions = {}, index = 0) =>
  Effect.gen(function*() {
    const sent: Sent = []
    const { called, url } = yield* serve(manager, lendingAnswers(options, sent))
    const chromium = yield* browser
    const page = yield* Effect.promise(() =>
      chromium.newPage({ viewport: { width: 1_280, height: 900 }, reducedMotion: "reduce" })
    )
    page.setDefaultTimeout(20_000)
    const complaints: Array<string> = []
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
    })
    const line: Line = { answer: (message) => message }
    yield* act(async () => {
      await page.routeWebSocket(/console\/rpc/, (socket) => {
        const service = socket.connectToServer()
        let isBroken = false
        service.onMessage((message) => {
          if (isBroken) return
          const answer = line.answer(String(message))
          if (answer !== null) return socket.send(answer)
          isBroken = true
          void socket.close()
        })
      })
    })
    const go = act(async () => {
      await page.goto(`${url}/console/vaults/${networks[index] ?? ""}/${poolOf(index)}/lending`)
      await page.getByRole("heading", { name: `Lending of ${vaultName(index)}`, level: 1 }).waitFor()
      await page.getByText(/updated \d+ s ago/).waitFor()
    })
    yield* go
    return { called, complaints, go, line, page, sent, url }
  })
