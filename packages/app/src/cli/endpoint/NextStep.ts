/** The next step of a person at a shell after each failure of the service. */
import type { ErrorType, ValidationCode } from "@vault-trader/core/failure/Failure"

const correct = "Correct the option and run the command again."
const later = "Wait a moment and run the command again."
const operator = "Ask the operator of the service; running the command again does not help."
const plan = "Run the command again with --dry-run to see the new plan."

const nextSteps: Readonly<Record<ValidationCode | ErrorType, string>> = {
  "1000": correct,
  "1001": correct,
  "1002": "Give the wallet's current API key: vault-trader profile add NAME --replace stores it.",
  "1003": correct,
  "1004": correct,
  "1005": correct,
  "1006": "The vault's manager makes the wallet the vault's trader; then run the command again.",
  "1007": correct,
  "1008": correct,
  "1009": correct,
  "1010": correct,
  insufficient_gas: "Refill the gas wallet with native token: vault-trader balance shows what it has.",
  insufficient_balance: "Choose a smaller amount: vault-trader composition shows what the vault holds.",
  no_route: "Choose another asset, amount or platform: vault-trader capabilities lists what the network offers.",
  slippage_exceeded: plan,
  transaction_reverted: "Read the reason above, check the vault, and run the command again with --dry-run.",
  asset_not_enabled: "Choose an asset of the vault: vault-trader composition lists them.",
  venue_not_allowed: "Choose another platform: vault-trader capabilities shows which are allowed.",
  slippage_budget_exceeded: operator,
  health_factor_too_low: "Choose a smaller amount, or repay first.",
  vault_paused: "The vault is paused by its platform or its manager: ask them.",
  nothing_to_do: "There is nothing to do.",
  price_unavailable: later,
  limit_exceeded: "The key has a limit: its manager or the operator sets it.",
  position_not_found: "Check the position's id and the vault.",
  market_not_available: "vault-trader capabilities lists the markets of the network.",
  expired: plan,
  rpc_unavailable: later,
  busy: later,
  exchange_error: later,
  exchange_rejected: "Read the exchange's reason above.",
  paused: "A switch stops signing: its owner or the operator resumes it.",
  quarantined: operator,
  outcome_unknown: "Compare the transactions that are named above before you send the request again.",
  internal: operator
}

const isKnown = (code: string): code is ValidationCode | ErrorType => Object.hasOwn(nextSteps, code)

/** Returns the next step after a failure, by its error type or its code. */
export const after = (errorType: string | null, code: string | null): string =>
  [errorType, code].map((each) => each !== null && isKnown(each) ? nextSteps[each] : undefined)
    .find((step) => step !== undefined) ?? "Read the message above."
