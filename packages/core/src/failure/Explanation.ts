/** Explains reasons to callers: the error type, the sentence, whether anything moved, and the next step. */
import { type ErrorType, ExecutionFailure } from "./Failure.ts"
import type { Explained, ExplanationTable } from "./ExplanationTable.ts"
import { fundsExplanations } from "./FundsExplanations.ts"
import { marketExplanations } from "./MarketExplanations.ts"
import { outcomeExplanations } from "./OutcomeExplanations.ts"
import type { Reason } from "./Reason.ts"
import { serviceExplanations } from "./ServiceExplanations.ts"

/**
 * The statements whether anything moved. `nothingExchanged`: an exchange refused the request. `stated`: the sentence
 * says it itself.
 */
const movements = {
  nothingSent: "Nothing was sent.",
  nothingAccepted: "Nothing was accepted.",
  nothingExchanged: "Nothing was exchanged.",
  nothingMined: "Nothing of this request was mined.",
  cancelled: "Its nonce was used by an empty transaction, so it can never be mined; only that gas was spent.",
  mined: "The transaction was mined, so its gas is spent; nothing is charged.",
  reverted: "The transaction was mined and reverted, so only gas was spent.",
  unknown: "It is not known whether the change was made.",
  stated: ""
} as const
export type Moved = keyof typeof movements

const explanations: ExplanationTable<Reason> = {
  ...fundsExplanations,
  ...marketExplanations,
  ...serviceExplanations,
  ...outcomeExplanations
}

/** Returns a reason's error type, its sentence without the full stop, and the next step. */
export const describeReason = (
  reason: Reason
): { errorType: ErrorType; sentence: string; nextStep: string | undefined } => {
  // The reason is the one that its tag's line explains, which the compiler cannot follow through a union.
  const line = explanations[reason._tag] as (reason: Reason) => Explained
  const [errorType, sentence, nextStep] = line(reason)
  return { errorType, sentence, nextStep }
}

const withFullStop = (sentence: string) => sentence.endsWith(".") ? sentence : `${sentence}.`

/** Returns the failure for a reason: "<sentence>. <what moved>. <next step>". */
export const explain = (reason: Reason, moved: Moved = "nothingSent"): ExecutionFailure => {
  const { errorType, nextStep, sentence } = describeReason(reason)
  const parts = [withFullStop(sentence), movements[moved], nextStep ?? ""]
  return new ExecutionFailure({ errorType, message: parts.filter((part) => part !== "").join(" ") })
}
