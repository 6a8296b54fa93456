import { assert, layer } from "@effect/vitest"
import * as Audit from "@vault-trader/core/audit/Audit"
import * as Endpoint from "@vault-trader/core/endpoint/Endpoint"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { CallerAddress } from "../../src/wire/CallerAddress.ts"
import { Client, Served, unlimited } from "./TestService.ts"

class AddressApi extends RpcGroup.make(
  Endpoint.make("address", {
    class: "readOnly",
    access: "open",
    summary: "Returns what a handler knows of its client.",
    params: {},
    success: { address: Schema.NullOr(Schema.String), from: Schema.NullOr(Schema.String) },
    example: { address: "192.0.2.1", from: "192.0.2.1" }
  })
) {}

const handlers = AddressApi.toLayer({
  address: () =>
    Effect.map(Effect.all([CallerAddress, Audit.Actor]), ([address = null, { from }]) => ({
      status: "success" as const,
      address,
      from
    }))
})

const rates = { ...unlimited, trustedProxies: ["127.0.0.1"] }

layer(Layer.orDie(Served(AddressApi, handlers, rates)), { timeout: "4 minutes", excludeTestServices: true })(
  "the address of a client",
  (it) => {
    it.effect("reaches handler and admission of a plain read, of a routed one and of a POST", () =>
      Effect.gen(function*() {
        const { ask } = yield* Client
        const headers = { "x-forwarded-for": "192.0.2.7" }
        for (const [path, method] of [["/address", "GET"], ["/ADDRESS", "GET"], ["/address", "POST"]] as const) {
          const { text } = yield* ask(path, { method, headers })
          assert.deepStrictEqual(
            JSON.parse(text),
            { status: ["success"], address: ["192.0.2.7"], from: ["192.0.2.7"] },
            `${method} ${path}`
          )
        }
      }))
  }
)
