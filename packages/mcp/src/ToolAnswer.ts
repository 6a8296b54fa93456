/** The results of tools: the service's answer as structured content, and a short text. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import type { ErrorType, ValidationCode } from "@vault-trader/core/failure/Failure"
import * as NextSteps from "@vault-trader/core/failure/NextSteps"
import type { Answer, NoAnswer } from "./ServiceClient.ts"

type Json = Readonly<Record<string, unknown>>

/** The next step after each failure. */
const nextSteps = NextSteps.nextSteps({
  correct: "Correct the argument and call the tool again.",
  plan: "Call the tool without a confirmation to get a new plan.",
  later: "Wait a moment, then start again with a new plan.",
  person: "Ask the person who runs this service or owns the wallet; repeating the call does not help.",
  key: "The API key of this server is not valid, or does not allow this: its operator configures another one.",
  limit: "The key has a limit: ask the person who owns the wallet, or choose a smaller amount.",
  read: (endpoint) => endpoint
})

const isKnown = (code: string): code is ValidationCode | ErrorType => Object.hasOwn(nextSteps, code)

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
