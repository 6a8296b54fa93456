import { assert, describe, it } from "@effect/vitest"
import * as Cloid from "../../src/perpetual/Cloid.ts"
import * as OrderStatus from "../../src/perpetual/OrderStatus.ts"

const order = (status: string, remaining: string) => ({ status, size: "0.25", remaining })
const verdict = (status: string, remaining: string) => {
  const state = order(status, remaining)
  return OrderStatus.of(state, OrderStatus.isTraded(state))._tag
}

describe("the status of an order", () => {
  it("is open while it rests, whether or not a part of it is filled", () => {
    assert.deepStrictEqual([verdict("open", "0.25"), verdict("open", "0.1")], ["open", "open"])
  })

  it("is filled when fully filled, or partly filled and then cancelled, as ioc orders are", () => {
    assert.deepStrictEqual([verdict("filled", "0.0"), verdict("canceled", "0.1"), verdict("marginCanceled", "0.1")], [
      "filled",
      "filled",
      "filled"
    ])
  })

  it("is refused when HyperCore rejects it, whatever size it reports", () => {
    for (const remaining of ["0.25", "0.0"]) {
      for (
        const status of [
          "iocCancelRejected",
          "perpMarginRejected",
          "badAloPxRejected",
          "rejected",
          "somethingNewRejected"
        ]
      ) {
        assert.strictEqual(verdict(status, remaining), "refused", `${status} ${remaining}`)
      }
    }
  })

  it("is cancelled when it ended without a trade", () => {
    assert.deepStrictEqual([verdict("canceled", "0.25"), verdict("reduceOnlyCanceled", "0.25")], [
      "cancelled",
      "cancelled"
    ])
  })

  it("explains a refusal in a sentence, or with HyperCore's own status", () => {
    assert.deepInclude(OrderStatus.of({ status: "perpMarginRejected" }, false), {
      sentence: "the vault's margin at HyperCore does not cover it"
    })
    assert.deepInclude(OrderStatus.of({ status: "brandNewRejected" }, false), {
      sentence: "HyperCore reports brandNewRejected"
    })
  })
})

describe("a cloid", () => {
  it("is all 128 bits of the intent's id, so it is always the same", () => {
    const id = "01936f5a-0b1c-7d2e-8f30-a1b2c3d4e5f6"
    assert.strictEqual(Cloid.ofIntent(id), "0x01936f5a0b1c7d2e8f30a1b2c3d4e5f6")
    assert.strictEqual(Cloid.ofIntent(id.toUpperCase()), Cloid.ofIntent(id))
    assert.strictEqual(Cloid.parse(Cloid.ofIntent(id)), Cloid.ofIntent(id))
  })

  it("is exactly 32 hex characters", () => {
    assert.deepStrictEqual(["0x12", "01936f5a0b1c7d2e8f30a1b2c3d4e5f6", `0x${"g".repeat(32)}`, ""].map(Cloid.parse), [
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })
})
