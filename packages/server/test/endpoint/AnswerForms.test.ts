import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { Client, TestService, unlimited, Waiting } from "./TestService.ts"

const own = "application/vnd.vault-trader.v1+json"
const plain = { headers: { accept: own } }

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })("answers without boxes", (it) => {
  it.effect("have the fields of a success as they are, and their own content type", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const answer = yield* ask("/echo?asset=USDC&share=5", plain)
      assert.strictEqual(answer.text, `{"status":"success","asset":"USDC","share":5}`)
      assert.strictEqual(answer.headers.get("content-type"), own)
      const posted = yield* ask("/echo", { ...plain, method: "POST", body: `{"asset":"USDC","share":5}` })
      assert.strictEqual(posted.text, answer.text)
    }))

  it.effect("do not change what other callers get", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      for (const accept of ["*/*", "application/json", "text/html", `application/json, ${own}`]) {
        const answer = yield* ask("/echo?asset=USDC&share=5", { headers: { accept } })
        assert.strictEqual(answer.text, `{"status":["success"],"asset":["USDC"],"share":[5]}`, accept)
        assert.strictEqual(answer.headers.get("content-type"), "application/json", accept)
      }
    }))

  it.effect("have the fields of a refusal as they are, and an execution failure flat as ever", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const refused = yield* ask("/behave?asset=validation", plain)
      assert.deepStrictEqual([refused.status, refused.text], [
        200,
        `{"status":"fail","status_code":"1005","message":"contract: is none"}`
      ])
      const failed = yield* ask("/behave?asset=execution", plain)
      assert.strictEqual(failed.text, (yield* ask("/behave?asset=execution")).text)
      assert.deepStrictEqual([failed.status, failed.headers.get("content-type")], [400, own])
    }))

  it.effect("are refused with 406 in a version that does not exist, before anything is changed", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { changes } = yield* Waiting
      const before = yield* Ref.get(changes)
      const answer = yield* ask("/change", {
        method: "POST",
        headers: { accept: "application/vnd.vault-trader.v2+json" }
      })
      assert.strictEqual(answer.status, 406)
      assert.include(answer.text, `accepted: application/json, ${own}`)
      assert.strictEqual(yield* Ref.get(changes), before)
    }))
})
