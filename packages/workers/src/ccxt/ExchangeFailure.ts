/** How asking an exchange fails, and how callers are told. ccxt's own errors end here: their text may hold URLs, keys and signatures. */
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** No answer, or none that says whether something was done: too busy, under maintenance, gone, or its clock is not ours. */
export class ExchangeUnavailable extends Data.TaggedError("ExchangeUnavailable")<{ readonly exchange: string; readonly reason: string }> {}

/** The exchange said no. Nothing was done. */
export class ExchangeRefused extends Data.TaggedError("ExchangeRefused")<{
  readonly exchange: string
  readonly kind: "credentials" | "funds" | "order" | "other"
  readonly reason: string
}> {}

/** ccxt knows no exchange of this id. */
export class UnknownExchange extends Data.TaggedError("UnknownExchange")<{ readonly exchange: string; readonly known: ReadonlyArray<string> }> {}

export type ExchangeFailure = ExchangeUnavailable | ExchangeRefused

/** The words of a foreign error, without what must not be repeated. */
export const scrubbed = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets.filter((secret) => secret.length > 0)
    .reduce((sofar, secret) => sofar.replaceAll(secret, "…"), text.replace(/\b(https?|wss?):\/\/\S+/gi, "(its address)"))
    .replace(/(signature|sign|key|secret|passphrase|token)(["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi, "$1$2…")
    .replace(/\s+/g, " ")
    .slice(0, 240)

const Answer = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
/** Where exchanges put what they say to people, and the number of it. */
const saying = ["msg", "message", "retMsg", "error_message", "reason", "detail", "error"]
const numbering = ["code", "retCode", "error_code"]

/** ccxt repeats the JSON an exchange refused with; of it people need the sentence and its number. Other text stays as it is. */
export const sentence = (text: string): string => {
  const answer = Option.getOrElse(Schema.decodeOption(Answer)(text.slice(Math.max(0, text.indexOf("{")))), (): Schema.Schema.Type<typeof Answer> => ({}))
  const said = saying.flatMap((name) => answer[name]).find((each): each is string => typeof each === "string" && each !== "")
  const number = numbering.map((name) => answer[name]).find((each) => typeof each === "string" || typeof each === "number")
  return said === undefined ? text : `${said}${number === undefined ? "" : ` (${String(number)})`}`
}

/** 2030 or 2031. */
export const told = (failure: ExchangeFailure): ExecutionFailure =>
  failure._tag === "ExchangeUnavailable"
    ? new ExecutionFailure({ errorType: "exchange_error", message: `${failure.exchange} cannot be asked: ${failure.reason} Nothing was sent; try again.` })
    : new ExecutionFailure({ errorType: "exchange_rejected", message: `${failure.exchange} refused: ${failure.reason}` })

export const unknown = ({ exchange, known }: UnknownExchange): ValidationFailure =>
  new ValidationFailure({ code: "1010", message: `exchange: '${exchange}' is not known; accepted are ${known.join(", ")}` })
