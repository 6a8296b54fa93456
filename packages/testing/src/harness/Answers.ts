/** Assertions about whole answers: a success, a refusal with its code and message, or an intent that ends later. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Answer, Fields, Request } from "./Harness.ts"
import { until } from "./Until.ts"

/** Asserts a success and returns its fields. */
export const succeeded = ({ fields, status, text }: Answer): Fields => {
  assert.deepStrictEqual([status, fields["status"]], [200, "success"], text)
  return fields
}

/** Asserts a validation failure with this code and message. */
export const refused = ({ fields, status, text }: Answer, code: string, saying: RegExp) => {
  assert.deepStrictEqual([status, fields["status"], fields["status_code"]], [200, "fail", code], text)
  assert.match(String(fields["message"]), saying)
}

/** Polls getIntent until the request is no longer pending, and returns its fields. A poll may stay unanswered. */
export const ended = (
  ask: (path: string, request: Request) => Effect.Effect<Answer>,
  apiKey: string,
  id: unknown
): Effect.Effect<Fields> =>
  until(
    `the end of intent ${String(id)}`,
    Effect.map(ask("/getIntent", { query: { apiKey, intent_id: String(id) } }), ({ fields }) => {
      const intent = fields["intent"] as Fields | undefined
      return intent === undefined || intent["status"] === "pending" ? undefined : intent
    })
  )
