import { assert, expect, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import { Client, TestService, unlimited, Waiting } from "./TestService.ts"

const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }
const post = (body: string, headers: Readonly<Record<string, string>> = json) => ({ method: "POST", body, headers })

/** Returns the body as text. */
const bodyOf = (path: string, request?: RequestInit) =>
  Effect.flatMap(Client, ({ ask }) => Effect.map(ask(path, request), ({ text }) => text))
const statusOf = (path: string, request?: RequestInit) =>
  Effect.flatMap(Client, ({ ask }) => Effect.map(ask(path, request), ({ status }) => status))

const usdc = `{"status":["success"],"asset":["USDC"],"share":[5]}`
const nothing = `{"status":["success"],"asset":[null],"share":[null]}`

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })("the interpreter", (it) => {
  it.effect("answers GET and POST alike, parameters from query, JSON and form", () =>
    Effect.gen(function*() {
      for (
        const [path, request] of [
          ["/echo?asset=USDC&share=5", undefined],
          ["/echo?asset=USDC&share=5", { method: "POST" }],
          ["/echo", post(JSON.stringify({ asset: "USDC", share: 5 }))],
          ["/echo", post(JSON.stringify({ asset: "USDC", share: "5" }), {})],
          ["/echo", post("asset=USDC&share=5", form)],
          // As `curl -d` sends JSON, and forms as some senders label them.
          ["/echo", post(JSON.stringify({ asset: "USDC", share: 5 }), form)],
          ["/echo", post(`\uFEFF${JSON.stringify({ asset: "USDC", share: 5 })}`)],
          ["/echo", post(`\uFEFF${JSON.stringify({ asset: "USDC", share: 5 })}`, form)],
          ["/echo", post("asset=USDC&share=5", { "content-type": "text/plain" })],
          ["/echo", post("asset=USDC&share=5\n", { "content-type": "text/plain; charset=utf-8" })],
          ["/echo?asset=USDC", post(JSON.stringify({ share: 5 }))],
          ["/echo?asset=USDC", post("share=5", form)],
          ["/also/echo?asset=USDC&share=5", undefined]
        ] as const
      ) assert.strictEqual(yield* bodyOf(path, request), usdc, `${path} ${JSON.stringify(request)}`)
    }))

  it.effect("reads parameters from path segments by the same rules", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* bodyOf("/echo/USDC/of?share=5"), usdc)
      assert.strictEqual(yield* bodyOf("/echo/%55SDC/of", post(JSON.stringify({ share: 5 }))), usdc)
      assert.strictEqual(yield* bodyOf("/echo/USDC/of?asset=WETH&share=5"), usdc)
      assert.include(yield* bodyOf("/echo/US%20DC/of"), `"status_code":["1010"]`)
      assert.strictEqual(yield* statusOf("/echo/USDC"), 404)
    }))

  it.effect("ignores a body that is neither a JSON object nor a form", () =>
    Effect.gen(function*() {
      for (const text of ["", " ", "BTC crossed 100k", "{", "[]", `["asset"]`, "null", "1", `"asset"`, "[[[", "\0"]) {
        assert.strictEqual(yield* bodyOf("/echo", post(text)), nothing, text)
        assert.strictEqual(
          yield* bodyOf("/echo?asset=USDC&share=5", post(text, { "content-type": "text/plain" })),
          usdc,
          text
        )
      }
    }))

  it.effect("says of a body that it does not understand what it was and what to send, where something is missing", () =>
    Effect.gen(function*() {
      const said = (text: string, contentType: string) => bodyOf("/behave", post(text, { "content-type": contentType }))
      for (
        const [text, contentType, saying] of [
          ["{\"asset\":", "application/json", "of content type application/json was not read: it begins like JSON"],
          ["[]", "application/json; charset=utf-8", "of content type application/json was not read: it begins like"],
          ["asset=USDC", "application/json", "of content type application/json was not read: it is neither"],
          ["asset = USDC", "text/plain", "of content type text/plain was not read: it is neither"],
          ["--x\r\n\r\nUSDC", "multipart/form-data; boundary=x", "of content type multipart/form-data was not read"],
          ["USDC", "<script>", "without a content type was not read"]
        ] as const
      ) {
        const body = yield* said(text, contentType)
        assert.include(body, `Missing required parameter: asset. The body ${saying}`, text)
        assert.include(body, "Send a JSON object as application/json, or a form as application/x-www-form-urlencoded.")
      }
      assert.notInclude(yield* said("{}", "application/json"), "The body")
      assert.include(yield* bodyOf("/behave?asset=validation", post("x")), `["contract: is none"]`)
    }))

  it.effect("reads forms like queries: repeated values must agree, empty ones are ignored", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* bodyOf("/echo", post("asset=USDC&asset=USDC&share=&share=5", form)), usdc)
      assert.strictEqual(yield* bodyOf("/echo", post("asset=&share=", form)), nothing)
      assert.include(yield* bodyOf("/echo", post("asset=USDC&asset=WETH", form)), `"status_code":["1010"]`)
    }))

  it.effect("ignores hostile members", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* bodyOf("/echo", post(`{"__proto__":{"asset":"USDC"},"constructor":{"prototype":{"share":5}}}`)),
        nothing
      )
      assert.strictEqual(yield* bodyOf("/echo", post("__proto__=x&asset=USDC&share=5", form)), usdc)
      assert.include(yield* bodyOf("/echo", post(`{"asset":{"toString":"x"}}`)), `"status_code":["1010"]`)
      assert.include(yield* bodyOf("/echo", post(`{"share":[5]}`)), `"status_code":["1007"]`)
      assert.include(yield* bodyOf("/echo", post(`{"network":{}}`)), `"status_code":["1000"]`)
      assert.strictEqual(
        yield* bodyOf("/echo?asset=%zz&share=5"),
        `{"status":["fail"],"status_code":["1010"],"message":["asset: must be a token symbol (letters, digits, ` +
          `'.', '$', '_' or '-') or a contract address"]}`
      )
    }))

  it.effect("answers a validation failure with 200 and an execution failure with 400", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const validation = yield* ask("/behave?asset=validation")
      assert.strictEqual(validation.status, 200)
      expect(validation.text).toMatchInlineSnapshot(
        `"{"status":["fail"],"status_code":["1005"],"message":["contract: is none"]}"`
      )
      const execution = yield* ask("/behave?asset=execution")
      assert.strictEqual(execution.status, 400)
      expect(execution.text).toMatchInlineSnapshot(
        `"{"status":"fail","status_code":"2003","error_type":"no_route","message":"No venue has a route.","intent_id":"i"}"`
      )
      const missing = yield* ask("/behave")
      assert.strictEqual(missing.status, 200)
      expect(missing.text).toMatchInlineSnapshot(
        `"{"status":["fail"],"status_code":["1010"],"message":["Missing required parameter: asset"]}"`
      )
    }))

  it.effect("answers a defect with 500, a request id and no details, while other requests continue", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { begun, release } = yield* Waiting
      const other = yield* Effect.forkChild(ask("/behave?asset=wait"))
      yield* Deferred.await(begun)
      for (const way of ["defect", "throw"]) {
        const broken = yield* ask(`/behave?asset=${way}`, { headers: { "x-request-id": "find-me" } })
        assert.strictEqual(broken.status, 500)
        assert.strictEqual(broken.headers.get("x-request-id"), "find-me")
        assert.notInclude(broken.text, "hunter2")
        expect(JSON.parse(broken.text)).toMatchInlineSnapshot(`
          {
            "message": "Internal error. The service's operator can find the cause by this response's X-Request-Id.",
            "status": "fail",
          }
        `)
      }
      yield* Deferred.succeed(release, undefined)
      assert.deepInclude(yield* Fiber.join(other), { status: 200, text: `{"status":["success"]}` })
      assert.strictEqual(yield* statusOf("/behave?asset=fine"), 200)
    }))

  it.effect("answers 503 in JSON when the database cannot be reached", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { headers, status, text } = yield* ask("/behave?asset=database")
      assert.strictEqual(status, 503)
      assert.match(headers.get("content-type") ?? "", /^application\/json/)
      assert.notInclude(text, "hunter2")
      assert.include(text, "nothing was accepted")
    }))

  it.effect("acts for the wallet of the key in query, body or header", () =>
    Effect.gen(function*() {
      const key = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
      const expected = `{"status":["success"],"address":["0x${"ab".repeat(20)}"]}`
      assert.strictEqual(yield* bodyOf(`/whoami?apiKey=${key}`), expected)
      assert.strictEqual(yield* bodyOf("/whoami", post(JSON.stringify({ apiKey: key }))), expected)
      assert.strictEqual(yield* bodyOf("/whoami", { headers: { authorization: `Bearer ${key}` } }), expected)
      assert.strictEqual(yield* bodyOf("/whoami", { headers: { "x-api-key": key } }), expected)
      assert.include(yield* bodyOf("/whoami"), "Missing required parameter: apiKey")
      assert.include(yield* bodyOf("/whoami?apiKey=nonsense"), `"status_code":["1002"]`)
    }))

  it.effect("refuses other methods with 405 and says which are allowed, and changes nothing for HEAD", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { changes } = yield* Waiting
      const before = yield* Ref.get(changes)
      for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { headers, status } = yield* ask("/echo", { method })
        assert.deepStrictEqual([method, status, headers.get("allow")], [method, 405, "GET, POST"])
      }
      for (const method of ["PUT", "PATCH", "HEAD", "OPTIONS"]) {
        const { headers, status } = yield* ask("/change", { method })
        assert.deepStrictEqual([method, status, headers.get("allow")], [method, 405, "GET, POST, DELETE"])
      }
      assert.deepInclude(yield* ask("/seal"), {
        status: 405,
        text: `{"status":"fail","message":"seal is called with POST."}`
      })
      assert.deepInclude(yield* ask("/echo", { method: "HEAD" }), { status: 200, text: "" })
      assert.strictEqual(yield* Ref.get(changes), before)
      for (const method of ["GET", "POST", "DELETE"]) assert.strictEqual(yield* statusOf("/change", { method }), 200)
      assert.strictEqual(yield* Ref.get(changes), before + 3)
    }))

  it.effect("refuses changes by a prefetch, and answers reads", () =>
    Effect.gen(function*() {
      const { changes } = yield* Waiting
      const before = yield* Ref.get(changes)
      for (
        const headers of [{ "sec-purpose": "prefetch" }, { "sec-purpose": "prefetch;prerender" }, {
          purpose: "prefetch"
        }, { "x-moz": "prefetch" }]
      ) {
        assert.strictEqual(yield* statusOf("/change", { headers }), 403)
        assert.strictEqual(yield* statusOf("/echo", { headers }), 200)
      }
      assert.strictEqual(yield* Ref.get(changes), before)
    }))

  it.effect("answers 404 in JSON for unknown paths", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      for (const path of ["/", "/ech", "/echo/x", "/__proto__", "/%00", "/..%2fecho"]) {
        const { headers, status, text } = yield* ask(path)
        assert.deepStrictEqual([path, status], [path, 404])
        assert.match(headers.get("content-type") ?? "", /^application\/json/)
        assert.strictEqual((JSON.parse(text) as { readonly status: string }).status, "fail")
      }
    }))

  it.effect("refuses a secret in the URL, and takes it in the body", () =>
    Effect.gen(function*() {
      const secret = "ab".repeat(32)
      assert.strictEqual(yield* bodyOf("/seal", post(JSON.stringify({ privateKey: secret }))), `{"status":["success"]}`)
      const inUrl = yield* bodyOf(`/seal?privateKey=${secret}`, { method: "POST" })
      assert.include(inUrl, "never in the URL")
      assert.notInclude(inUrl, secret)
    }))
})
