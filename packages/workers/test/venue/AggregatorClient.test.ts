import { assert, it } from "@effect/vitest"
import { AggregatorBook, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { type VenueBan, VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as TestChain from "@vault-trader/devnet/test-chain/TestChain"
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
import { type Api, standard, AggregatorClient } from "../../src/venue/AggregatorClient.ts"
import { reason } from "./TestVenues.ts"

const key = "secret-key-of-the-operator"
const api: Api = { venue: "1inch", authorise: (secret) => ({ authorization: `Bearer ${secret}` }) }
const open: Api = { venue: "kyberswap" }
const Answer = Schema.Struct({ ok: Schema.Boolean })

/** Nothing: the connection is refused. */
type Reply = Effect.Effect<Response | undefined>

const saying = (status: number, body: string): Reply => Effect.sync(() => new Response(body, { status }))

/** One API that answers as told, and everything that is asked, banned and logged about it. */
const house = (reply: Reply, options: { readonly key?: string; readonly url?: string; readonly standing?: VenueBan } = {}) =>
  Effect.gen(function*() {
    const asked: Array<HttpClientRequest.HttpClientRequest> = []
    const banned: Array<string> = []
    const http = HttpClient.make((request) => {
      asked.push(request)
      return Effect.flatMap(reply, (response) =>
        response === undefined
          ? new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause: new Error(`no ${request.url}`) }) })
          : Effect.succeed(HttpClientResponse.fromWeb(request, response)))
    })
    const bans = Layer.succeed(VenueBanStore, {
      ban: (network, venue, why) => Effect.sync(() => void banned.push(`${network}/${venue}: ${why}`)),
      find: () => Effect.succeed(Option.fromNullishOr(options.standing))
    })
    const chain = yield* TestChain.make({ network: "base", seed: 1 })
    const book = chain.book({})
    const access = { ...standard, keys: options.key === undefined ? {} : { "1inch": Redacted.make(options.key) } }
    const made = yield* Effect.provide(AggregatorClient, AggregatorClient.layer(access).pipe(Layer.provide([Layer.succeed(HttpClient.HttpClient, http), bans])))
    const here = options.url === undefined
      ? book
      : NetworkBook.make({ ...book, aggregators: { "1inch": AggregatorBook.make({ router: book.platformFactory, url: options.url }) } })
    const ask = (which: Api = api) => Effect.flatMap(made.open(which, here), (question) => question(Answer, HttpClientRequest.get("/swap")))
    return { ask, asked, banned }
  })

it.effect("asks where the book says, else where the API usually is, and says who asks", () =>
  Effect.gen(function*() {
    const usual = yield* house(saying(200, `{"ok":true}`), { key })
    assert.deepStrictEqual(yield* usual.ask(), { ok: true })
    assert.deepStrictEqual(yield* usual.ask(open), { ok: true })
    assert.deepStrictEqual(usual.asked.map(({ headers, url }) => [url, headers["authorization"]]), [
      ["https://api.1inch.dev/swap", `Bearer ${key}`],
      ["https://aggregator-api.kyberswap.com/swap", undefined]
    ])
    const own = yield* house(saying(200, `{"ok":true}`), { key, url: "http://127.0.0.1:1/1inch/" })
    yield* own.ask()
    assert.deepStrictEqual(own.asked.map(({ url }) => url), ["http://127.0.0.1:1/1inch/swap"])
  }))

it.effect("asks nobody without the key it takes, nor while there is a ban", () =>
  Effect.gen(function*() {
    const keyless = yield* house(saying(200, `{"ok":true}`))
    assert.strictEqual(yield* reason(keyless.ask()), "no key for its API is configured")
    yield* keyless.ask(open)
    assert.lengthOf(keyless.asked, 1)
    const banned = yield* house(saying(200, `{"ok":true}`), { key, standing: { reason: "we asked too much", until: "2030-01-01T00:00:00Z" } })
    assert.strictEqual(yield* reason(banned.ask()), "left alone until 2030-01-01T00:00:00Z, because we asked too much")
    assert.lengthOf(banned.asked, 0)
  }))

