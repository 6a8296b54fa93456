import { assert, describe, it } from "@effect/vitest"
import { Platform } from "@vault-trader/core/network/Chain"
import { Token } from "@vault-trader/core/chain/Token"
import * as FastCheck from "fast-check"
import { usdOf, weiOf } from "../src/gas-wallet/RefillAmount.ts"
import { runShare, sizeFor } from "../src/vault/TradeSize.ts"
import { faultsOf, newTerms, vaultOf, type VaultTerms } from "../src/vault/VaultTerms.ts"
import type { Bot } from "../src/bots/Bots.ts"
import { faultOf } from "../src/threshold-bot/BotFaults.ts"
import {
  maxCounted,
  newTerms as newBot,
  paramsOf,
  spenderOf,
  termsOf,
  tradesUntilDone,
  venueOf
} from "../src/threshold-bot/BotTerms.ts"

const address = (digit: string) => `0x${digit.repeat(40)}` as const

const [usdc, weth, dai] = ["USDC", "WETH", "DAI"].map((symbol, index) =>
  Token.make({ symbol, decimals: 18, address: address(String(index + 1)) })
) as [Token, Token, Token]

const platform = Platform.make({
  chainId: 8453,
  factory: address("f"),
  paused: false,
  maximumFee: { performance: 5000, management: 300, entry: 100, exit: 100, denominator: 10_000 },
  mostAssets: 2,
  assets: [usdc, weth, dai]
})

const good: VaultTerms = {
  ...newTerms,
  network: "base",
  wallet: address("a"),
  name: "Momentum",
  symbol: "MOMO",
  managerName: "A. Manager",
  held: [usdc.address, weth.address],
  deposits: [usdc.address]
}

describe("what a refill sends", () => {
  it("is the typed USD at the price, rounded down to the wei", () => {
    assert.strictEqual(weiOf({ _tag: "usd", text: "10" }, 3000, undefined), 3_333_333_333_333_333n)
    assert.strictEqual(weiOf({ _tag: "usd", text: "1,234.56" }, 1, undefined), 1_234_560_000_000_000_000_000n)
    assert.strictEqual(weiOf({ _tag: "usd", text: "0.01" }, 0.5, undefined), 20_000_000_000_000_000n)
  })

  it("is undefined without a price, or without a valid amount", () => {
    assert.isUndefined(weiOf({ _tag: "usd", text: "10" }, undefined, 1n))
    assert.isUndefined(weiOf({ _tag: "usd", text: "10" }, 0, 1n))
    for (const text of ["", "0", "-5", "abc", "."]) assert.isUndefined(weiOf({ _tag: "usd", text }, 3000, 1n), text)
    assert.isUndefined(weiOf({ _tag: "part", percent: 50 }, 3000, undefined))
  })

  it("never exceeds the spare balance as a percentage, and is all of it at MAX", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.bigInt({ min: 0n, max: 10n ** 24n }),
        FastCheck.constantFrom(25, 50, 75, 100),
        (spare, percent) => {
          const wei = weiOf({ _tag: "part", percent }, undefined, spare) ?? -1n
          assert.isTrue(wei >= 0n && wei <= spare && spare * BigInt(percent) - wei * 100n < 100n)
          if (percent === 100) assert.strictEqual(wei, spare)
        }
      )
    )
  })

  it("shows an amount in USD with cents", () => {
    assert.strictEqual(usdOf(10n ** 18n, 3000), "3000.00")
    assert.strictEqual(usdOf(3_333_333_333_333_333n, 3000), "9.99")
  })
})

describe("the venue of a bot's form", () => {
  it("keeps every value that the API accepts, and approves what auto would where best chooses for each trade", () => {
    for (const platform of ["auto", "best", "1inch", "quickswap"]) assert.strictEqual(venueOf({ platform }), platform)
    assert.deepStrictEqual(["", "nonsense"].map((platform) => venueOf({ platform })), ["auto", "auto"])
    assert.deepStrictEqual(["best", "auto", "", "kyberswap"].map((platform) => spenderOf({ platform })), [
      "auto",
      "auto",
      "auto",
      "kyberswap"
    ])
  })
})

