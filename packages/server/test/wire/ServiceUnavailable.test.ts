import { assert, describe, it } from "@effect/vitest"
import type { Class } from "@vault-trader/core/endpoint/Endpoint"
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import * as Cause from "effect/Cause"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { answerOf, type RequestProgress, ended, late } from "../../src/wire/ServiceUnavailable.ts"

const lost = Cause.die(
  new SqlError({
    reason: new ConnectionError({ cause: new Error("Connection terminated"), message: "Failed to execute statement" })
  })
)

const asked = (kind: Class, more: Partial<RequestProgress> = {}): RequestProgress => ({
  class: kind,
  keyed: false,
  offered: false,
  ...more
})

const opened = (response: HttpServerResponse.HttpServerResponse) => {
  assert.strictEqual(response.status, 200)
  const body: unknown = response.body._tag === "Uint8Array"
    ? JSON.parse(new TextDecoder().decode(response.body.body))
    : undefined
  return body as Readonly<Record<string, ReadonlyArray<unknown>>>
}

/** Returns the body of the response. */
const responseTo = (...[about, cause]: Parameters<typeof answerOf>) => bodyOf(Option.getOrThrow(answerOf(about, cause)))
const bodyOf = (response: HttpServerResponse.HttpServerResponse) => {
  assert.strictEqual(response.status, 503)
  const body: unknown = response.body._tag === "Uint8Array"
    ? JSON.parse(new TextDecoder().decode(response.body.body))
    : undefined
  return body as Readonly<Record<string, unknown>>
}

describe("the response when the database fails", () => {
  it("says that nothing was accepted, if that is certain", () => {
    for (const kind of ["readOnly", "movesFunds"] as const) {
      assert.match(String(responseTo(asked(kind), lost)["message"]), /nothing was accepted/)
    }
  })

  it("does not say that nothing was changed if a commit may have been lost", () => {
    const message = String(responseTo(asked("changesConfig"), lost)["message"])
    assert.match(message, /not certain/)
    assert.notMatch(message, /nothing/)
  })

  it("says that the outcome of a write whose idempotency key cannot be looked up is unknown, and how to find out", () => {
    const body = responseTo(asked("movesFunds", { keyed: true }), lost)
    assert.strictEqual(body["status"], "unknown")
    assert.match(
      String(body["message"]),
      /not known whether a request with this idempotency key was accepted. Repeat it with the same/
    )
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("says that the outcome of a write that was offered to the ledger is unknown", () => {
    const body = responseTo(asked("movesFunds", { offered: true }), lost)
    assert.strictEqual(body["status"], "unknown")
    assert.match(String(body["message"]), /not known whether this was accepted. Check getIntents/)
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("says that the outcome is unknown, with the intent's id, when it may have been committed", () => {
    const body = responseTo(asked("movesFunds"), Cause.die(new AcceptanceUnknown({ id: "0190-1" })))
    assert.deepStrictEqual([body["status"], body["intent_id"]], ["unknown", "0190-1"])
    assert.match(String(body["message"]), /not known whether it was accepted/)
    assert.notMatch(String(body["message"]), /nothing/)
  })

  it("does not exist when the database is not the cause", () => {
    assert.isTrue(Option.isNone(answerOf(asked("movesFunds"), Cause.die(new Error("a bug")))))
  })
})

describe("the response to a request without an answer", () => {
  it("never says that a write was not accepted", () => {
    for (const keyed of [true, false]) {
      for (const answer of [late(asked("movesFunds", { keyed })), ended(asked("movesFunds", { keyed }))]) {
        const body = bodyOf(answer)
        assert.strictEqual(body["status"], "unknown")
        assert.notMatch(String(body["message"]), /nothing/)
      }
    }
  })

  it("is pending, with the intent's id, once an intent was accepted", () => {
    const about = asked("movesFunds", { keyed: true, offered: true, intentId: "0190-1" })
    for (const answer of [late(about), ended(about), Option.getOrThrow(answerOf(about, lost))]) {
      const body = opened(answer)
      assert.deepStrictEqual([body["status"], body["intent_id"]], [["pending"], ["0190-1"]])
      assert.match(String(body["message"]), /^Accepted\. .*Call getIntent for the outcome\.$/)
    }
  })
})