for (const [status, body, said, bans] of [
  [429, "", "its API's quota is used up (HTTP 429)", true],
  [429, `{"message":"slow down"}`, "its API's quota is used up (HTTP 429: slow down)", true],
  [403, `{"description":"Your monthly quota is exceeded"}`, "its API's quota is used up (HTTP 403: Your monthly quota is exceeded)", true],
  [401, `{"detail":"API usage limit reached"}`, "its API's quota is used up (HTTP 401: API usage limit reached)", true],
  [401, `{"description":"Who are you?"}`, "its API does not let us in (HTTP 401: Who are you?)", false],
  [403, "<html>forbidden</html>", "its API does not let us in (HTTP 403)", false],
  [400, `{"description":"insufficient liquidity"}`, "its API refuses (HTTP 400: insufficient liquidity)", false],
  [400, `{"detail":"the limit is exceeded"}`, "its API refuses (HTTP 400: the limit is exceeded)", false],
  [302, "", "its API refuses (HTTP 302)", false],
  [500, `{"message":"rate limit of the upstream"}`, "its API is out of order (HTTP 500: rate limit of the upstream)", false],
  [503, "", "its API is out of order (HTTP 503)", false],
  [200, `{"ok":tr`, "its API's answer breaks off", false],
  [200, "", "its API's answer breaks off", false],
  [200, `{"fine":true}`, "its API answers with what is no quote", false],
  [200, "null", "its API answers with what is no quote", false]
] as const) {
  it.effect(`answers HTTP ${status} ${body === "" ? "without a word" : body} by passing the venue over, ${bans ? "and bans it" : "without a ban"}`, () =>
    Effect.gen(function*() {
      const { ask, banned } = yield* house(saying(status, body), { key })
      assert.strictEqual(yield* reason(ask()), said)
      assert.deepStrictEqual(banned, bans ? [`base/1inch: ${said}`] : [])
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))
}

it.effect("waits for an answer no longer than five seconds, and no longer for the rest of one", () =>
  Effect.gen(function*() {
    const never = yield* house(Effect.never, { key })
    const stuck = yield* house(Effect.sync(() => new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(`{"ok":`)) }))), { key })
    for (const { ask, banned } of [never, stuck]) {
      const fiber = yield* Effect.forkChild(reason(ask()))
      yield* TestClock.adjust("4999 millis")
      assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(fiber.pollUnsafe()))))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "its API gave no answer within 5 s")
      assert.deepStrictEqual(banned, [])
    }
  }))

it.effect("says no key and no address, whatever the API or the network says", () =>
  Effect.gen(function*() {
    const echo = yield* house(saying(400, JSON.stringify({ message: `\u0000bad key ${key}\n at https://x/` })), { key })
    const said = yield* reason(echo.ask())
    assert.notInclude(said, key)
    assert.strictEqual(said, "its API refuses (HTTP 400: bad key <redacted>  at https://x/)")
    const cut = yield* house(Effect.succeed(undefined), { key, url: `http://127.0.0.1:1/${key}` })
    assert.strictEqual(yield* reason(cut.ask()), "its API cannot be reached")
  }))

it.effect("keeps URLs and headers out of traces", () =>
  Effect.gen(function*() {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: ({ startTime, ...options }) => {
        const attributes = new Map<string, unknown>()
        const span: Tracer.Span = {
          ...options, _tag: "Span", attributes, spanId: String(spans.length), traceId: "t", sampled: true,
          status: { _tag: "Started", startTime },
          end: () => {}, attribute: (name_, value) => void attributes.set(name_, value), event: () => {}, addLinks: () => {}
        }
        spans.push(span)
        return span
      }
    })
    const { ask } = yield* house(saying(200, `{"ok":true}`), { key, url: `http://127.0.0.1:1/${key}` })
    yield* Effect.withTracer(ask(), tracer)
    assert.deepStrictEqual(spans.map(({ attributes, name }) => [name, Object.fromEntries(attributes)]), [
      ["venue 1inch", { network: "base", endpoint: "127.0.0.1:1" }]
    ])
  }))
