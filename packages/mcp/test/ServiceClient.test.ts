import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { type NoAnswer, ServiceClient, unboxed } from "../src/ServiceClient.ts"
import { tools } from "../src/Tool.ts"

const key = "11111111-2222-4333-8444-555555555555"

interface Seen {
  readonly url: string | undefined
  readonly headers: Http.IncomingHttpHeaders
  readonly body: string
}

/** Serves `respond` on a free port, and runs a call of a tool's endpoint against it. */
const served = (
  name: string,
  respond: (response: Http.ServerResponse) => void,
  params: Readonly<Record<string, unknown>> = { network: "base" }
) =>
  Effect.acquireUseRelease(
    Effect.promise(() =>
      new Promise<{ readonly server: Http.Server; readonly seen: Array<Seen> }>((resolve) => {
        const seen: Array<Seen> = []
        const server = Http.createServer((request, response) => {
          let body = ""
          request.setEncoding("utf8").on("data", (text: string) => (body += text)).on("end", () => {
            seen.push({ url: request.url, headers: request.headers, body })
            respond(response)
          })
        })
        server.listen(0, "127.0.0.1", () => resolve({ server, seen }))
      })
    ),
    ({ seen, server }) =>
      Effect.gen(function*() {
        const tool = tools.find((each) => each.name === name)
        assert.isDefined(tool)
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const result = yield* ServiceClient.use(({ call }) => call(tool.facts, params, "once")).pipe(
          Effect.provide(ServiceClient.layer({ url, apiKey: Redacted.make(key) })),
          Effect.match({ onFailure: (failure): NoAnswer => failure, onSuccess: (answer) => answer })
        )
        return { result, seen }
      }),
    ({ server }) => Effect.sync(() => server.close().closeAllConnections())
  )

const json =
  (status: number, body: unknown, headers: Http.OutgoingHttpHeaders = {}) => (response: Http.ServerResponse) =>
    void response.writeHead(status, headers).end(JSON.stringify(body))

describe("the client of the service", () => {
  it.effect("sends the key in a header only, and not to endpoints that need none", () =>
    Effect.gen(function*() {
      const { seen: [first] } = yield* served("getGasBalance", json(200, { status: ["success"] }))
      assert.strictEqual(first?.headers["x-api-key"], key)
      assert.strictEqual(first?.headers["idempotency-key"], "once")
      assert.notInclude(`${first?.url}${first?.body}`, key)
      const { seen: [open] } = yield* served("token-price", json(200, { status: ["success"] }))
      assert.strictEqual(open?.url, "/token-price/base")
      assert.notInclude(JSON.stringify(open), key)
    }))

  it.effect("takes the key out of an answer that repeats it, wherever it is", () =>
    Effect.gen(function*() {
      const good = yield* served("getGasBalance", json(200, { status: ["success"], [key]: [[`a ${key}`]] }))
      assert.notInclude(JSON.stringify(good.result), key)
      assert.include(JSON.stringify(good.result), "<API key>")
      const bad = yield* served("getGasBalance", json(500, { status: "fail", message: `No wallet of ${key}.` }))
      assert.notInclude(JSON.stringify(bad.result), key)
    }))

  it.effect("keeps the path of the endpoint, whatever the parameters in it are", () =>
    Effect.gen(function*() {
      const paths = Effect.fnUntraced(function*(action: string, network: string) {
        const { seen } = yield* served("calculate-fee", json(200, { status: ["success"] }), { action, network })
        return seen.map(({ url }) => url)
      })
      assert.deepStrictEqual(yield* paths("lenderAV3/lend", "base"), ["/calculate-fee/lenderAV3%2Flend/base"])
      assert.deepStrictEqual(yield* paths("..", "createGasWallet"), ["/calculate-fee/undefined/createGasWallet"])
      assert.deepStrictEqual(yield* paths("../x?y#z", "."), ["/calculate-fee/..%2Fx%3Fy%23z/undefined"])
      assert.deepStrictEqual(yield* paths("%2e%2e", "\\"), ["/calculate-fee/%252e%252e/%5C"])
    }))

  it.effect("follows no redirect", () =>
    Effect.gen(function*() {
      const { result, seen } = yield* served("getGasBalance", json(307, {}, { location: "/elsewhere" }))
      assert.strictEqual(seen.length, 1)
      assert.deepInclude(result, { _tag: "NoAnswer", refused: true })
      assert.match("next" in result ? result.next : "", /--url/)
    }))

  it.effect("explains a throttled, an unknown and a foreign answer", () =>
    Effect.gen(function*() {
      const html = (response: Http.ServerResponse) => void response.writeHead(503, { "retry-after": "7" }).end("<html>")
      const throttled = yield* served("getGasBalance", html)
      assert.deepInclude(throttled.result, { refused: true })
      assert.match("next" in throttled.result ? throttled.result.next : "", /Wait 7 seconds/)
      const unknown = yield* served("getGasBalance", json(503, { status: "unknown", intent_id: "7", message: "Lost." }))
      assert.deepInclude(unknown.result, { refused: false, intentId: "7", message: "Lost." })
      const foreign = yield* served("getGasBalance", (response) => void response.end("hello"))
      assert.match("next" in foreign.result ? foreign.result.next : "", /--url names a Vault Trader service/)
    }))

  it("unboxes one level, and leaves flat answers and lists of one as they are", () => {
    assert.deepStrictEqual(unboxed({ status: ["success"], pools: [["a"]], none: [[]] }), {
      status: "success",
      pools: ["a"],
      none: []
    })
    assert.deepStrictEqual(unboxed({ status: "fail", pools: ["a"] }), { status: "fail", pools: ["a"] })
  })
})
