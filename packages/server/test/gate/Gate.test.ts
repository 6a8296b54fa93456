import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client, TestService, unlimited } from "../endpoint/TestService.ts"

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })("the gate", (it) => {
  it.effect("sets its headers on every response, whatever its outcome", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const answers = yield* Effect.all([
        ask("/echo"),
        ask("/nowhere"),
        ask("/echo", { method: "PUT" }),
        ask("/behave?asset=execution"),
        ask("/behave?asset=defect"),
        ask("/behave?asset=database"),
        ask("/echo", { method: "POST", body: "x".repeat(100_000) }),
        ask("/change", { headers: { purpose: "prefetch" } })
      ])
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 404, 405, 400, 500, 503, 413, 403])
      for (const { headers, status } of answers) {
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/, String(status))
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.match(headers.get("content-type") ?? "", /^application\/json/)
      }
      assert.strictEqual(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size, answers.length)
    }))

  it.effect("keeps the caller's request id, unless it could forge a header or a log line", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const kept = (id: string) =>
        Effect.map(
          ask("/echo", { headers: { "x-request-id": id } }),
          ({ headers }) => headers.get("x-request-id") === id
        )
      for (const id of ["a", "trace:1.2-3_4", "x".repeat(128)]) assert.isTrue(yield* kept(id), id)
      for (const id of ["", "a b", "x".repeat(129), "<script>", "a;b", "é"]) assert.isFalse(yield* kept(id), id)
    }))
})

// One request a minute, so that none is allowed again while the test sends its requests.
layer(
  TestService({ ...unlimited, enabled: true, burst: 3, perMinute: 1 }),
  { timeout: "4 minutes", excludeTestServices: true }
)(
  "the gate, with a rate",
  (it) => {
    it.effect("answers the HTML 503 beyond the burst, before it checks anything else of the request", () =>
      Effect.gen(function*() {
        const { ask } = yield* Client
        const statuses = yield* Effect.forEach(
          ["/echo", "/nowhere", "/echo"],
          (path) => Effect.map(ask(path), ({ status }) => status)
        )
        assert.deepStrictEqual(statuses, [200, 404, 200])
        const { headers, status, text } = yield* ask("/nowhere")
        assert.strictEqual(status, 503)
        assert.include(text, "503 Service Temporarily Unavailable")
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        assert.match(headers.get("retry-after") ?? "", /^([1-9]|[1-5]\d|60)$/)
        assert.isNotNull(headers.get("ratelimit"))
        assert.isNotNull(headers.get("x-request-id"))
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }))
  }
)

const spellings = [
  "/console/sign-in/",
  "//console//sign-in",
  "/Console/Sign-In",
  "/console/sign%2Din",
  "/console/sign-in;x",
  "/console/session/",
  "/console/RPC"
]

layer(TestService({ ...unlimited, enabled: true, burst: 1, perMinute: 1 }), {
  timeout: "4 minutes",
  excludeTestServices: true
})("the gate of the console", (it) => {
  it.effect("limits sign-ins however their path is written, and none for the console's files", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      assert.strictEqual((yield* ask("/console/sign-in")).status, 404)
      const answers = yield* Effect.forEach(
        spellings,
        (path) => Effect.map(ask(path), ({ status }) => `${path} ${status}`)
      )
      assert.deepStrictEqual(answers, spellings.map((path) => `${path} 503`))
      assert.strictEqual((yield* ask("/console/assets/index-B3f.js")).status, 404)
    }))
})

layer(
  TestService({ ...unlimited, enabled: true, burst: 100, perHour: { wallets: 1, signIns: 1 } }),
  { timeout: "4 minutes", excludeTestServices: true }
)("the budget for sign-ins", (it) => {
  it.effect("counts them however their path is written", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      assert.strictEqual((yield* ask("/console/sign-in", { method: "POST" })).status, 404)
      const written = spellings.filter((path) => /sign/i.test(path))
      const answers = yield* Effect.forEach(written, (path) =>
        Effect.map(ask(path, { method: "POST" }), ({ status }) => `${path} ${status}`))
      assert.deepStrictEqual(
        answers,
        written.map((path) =>
          `${path} 503`
        )
      )
    }))
})
