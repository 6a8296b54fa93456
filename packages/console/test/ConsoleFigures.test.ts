import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { curveOf, knownPoints, sumCurveOf } from "../src/performance/Curve.ts"
import {
  amount,
  dollars,
  money,
  readable,
  relative,
  signedMoney,
  signedPercent,
  summaryOf,
  toHundredths
} from "../src/shell/Format.ts"
import { impactOf, worstLossOf } from "../src/trading/TradeFigures.ts"
import { partOf } from "../src/vault/Amounts.ts"
import { faultsOf } from "../src/vault-order/OrderFaults.ts"
import { type OrderFields, paramsOf } from "../src/vault-order/OrderFields.ts"

const weth = "0x4200000000000000000000000000000000000006"
const usdc = "0x0b2c639c533813f4aa9d7837caf62653d097ff85"
const holdings = [{ asset: weth, price: 3000 }, { asset: usdc, price: 1 }]
const quantity = (asset: string, symbol: string, text: string) => ({ asset, symbol, amount: text, raw: "0" }) as never

describe("figures", () => {
  it("show a gain or a loss with its sign, and a dash for what is not known", () => {
    assert.deepStrictEqual([dollars(-1234.5), signedMoney("12.5"), signedMoney(0)], ["−$1,234.50", "+$12.50", "$0.00"])
    assert.deepStrictEqual([money(null), signedPercent(undefined), amount(null)], ["–", "–", "–"])
    assert.deepStrictEqual([amount("1234.56789"), amount("0.00012345"), amount("0")], ["1,234.57", "0.0001235", "0"])
  })

  it("show no sign, arrow or colour for a change that rounds to nothing", () => {
    assert.deepStrictEqual([signedMoney("-0.004"), signedMoney("0.004"), signedMoney(-0.006)], [
      "$0.00",
      "$0.00",
      "−$0.01"
    ])
    assert.deepStrictEqual([signedPercent(-0.0049), signedPercent(0.0049)], ["0.00\u00a0%", "0.00\u00a0%"])
    assert.isTrue(Object.is(toHundredths(-0.001), 0))
  })

  it("shorten the amounts in a sentence of the service, and nothing else", () => {
    assert.strictEqual(
      readable("Sold 6000 USDC for 1.997276311557096427 WETH on 1inch, at 3004.5; 0.000000123456 left."),
      "Sold 6000 USDC for 1.9973 WETH on 1inch, at 3004.5; 1.23e−7 left."
    )
    assert.strictEqual(readable("version 1.2.3456789 of 0x12.34"), "version 1.2.3456789 of 0x12.34")
  })

  it("show the time to and from a moment", () => {
    assert.deepStrictEqual(
      [relative(0, 1_000), relative(0, 61_000), relative(7_200_000, 0), relative(0, 3 * 86_400_000)],
      ["now", "1 min ago", "in 2 h", "3 d ago"]
    )
  })

  it("keep the sentence that says whether money moved in a message's summary", () => {
    const message = "Price too far from the oracle: the best quote is 1.05 % worse, your limit is 1 %. " +
      "Nothing was traded. uniswapV3 quoted 0.33 WETH; kyberswap answered HTTP 429 and is passed over."
    assert.deepStrictEqual(summaryOf(message), {
      summary: "Price too far from the oracle: the best quote is 1.05 % worse, your limit is 1 %. Nothing was traded.",
      details: "uniswapV3 quoted 0.33 WETH; kyberswap answered HTTP 429 and is passed over."
    })
  })
})

describe("a curve", () => {
  const point = (time: string, value: string, gap: string | null) => ({ time, value_usd: value, share_price: "1", gap })

  it("breaks before a point that ends a gap, and only there", () => {
    const points = curveOf([
      point("2026-11-20T10:00:00.000Z", "1", null),
      point("2026-11-20T11:00:00.000Z", "2", null),
      point("2026-11-20T15:00:00.000Z", "3", "The service was not running.")
    ], "value_usd")
    assert.deepStrictEqual(points.map(({ value }) => value), [1, 2, null, 3])
    assert.strictEqual(knownPoints(points), 3)
  })

  it("breaks where the sum of the vaults is not known", () => {
    const sum = (time: string, value: string | null) => ({ time, value_usd: value, pnl_usd: value })
    assert.deepStrictEqual(
      sumCurveOf([
        sum("2026-11-20T10:00:00.000Z", "5"),
        sum("2026-11-20T11:00:00.000Z", null),
        sum("2026-11-20T12:00:00.000Z", "7")
      ], "pnl_usd").map(({ value }) => value),
      [5, null, 7]
    )
  })
})

describe("a trade's figures", () => {
  const trade = (out: string, min: string) =>
    ({
      amountIn: quantity(usdc, "USDC", "3000"),
      amountOut: quantity(weth, "WETH", out),
      minOut: quantity(weth, "WETH", min),
      charge: { usd: 0.1, native_wei: null }
    }) as never

  it("compare the quote with the vault's oracle", () => {
    assert.strictEqual(impactOf(holdings, trade("0.97", "0.96")), 3)
    assert.strictEqual(worstLossOf(holdings, trade("0.97", "0.96")), "$120.10 and the gas")
    assert.isUndefined(impactOf([{ asset: weth, price: null }], trade("1", "1")))
  })

  it("take a part of an amount exactly, never more than the vault has", () => {
    assert.deepStrictEqual([partOf("9.412345678", 25), partOf("100", 50), partOf("0.000003", 50)], [
      "2.353086419",
      "50",
      "0.000001"
    ])
    FastCheck.assert(
      FastCheck.property(
        FastCheck.bigInt({ min: 0n, max: 10n ** 30n }),
        FastCheck.integer({ min: 0, max: 18 }),
        FastCheck.constantFrom(25, 50, 75),
        (raw, decimals, share) => {
          const digits = raw.toString().padStart(decimals + 1, "0")
          const held = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
          const [whole = "0", fraction = ""] = partOf(held, share).split(".")
          const part = BigInt(whole + fraction.padEnd(decimals, "0"))
          assert.isTrue(part * 100n <= raw * BigInt(share) && raw * BigInt(share) - part * 100n < 100n)
        }
      )
    )
  })
})

describe("an order's form", () => {
  const fields: OrderFields = {
    ...{ type: "limit", side: "sell", base: "WETH", quote: "USDC", amount: "1", share: "", limit_price: "3400" },
    ...{ stop_price: "2000", take_profit_price: "", trail_percent: "", activation_price: "", max_impact: "" },
    ...{ slippage: "0.5", expires_in: "", duration: "", interval: "", slices: "10", paper: false }
  }

  it("sends only the fields that its kind has", () => {
    assert.deepStrictEqual(faultsOf(fields), {})
    assert.deepStrictEqual(paramsOf(fields), {
      ...{ type: "limit", side: "sell", pair: "WETH-USDC", amount: "1", limit_price: "3400", slippage: "0.5" }
    })
  })

  it("names what a kind needs, and what the API would refuse", () => {
    assert.deepStrictEqual(Object.keys(faultsOf({ ...fields, type: "twap", amount: "" })).sort(), [
      "amount",
      "duration"
    ])
    assert.deepStrictEqual(Object.keys(faultsOf({ ...fields, limit_price: "-1", slippage: "9" })).sort(), [
      "limit_price",
      "slippage"
    ])
    assert.deepStrictEqual(Object.keys(faultsOf({ ...fields, quote: "WETH" })), ["pair"])
  })
})
