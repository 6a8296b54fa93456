import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { maximumBody } from "../../src/wire/Body.ts"
import { Client, TestService, unlimited } from "../endpoint/TestService.ts"

/** A JSON body of exactly this many bytes, with an asset. */
const padded = (bytes: number) => {
  const [head, tail] = [`{"asset":"USDC","padding":"`, `"}`]
  return `${head}${"x".repeat(bytes - head.length - tail.length)}${tail}`
}

/** Sends a body in chunks, without a content-length. */
const chunked = (text: string) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length; at += 8192) controller.enqueue(bytes.slice(at, at + 8192))
      controller.close()
    }
  })

const post = (body: string) => ({ method: "POST", body })
const stream = (body: string) => ({ method: "POST", body: chunked(body), duplex: "half" as const })

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })("a request's body", (it) => {
  for (const [way, send] of [["in one piece", post], ["in chunks", stream]] as const) {
    it.effect(`is read up to 64 KiB ${way}`, () =>
      Effect.gen(function*() {
        const { ask } = yield* Client
        const { status, text } = yield* ask("/echo", send(padded(maximumBody)))
        assert.deepStrictEqual([status, text], [200, `{"status":["success"],"asset":["USDC"],"share":[null]}`])
      }))

    it.effect(`is refused with 413 in JSON beyond 64 KiB ${way}`, () =>
      Effect.gen(function*() {
        const { ask } = yield* Client
        for (const bytes of [maximumBody + 1, 4 * maximumBody]) {
          const { headers, status, text } = yield* ask("/echo", send(padded(bytes)))
          assert.deepStrictEqual([status, text], [
            413,
            `{"status":"fail","message":"The body is larger than 65536 bytes."}`
          ])
          assert.isNotNull(headers.get("x-request-id"))
        }
        assert.strictEqual((yield* ask("/echo")).status, 200)
      }))
  }

  it.effect("is read completely however large it is, so that its connection is kept and the response not lost", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      for (const send of [post, stream]) {
        const { headers, status } = yield* ask("/echo", send(padded(16 * maximumBody)))
        assert.deepStrictEqual([status, headers.get("connection")], [413, "keep-alive"])
      }
    }))

  it.effect("is measured in bytes, not in characters", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const text = JSON.stringify({ asset: "USDC", padding: "é".repeat(maximumBody / 2) })
      assert.isBelow(text.length, maximumBody)
      assert.strictEqual((yield* ask("/echo", post(text))).status, 413)
    }))
})
