import { assert, describe, it } from "@effect/vitest"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ErrorType } from "@vault-trader/core/failure/Failure"
import * as FastCheck from "fast-check"
import { encodeErrorResult, parseAbi } from "viem"
import { reasonOf } from "../../src/chain/Revert.ts"
import { meaningOf } from "../../src/platform/PlatformRevert.ts"

const sent = "The transaction was mined and reverted, so only gas was spent"

/** Revert reasons of the platform, its guards, the router and the tokens, with the error type of each. */
const meanings: ReadonlyArray<readonly [reason: string, errorType: ErrorType]> = [
  ["dh1", "vault_paused"],
  ["dh2", "vault_paused"],
  ["dh3", "transaction_reverted"],
  ["dh7", "market_not_available"],
  ["dh10", "transaction_reverted"],
  ["dh12", "insufficient_balance"],
  ["dh17", "transaction_reverted"],
  ["dh26", "slippage_exceeded"],
  ["dh32", "market_not_available"],
  ["dh36", "transaction_reverted"],
  ["max position reached", "transaction_reverted"],
  ["Uni v3 price ratio out of bounds", "slippage_exceeded"],
  ["Compound not enabled", "asset_not_enabled"],
  ["unsupported withdrawal asset", "asset_not_enabled"],
  ["dh20", "vault_paused"],
  ["dh22", "asset_not_enabled"],
  ["dh23", "venue_not_allowed"],
  ["dh24", "transaction_reverted"],
  ["unsupported destination asset", "asset_not_enabled"],
  ["unsupported source asset", "asset_not_enabled"],
  ["unsupported assets", "asset_not_enabled"],
  ["unsupported asset: tokenA", "asset_not_enabled"],
  ["unsupported spender approval", "venue_not_allowed"],
  ["slippage impact exceeded", "slippage_budget_exceeded"],
  ["0 src amount", "no_route"],
  ["exchange pool not supported", "no_route"],
  ["uniV2 pool invalid", "no_route"],
  ["uniV3 pool invalid", "no_route"],
  ["BadPool()", "no_route"],
  ["direction mismatch", "no_route"],
  ["fees not supported", "no_route"],
  ["recipient is not pool", "venue_not_allowed"],
  ["Too little received", "slippage_exceeded"],
  ["Too much requested", "slippage_exceeded"],
  ["Chainlink price expired", "price_unavailable"],
  ["Price get failed", "price_unavailable"],
  ["Price not available", "price_unavailable"],
  ["Price aggregator not found", "price_unavailable"],
  ["STF", "insufficient_balance"],
  ["ERC20: transfer amount exceeds balance", "insufficient_balance"],
  ["ERC20: transfer amount exceeds allowance", "insufficient_balance"],
  ["ERC20: insufficient allowance", "insufficient_balance"],
  ["ERC20InsufficientBalance(0x00000000000000000000000000000000000000AA, 1, 2)", "insufficient_balance"],
  ["ERC20InsufficientAllowance(0x00000000000000000000000000000000000000AA, 1, 2)", "insufficient_balance"]
]

describe("a revert of the platform", () => {
  for (const [reason, errorType] of meanings) {
    it(`means ${errorType} when it says "${reason}"`, () => {
      const { message, ...failure } = explain(meaningOf(reason))
      assert.strictEqual(failure.errorType, errorType)
      assert.match(message, /^[A-Z].*\.$/)
      assert.include(message, `(${reason}). Nothing was sent.`)
      assert.isFalse(message.startsWith("The transaction reverts ("), "a known revert has a sentence of its own")
    })
  }

  it("by 1inch's guard says what the caller can do next", () => {
    for (const reason of ["0 src amount", "exchange pool not supported", "uniV2 pool invalid", "uniV3 pool invalid"]) {
      assert.match(explain(meaningOf(reason)).message, /Nothing was sent\. Repeat the request: .* other venues\.$/)
    }
    for (const reason of ["direction mismatch", "fees not supported"]) {
      assert.match(explain(meaningOf(reason), "reverted").message, /only gas was spent\. Repeat the request: /)
    }
    assert.strictEqual(
      explain({ ...meaningOf("recipient is not pool"), venue: "1inch" }).message,
      "1inch: The call pays another address than the vault, which the vault platform does not allow (recipient is not " +
        "pool). Nothing was sent. Use another venue, and report this one to the service's operator."
    )
  })

  it("names its own reason and no other when one begins like another", () => {
    for (
      const reason of [
        "10 src amount",
        "0 src amounts",
        "BadPool",
        "dh0",
        "dh37",
        "constructor",
        "dh200",
        "dh240",
        "xdh1",
        "STFU"
      ]
    ) {
      const failure = explain(meaningOf(reason))
      assert.strictEqual(failure.errorType, "transaction_reverted")
      assert.strictEqual(failure.message, `The transaction reverts (${reason}). Nothing was sent.`)
    }
  })

  it("has a meaning for each of the platform's published codes", () => {
    for (let code = 1; code <= 36; code += 1) {
      assert.notStrictEqual(meaningOf(`dh${code}`).meaning, "unrecognized", `dh${code}`)
    }
  })

  it("says whether anything was mined", () => {
    assert.strictEqual(
      explain(meaningOf("dh20"), "reverted").message,
      "Trading is paused for this vault (dh20). The transaction was mined and reverted, so only gas was spent."
    )
  })

  it("is decoded from the bytes in a node's answer", () => {
    const data = encodeErrorResult({
      abi: parseAbi(["error Error(string)"]),
      errorName: "Error",
      args: ["slippage impact exceeded"]
    })
    assert.strictEqual(explain(meaningOf(reasonOf(data)), "reverted").errorType, "slippage_budget_exceeded")
    assert.strictEqual(
      explain(meaningOf(reasonOf("0x")), "reverted").message,
      `The transaction reverts (no reason given). ${sent}.`
    )
    assert.strictEqual(
      explain(meaningOf(reasonOf("0xcafebabe")), "reverted").message,
      `The transaction reverts (custom error 0xcafebabe). ${sent}.`
    )
  })

  it("keeps the reason in the message whatever it is", () =>
    FastCheck.assert(FastCheck.property(FastCheck.string(), (reason) => {
      assert.include(explain(meaningOf(reason)).message, `(${reason})`)
    })))
})
