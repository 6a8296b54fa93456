/** Reads the service's answers: boxed fields, failures, and what is no answer. */
import type { ConnectionErrorReason } from "./ConnectionError.ts"
import type { Fields } from "./Endpoint.ts"

/** The part of fetch's response that is read. */
export interface HttpResponse {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
}

/** An attempt without a final answer. */
export interface NoAnswer {
  readonly _tag: "NoAnswer"
  readonly reason: ConnectionErrorReason
  /** False when the service certainly did not read the request. */
  readonly sent: boolean
  readonly httpStatus: number | null
  readonly systemCode: string | null
  readonly retryAfterSeconds: number | null
  readonly intentId: string | null
  /** The service's message, where it sent one. */
  readonly detail: string | null
}

/** The service's answer. `fields` are unboxed. */
export interface Answered {
  readonly _tag: "Answered"
  readonly httpStatus: number
  readonly fields: Fields
}

export const noAnswer = (
  reason: ConnectionErrorReason,
  facts: Partial<Omit<NoAnswer, "_tag" | "reason">> = {}
): NoAnswer => ({
  _tag: "NoAnswer",
  reason,
  sent: reason !== "throttled",
  httpStatus: null,
  systemCode: null,
  retryAfterSeconds: null,
  intentId: null,
  detail: null,
  ...facts
})

export const textOr = <A>(value: unknown, other: A): string | A => typeof value === "string" ? value : other

/**
 * Takes each field out of its one-element array, one level deep: a field that is a list is a list in such an array.
 * Failures of execution come without these arrays.
 */
export const unbox = (body: Fields): Fields =>
  Array.isArray(body["status"])
    ? Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        Array.isArray(value) && value.length === 1 ? value[0] as unknown : value
      ])
    )
    : body

/** Returns the fields of an answer besides its status. */
export const withoutStatus = ({ status: _, ...fields }: Fields): Fields => fields

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : undefined
  } catch {
    return undefined
  }
}

/** Reads a Retry-After header: seconds, or a date. */
const retryAfterOf = (text: string | null): number | null => {
  if (text === null) return null
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

/** Interprets a response. */
export const interpret = async (response: HttpResponse): Promise<Answered | NoAnswer> => {
  const { headers, status: httpStatus } = response
  const retryAfterSeconds = retryAfterOf(headers.get("retry-after"))
  const body = parse(await response.text())
  // A throttled request was not read; the service sends HTML and Retry-After.
  if (httpStatus === 429 || (httpStatus === 503 && body === undefined && retryAfterSeconds !== null)) {
    return noAnswer("throttled", { httpStatus, retryAfterSeconds })
  }
  if (httpStatus >= 500) {
    return noAnswer("unavailable", {
      httpStatus,
      retryAfterSeconds,
      intentId: textOr(body?.["intent_id"], null),
      detail: textOr(body?.["message"], null)
    })
  }
  const fields = body === undefined ? {} : unbox(body)
  return fields["status"] === "success" || fields["status"] === "pending" || fields["status"] === "fail"
    ? { _tag: "Answered", httpStatus, fields }
    : noAnswer("unreadable", { httpStatus })
}
