/**
 * The failures of exchange requests and their messages. ccxt's errors stop here: their text may contain URLs, keys and
 * signatures.
 */
import { explain, type Moved } from "@vault-trader/core/failure/Explanation"
import { type ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** No response, or one that leaves the outcome open: overload, maintenance, outage, or a clock difference. */
export class ExchangeUnavailable
  extends Data.TaggedError("ExchangeUnavailable")<{ readonly exchange: string; readonly reason: string }>
{}

/** The exchange refused the request. Nothing was done. */
export class ExchangeRefused extends Data.TaggedError("ExchangeRefused")<{
  readonly exchange: string
  readonly kind: "credentials" | "funds" | "order" | "other"
  readonly reason: string
}> {}

/** ccxt knows no exchange of this id. */
export class UnknownExchange
  extends Data.TaggedError("UnknownExchange")<{ readonly exchange: string; readonly known: ReadonlyArray<string> }>
{}

export type ExchangeFailure = ExchangeUnavailable | ExchangeRefused

/** Redacts URLs, secrets and signatures from a foreign error's text, and truncates it. */
export const redact = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets.filter((secret) => secret.length > 0)
    .reduce(
      (sofar, secret) => sofar.replaceAll(secret, "…"),
      text.replace(/\b(https?|wss?):\/\/\S+/gi, "(its address)")
    )
    .replace(/(signature|sign|key|secret|passphrase|token)(["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi, "$1$2…")
    .replace(/\s+/g, " ")
    .slice(0, 240)

const Answer = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
/** JSON fields in which exchanges return an error's text, and its number. */
const textFields = ["msg", "message", "retMsg", "error_message", "reason", "detail", "error"]
const numberFields = ["code", "retCode", "error_code"]

/**
 * Extracts the text and the number from the JSON of a refusal, which ccxt includes in its error. Other text is returned
 * unchanged.
 */
export const sentence = (text: string): string => {
  const answer = Option.getOrElse(
    Schema.decodeOption(Answer)(text.slice(Math.max(0, text.indexOf("{")))),
    (): Schema.Schema.Type<typeof Answer> => ({})
  )
  const message = textFields.flatMap((name) => answer[name]).find((each): each is string =>
    typeof each === "string" && each !== ""
  )
  const number = numberFields.map((name) => answer[name]).find((each) =>
    typeof each === "string" || typeof each === "number"
  )
  return message === undefined ? text : `${message}${number === undefined ? "" : ` (${String(number)})`}`
}

/**
 * Converts a failure to the caller's: 2030 when the outcome is open, 2031 when the exchange refused. `moved` states
 * what had moved by then.
 */
export const explainFailure = (failure: ExchangeFailure, moved: Moved = "nothingSent"): ExecutionFailure =>
  explain({ _tag: failure._tag, exchange: failure.exchange, detail: failure.reason }, moved)

export const unknownExchange = ({ exchange, known }: UnknownExchange): ValidationFailure =>
  new ValidationFailure({
    code: "1010",
    message: `exchange: '${exchange}' is not known; accepted are ${known.join(", ")}`
  })
