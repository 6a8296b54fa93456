/** Builds the 503 responses for a failing database or a shutdown of this process. They state only what is certain. */
import type { Class } from "@vault-trader/core/endpoint/Endpoint"
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import { isDatabaseError } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type { AnswerForm } from "./AnswerForm.ts"
import * as Wire from "./Wire.ts"
import type { State } from "./RequestState.ts"

/** The ledger could not be read for a request with this one's idempotency key. */
export class LedgerUnknown extends Data.TaggedError("LedgerUnknown") {}

/**
 * The state of a request: its class, if its write has an idempotency key, if a commit was requested, and the accepted
 * intent.
 */
export interface RequestProgress {
  readonly class: Class
  readonly keyed: boolean
  readonly offered: boolean
  readonly intentId?: string | undefined
  /** The form of the response; boxed if unset. */
  readonly form?: AnswerForm | undefined
}

/** Returns the current state of a request of this class. */
export const progressOf = (kind: Class, { intentId, name, standing }: State, form?: AnswerForm): RequestProgress => ({
  class: kind,
  form,
  keyed: name !== undefined,
  offered: standing !== "untouched",
  intentId
})

const repeat =
  "Repeat it with the same idempotency key: it is executed at most once, and the response reports its outcome."
const check = "Check getIntents before you repeat it: without an idempotency key it may be executed twice."

/** Describes what is certain when the database fails during a request. */
const certain = ({ class: kind, keyed, offered }: RequestProgress): string => {
  if (kind === "changesConfig") return "it is not certain whether the change was made. Check, or repeat it."
  if (kind === "movesFunds" && keyed) {
    return `it is not known whether a request with this idempotency key was accepted. ${repeat}`
  }
  if (kind === "movesFunds" && offered) return `it is not known whether this was accepted. ${check}`
  return "nothing was accepted. Try again."
}

/** Returns true if the response leaves the outcome of a write open. */
const isUnknown = ({ class: kind, keyed, offered }: RequestProgress): boolean =>
  kind === "movesFunds" && (keyed || offered)

const unavailable = (progress: RequestProgress, why: string) =>
  progress.intentId === undefined
    ? Wire.error(503, `${why}; ${certain(progress)}`, isUnknown(progress) ? { status: "unknown", intent_id: null } : {})
    : Wire.success({
      status: "pending",
      intent_id: progress.intentId,
      tx_hash: null,
      message: `Accepted. ${why}, so the outcome is not known yet. Call getIntent for the outcome.`
    }, progress.form)

/** The response to a request whose handler or actor was interrupted. */
export const ended = (progress: RequestProgress): HttpServerResponse.HttpServerResponse =>
  unavailable({ ...progress, offered: true }, "The service is shutting down")

/** The request's deadline passed during one of its steps. */
export class Late extends Data.TaggedError("Late") {}

/** The response to a request whose deadline has passed. */
export const late = (progress: RequestProgress): HttpServerResponse.HttpServerResponse =>
  unavailable({ ...progress, offered: true }, "The service did not answer in time")

const unknownIn = (cause: Cause.Cause<unknown>) =>
  [
    ...cause.reasons.filter(Cause.isFailReason).map(({ error }) => error),
    ...cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  ]
    .find((error) => error instanceof AcceptanceUnknown || error instanceof LedgerUnknown)

/** Returns the response for this cause if it comes from the database. */
export const answerOf = (
  progress: RequestProgress,
  cause: Cause.Cause<unknown>
): Option.Option<HttpServerResponse.HttpServerResponse> => {
  const unknown = unknownIn(cause)
  if (unknown instanceof LedgerUnknown) {
    return Option.some(
      unavailable({ ...progress, keyed: true }, "The service does not know the outcome of this request")
    )
  }
  if (unknown !== undefined) {
    const what =
      "The connection to the service's database was lost before it confirmed this; it is not known whether it was accepted."
    const next =
      "Call getIntent with this intent_id, or repeat it with the same idempotency key; without a key it may be executed twice."
    return Option.some(Wire.error(503, `${what} ${next}`, { status: "unknown", intent_id: unknown.id }))
  }
  return isDatabaseError(cause)
    ? Option.some(unavailable(progress, "The service's database cannot be reached at the moment"))
    : Option.none()
}
