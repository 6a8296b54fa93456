import { assert, describe, it } from "@effect/vitest"
import * as Endpoint from "@vault-trader/core/endpoint/Endpoint"
import * as Effect from "effect/Effect"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcTest from "effect/rpc/RpcTest"
import * as Schema from "effect/Schema"
import * as Handlers from "../../src/wire/Handlers.ts"

class TestApi extends RpcGroup.make(
  Endpoint.make("count", {
    class: "readOnly",
    access: "open",
    summary: "Counts.",
    params: {},
    success: { count: Schema.Number },
    example: { count: 1 }
  }),
  Endpoint.make("move", {
    class: "movesFunds",
    access: "open",
    summary: "Is pending.",
    params: {},
    success: {},
    example: {}
  })
) {}

const counting = Handlers.part(TestApi, Effect.succeed({ count: () => Effect.succeed({ count: 1 }) }))
const pending = { status: "pending" as const, intent_id: null, tx_hash: null, message: "A test." }
const moving = Handlers.part(TestApi, Effect.succeed({ move: () => Effect.succeed(pending) }))

const Live = Handlers.layer(
  TestApi,
  Effect.gen(function*() {
    return { ...(yield* counting), ...(yield* moving) }
  })
)

describe("a group's handlers", () => {
  it.effect("return fields, and the response begins with the status of a success", () =>
    Effect.gen(function*() {
      const api = yield* RpcTest.makeClient(TestApi)
      assert.strictEqual(JSON.stringify(yield* api.count({})), "{\"status\":\"success\",\"count\":1}")
    }).pipe(Effect.provide(Live)))

  it.effect("keep the status of what is pending", () =>
    Effect.gen(function*() {
      const api = yield* RpcTest.makeClient(TestApi)
      assert.deepStrictEqual(yield* api.move({}), pending)
    }).pipe(Effect.provide(Live)))
})