describe("the form of a bot", () => {
  const { wallet, ...terms } = newBot
  const bot = (max_impact: number | null) =>
    ({
      ...terms,
      ...{ network: "base", pool: address("b"), platform: "auto", gasWallet: wallet, max_impact }
    }) as never as Bot

  it("keeps the maximum price impact of a bot that is edited, and omits one that it does not have", () => {
    assert.strictEqual(paramsOf(termsOf(bot(0.3)))["max_impact"], 0.3)
    assert.notProperty(paramsOf(termsOf(bot(null))), "max_impact")
    assert.deepStrictEqual(["", "0.3", "50"].map((text) => faultOf("max_impact", text)), [null, null, null])
    assert.match(faultOf("max_impact", "51") ?? "", /a percentage above 0 and at most 50/)
  })
})

describe("the size of a new bot", () => {
  it("is a twentieth of the vault in a round number, from $10 to the default", () => {
    assert.deepStrictEqual([130_000, 4_321, 1_000_000, 50, 999].map((usd) => sizeFor(usd)), [
      "6000",
      "200",
      "10000",
      "10",
      "40"
    ])
    assert.deepStrictEqual([null, undefined, 0].map((usd) => sizeFor(usd)), ["10000", "10000", "10000"])
    assert.deepStrictEqual([1_000, 4_321, 1_000_000].map((usd) => sizeFor(usd, runShare)), ["200", "800", "10000"])
  })
})

describe("the trades until a pair is on its side", () => {
  const run = { wrong: 1_000, total: 1_000, max: 300, share: 100, threshold: 1 }

  it("are limited by the most per trade and by the share, and end at the threshold", () => {
    assert.strictEqual(tradesUntilDone(run), 4)
    assert.strictEqual(tradesUntilDone({ ...run, max: Infinity }), 1)
    assert.strictEqual(tradesUntilDone({ ...run, max: Infinity, share: 50 }), 7)
    assert.strictEqual(tradesUntilDone({ ...run, threshold: 50 }), 2)
    assert.strictEqual(tradesUntilDone({ ...run, wrong: 0 }), 0)
    assert.strictEqual(tradesUntilDone({ ...run, max: 0 }), maxCounted)
  })
})

describe("the terms of a new vault", () => {
  it("are accepted within the platform's limits, with fees in its units", () => {
    assert.deepStrictEqual(faultsOf({ ...good, performance: "12.5", management: "0.07" }, platform), {})
    assert.deepStrictEqual(vaultOf({ ...good, performance: "12.5", management: "0.07" }, platform, address("b")), {
      manager: address("b"),
      managerName: "A. Manager",
      name: "Momentum",
      symbol: "MOMO",
      fees: { performance: 1250n, management: 7n, entry: 0n, exit: 0n },
      assets: [{ asset: usdc.address, isDeposit: true }, { asset: weth.address, isDeposit: false }]
    })
  })

  it("are refused field by field", () => {
    const faulty = (some: Partial<VaultTerms>) => Object.keys(faultsOf({ ...good, ...some }, platform))
    assert.deepStrictEqual(faulty({ performance: "50.01" }), ["performance"])
    assert.deepStrictEqual(faulty({ management: "3.001" }), ["management"])
    assert.deepStrictEqual(faulty({ entry: "-1", exit: "" }), ["entry", "exit"])
    assert.deepStrictEqual(faulty({ deposits: [] }), ["held"])
    assert.deepStrictEqual(faulty({ held: [usdc.address, weth.address, dai.address] }), ["held"])
    assert.deepStrictEqual(faulty({ name: " ", symbol: "TOO LONG", network: "", wallet: "" }), [
      "network",
      "wallet",
      "name",
      "symbol"
    ])
  })
})
