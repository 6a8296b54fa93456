/** What tests expect of an answer as a whole: that it succeeded, was refused by a code and in words, or comes to its end later. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Answer, Fields, Request } from "./Harness.ts"
import { until } from "./Until.ts"

/** The fields of a success. */
export const succeeded = ({ fields, status, text }: Answer): Fields => {
  assert.deepStrictEqual([status, fields["status"]], [200, "success"], text)
  return fields
}

/** A validation failure. */
export const refused = ({ fields, status, text }: Answer, code: string, saying: RegExp) => {
  assert.deepStrictEqual([status, fields["status"], fields["status_code"]], [200, "fail", code], text)
  assert.match(String(fields["message"]), saying)
}

/** What getIntent says of a request once it is no longer pending, however long the machine takes; meanwhile it need not answer. */
export const ended = (ask: (path: string, request: Request) => Effect.Effect<Answer>, apiKey: string, id: unknown): Effect.Effect<Fields> =>
  until(`the end of intent ${String(id)}`, Effect.map(ask("/getIntent", { query: { apiKey, intent_id: String(id) } }), ({ fields }) => {
    const intent = fields["intent"] as Fields | undefined
    return intent === undefined || intent["status"] === "pending" ? undefined : intent
  }))
