import { assert, describe, it } from "@effect/vitest"
import { CreationBudgetStore } from "@vault-trader/core/rate-limit/CreationBudgetStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"
import { LiveServers } from "../../src/gate/LiveServers.ts"
import { RateLimit, type RateLimitOptions } from "../../src/gate/RateLimit.ts"
import { holds } from "../Properties.ts"

const options: RateLimitOptions = {
  enabled: true,
  burst: 20,
  perMinute: 30,
  trustedProxies: [],
  perHour: { wallets: 1_000, signIns: 1_000 }
}

const requestFrom = (address: string, forwarded?: string) =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/echo", { headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } })
  )
    .modify({ remoteAddress: Option.some(address) })

/** Takes at the present time. */
const taken = <A>(take: (now: number) => A): Effect.Effect<A> => Effect.map(Clock.currentTimeMillis, take)

/** Sends this many requests at once and counts those that pass. */
const passing = (count: number, one: Effect.Effect<Option.Option<unknown>>) =>
  Effect.map(Effect.replicateEffect(one, count), (throttled) => throttled.filter(Option.isNone).length)

/** A budget in the database that is never used up. */
const unlimitedBudget: CreationBudgetStore["Service"] = { take: () => Effect.succeed(undefined) }

/** A limiter of one of `servers` servers. */
const limiterOf = (given: Partial<RateLimitOptions>, servers = () => 1, budget = unlimitedBudget) =>
  RateLimit.layer({ ...options, ...given }).pipe(
    Layer.provide([
      Layer.succeed(CreationBudgetStore, budget),
      Layer.succeed(LiveServers, { count: servers })
    ])
  )

const using = <A, E>(
  given: Partial<RateLimitOptions>,
  use: (limiter: RateLimit["Service"]) => Effect.Effect<A, E>,
  servers = () => 1
) => Effect.provide(Effect.flatMap(RateLimit, use), limiterOf(given, servers))

/** Returns true if a request through these proxies takes a token from that client's bucket. */
const countedFor = (client: string, trustedProxies: ReadonlyArray<string>, socket: string, forwarded: string) =>
  using(
    { trustedProxies, burst: 1 },
    (limiter) =>
      Effect.andThen(
        taken((now) => limiter.ofAddress(requestFrom(socket, forwarded), now)),
        Effect.map(taken((now) => limiter.ofAddress(requestFrom(client), now)), Option.isSome)
      )
  )

