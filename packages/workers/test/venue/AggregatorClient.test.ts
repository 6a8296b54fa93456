import { assert, it } from "@effect/vitest"
import { AggregatorBook, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { type VenueBan, VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import { AggregatorClient, type Api, defaultAccess } from "../../src/venue/AggregatorClient.ts"
import { reason } from "./TestVenues.ts"

const wallet = "0x00000000000000000000000000000000000000aa"
const key = "secret-key-of-the-operator"
const api: Api = { venue: "1inch", authorise: (secret) => ({ authorization: `Bearer ${secret}` }) }
const open: Api = { venue: "kyberswap" }
const Answer = Schema.Struct({ ok: Schema.Boolean })

/** A response; `undefined` means that the connection is refused. */
type Reply = Effect.Effect<Response | undefined>

const replying = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  Effect.sync(() => new Response(body, { status, headers }))

/** A client of one API with a scripted reply; records the requests and the bans. */
const setUp = (
  reply: Reply,
  options: { readonly key?: string; readonly url?: string; readonly standing?: VenueBan } = {}
) =>
  Effect.gen(function*() {
    const requests: Array<HttpClientRequest.HttpClientRequest> = []
    const banned: Array<string> = []
    const http = HttpClient.make((request) => {
      requests.push(request)
      return Effect.flatMap(reply, (response) =>
        response === undefined
          ? new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, cause: new Error(`no ${request.url}`) })
          })
          : Effect.succeed(HttpClientResponse.fromWeb(request, response)))
    })
    const bans = Layer.succeed(VenueBanStore, {
      ban: (network, venue, { reason, seconds }) =>
        Effect.sync(() => void banned.push(`${network}/${venue} for ${seconds} s: ${reason}`)),
      pause: (network, venue, who, { reason, seconds }) =>
        Effect.sync(() => void banned.push(`${who} at ${network}/${venue} for ${seconds} s: ${reason}`)),
      find: () => Effect.succeed(Option.fromNullishOr(options.standing))
    })
    const chain = yield* TestChain.make({ network: "base", seed: 1 })
    const book = chain.book({})
    const access = { ...defaultAccess, keys: options.key === undefined ? {} : { "1inch": Redacted.make(options.key) } }
    const made = yield* Effect.provide(
      AggregatorClient,
      AggregatorClient.layer(access).pipe(Layer.provide([Layer.succeed(HttpClient.HttpClient, http), bans]))
    )
    const here = options.url === undefined
      ? book
      : NetworkBook.make({
        ...book,
        aggregators: { "1inch": AggregatorBook.make({ router: book.platformFactory, url: options.url }) }
      })
    const ask = (which: Api = api) =>
      Effect.flatMap(made.open(which, here, wallet), (question) => question(Answer, HttpClientRequest.get("/swap")))
    return { ask, requests, banned, refuseBanned: made.refuseBanned("unoswap", here, wallet) }
  })

it.effect("uses the book's URL, or else the default one, and sends the credentials", () =>
  Effect.gen(function*() {
    const usual = yield* setUp(replying(200, `{"ok":true}`), { key })
    assert.deepStrictEqual(yield* usual.ask(), { ok: true })
    assert.deepStrictEqual(yield* usual.ask(open), { ok: true })
    assert.deepStrictEqual(usual.requests.map(({ headers, url }) => [url, headers["authorization"]]), [
      ["https://api.1inch.dev/swap", `Bearer ${key}`],
      ["https://aggregator-api.kyberswap.com/swap", undefined]
    ])
    const own = yield* setUp(replying(200, `{"ok":true}`), { key, url: "http://127.0.0.1:1/1inch/" })
    yield* own.ask()
    assert.deepStrictEqual(own.requests.map(({ url }) => url), ["http://127.0.0.1:1/1inch/swap"])
  }))

it.effect("sends no request without the required key, nor during a ban", () =>
  Effect.gen(function*() {
    const keyless = yield* setUp(replying(200, `{"ok":true}`))
    assert.strictEqual(yield* reason(keyless.ask()), "no key for its API is configured")
    yield* keyless.ask(open)
    assert.lengthOf(keyless.requests, 1)
    const banned = yield* setUp(replying(200, `{"ok":true}`), {
      key,
      standing: { reason: "too many requests", until: "2030-01-01T00:00:00Z" }
    })
    assert.strictEqual(yield* reason(banned.ask()), "not called until 2030-01-01T00:00:00Z, because too many requests")
    assert.lengthOf(banned.requests, 0)
  }))

it.effect("refuses a swap without an API only while it is banned", () =>
  Effect.gen(function*() {
    yield* (yield* setUp(replying(200, ""))).refuseBanned
    const { refuseBanned, requests } = yield* setUp(replying(200, ""), {
      standing: { reason: "its pools are drained", until: "2030-01-01T00:00:00Z" }
    })
    assert.strictEqual(
      yield* reason(refuseBanned),
      "not called until 2030-01-01T00:00:00Z, because its pools are drained"
    )
    assert.lengthOf(requests, 0)
  }))

