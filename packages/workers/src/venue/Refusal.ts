/** Reads why a venue's API refuses a request, and how long it is then not called. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A response other than HTTP 200. */
export interface Refusal {
  readonly status: number
  readonly text: string
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined
}

/** How long a venue is not called after HTTP 429 without a usable `Retry-After`, in seconds. */
const defaultPauseSeconds = 30
/** The longest pause; also the pause after a quota that is used up, of which nothing says when it begins again. */
const maxPauseSeconds = 600
/** How long a venue is not called after it said that the service is banned, in seconds. */
const banSeconds = 86_400

/** Matches responses that mention a quota. For other refusals it is unknown whether waiting helps: they cause no pause. */
const aboutQuota = /quota|limit|exceed|too many|credit|usage/i
/** Matches responses that say the service is banned. "Forbidden" alone does not: a wrong key causes that, too. */
const aboutBan = /\b(?:banned|blacklist(?:ed)?|blocked|suspended)\b/i

const isDenied = ({ status }: Refusal) => status === 401 || status === 403
const saysBanned = (refusal: Refusal) => (isDenied(refusal) || refusal.status === 429) && aboutBan.test(refusal.text)
const saysQuota = (refusal: Refusal) => isDenied(refusal) && aboutQuota.test(refusal.text)

/** Returns the seconds until the time of a `Retry-After`: a number of seconds, or an HTTP date. */
const secondsUntil = (retryAfter: string, now: number): number | undefined => {
  const text = retryAfter.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.ceil((date - now) / 1000)
}

/** How long a venue is not called. `caller`: for the wallet whose request was refused; others may have room left. */
export interface Pause {
  readonly of: "caller" | "everyone"
  readonly seconds: number
}

/**
 * Returns for how long the venue is not called, and for whom; `undefined` when the next request may call it again. A
 * ban and a used-up quota concern the operator's key, and so everyone. `now`: unix milliseconds.
 */
export const pauseOf = (refusal: Refusal, now: number): Pause | undefined => {
  if (saysBanned(refusal)) return { of: "everyone", seconds: banSeconds }
  const isQuota = saysQuota(refusal)
  if (refusal.status !== 429 && !isQuota) return undefined
  const requested = refusal.retryAfter === undefined ? undefined : secondsUntil(refusal.retryAfter, now)
  const seconds = requested ?? (isQuota ? maxPauseSeconds : defaultPauseSeconds)
  return { of: isQuota ? "everyone" : "caller", seconds: Math.min(maxPauseSeconds, Math.max(1, seconds)) }
}

const Complaint = Schema.fromJsonString(Schema.Struct({
  description: Schema.optional(Schema.String),
  detail: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String)
}))

/** Returns the API's own error text in one short line, with a leading ": ", or an empty string. */
const complaintOf = (text: string): string => {
  const { description, detail, message } = Option.getOrElse(
    Schema.decodeUnknownOption(Complaint)(text),
    (): typeof Complaint.Type => ({})
  )
  const detailText = (description ?? detail ?? message ?? "").replace(/[^\x20-\x7e]/g, " ").trim().slice(0, 120)
  return detailText === "" ? "" : `: ${detailText}`
}

/** Words the refusal for people. */
export const reasonOf = (refusal: Refusal): string => {
  const status = `HTTP ${refusal.status}${complaintOf(refusal.text)}`
  if (saysBanned(refusal)) return `its API has banned this service (${status})`
  if (refusal.status === 429) return `its API has received too many requests (${status})`
  if (saysQuota(refusal)) return `its API's quota is used up (${status})`
  if (isDenied(refusal)) return `its API denies access (${status})`
  return refusal.status >= 500 ? `its API failed (${status})` : `its API refuses (${status})`
}
