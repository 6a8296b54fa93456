import { describe, expect, it } from "@effect/vitest"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Wire from "../../src/wire/Wire.ts"

const sent = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.promise(async () => {
    const web = HttpServerResponse.toWeb(response)
    return `${web.status} ${web.headers.get("content-type") ?? ""}\n${await web.text()}`
  })

describe("Wire", () => {
  it.effect("wraps each field of a success in an array once", () =>
    Effect.gen(function*() {
      expect(
        yield* sent(
          Wire.success({
            status: "success",
            composition: [{ symbol: "USDC", amount: "1" }],
            block: 12,
            total: null,
            data: { list: [1] }
          })
        )
      ).toMatchInlineSnapshot(`
        "200 application/json
        {"status":["success"],"composition":[[{"symbol":"USDC","amount":"1"}]],"block":[12],"total":[null],"data":[{"list":[1]}]}"
      `)
    }))

  it.effect("wraps the fields of a validation failure, on HTTP 200", () =>
    Effect.gen(function*() {
      expect(yield* sent(Wire.failure(new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" }))))
        .toMatchInlineSnapshot(`
        "200 application/json
        {"status":["fail"],"status_code":["1002"],"message":["apiKey: unknown or revoked"]}"
      `)
    }))

  it.effect("keeps an execution failure flat, on HTTP 400", () =>
    Effect.gen(function*() {
      const failure = new ExecutionFailure({
        errorType: "no_route",
        message: "No venue has a route.",
        intentId: "01936f5a-0000-7000-8000-000000000000"
      })
      expect(yield* sent(Wire.failure(failure))).toMatchInlineSnapshot(`
        "400 application/json
        {"status":"fail","status_code":"2003","error_type":"no_route","message":"No venue has a route.","intent_id":"01936f5a-0000-7000-8000-000000000000"}"
      `)
      const reverted = new ExecutionFailure({
        errorType: "transaction_reverted",
        message: "dh16",
        txHash: `0x${"ab".repeat(32)}`
      })
      expect(yield* sent(Wire.failure(reverted))).toMatchInlineSnapshot(`
        "400 application/json
        {"status":"fail","status_code":"2005","error_type":"transaction_reverted","message":"dh16","intent_id":null,"tx_hash":"0xabababababababababababababababababababababababababababababababab"}"
      `)
    }))

  it.effect("keeps errors outside of endpoints flat, and throttles in HTML", () =>
    Effect.gen(function*() {
      expect(yield* sent(Wire.error(404, "There is no such path."))).toMatchInlineSnapshot(`
        "404 application/json
        {"status":"fail","message":"There is no such path."}"
      `)
      expect(yield* sent(Wire.throttled)).toMatchInlineSnapshot(`
        "503 text/html
        <html>
        <head><title>503 Service Temporarily Unavailable</title></head>
        <body>
        <center><h1>503 Service Temporarily Unavailable</h1></center>
        </body>
        </html>
        "
      `)
    }))
})
