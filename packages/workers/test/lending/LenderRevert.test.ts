import { assert, describe, it } from "@effect/vitest"
import { encodeErrorResult, type Hex, parseAbi } from "viem"
import { actions } from "../../src/Workers.ts"

const said = (reason: string): Hex => encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [reason] })
const named = encodeErrorResult({ abi: parseAbi(["error BorrowCapExceeded()"]), errorName: "BorrowCapExceeded" })

describe("a revert of a lending market", () => {
  it("means the same after it was mined as before it was sent, by number or by name", () => {
    for (const { explainRevert } of [actions.Lend, actions.Unlend, actions.Borrow, actions.Repay]) {
      assert.deepStrictEqual(explainRevert(said("36")), { errorType: "health_factor_too_low", sentence: "The vault's collateral does not cover this loan (36)" })
      assert.deepStrictEqual(explainRevert(named), { errorType: "market_not_available", sentence: `The market lends no more of this asset for now (custom error ${named})` })
    }
  })

  it("means what it means to the vault platform where it is the platform's, and nothing to other actions", () => {
    assert.deepStrictEqual(actions.Lend.explainRevert(said("dh20")), actions.Trade.explainRevert(said("dh20")))
    assert.strictEqual(actions.Lend.explainRevert(undefined).sentence, "The transaction reverts (no reason given)")
    assert.strictEqual(actions.Trade.explainRevert(said("36")).sentence, "The transaction reverts (36)")
  })
})
