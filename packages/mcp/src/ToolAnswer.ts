/** The results of tools: the service's answer as structured content, and a short text. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import type { ErrorType, ValidationCode } from "@vault-trader/core/failure/Failure"
import type { Answer, NoAnswer } from "./ServiceClient.ts"

type Json = Readonly<Record<string, unknown>>

const correct = "Correct the argument and call the tool again."
const planAgain = "Call the tool without a confirmation to get a new plan."
const later = "Wait a moment, then start again with a new plan."
const person = "Ask the person who runs this service or owns the wallet; repeating the call does not help."

/** The next step after each failure. */
const nextSteps: Readonly<Record<ValidationCode | ErrorType, string>> = {
  "1000": correct,
  "1001": correct,
  "1002": "The API key of this server is not valid: its operator must configure the wallet's current key.",
  "1003": correct,
  "1004": correct,
  "1005": correct,
  "1006": "The vault's manager must make the wallet the vault's trader; repeating the call does not help.",
  "1007": correct,
  "1008": correct,
  "1009": correct,
  "1010": correct,
  insufficient_gas: "The gas wallet needs more native token: see getGasBalance, and ask its owner to refill it.",
  insufficient_balance: "Read poolComposition and choose a smaller amount.",
  no_route: "Choose another asset, amount or platform; getCapabilities lists what the network offers.",
  slippage_exceeded: planAgain,
  transaction_reverted: "Read the message, check the vault's state, then start with a new plan.",
  asset_not_enabled: "The vault does not hold this asset; poolComposition lists those that it does.",
  venue_not_allowed: "Choose another platform; getCapabilities says which are allowed.",
  slippage_budget_exceeded: person,
  health_factor_too_low: "Choose a smaller amount, or repay first; see lenderAV3_getHealthFactor.",
  vault_paused: person,
  nothing_to_do: "There is nothing to do.",
  price_unavailable: later,
  limit_exceeded: person,
  position_not_found: "Check the position's id and the vault, then call the tool again.",
  market_not_available: "getCapabilities lists the markets of the network.",
  expired: planAgain,
  rpc_unavailable: later,
  busy: later,
  exchange_error: later,
  exchange_rejected: "Read the exchange's reason in the message before you try again.",
  paused: person,
  quarantined: person,
  outcome_unknown: person,
  internal: person
}

const isKnown = (code: string): code is ValidationCode | ErrorType => code in nextSteps

/** Returns the next step after a failure. */
export const nextStep = (code: string): string => isKnown(code) ? nextSteps[code] : "Read the message."

/** Builds a result: the sentence for people, the content as text for clients that show no structured content. */
const result = (sentence: string, content: Json, isError: boolean): CallToolResult => ({
  content: [{ type: "text", text: sentence }, { type: "text", text: JSON.stringify(content) }],
  structuredContent: content,
  isError
})

export const succeeded = (sentence: string, content: Json): CallToolResult => result(sentence, content, false)

interface Failure {
  readonly code: string
  readonly message: string
  readonly next: string
  /** Further fields of the service's answer. */
  readonly details?: Json
}

export const failed = ({ code, details, message, next }: Failure): CallToolResult =>
  result(`${message} ${next}`, { ...details, status: "fail", code, message, next_step: next }, true)

/** The result of a call that this server did not send. */
export const refused = (code: string, message: string, next: string): CallToolResult => failed({ code, message, next })

/** The result without an answer of the service. */
export const unanswered = ({ intentId, message, next, refused }: NoAnswer): CallToolResult =>
  failed({
    code: refused ? "not_accepted" : "no_answer",
    message,
    next,
    ...(intentId === undefined ? {} : { details: { intent_id: intentId } })
  })

const textOf = (value: unknown, fallback: string): string =>
  typeof value === "string" && value !== "" ? value : fallback

/** Returns the result of an answer that is a failure; undefined for every other answer. */
export const failureOf = ({ fields }: Answer): CallToolResult | undefined => {
  if (fields["status"] === "success" || fields["status"] === "pending") return undefined
  const code = textOf(fields["status_code"], "unknown")
  const reason = textOf(fields["error_type"], code)
  const { message, status: _, status_code: __, ...details } = fields
  return failed({
    code,
    message: textOf(message, "The service did not say what failed."),
    next: nextStep(reason),
    details
  })
}

/** Returns the result of an answer: its message, or a sentence about it. */
export const of = (answer: Answer, name: string): CallToolResult =>
  failureOf(answer) ?? succeeded(textOf(answer.fields["message"], `${name} answered.`), answer.fields)
