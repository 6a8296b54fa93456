import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client, TestService, unlimited } from "./TestService.ts"

const names = ["deprecation", "sunset", "link"]

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })("a deprecated endpoint", (it) => {
  it.effect("announces its end in the headers of every answer, refusals too", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      for (const body of [JSON.stringify({ privateKey: "11".repeat(32) }), "{}"]) {
        const { headers } = yield* ask("/seal", { method: "POST", body })
        assert.deepStrictEqual(names.map((name) => headers.get(name)), [
          "@1801353600",
          "Tue, 31 Aug 2027 00:00:00 GMT",
          "</docs/api-policy.md>; rel=\"deprecation\"; type=\"text/markdown\""
        ])
      }
    }))

  it.effect("is the only one whose answers have these headers", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { headers } = yield* ask("/echo?asset=USDC")
      assert.deepStrictEqual(names.map((name) => headers.get(name)), [null, null, null])
    }))
})