describe("RateLimit", () => {
  it.effect("lets a burst of 20 pass and regains 30 a minute", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        const one = taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))
        assert.strictEqual(yield* passing(25, one), 20)
        yield* TestClock.adjust("1999 millis")
        assert.strictEqual(yield* passing(5, one), 0)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* passing(5, one), 1)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* passing(20, one), 5)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* passing(100, one), 20)
      })))

  it.effect("throttles with an HTML page, Retry-After and the remaining tokens", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        const one = taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))
        yield* passing(20, one)
        const response = HttpServerResponse.toWeb(yield* Effect.flatMap(one, Effect.fromOption))
        assert.strictEqual(response.status, 503)
        assert.include(yield* Effect.promise(() => response.text()), "503 Service Temporarily Unavailable")
        assert.deepStrictEqual(
          ["content-type", "retry-after", "ratelimit-policy", "ratelimit"].map((name) => response.headers.get(name)),
          ["text/html", "2", `"default";q=30;w=60`, `"default";r=0;t=2`]
        )
      })))

  it.effect("admits a client that retries after Retry-After, whenever it was throttled", () =>
    holds(
      FastCheck.tuple(FastCheck.integer({ min: 0, max: 60_000 }), FastCheck.integer({ min: 1, max: 600 })),
      ([pause, perMinute]) =>
        using({ perMinute }, (limiter) =>
          Effect.gen(function*() {
            const one = taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))
            yield* passing(20, one)
            yield* TestClock.adjust(`${pause} millis`)
            yield* passing(20, one)
            const throttled = HttpServerResponse.toWeb(yield* Effect.flatMap(one, Effect.fromOption))
            yield* TestClock.adjust(`${Number(throttled.headers.get("retry-after"))} seconds`)
            assert.isTrue(Option.isNone(yield* one))
          })),
      { numRuns: 50 }
    ))

  it.effect("counts each address separately", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* passing(25, taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))), 20)
        assert.strictEqual(yield* passing(25, taken((now) => limiter.ofAddress(requestFrom("1.2.3.5"), now))), 20)
        assert.strictEqual(yield* passing(25, taken((now) => limiter.ofAddress(requestFrom("2001:db8::1"), now))), 20)
      })))

  it.effect("counts all addresses of an IPv6 /64 as one client, and those of a /48 as sixteen", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        const many = (count: number, addressOf: (index: string) => string) =>
          Effect.forEach(Array.from({ length: count }, (_, index) => addressOf(index.toString(16))), (address) =>
            taken((now) => limiter.ofAddress(requestFrom(address), now)))
        const passed = (throttled: ReadonlyArray<Option.Option<unknown>>) =>
          throttled.filter(Option.isNone).length
        assert.strictEqual(passed(yield* many(300, (index) => `2001:db8:1:2::${index}`)), 20)
        assert.strictEqual(passed(yield* many(300, (index) => `2001:db8:0001:0002:${index}:0:0:1`)), 0)
        assert.strictEqual(passed(yield* many(1_000, (index) => `2001:db8:2:${index}::1`)), 320)
        assert.strictEqual(passed(yield* many(300, (index) => `2001:db8:3${index.padStart(3, "0")}::1`)), 300)
      })))

  it.effect("counts an IPv4 address the same in every IPv6 notation", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        for (const address of ["1.2.3.4", "::ffff:1.2.3.4", "::FFFF:102:304", "0:0:0:0:0:ffff:0102:0304"]) {
          assert.strictEqual(yield* passing(5, taken((now) => limiter.ofAddress(requestFrom(address), now))), 5)
        }
        assert.strictEqual(yield* passing(5, taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))), 0)
        assert.strictEqual(yield* passing(5, taken((now) => limiter.ofAddress(requestFrom("::ffff:1.2.3.5"), now))), 5)
      })))

  it.effect("has an hourly budget for wallets, of which one client gets a tenth, and sends Retry-After", () =>
    using({ perHour: { wallets: 100, signIns: 7 } }, (limiter) =>
      Effect.gen(function*() {
        const made = (client: string) => passing(50, limiter.ofCreation("wallets", client))
        const clients = yield* Effect.forEach(Array.from({ length: 30 }, (_, index) => `client ${index}`), made)
        assert.deepStrictEqual(clients, [...Array<number>(10).fill(10), ...Array<number>(20).fill(0)])
        const throttled = HttpServerResponse.toWeb(
          yield* Effect.flatMap(limiter.ofCreation("wallets", "another"), Effect.fromOption)
        )
        assert.deepStrictEqual([throttled.status, throttled.headers.get("retry-after")], [503, "36"])
        assert.strictEqual(yield* passing(1, limiter.ofCreation("signIns", "another")), 1)
        yield* TestClock.adjust("36 seconds")
        assert.strictEqual(yield* made("another one"), 1)
      })))

  it.effect("admits its part of the rate while other servers run, and all of it when they have stopped", () => {
    let servers = 4
    return using({}, (limiter) =>
      Effect.gen(function*() {
        const one = taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))
        const key = taken((now) => limiter.ofKey(Redacted.make("one"), now))
        assert.deepStrictEqual([yield* passing(25, one), yield* passing(25, key)], [5, 5])
        yield* TestClock.adjust("8 seconds")
        assert.deepStrictEqual([yield* passing(5, one), yield* passing(5, key)], [1, 1])
        servers = 1
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual([yield* passing(25, one), yield* passing(25, key)], [20, 20])
        // Of the burst of a hundred servers, one request is left for each.
        servers = 100
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* passing(5, one), 1)
      }), () => servers)
  })

  it.effect("admits requests and refuses creations while the database is away", () => {
    const away = { take: () => Effect.fail(new SqlError({ reason: new ConnectionError({ cause: "away" }) })) }
    return Effect.gen(function*() {
      const limiter = yield* RateLimit
      assert.strictEqual(yield* passing(25, taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))), 20)
      assert.strictEqual(yield* passing(25, taken((now) => limiter.ofKey(Redacted.make("one"), now))), 20)
      for (const creation of ["wallets", "signIns"] as const) {
        const refused = HttpServerResponse.toWeb(
          yield* Effect.flatMap(limiter.ofCreation(creation, "1.2.3.4"), Effect.fromOption)
        )
        assert.strictEqual(refused.status, 503)
        assert.include(yield* Effect.promise(() => refused.text()), "Nothing was created. Try again.")
      }
    }).pipe(Effect.provide(limiterOf({}, () => 1, away)))
  })

  it.effect("uses two connections of the database at most for any number of creations, which give up after a while", () => {
    let [now, most] = [0, 0]
    const slow = {
      take: () =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            now += 1
            most = Math.max(most, now)
          }),
          () => Effect.never,
          () =>
            Effect.sync(() => {
              now -= 1
            })
        )
    }
    return Effect.gen(function*() {
      const limiter = yield* RateLimit
      const all = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 40 }, (_, index) => `client ${index}`),
          (client) => limiter.ofCreation("wallets", client),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("5 seconds")
      const refused = yield* Fiber.join(all)
      assert.lengthOf(refused.filter(Option.isSome), 40)
      assert.deepStrictEqual([now, most], [0, 2])
    }).pipe(Effect.provide(limiterOf({}, () => 1, slow)))
  })

  it.effect("names the budget of all servers in Retry-After, and counts without the database once its own is used up", () => {
    let taken = 0
    const exhausted = {
      take: () =>
        Effect.sync(() => {
          taken += 1
          return { perHour: 60, tokens: 0 }
        })
    }
    return Effect.gen(function*() {
      const limiter = yield* RateLimit
      const first = yield* Effect.flatMap(limiter.ofCreation("wallets", "1.2.3.4"), Effect.fromOption)
      assert.strictEqual(HttpServerResponse.toWeb(first).headers.get("retry-after"), "60")
      yield* passing(500, limiter.ofCreation("wallets", "1.2.3.4"))
      assert.strictEqual(taken, 100)
    }).pipe(Effect.provide(limiterOf({}, () => 1, exhausted)))
  })

  it.effect("counts a key across addresses, and keys separately", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* passing(25, taken((now) => limiter.ofKey(Redacted.make("one"), now))), 20)
        assert.strictEqual(yield* passing(25, taken((now) => limiter.ofKey(Redacted.make("other"), now))), 20)
        assert.strictEqual(yield* passing(1, taken((now) => limiter.ofKey(Redacted.make("one"), now))), 0)
      })))

  it.effect("does not count a value that is not a key", () =>
    using({}, (limiter) =>
      Effect.gen(function*() {
        for (const none of [undefined, "text", null, {}]) {
          assert.strictEqual(yield* passing(50, taken((now) => limiter.ofKey(none, now))), 50)
        }
      })))

  it.effect("admits everything when it is off", () =>
    using({ enabled: false }, (limiter) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* passing(100, taken((now) => limiter.ofAddress(requestFrom("1.2.3.4"), now))), 100)
        assert.strictEqual(yield* passing(100, taken((now) => limiter.ofKey(Redacted.make("one"), now))), 100)
      })))
})

