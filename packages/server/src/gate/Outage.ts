/** What a caller is told when the database, or the end of this process, is the reason: a 503 that says what is certain, and no more. */
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type { Class } from "@vault-trader/core/endpoint/Endpoint"
import { AcceptanceUnknown } from "@vault-trader/core/intent/Acceptance"
import { isDatabaseError } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as Wire from "../endpoint/Wire.ts"

const certain: Readonly<Record<Class, string>> = {
  readOnly: "nothing was accepted. Try again.",
  // Its intent was not committed, or the failure would be another one.
  movesFunds: "nothing was accepted. Try again.",
  changesConfig: "it is not certain whether the change was made. Look, or make it again."
}

/** The answer to a request of this class whose handler, or whose actor, was ended on the way. */
export const ended = (kind: Class): HttpServerResponse.HttpServerResponse =>
  Wire.error(503, kind === "readOnly"
    ? "The service ended this on the way, as it does when it is asked to end; nothing was accepted. Try again in a moment."
    : "The service ended this on the way, as it does when it is asked to end; it is not known whether it was accepted. " +
      "Look, or repeat it with the same idempotency key; without one it may be done twice.")

const unknownIn = (cause: Cause.Cause<unknown>) =>
  [...Cause.failures(cause), ...Cause.defects(cause)].find((error) => error instanceof AcceptanceUnknown)

/** The answer to a request of this class that ended so, if the database is the reason. */
export const answerOf = (kind: Class, cause: Cause.Cause<unknown>): Option.Option<HttpServerResponse.HttpServerResponse> => {
  const unknown = unknownIn(cause)
  if (unknown !== undefined) {
    const what = "The service's database went away before it confirmed this; it is not known whether it was accepted."
    const next = "Ask getIntent with this intent_id, or repeat it with the same idempotency key; without one it may be done twice."
    return Option.some(Wire.error(503, `${what} ${next}`, { status: "unknown", intent_id: unknown.id }))
  }
  return isDatabaseError(cause)
    ? Option.some(Wire.error(503, `The service's database cannot be reached at the moment; ${certain[kind]}`))
    : Option.none()
}
