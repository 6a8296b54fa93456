import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import { splitBy } from "../../src/vault-group/AmountSplit.ts"

const amountOf = BigDecimal.fromStringUnsafe
const split = (amount: string, parts: ReadonlyArray<readonly [weight: string, decimals: number | null]>) =>
  splitBy(amountOf(amount), parts.map(([weight, decimals]) => ({ weight: amountOf(weight), decimals })))
    .map((part) => part === null ? null : BigDecimal.format(part))

describe("the split of an amount", () => {
  it("follows the weights exactly, whatever their sum", () => {
    assert.deepStrictEqual(split("10", [["60", 18], ["30", 18], ["10", 18]]), ["6", "3", "1"])
    assert.deepStrictEqual(split("10", [["0.1", 18], ["0.3", 18]]), ["2.5", "7.5"])
  })

  it("rounds each part down to the token's decimals, so that the parts are never more than the amount", () => {
    assert.deepStrictEqual(split("1", [["1", 6], ["1", 6], ["1", 6]]), ["0.333333", "0.333333", "0.333333"])
    assert.deepStrictEqual(split("0.000001", [["1", 6], ["99", 18]]), ["0", "0.00000099"])
  })

  it("gives the part of a vault that does not trade to no other", () => {
    assert.deepStrictEqual(split("10", [["50", 18], ["50", null]]), ["5", null])
  })

  it("is nothing where nothing is held", () => {
    assert.deepStrictEqual(split("10", [["0", 18], ["0", 6]]), [null, null])
  })
})