describe("the client's address", () => {
  for (
    const [sentence, client, trusted, socket, forwarded] of [
      ["is the socket's, whatever is forwarded by a stranger", "9.9.9.9", [], "9.9.9.9", "1.1.1.1"],
      ["is the socket's, when only another proxy is trusted", "9.9.9.9", ["10.0.0.0/8"], "9.9.9.9", "1.1.1.1"],
      ["is what a trusted proxy forwards", "1.1.1.1", ["10.0.0.1"], "10.0.0.1", "1.1.1.1"],
      ["is what a proxy of a trusted block forwards", "1.1.1.1", ["10.0.0.0/8"], "10.200.3.4", "1.1.1.1"],
      [
        "is what a trusted proxy at an IPv6-mapped address forwards",
        "1.1.1.1",
        ["10.0.0.0/8"],
        "::ffff:10.0.0.1",
        "1.1.1.1"
      ],
      ["is what a trusted IPv6 proxy forwards", "2001:db8::5", ["fd00::/8"], "fd00::1", "2001:db8::5"],
      [
        "is the last one before the trusted proxies, not what the client claims",
        "1.1.1.1",
        ["10.0.0.0/8"],
        "10.0.0.1",
        "6.6.6.6, 1.1.1.1, 10.0.0.2"
      ],
      ["is the socket's when nothing is forwarded", "10.0.0.1", ["10.0.0.0/8"], "10.0.0.1", ""],
      ["is the same with the port some proxies add", "1.1.1.1", ["10.0.0.0/8"], "10.0.0.1", "1.1.1.1:5678"],
      ["is the same in brackets with a port", "2001:db8::5", ["10.0.0.0/8"], "10.0.0.1", "[2001:DB8::5]:443"],
      ["is the same whether IPv4 comes mapped or not", "1.1.1.1", ["10.0.0.0/8"], "10.0.0.1", "::FFFF:1.1.1.1"],
      [
        "is the proxy's when the forwarded value is no address",
        "10.0.0.1",
        ["10.0.0.0/8"],
        "10.0.0.1",
        "6.6.6.6, unknown"
      ]
    ] as const
  ) {
    it.effect(sentence, () =>
      Effect.gen(function*() {
        assert.isTrue(yield* countedFor(client, trusted, socket, forwarded))
        assert.isFalse(yield* countedFor("203.0.113.7", trusted, socket, forwarded))
        if (forwarded.startsWith("6.6.6.6")) assert.isFalse(yield* countedFor("6.6.6.6", trusted, socket, forwarded))
      }))
  }
})
