import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { GracefulShutdown } from "../../src/gate/GracefulShutdown.ts"
import { isLoopback } from "../../src/gate/Hosts.ts"
import { Client, TestService, unlimited } from "../endpoint/TestService.ts"

const statusOf = (headers: Readonly<Record<string, string>>, path = "/echo") =>
  Effect.flatMap(Client, ({ named }) => Effect.map(named(path, headers), ({ status }) => status))

const expectAll = (expected: ReadonlyArray<readonly [status: number, headers: Readonly<Record<string, string>>]>) =>
  Effect.gen(function*() {
    for (const [status, headers] of expected) {
      assert.strictEqual(yield* statusOf(headers), status, JSON.stringify(headers))
    }
  })

layer(TestService(unlimited), { timeout: "4 minutes", excludeTestServices: true })(
  "a service without PUBLIC_URL",
  (it) => {
    it.effect("answers to this machine's own names with its port, and to no other", () =>
      expectAll([
        ...["127.0.0.1:PORT", "localhost:PORT", "LOCALHOST:PORT", "127.1.2.3:PORT", "[::1]:PORT"].map((host) =>
          [200, { host }] as const
        ),
        ...[
          "evil.example",
          "evil.example:PORT",
          "localhost.evil.example:PORT",
          "127.0.0.1.evil.example:PORT",
          "localhost:1",
          "localhost",
          "127.0.0.1@evil.example:PORT",
          "a b"
        ]
          .map((host) => [421, { host }] as const),
        [421, { host: "evil.example:PORT", "x-forwarded-host": "localhost:PORT" }],
        [200, { host: "localhost:PORT", "x-forwarded-host": "evil.example" }]
      ]))

    it.effect("refuses pages of other sites", () =>
      expectAll([
        [200, { host: "localhost:PORT", origin: "http://localhost:PORT" }],
        ...["https://evil.example", "http://evil.example:PORT", "http://localhost:1", "null", "nonsense"].map((
          origin
        ) => [403, { host: "localhost:PORT", origin }] as const)
      ]))

    it.effect("reports the service's address, and that nothing was done", () =>
      Effect.gen(function*() {
        const { text } = yield* (yield* Client).named("/echo", { host: "evil.example" })
        assert.match(
          text,
          /The host 'evil\.example' is not this service's, which is reached at http:\/\/127\.0\.0\.1:\d+\. This request was not read\..*PUBLIC_URL/
        )
      }))

    it.effect("accepts probes under any name of the machine", () =>
      Effect.gen(function*() {
        // The path does not exist in this service; the test is that the host is not refused.
        for (const path of ["/health/live", "/health/ready", "/version"]) {
          assert.strictEqual(yield* statusOf({ host: "10.1.2.3:PORT" }, path), 404, path)
        }
      }))
  }
)

const reached = TestService({ ...unlimited, trustedProxies: ["127.0.0.1"] }, GracefulShutdown.layer, [
  "https://trade.example",
  "http://inner:8080"
])
layer(reached, { timeout: "4 minutes", excludeTestServices: true })(
  "a service with PUBLIC_URL, behind a trusted proxy",
  (it) => {
    it.effect("answers to each of its names, given by the request or the proxy, and to its own pages", () =>
      expectAll([
        ...["trade.example", "TRADE.example", "trade.example:443", "inner:8080", "localhost:PORT"].map((host) =>
          [200, { host }] as const
        ),
        ...["trade.example:8443", "inner", "evil.example", "trade.example.evil.example"].map((host) =>
          [421, { host }] as const
        ),
        [200, { host: "backend:9000", "x-forwarded-host": "trade.example" }],
        [421, { host: "trade.example", "x-forwarded-host": "evil.example" }],
        [200, { host: "trade.example", origin: "https://trade.example" }],
        [403, { host: "trade.example", origin: "http://trade.example" }],
        [403, { host: "trade.example", origin: "https://evil.example" }]
      ]))
  }
)

layer(TestService(unlimited, GracefulShutdown.layer, ["https://trade.example"]), {
  timeout: "4 minutes",
  excludeTestServices: true
})("a service that trusts no proxy", (it) => {
  it.effect("does not trust X-Forwarded-Host", () =>
    expectAll([[421, { host: "backend:9000", "x-forwarded-host": "trade.example" }]]))

  it.effect("recognizes loopback addresses", () =>
    Effect.sync(() => {
      for (const host of ["127.0.0.1", "localhost", "::1", "127.8.8.8"]) assert.isTrue(isLoopback(host), host)
      for (const host of ["0.0.0.0", "::", "", "10.0.0.1", "trade.example", "127.0.0.1.evil.example"]) {
        assert.isFalse(isLoopback(host), host)
      }
    }))
})
