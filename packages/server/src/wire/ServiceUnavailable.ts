/** What a caller is told when the database, or the end of this process, is the reason: a 503 that says what is certain, and no more. */
import type { Class } from "@vault-trader/core/endpoint/Endpoint"
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import { isDatabaseError } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Wire from "./Wire.ts"
import type { State } from "../gate/RequestState.ts"

/** The ledger could not say whether it holds a request under this one's idempotency key. */
export class LedgerUnknown extends Data.TaggedError("LedgerUnknown") {}

/** How a request stands: its class, whether its write has an idempotency key, and whether a commit was asked for. */
export interface Asked {
  readonly class: Class
  readonly keyed: boolean
  readonly offered: boolean
}

/** How a request of this class stands now. */
export const askedOf = (kind: Class, { name, standing }: State): Asked => ({ class: kind, keyed: name !== undefined, offered: standing !== "untouched" })

const repeat = "Repeat it with the same idempotency key: it is done once at most, and the answer is what became of it."
const look = "Look at getIntents before you make it again: without an idempotency key it may be done twice."

/** What is certain when the database fails during a request. */
const certain = ({ class: kind, keyed, offered }: Asked): string => {
  if (kind === "changesConfig") return "it is not certain whether the change was made. Look, or make it again."
  if (kind === "movesFunds" && keyed) return `it is not known whether a request with this idempotency key was accepted. ${repeat}`
  if (kind === "movesFunds" && offered) return `it is not known whether this was accepted. ${look}`
  return "nothing was accepted. Try again."
}

/** Whether the answer leaves open what became of a write. */
const isUnknown = ({ class: kind, keyed, offered }: Asked): boolean => kind === "movesFunds" && (keyed || offered)

const unavailable = (asked: Asked, why: string) =>
  Wire.error(503, `${why}; ${certain(asked)}`, isUnknown(asked) ? { status: "unknown", intent_id: null } : {})

/** The answer to a request whose handler, or whose actor, was ended on the way. */
export const ended = (asked: Asked): HttpServerResponse.HttpServerResponse =>
  unavailable({ ...asked, offered: true }, "The service ended this on the way, as it does when it is asked to end")

/** The request's deadline passed before a step of it ended. */
export class Late extends Data.TaggedError("Late") {}

/** The answer to a request whose deadline has passed. */
export const late = (asked: Asked): HttpServerResponse.HttpServerResponse =>
  unavailable({ ...asked, offered: true }, "The service did not answer in time")

const unknownIn = (cause: Cause.Cause<unknown>) =>
  [...cause.reasons.filter(Cause.isFailReason).map(({ error }) => error), ...cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)]
    .find((error) => error instanceof AcceptanceUnknown || error instanceof LedgerUnknown)

/** The answer to a request that ended so, if the database is the reason. */
export const answerOf = (asked: Asked, cause: Cause.Cause<unknown>): Option.Option<HttpServerResponse.HttpServerResponse> => {
  const unknown = unknownIn(cause)
  if (unknown instanceof LedgerUnknown) {
    return Option.some(unavailable({ ...asked, keyed: true }, "The service cannot say what became of this"))
  }
  if (unknown !== undefined) {
    const what = "The service's database went away before it confirmed this; it is not known whether it was accepted."
    const next = "Ask getIntent with this intent_id, or repeat it with the same idempotency key; without one it may be done twice."
    return Option.some(Wire.error(503, `${what} ${next}`, { status: "unknown", intent_id: unknown.id }))
  }
  return isDatabaseError(cause)
    ? Option.some(unavailable(asked, "The service's database cannot be reached at the moment"))
    : Option.none()
}