for (
  const [status, body, expected, seconds] of [
    [429, "", "its API has received too many requests (HTTP 429)", 30],
    [429, `{"message":"slow down"}`, "its API has received too many requests (HTTP 429: slow down)", 30],
    [429, `{"message":"You are banned"}`, "its API has banned this service (HTTP 429: You are banned)", 86_400],
    [
      403,
      `{"description":"Your IP address is blocked"}`,
      "its API has banned this service (HTTP 403: Your IP address is blocked)",
      86_400
    ],
    [
      403,
      `{"description":"Your monthly quota is exceeded"}`,
      "its API's quota is used up (HTTP 403: Your monthly quota is exceeded)",
      600
    ],
    [
      401,
      `{"detail":"API usage limit reached"}`,
      "its API's quota is used up (HTTP 401: API usage limit reached)",
      600
    ],
    [401, `{"description":"Who are you?"}`, "its API denies access (HTTP 401: Who are you?)", 0],
    [403, "<html>forbidden</html>", "its API denies access (HTTP 403)", 0],
    [400, `{"description":"insufficient liquidity"}`, "its API refuses (HTTP 400: insufficient liquidity)", 0],
    [400, `{"detail":"the limit is exceeded"}`, "its API refuses (HTTP 400: the limit is exceeded)", 0],
    [302, "", "its API refuses (HTTP 302)", 0],
    [500, `{"message":"rate limit of the upstream"}`, "its API failed (HTTP 500: rate limit of the upstream)", 0],
    [503, "", "its API failed (HTTP 503)", 0],
    [200, `{"ok":tr`, "its API's response is incomplete", 0],
    [200, "", "its API's response is incomplete", 0],
    [200, `{"fine":true}`, "its API's response is not a quote", 0],
    [200, "null", "its API's response is not a quote", 0]
  ] as const
) {
  const pause = seconds === 0 ? "and calls it again" : `and does not call it for ${seconds} s`
  it.effect(`skips the venue on HTTP ${status} ${body === "" ? "without a body" : body}, ${pause}`, () =>
    Effect.gen(function*() {
      const { ask, banned } = yield* setUp(replying(status, body), { key })
      assert.strictEqual(yield* reason(ask()), expected)
      const who = expected.includes("too many requests") ? `${wallet} at ` : ""
      assert.deepStrictEqual(banned, seconds === 0 ? [] : [`${who}base/1inch for ${seconds} s: ${expected}`])
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))
}

it.effect("waits for as long as Retry-After says, a second at least and ten minutes at most", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
    for (
      const [retryAfter, seconds] of [
        ["7", 7],
        ["0", 1],
        ["600", 600],
        ["86400", 600],
        ["Thu, 01 Jan 2026 00:01:30 GMT", 90],
        ["Wed, 31 Dec 2025 00:00:00 GMT", 1],
        ["soon", 30]
      ] as const
    ) {
      const { ask, banned } = yield* setUp(replying(429, "", { "retry-after": retryAfter }), { key })
      yield* reason(ask())
      assert.deepStrictEqual(banned, [
        `${wallet} at base/1inch for ${seconds} s: its API has received too many requests (HTTP 429)`
      ], retryAfter)
    }
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))

it.effect("waits at most five seconds for a response, and for its body", () =>
  Effect.gen(function*() {
    const never = yield* setUp(Effect.never, { key })
    const stuck = yield* setUp(
      Effect.sync(() =>
        new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(`{"ok":`)) }))
      ),
      { key }
    )
    for (const { ask, banned } of [never, stuck]) {
      const fiber = yield* Effect.forkChild(reason(ask()))
      yield* TestClock.adjust("4999 millis")
      assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(fiber.pollUnsafe()))))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "its API gave no answer within 5 s")
      assert.deepStrictEqual(banned, [])
    }
  }))

it.effect("never includes a key or a URL in a reason", () =>
  Effect.gen(function*() {
    const echo = yield* setUp(replying(400, JSON.stringify({ message: `\u0000bad key ${key}\n at https://x/` })), {
      key
    })
    const text = yield* reason(echo.ask())
    assert.notInclude(text, key)
    assert.strictEqual(text, "its API refuses (HTTP 400: bad key <redacted>  at https://x/)")
    const cut = yield* setUp(Effect.succeed(undefined), { key, url: `http://127.0.0.1:1/${key}` })
    assert.strictEqual(yield* reason(cut.ask()), "its API cannot be reached")
  }))

it.effect("keeps URLs and headers out of traces", () =>
  Effect.gen(function*() {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: ({ startTime, ...options }) => {
        const attributes = new Map<string, unknown>()
        const span: Tracer.Span = {
          ...options,
          _tag: "Span",
          attributes,
          spanId: String(spans.length),
          traceId: "t",
          sampled: true,
          status: { _tag: "Started", startTime },
          end: () => {},
          attribute: (name_, value) => void attributes.set(name_, value),
          event: () => {},
          addLinks: () => {}
        }
        spans.push(span)
        return span
      }
    })
    const { ask } = yield* setUp(replying(200, `{"ok":true}`), { key, url: `http://127.0.0.1:1/${key}` })
    yield* Effect.withTracer(ask(), tracer)
    assert.deepStrictEqual(spans.map(({ attributes, name }) => [name, Object.fromEntries(attributes)]), [
      ["venue 1inch", { network: "base", endpoint: "127.0.0.1:1" }]
    ])
  }))
