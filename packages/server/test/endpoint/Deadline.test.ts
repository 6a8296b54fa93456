import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client, TestService, unlimited } from "./TestService.ts"

const service = TestService(unlimited, undefined, undefined, 1)

/** A body whose end never arrives. */
const endless = () => new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("{")) })

layer(service, { timeout: "4 minutes", excludeTestServices: true })("a request with a deadline", (it) => {
  it.effect("is answered by it although its handler never ends, with what is certain", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const read = yield* ask("/behave?asset=wait")
      assert.deepStrictEqual([read.status, JSON.parse(read.text)], [503, {
        status: "fail",
        message: "The service did not answer in time; nothing was accepted. Try again."
      }])
      const change = yield* ask("/change?asset=wait", { method: "DELETE" })
      assert.deepStrictEqual([change.status, JSON.parse(change.text)], [503, {
        status: "fail",
        message:
          "The service did not answer in time; it is not certain whether the change was made. Check, or repeat it."
      }])
    }))

  it.effect("is answered by it although its body never ends", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { status, text } = yield* ask("/echo", { method: "POST", body: endless(), duplex: "half" })
      assert.strictEqual(status, 408)
      assert.include(text, "The body did not arrive in time, so this request was not read. Repeat it.")
    }))
})
