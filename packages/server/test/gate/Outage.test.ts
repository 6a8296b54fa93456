import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import { AcceptanceUnknown } from "@vault-trader/core/intent/Acceptance"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import { answerOf } from "../../src/gate/Outage.ts"

const lost = Cause.die(new SqlError({ cause: new Error("Connection terminated"), message: "Failed to execute statement" }))

/** The body of the answer. */
const told = (...[kind, cause]: Parameters<typeof answerOf>) => {
  const response = Option.getOrThrow(answerOf(kind, cause))
  assert.strictEqual(response.status, 503)
  const body: unknown = response.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(response.body.body)) : undefined
  return body as Readonly<Record<string, unknown>>
}

describe("what is said when the database is the reason", () => {
  it("is that nothing was accepted, where that is certain", () => {
    for (const kind of ["readOnly", "movesFunds"] as const) assert.match(String(told(kind, lost)["message"]), /nothing was accepted/)
  })

  it("is not that nothing was changed, where a commit may have been lost", () => {
    const message = String(told("changesConfig", lost)["message"])
    assert.match(message, /not certain/)
    assert.notMatch(message, /nothing/)
  })

  it("is that it is not known, with the id to ask for, when an intent may have been committed", () => {
    const body = told("movesFunds", Cause.die(new AcceptanceUnknown({ id: "0190-1" })))
    assert.deepStrictEqual([body["status"], body["intent_id"]], ["unknown", "0190-1"])
    assert.match(String(body["message"]), /not known whether it was accepted/)
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("is nothing when the database is not the reason", () => {
    assert.isTrue(Option.isNone(answerOf("movesFunds", Cause.die(new Error("a bug")))))
  })
})
