import { assert, describe, it } from "@effect/vitest"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ErrorType } from "@vault-trader/core/failure/Failure"
import { meaningOf } from "../../src/perpetual/HyperCoreRevert.ts"

/** The words of the platform's guard for HyperCore, with the error type and a part of the sentence of each. */
const meanings: ReadonlyArray<readonly [reason: string, errorType: ErrorType, sentence: RegExp]> = [
  ["not whitelisted", "venue_not_allowed", /perpetual contracts/],
  ["unsupported perp", "market_not_available", /does not allow this contract/],
  ["core position not enabled", "asset_not_enabled", /account at HyperCore is not enabled/],
  ["CoreWriter not supported asset", "asset_not_enabled", /account at HyperCore is not enabled/],
  // A coin that governance has not approved; another word than for an asset that a vault has not enabled.
  ["unsupported asset", "market_not_available", /governance has not approved this coin/],
  ["USDC not supported asset", "asset_not_enabled", /USDC is not enabled in the vault/],
  ["unsupported dex id", "market_not_available", /this exchange behind HyperCore/],
  ["invalid dex id", "market_not_available", /this exchange behind HyperCore/],
  ["dh22", "asset_not_enabled", /not enabled in the vault/],
  ["slippage impact exceeded", "slippage_budget_exceeded", /budget/]
]

describe("a revert of the guard for HyperCore", () => {
  for (const [reason, errorType, sentence] of meanings) {
    it(`means ${errorType} when it says "${reason}"`, () => {
      const failure = explain(meaningOf(reason))
      assert.strictEqual(failure.errorType, errorType)
      assert.match(failure.message, sentence)
      assert.include(failure.message, `(${reason})`)
    })
  }
})
