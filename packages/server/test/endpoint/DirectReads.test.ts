import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Http from "node:http"
import * as Net from "node:net"
import { DirectListener } from "../../src/gate/DirectListener.ts"
import { brokenKey, Client, TestService, unlimited, Waiting, wallet } from "./TestService.ts"

/** Offers a request to the listener's takers and returns whether one took it. */
const offered = (method: string, url: string, headers: Http.IncomingHttpHeaders = {}) =>
  Effect.gen(function*() {
    const { take } = yield* DirectListener
    const incoming = Object.assign(new Http.IncomingMessage(new Net.Socket()), { method, url, headers })
    const taken = take(incoming, new Http.ServerResponse(incoming), yield* Scope.make())
    return taken
  })

/** Headers that differ between any two responses. */
const own = ["date", "x-request-id"]

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })("plain reads", (it) => {
  it.effect("are answered without the router; every other request is left to it", () =>
    Effect.gen(function*() {
      const host = { host: "127.0.0.1" }
      for (const url of ["/echo", "/echo?asset=USDC", "/also/echo", "/whoami?apiKey=x"]) {
        assert.isTrue(yield* offered("GET", url, host), url)
      }
      for (const url of ["/ECHO", "/echo/", "//echo", "/echo/USDC/of", "/nowhere", "/change", "http://x/echo", "/"]) {
        assert.isFalse(yield* offered("GET", url, host), url)
      }
      for (const method of ["POST", "HEAD", "DELETE", "OPTIONS"]) {
        assert.isFalse(yield* offered(method, "/echo", host), method)
      }
      for (const name of ["content-length", "transfer-encoding", "expect", "upgrade"]) {
        assert.isFalse(yield* offered("GET", "/echo", { ...host, [name]: "1" }), name)
      }
    }))

  it.effect("get the answers and headers that the router's requests get, whatever their outcome", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const seen = (path: string, headers: Record<string, string>) =>
        Effect.map(ask(path, { headers }), (answer) => ({
          status: answer.status,
          text: answer.text,
          headers: [...answer.headers].filter(([name]) => !own.includes(name))
        }))
      const unboxed = { accept: "application/vnd.vault-trader.v1+json" }
      const cases: ReadonlyArray<readonly [path: string, headers: Record<string, string>]> = [
        ["/echo?asset=USDC&share=50", {}],
        ["/echo?asset=USDC&share=50", unboxed],
        ["/echo?share=many", {}],
        ["/echo?asset=a&asset=b", {}],
        ["/echo?network=nowhere", {}],
        ["/echo", { accept: "application/vnd.vault-trader.v9+json" }],
        ["/echo", { origin: "https://elsewhere.example" }],
        ["/behave?asset=validation", {}],
        ["/behave?asset=execution", unboxed],
        ["/behave?asset=defect", {}],
        ["/behave?asset=throw", {}],
        ["/behave?asset=database", {}],
        ["/behave?asset=done", {}],
        ["/whoami", {}],
        ["/whoami", { authorization: `Bearer ${"0".repeat(8)}-0000-4000-8000-${wallet.slice(2, 14)}` }]
      ]
      for (const [path, headers] of cases) {
        const direct = yield* seen(path, headers)
        // The router ignores the case of a path.
        const routed = yield* seen(path.replace(/^\/\w+/, (name) => name.toUpperCase()), headers)
        assert.deepStrictEqual(direct, routed, `${path} ${JSON.stringify(headers)}`)
      }
    }))

  it.effect("are answered with a 500 when a plain function of theirs throws, and the next one as ever", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const broken = yield* ask("/whoami", { headers: { "x-api-key": brokenKey } })
      assert.deepStrictEqual([broken.status, broken.text], [500, ""])
      assert.strictEqual((yield* ask("/echo")).status, 200)
    }))

  it.effect("end with their callers while they wait, and wait with the others", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const { begun, release } = yield* Waiting
      const hangUp = new AbortController()
      const gone = yield* Effect.forkChild(Effect.exit(ask("/behave?asset=wait", { signal: hangUp.signal })))
      yield* Deferred.await(begun)
      const waiting = yield* Effect.forkChild(ask("/behave?asset=wait"))
      hangUp.abort()
      yield* Fiber.join(gone)
      yield* Deferred.succeed(release, undefined)
      assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
    }))
})
