import { assert, describe, it } from "@effect/vitest"
import type { Class } from "@vault-trader/core/endpoint/Endpoint"
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import * as Cause from "effect/Cause"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { answerOf, type Asked, ended, late } from "../../src/wire/ServiceUnavailable.ts"

const lost = Cause.die(new SqlError({ reason: new ConnectionError({ cause: new Error("Connection terminated"), message: "Failed to execute statement" }) }))

const asked = (kind: Class, more: Partial<Asked> = {}): Asked => ({ class: kind, keyed: false, offered: false, ...more })

/** The body of the answer. */
const told = (...[about, cause]: Parameters<typeof answerOf>) => bodyOf(Option.getOrThrow(answerOf(about, cause)))
const bodyOf = (response: HttpServerResponse.HttpServerResponse) => {
  assert.strictEqual(response.status, 503)
  const body: unknown = response.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(response.body.body)) : undefined
  return body as Readonly<Record<string, unknown>>
}

describe("what is said when the database is the reason", () => {
  it("is that nothing was accepted, where that is certain", () => {
    for (const kind of ["readOnly", "movesFunds"] as const) assert.match(String(told(asked(kind), lost)["message"]), /nothing was accepted/)
  })

  it("is not that nothing was changed, where a commit may have been lost", () => {
    const message = String(told(asked("changesConfig"), lost)["message"])
    assert.match(message, /not certain/)
    assert.notMatch(message, /nothing/)
  })

  it("is that it is not known, of a write whose idempotency key cannot be looked up, and how to find out", () => {
    const body = told(asked("movesFunds", { keyed: true }), lost)
    assert.strictEqual(body["status"], "unknown")
    assert.match(String(body["message"]), /not known whether a request with this idempotency key was accepted. Repeat it with the same/)
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("is that it is not known, of a write that was offered to the ledger", () => {
    const body = told(asked("movesFunds", { offered: true }), lost)
    assert.strictEqual(body["status"], "unknown")
    assert.match(String(body["message"]), /not known whether this was accepted. Look at getIntents/)
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("is that it is not known, with the id to ask for, when an intent may have been committed", () => {
    const body = told(asked("movesFunds"), Cause.die(new AcceptanceUnknown({ id: "0190-1" })))
    assert.deepStrictEqual([body["status"], body["intent_id"]], ["unknown", "0190-1"])
    assert.match(String(body["message"]), /not known whether it was accepted/)
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("is nothing when the database is not the reason", () => {
    assert.isTrue(Option.isNone(answerOf(asked("movesFunds"), Cause.die(new Error("a bug")))))
  })
})

describe("what is said of a request that is not answered", () => {
  it("is never that a write was not accepted", () => {
    for (const keyed of [true, false]) {
      for (const answer of [late(asked("movesFunds", { keyed })), ended(asked("movesFunds", { keyed }))]) {
        const body = bodyOf(answer)
        assert.strictEqual(body["status"], "unknown")
        assert.notMatch(String(body["message"]), /nothing/)
      }
    }
  })
})
