/**
 * Rate limits: a token bucket per client network and API key, and budgets for creations without a key. Beyond them, the
 * wire's HTML 503. Requests are counted in memory, each server with its part of the rate, and pass while the database
 * is away; creations are counted in the database.
 */
import { type Creation, CreationBudgetStore } from "@vault-trader/core/rate-limit/CreationBudgetStore"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import * as Crypto from "node:crypto"
import type { RequestHead } from "../wire/RequestHead.ts"
import * as Wire from "../wire/Wire.ts"
import * as Buckets from "./Buckets.ts"
import { query } from "./ActorCall.ts"
import { blockList, clientsBehind } from "./ClientAddress.ts"
import { keyDigestOf } from "./KeyDigest.ts"
import { LiveServers } from "./LiveServers.ts"

export interface RateLimitOptions {
  readonly enabled: boolean
  /** Size of a burst of requests. */
  readonly burst: number
  /** Requests regained per minute. */
  readonly perMinute: number
  /** Proxies whose X-Forwarded-For is trusted: addresses or CIDR blocks. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Maximum number of each that all servers create per hour. */
  readonly perHour: Readonly<Record<Creation, number>>
}

/** The limit of a session at one server. An open page sends about one request a second, all to the same server. */
const sessionShare: Buckets.Share = { burst: 200, perMinute: 600 }

/** Limit of all clients of one IPv6 /48 together, as a multiple of one client's. */
const wideFactor = 16

/** One client may use this fraction (1/n) of a creation budget, so that no client exhausts it for the others. */
const clientDivisor = 10

/** Creations that may be counted in the database at once, and how long one waits for that. */
const maxTakers = 2
const takerTimeout = "5 seconds"

/** Maximum number of client and key buckets in memory. */
const capacity = 100_000

type Throttled = Option.Option<HttpServerResponse.HttpServerResponse>

export class RateLimit extends Context.Service<RateLimit, {
  /** Returns the client of a request: its IPv4 address or IPv6 /64. */
  readonly clientOf: (request: RequestHead) => string
  /** Returns the client's address. */
  readonly addressOf: (request: RequestHead) => string
  /**
   * Returns the 503 if the client, or the IPv6 /48 around it, has used up its limit. `now`: unix milliseconds of the
   * service's clock.
   */
  readonly ofAddress: (request: RequestHead, now: number) => Throttled
  /** The same for a key, regardless of the addresses that use it. */
  readonly ofKey: (apiKey: unknown, now: number) => Throttled
  /**
   * Returns the 503 if the hourly budget for creations, or this client's part of it, is used up, or if the database
   * cannot be reached.
   */
  readonly ofCreation: (creation: Creation, client: string) => Effect.Effect<Throttled>
  /** Returns true if a console session may send another request. Its limit is separate, because pages poll often. */
  readonly ofSession: (digest: string) => Effect.Effect<boolean>
}>()("vault-trader/server/gate/RateLimit") {
  /** `options`: rates and budgets of all servers together. */
  static readonly layer = (
    options: RateLimitOptions
  ): Layer.Layer<RateLimit, never, CreationBudgetStore | LiveServers> =>
    Layer.effect(
      RateLimit,
      Effect.gen(function*() {
        const budget = yield* CreationBudgetStore
        const servers = yield* LiveServers
        const takers = yield* Semaphore.make(maxTakers)
        const clients = Buckets.make(capacity)
        // Separate from the clients' buckets, so that no number of clients evicts a budget.
        const budgets = Buckets.make(8)
        const clientOf = clientsBehind(blockList(options.trustedProxies))
        const admitted: Throttled = Option.none()

        const take = (buckets: Buckets.Buckets, name: string, share: Buckets.Share, now: number): Throttled => {
          const tokens = buckets(name, share, now)
          return tokens >= 1 ? admitted : Option.some(throttle(share, tokens))
        }
        const hourly = (count: number): Buckets.Share => ({ burst: count, perMinute: count / 60 })
        const wider = { burst: options.burst * wideFactor, perMinute: options.perMinute * wideFactor }

        /** Returns this server's part of a limit. */
        const ofServer = ({ burst, perMinute }: Buckets.Share): Buckets.Share => {
          const count = servers.count()
          return { burst: Math.max(1, burst / count), perMinute: perMinute / count }
        }
        const takeShared = (name: string, share: Buckets.Share, now: number) =>
          take(clients, name, ofServer(share), now)
        /**
         * Takes from the budget of all servers. The buckets in memory come first: beyond them, requests cost the database
         * nothing. All takers wait for one row, so few of them hold a connection at once: the others' requests need
         * the connections.
         */
        const takeBudget = (creation: Creation, client: string, perHour: number, perHourOfClient: number) =>
          query(budget.take({ creation, client: digestOf(client), perHour, perHourOfClient })).pipe(
            takers.withPermit,
            Effect.map((exhausted): Throttled =>
              exhausted === undefined ? admitted : Option.some(throttle(hourly(exhausted.perHour), exhausted.tokens))
            ),
            Effect.timeoutOrElse({ duration: takerTimeout, orElse: () => Effect.succeed(uncounted) }),
            Effect.catchDefect((defect) =>
              Effect.as(Effect.logWarning("a creation was refused because it could not be counted", defect), uncounted)
            )
          )

        return {
          addressOf: (request) => clientOf(request).address,
          clientOf: (request) => clientOf(request).network.narrow,
          ofAddress: (request, now) => {
            if (!options.enabled) return admitted
            const { narrow, wide } = clientOf(request).network
            const one = takeShared(`address ${narrow}`, options, now)
            return wide === undefined || Option.isSome(one) ? one : takeShared(`network ${wide}`, wider, now)
          },
          ofSession: (digest) =>
            options.enabled
              ? Effect.map(Clock.currentTimeMillis, (now) => clients(`session ${digest}`, sessionShare, now) >= 1)
              : Effect.succeed(true),
          ofKey: (apiKey, now) =>
            options.enabled && Redacted.isRedacted(apiKey)
              // The bucket is named by the key's digest, so that no key is kept in memory for counting.
              ? takeShared(`key ${keyDigestOf(apiKey as Redacted.Redacted<string>)}`, options, now)
              : admitted,
          ofCreation: (creation, client) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              if (!options.enabled) return Effect.succeed(admitted)
              const count = options.perHour[creation]
              const ofClient = Math.max(1, Math.ceil(count / clientDivisor))
              const here = take(clients, `${creation} ${client}`, hourly(ofClient), now)
              const all = Option.isSome(here) ? here : take(budgets, creation, hourly(count), now)
              return Option.isSome(all) ? Effect.succeed(all) : takeBudget(creation, client, count, ofClient)
            })
        }
      })
    )
}

/** The response to a creation that could not be counted. */
const uncounted: Throttled = Option.some(
  Wire.error(503, "The service cannot count creations at the moment. Nothing was created. Try again.")
)

const digestOf = (text: string) => Crypto.hash("sha256", text, "base64")

const throttle = ({ burst, perMinute }: Buckets.Share, tokens: number) => {
  const wait = Math.max(1, Math.ceil((1 - tokens) * 60 / perMinute))
  return Wire.throttled.pipe(HttpServerResponse.setHeaders({
    "Retry-After": String(wait),
    "RateLimit-Policy": `"default";q=${Math.ceil(perMinute)};w=60`,
    RateLimit: `"default";r=${Math.floor(Math.min(burst, tokens))};t=${wait}`
  }))
}
