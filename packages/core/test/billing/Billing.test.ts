import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { actionPrices, find } from "../../src/billing/ActionPrices.ts"
import { treasuriesOf } from "../../src/billing/BillingSettings.ts"
import * as BillingParams from "../../src/billing/BillingParams.ts"
import { csv } from "../../src/billing/Csv.ts"
import { ageSeconds, findAgreedReading, Reading } from "../../src/billing/Price.ts"
import { nativeOf, defaultPrices } from "../../src/billing/PriceList.ts"
import { endpoints } from "../../src/Catalogue.ts"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const says = (source: string, dollars: number) =>
  Reading.make({ source, usd18: BigInt(Math.round(dollars * 1e6)) * 10n ** 12n, readAt: 0, updatedAt: null })
const price = (...readings: ReadonlyArray<Reading>) => findAgreedReading({ readings, silent: [] })

describe("a price", () => {
  it("is the first source's while the others are within two percent of it", () => {
    for (const other of [980.4, 999, 1020]) {
      assert.deepStrictEqual(price(says("a", 1000), says("b", other)), Result.succeed(says("a", 1000)))
    }
    for (const other of [980.3, 1020.1, 1, 1e9]) {
      assert.deepStrictEqual(
        Result.flip(price(says("a", 1000), says("b", other))),
        Result.succeed({
          reason: `the sources are more than 2 % apart: a says 1000 USD, b ${other} USD`
        })
      )
    }
    assert.deepStrictEqual(price(says("b", 7)), Result.succeed(says("b", 7)))
  })

  it("is missing when no source has one, and the reason names the sources", () => {
    const silent = [{ source: "a", reason: "down" }, { source: "b", reason: "no pool" }]
    assert.deepStrictEqual(
      Result.flip(findAgreedReading({ readings: [], silent })),
      Result.succeed({ reason: "no source has a price (a: down; b: no pool)" })
    )
  })

  it("has the age given by its source, or else the age of the reading", () => {
    assert.strictEqual(ageSeconds({ readAt: 10_000, updatedAt: null }, 13_400), 3)
    assert.strictEqual(ageSeconds({ readAt: 10_000, updatedAt: 1_000 }, 13_400), 12)
    assert.strictEqual(ageSeconds({ readAt: 10_000, updatedAt: null }, 9_000), 0)
  })

  it("converts dollars to native token, rounded down", () => {
    assert.strictEqual(nativeOf(0.1, 3000n * 10n ** 18n), 33_333_333_333_333n)
    assert.strictEqual(nativeOf(0, 1n), 0n)
  })
})

describe("actions", () => {
  it("include every endpoint and every class with a price, each once, at the operator's prices", () => {
    const actions = actionPrices(endpoints, { ...defaultPrices, trade: 0.3 })
    assert.strictEqual(new Set(actions.map(({ action }) => action)).size, actions.length)
    assert.includeMembers(actions.map(({ action }) => action), [
      ...endpoints.map(({ name }) => name),
      "trade",
      "liquidity",
      "managerFee",
      "exchangeTrade"
    ])
    assert.deepStrictEqual(find(actions, "VAULTTRADE"), {
      action: "vaultTrade",
      class: "trade",
      billed: true,
      path: "/vaultTrade",
      price_usd: 0.3
    })
    assert.deepInclude(find(actions, "/lenderAV3/lend"), { class: "lend", billed: true, price_usd: 0.05 })
    assert.deepInclude(find(actions, "getSymbol"), { billed: false, price_usd: 0 })
    assert.isUndefined(find(actions, "free"))
  })
})

describe("the treasury", () => {
  const unset = {
    treasury: undefined,
    optimism: undefined,
    base: undefined,
    arbitrum: undefined,
    polygon: undefined,
    ethereum: undefined,
    hyperliquid: undefined,
    plasma: undefined
  }
  const [one, other] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`] as const

  it("is the network's own, else the common one, else the devnet's, else none", () => {
    assert.strictEqual(treasuriesOf(unset).size, 0)
    assert.strictEqual(treasuriesOf(unset, one).get("base"), one)
    assert.strictEqual(treasuriesOf({ ...unset, treasury: "off" }, one).size, 0)
    const some = treasuriesOf({ ...unset, treasury: one, polygon: other, ethereum: "off" })
    assert.deepStrictEqual([some.get("base"), some.get("polygon"), some.get("ethereum")], [one, other, undefined])
  })
})

describe("a table", () => {
  it("quotes cells where necessary, and never turns a text into a formula", () => {
    assert.strictEqual(
      csv(["a", "b"], [{ a: "x,\"y\"", b: null }, { a: "=1+1", b: -2 }]),
      "a,b\r\n\"x,\"\"y\"\"\",\r\n'=1+1,-2\r\n"
    )
    assert.strictEqual(csv(["a"], []), "a\r\n")
  })
})

describe("a time", () => {
  const read = Schema.decodeUnknownOption(BillingParams.Time("A time."))
  it("is a day, a time in UTC or unix seconds, and nothing else", () => {
    for (const text of ["2026-11-20", "2026-11-20T00:00Z", "2026-11-20T00:00:00", "1795132800"]) {
      assert.deepStrictEqual(
        Option.map(read(text), (at) => at.toISOString()),
        Option.some("2026-11-20T00:00:00.000Z"),
        text
      )
    }
    for (const text of ["yesterday", "2026-13-01", "20.11.2026", "1", "2026-11-20T25:00Z"]) {
      assert.deepStrictEqual(read(text), Option.none(), text)
    }
  })
})
