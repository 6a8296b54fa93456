/** The next step after each failure, in the words of its reader: a person at a shell, or an agent. */
import type { ErrorType, ValidationCode } from "./Failure.ts"

/** The words of a reader. */
export interface Voice {
  /** After a parameter that is wrong. */
  readonly correct: string
  /** After a plan that is out of date. */
  readonly plan: string
  /** After a failure that ends by itself. */
  readonly later: string
  /** After a failure that only the operator or the owner of the wallet can end. */
  readonly person: string
  /** After a key that is not valid, or does not allow the request. */
  readonly key: string
  /** After a limit of the key. */
  readonly limit: string
  /** Names the read of an endpoint as the reader calls it. */
  readonly read: (endpoint: "getGasBalance" | "poolComposition" | "getCapabilities" | "getGuardians") => string
}

/** Returns the next steps in these words. */
export const nextSteps = (
  { correct, key, later, limit, person, plan, read }: Voice
): Readonly<Record<ValidationCode | ErrorType, string>> => ({
  "1000": correct,
  "1001": correct,
  "1002": key,
  "1003": correct,
  "1004": correct,
  "1005": correct,
  "1006": "The vault's manager makes the wallet the vault's trader; until then a repetition does not help.",
  "1007": correct,
  "1008": correct,
  "1009": correct,
  "1010": correct,
  insufficient_gas: `The gas wallet needs native token, from its owner: ${read("getGasBalance")} shows what it has.`,
  insufficient_balance: `Choose a smaller amount: ${read("poolComposition")} shows what the vault holds.`,
  no_route: `Choose another asset, amount or platform: ${read("getCapabilities")} lists what the network offers.`,
  slippage_exceeded: plan,
  transaction_reverted: `Read the message and check the vault. ${plan}`,
  asset_not_enabled: `Choose an asset of the vault: ${read("poolComposition")} lists them.`,
  venue_not_allowed: `Choose another platform: ${read("getCapabilities")} shows which are allowed.`,
  slippage_budget_exceeded: person,
  health_factor_too_low: "Choose a smaller amount, or repay first.",
  vault_paused: "The vault is paused by its platform or its manager: ask them.",
  nothing_to_do: "There is nothing to do.",
  price_unavailable: later,
  limit_exceeded: limit,
  position_not_found: "Check the position's id and the vault.",
  market_not_available: `Choose another market: ${read("getCapabilities")} lists those of the network.`,
  expired: plan,
  rpc_unavailable: later,
  busy: later,
  exchange_error: later,
  exchange_rejected: "Read the exchange's reason in the message before you try again.",
  paused: "A switch stops signing: its owner or the operator resumes it.",
  quarantined: person,
  outcome_unknown: "Compare the transactions that the message names before the request is sent again.",
  guardian_hold: `Wait until the vault's guardians let trades pass: ${read("getGuardians")} shows what they wait for.`,
  internal: person
})
