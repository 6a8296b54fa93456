import { assert, describe, it } from "@effect/vitest"
import { describeReason } from "@vault-trader/core/failure/Explanation"
import { encodeErrorResult, type Hex, parseAbi } from "viem"
import { actions } from "../../src/ActionTable.ts"

const errorData = (reason: string): Hex =>
  encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [reason] })
const named = encodeErrorResult({ abi: parseAbi(["error BorrowCapExceeded()"]), errorName: "BorrowCapExceeded" })

describe("a revert of a lending market", () => {
  it("has the same meaning in a simulation and in a mined transaction, by number or by name", () => {
    for (const { explainRevert } of [actions.Lend, actions.Unlend, actions.Borrow, actions.Repay]) {
      const byNumber = describeReason(explainRevert(errorData("36")))
      assert.strictEqual(byNumber.errorType, "health_factor_too_low")
      assert.strictEqual(byNumber.sentence, "The vault's collateral does not cover this loan (36)")
      const byName = describeReason(explainRevert(named))
      assert.strictEqual(byName.errorType, "market_not_available")
      assert.strictEqual(byName.sentence, `The market lends no more of this asset for now (custom error ${named})`)
    }
  })

  it("knows the names of the newer versions", () => {
    const abi = parseAbi([
      "error NotBorrowableInEMode()",
      "error MustNotLeaveDust()",
      "error UserHasAssetWithZeroLtv()"
    ])
    const sentences = (["NotBorrowableInEMode", "MustNotLeaveDust", "UserHasAssetWithZeroLtv"] as const).map(
      (errorName) => describeReason(actions.Repay.explainRevert(encodeErrorResult({ abi, errorName }))).sentence
    )
    assert.match(sentences[0] ?? "", /^The market does not lend this asset in the vault's efficiency mode/)
    assert.match(sentences[1] ?? "", /^The market does not let so small a debt remain/)
    assert.match(sentences[2] ?? "", /^Collateral that cannot be borrowed against/)
  })

  it("has plain words for the errors of each market, and for a paused lenderB", () => {
    const abi = parseAbi([
      "error ReserveFrozen()",
      "error UserCannotHaveDebt()",
      "error SiloedBorrowingViolation()",
      "error PriceOracleSentinelCheckFailed()",
      "error Paused()",
      "error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)"
    ])
    const wordsOf = (data: Hex) => describeReason(actions.Lend.explainRevert(data)).sentence
    const plain = ([
      "ReserveFrozen",
      "UserCannotHaveDebt",
      "SiloedBorrowingViolation",
      "PriceOracleSentinelCheckFailed",
      "Paused"
    ] as const).map((errorName) => wordsOf(encodeErrorResult({ abi, errorName })))
    assert.match(plain[0] ?? "", /^The market has frozen this asset/)
    assert.match(plain[1] ?? "", /^The market does not let this account owe anything/)
    assert.match(plain[2] ?? "", /only to accounts that owe nothing else/)
    assert.match(plain[3] ?? "", /after its network was down/)
    assert.match(plain[4] ?? "", /^The market is paused/)
    const args = [`0x${"1".repeat(40)}`, 2n, 1n] as const
    assert.match(
      wordsOf(encodeErrorResult({ abi, errorName: "ERC4626ExceededMaxDeposit", args })),
      /^The market accepts no more of this asset/
    )
  })

  it("keeps the vault platform's meaning when it is the platform's, and has none for other actions", () => {
    assert.deepStrictEqual(
      actions.Lend.explainRevert(errorData("dh20")),
      actions.Trade.explainRevert(errorData("dh20"))
    )
    assert.strictEqual(
      describeReason(actions.Lend.explainRevert(undefined)).sentence,
      "The transaction reverts (no reason given)"
    )
    assert.strictEqual(
      describeReason(actions.Trade.explainRevert(errorData("36"))).sentence,
      "The transaction reverts (36)"
    )
  })
})
