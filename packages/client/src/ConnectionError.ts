/**
 * The cause of a missing answer. `throttled`: the service refused to read the request for now. `unavailable`: it
 * answered that it cannot work. `unreadable`: the answer is not the service's. `aborted`: the caller ended the call.
 */
export type ConnectionErrorReason = "network" | "timeout" | "throttled" | "unavailable" | "unreadable" | "aborted"

const sentences: Readonly<Record<ConnectionErrorReason, string>> = {
  network: "The service could not be reached",
  timeout: "The service did not answer in time",
  throttled: "The service is throttling requests",
  unavailable: "The service cannot answer at the moment",
  unreadable: "The answer is not one of the service's",
  aborted: "The call was aborted"
}

/** No answer to a request, after all attempts. */
export class ConnectionError extends Error {
  readonly _tag = "ConnectionError"
  override readonly name = "ConnectionError"
  readonly endpoint: string
  readonly reason: ConnectionErrorReason
  /** The HTTP status of the last answer, if there was one. */
  readonly httpStatus: number | null
  /** The system's code of the failure, such as `ECONNREFUSED`. */
  readonly systemCode: string | null
  /** Seconds to wait before the next attempt, where the service named them. */
  readonly retryAfterSeconds: number | null
  /** `nothing`: the request changed nothing. `unknown`: it may have been executed, or may still be. */
  readonly outcome: "nothing" | "unknown"
  /** The id of the request in the service's ledger, where it is known. */
  readonly intentId: string | null
  /** The key under which a write was sent: repeat it with this `idempotency_key`, and it is executed at most once. */
  readonly idempotencyKey: string | null

  constructor(facts: {
    readonly endpoint: string
    readonly reason: ConnectionErrorReason
    readonly outcome: "nothing" | "unknown"
    readonly httpStatus?: number | null
    readonly systemCode?: string | null
    readonly retryAfterSeconds?: number | null
    readonly intentId?: string | null
    readonly idempotencyKey?: string | null
    readonly detail?: string | null
  }) {
    const { detail = null, httpStatus = null, idempotencyKey = null, systemCode = null } = facts
    const known = [systemCode, httpStatus === null ? null : `HTTP ${httpStatus}`, detail].filter((each) =>
      each !== null
    )
    const next = facts.outcome === "nothing"
      ? "Nothing was changed."
      : idempotencyKey === null
      ? "It is not known whether the change was made: check before you repeat it."
      : "It is not known whether it was executed: repeat it with the same idempotency_key."
    const cause = known.length === 0 ? "" : ` (${known.join(", ")})`
    super(`${facts.endpoint}: ${sentences[facts.reason]}${cause}. ${next}`)
    this.endpoint = facts.endpoint
    this.reason = facts.reason
    this.outcome = facts.outcome
    this.httpStatus = httpStatus
    this.systemCode = systemCode
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    this.intentId = facts.intentId ?? null
    this.idempotencyKey = idempotencyKey
  }
}
