/** A receiver of one's own: JSON, with an id that is the same at every attempt. */
import * as Effect from "effect/Effect"
import * as Receiver from "./Receiver.ts"

export const send: Receiver.Send = (destination, { body, id, link, repeats, title, urgent }) =>
  Receiver.outcome(Effect.gen(function*() {
    const target = yield* Receiver.urlTarget(destination)
    const token = Receiver.secretOf(destination.secrets.token)
    const response = yield* Receiver.post(
      target,
      { "idempotency-key": id, ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
      { id, title, message: body, link, urgent, may_repeat: repeats }
    )
    return Receiver.byStatus(response)
  }))
