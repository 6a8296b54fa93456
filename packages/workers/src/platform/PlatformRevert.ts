/**
 * Explains the vault platform's reverts, and what a caller can do about each. Sources: the platform's error table and
 * guards.
 */
import { type ErrorType, ExecutionFailure } from "@vault-trader/core/failure/Failure"

/** The failure's error type, and a sentence without its full stop. */
export interface Meaning {
  readonly errorType: ErrorType
  readonly sentence: string
}

const meanings: ReadonlyArray<Meaning & { readonly when: RegExp }> = [
  { when: /^dh1$/, errorType: "vault_paused", sentence: "The vault platform is paused" },
  { when: /^dh2$/, errorType: "vault_paused", sentence: "The vault's shares are paused" },
  { when: /^dh20$/, errorType: "vault_paused", sentence: "Trading is paused for this vault" },
  { when: /^dh22$/, errorType: "asset_not_enabled", sentence: "The asset is not enabled in the vault" },
  { when: /^dh23$/, errorType: "venue_not_allowed", sentence: "The platform's guard does not allow this call" },
  { when: /^dh24$/, errorType: "transaction_reverted", sentence: "The gas wallet is no longer the vault's trader" },
  {
    when: /unsupported (destination|source) asset|unsupported assets?/,
    errorType: "asset_not_enabled",
    sentence: "The asset is not enabled in the vault"
  },
  {
    when: /borrowing asset exists/,
    errorType: "venue_not_allowed",
    sentence: "The platform lets a vault owe one asset at a time; repay the other first"
  },
  {
    when: /health factor too low/,
    errorType: "health_factor_too_low",
    sentence: "The health factor would fall below the platform's own floor"
  },
  {
    when: /uniswap asset not enabled/,
    errorType: "asset_not_enabled",
    sentence: "Uniswap's position manager is not enabled as an asset of the vault"
  },
  {
    when: /position is not in track/,
    errorType: "position_not_found",
    sentence: "The position was not made by the vault"
  },
  {
    when: /too many uni v3 positions/,
    errorType: "transaction_reverted",
    sentence: "The vault has as many positions as the platform allows; remove one first, or add to one"
  },
  {
    when: /Uni v3 LP price mismatch/,
    errorType: "slippage_exceeded",
    sentence: "The pool's price is too far from the vault's oracle"
  },
  {
    when: /Price slippage check/,
    errorType: "slippage_exceeded",
    sentence: "The pool's price moved beyond the allowed slippage"
  },
  {
    when: /unsupported spender/,
    errorType: "venue_not_allowed",
    sentence: "The platform does not allow approvals to this venue"
  },
  {
    when: /slippage impact exceeded/,
    errorType: "slippage_budget_exceeded",
    sentence: "The vault's slippage budget of the last 24 hours is spent; it recovers with time"
  },
  {
    when:
      /Too little received|Too much requested|[Rr]eturn ?[Aa]mount ?[Ii]s ?[Nn]ot ?[Ee]nough|Slippage Limit Exceeded/,
    errorType: "slippage_exceeded",
    sentence: "The price moved beyond the allowed slippage"
  },
  {
    when: /Chainlink price (expired|is stale)|Price get failed|Price not available|Price aggregator not found/i,
    errorType: "price_unavailable",
    sentence: "The vault's oracle has no fresh price for an asset"
  },
  {
    when:
      /^STF$|ERC20Insufficient(Balance|Allowance)|transfer amount exceeds (balance|allowance)|insufficient allowance/,
    errorType: "insufficient_balance",
    sentence: "The vault's balance or allowance is not enough"
  }
]

/** Returns the meaning of a revert reason. */
export const meaningOf = (reason: string): Meaning => {
  const meaning = meanings.find(({ when }) => when.test(reason))
  return {
    errorType: meaning?.errorType ?? "transaction_reverted",
    sentence: `${meaning?.sentence ?? "The transaction reverts"} (${reason})`
  }
}

/** States whether a transaction was mined. */
type Moved = "nothing was sent" | "the transaction was mined and reverted, so only gas was spent"

export const failureOf = ({ errorType, sentence }: Meaning, moved: Moved): ExecutionFailure =>
  new ExecutionFailure({ errorType, message: `${sentence}; ${moved}.` })

/** Returns the failure for a revert reason. */
export const explain = (reason: string, moved: Moved): ExecutionFailure => failureOf(meaningOf(reason), moved)
