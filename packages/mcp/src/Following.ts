/** Follows an accepted request until its outcome is known, or for some seconds. */
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Answer } from "./ServiceClient.ts"
import { ServiceClient } from "./ServiceClient.ts"

/** Time for which a call waits for an outcome. With the service's own time it is less than clients wait for a tool. */
const outcomeTimeout = Duration.seconds(25)
const pollPause = Duration.seconds(2)

type Json = Readonly<Record<string, unknown>>

/** Returns an endpoint of the catalogue. Dies when there is none: names here are part of the service. */
export const endpoint = (name: string): Effect.Effect<EndpointFacts> => {
  const found = endpoints.find((facts) => facts.name === name)
  return found === undefined ? Effect.die(new Error(`there is no endpoint ${name}`)) : Effect.succeed(found)
}

class StillPending extends Data.TaggedError("StillPending") {}

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the answer of the endpoint, as getIntent reports it; undefined while it is pending. */
const outcomeOf = ({ fields }: Answer): Answer | undefined => {
  const intent = fields["intent"]
  if (!isRecord(intent)) return undefined
  const { failure, intent_id, message, result, status, tx_hash } = intent
  if (status === "success") {
    const about = { status, intent_id, tx_hash, message }
    return { httpStatus: 200, fields: { ...(isRecord(result) ? result : {}), ...about } }
  }
  if (status !== "fail") return undefined
  return { httpStatus: 400, fields: { message, ...(isRecord(failure) ? failure : {}), status, intent_id, tx_hash } }
}

/** Returns the outcome of a pending answer; the answer itself, with the tool to follow it, if it takes longer. */
export const outcome = (answer: Answer): Effect.Effect<Answer, never, ServiceClient> => {
  const { intent_id: id, status } = answer.fields
  if (status !== "pending") return Effect.succeed(answer)
  const followed = {
    ...answer,
    fields: { ...answer.fields, follow_with: typeof id === "string" ? "getIntent" : "getIntents" }
  }
  if (typeof id !== "string") return Effect.succeed(followed)
  const poll = Effect.gen(function*() {
    const { call } = yield* ServiceClient
    const found = outcomeOf(yield* call(yield* endpoint("getIntent"), { intent_id: id }))
    return found ?? (yield* new StillPending())
  })
  return poll.pipe(
    Effect.retry(Schedule.spaced(pollPause)),
    Effect.timeoutOrElse({ duration: outcomeTimeout, orElse: () => Effect.succeed(followed) }),
    Effect.orElseSucceed(() => followed)
  )
}
