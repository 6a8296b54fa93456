/** The gateway's rate: a token bucket per client network and per API key, and budgets for what anybody may create; beyond them the HTML 503 of the wire. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import * as Wire from "../wire/Wire.ts"
import * as Buckets from "./Buckets.ts"
import { blockList, clientAddress, networkOf } from "./ClientAddress.ts"

/** What anybody may create without a key. */
export type Creation = "wallets" | "signIns"

export interface RateLimitOptions {
  readonly enabled: boolean
  /** Requests that may come at once. */
  readonly burst: number
  /** Requests regained a minute. */
  readonly perMinute: number
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks. */
  readonly trustedProxies: ReadonlyArray<string>
  /** How many of each this process creates an hour. */
  readonly perHour: Readonly<Record<Creation, number>>
}

/** A session's share: requests at once, and regained a minute. A page that is open asks about one a second. */
const session: Buckets.Share = { burst: 200, perMinute: 600 }

/** How many times a client's share all clients of one IPv6 /48 have together. */
const widerShare = 16

/** The part of a budget for creations that one client can use up, so that none takes it from all others. */
const clientPart = 10

/** Buckets of clients and keys in memory. */
const capacity = 100_000

type Throttled = Option.Option<HttpServerResponse.HttpServerResponse>

export class RateLimit extends Context.Service<RateLimit, {
  /** The client of a request: its IPv4 address, or its IPv6 /64. */
  readonly clientOf: (request: HttpServerRequest.HttpServerRequest) => string
  /** The 503 when the client, or the IPv6 /48 around it, has used its share. */
  readonly ofAddress: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Throttled>
  /** The same for a key, whichever addresses use it. */
  readonly ofKey: (apiKey: unknown) => Effect.Effect<Throttled>
  /** The 503 when the budget for creations of an hour is used, or this client's part of it. */
  readonly ofCreation: (creation: Creation, client: string) => Effect.Effect<Throttled>
  /** Whether a console's session may ask once more. Its share is its own: a page looks often, and takes nothing from the API's callers. */
  readonly ofSession: (digest: string) => Effect.Effect<boolean>
}>()("vault-trader/server/gate/RateLimit") {
  static readonly layer = (options: RateLimitOptions): Layer.Layer<RateLimit> =>
    Layer.sync(RateLimit, () => {
      const clients = Buckets.make(capacity)
      // Apart from the others: no number of clients pushes a budget out of memory.
      const budgets = Buckets.make(8)
      const proxies = blockList(options.trustedProxies)
      const passed: Throttled = Option.none()

      const take = (buckets: Buckets.Buckets, name: string, share: Buckets.Share) =>
        Effect.map(buckets(name, share), (tokens): Throttled => tokens >= 1 ? passed : Option.some(throttle(share, tokens)))
      /** Takes from the second only what the first lets pass. */
      const both = (one: Effect.Effect<Throttled>, other: Effect.Effect<Throttled>) =>
        Effect.flatMap(one, (throttled) => Option.isSome(throttled) ? Effect.succeed(throttled) : other)
      const hourly = (count: number): Buckets.Share => ({ burst: count, perMinute: count / 60 })
      const whenOn = (throttled: Effect.Effect<Throttled>) => options.enabled ? throttled : Effect.succeed(passed)

      const networkOfClient = (request: HttpServerRequest.HttpServerRequest) => networkOf(clientAddress(request, proxies))
      return {
        clientOf: (request) => networkOfClient(request).narrow,
        ofAddress: (request) => {
          const { narrow, wide } = networkOfClient(request)
          const one = take(clients, `address ${narrow}`, options)
          const wider = { burst: options.burst * widerShare, perMinute: options.perMinute * widerShare }
          return whenOn(wide === undefined ? one : both(one, take(clients, `network ${wide}`, wider)))
        },
        ofSession: (digest) =>
          options.enabled ? Effect.map(clients(`session ${digest}`, session), (tokens) => tokens >= 1) : Effect.succeed(true),
        ofKey: (apiKey) =>
          Redacted.isRedacted(apiKey)
            // A digest stands for the key: no key lies in memory for the sake of counting.
            ? whenOn(take(clients, `key ${Crypto.createHash("sha256").update(String(Redacted.value(apiKey))).digest("base64")}`, options))
            : Effect.succeed(passed),
        ofCreation: (creation, client) => {
          const count = options.perHour[creation]
          const part = hourly(Math.max(1, Math.ceil(count / clientPart)))
          return whenOn(both(take(clients, `${creation} ${client}`, part), take(budgets, creation, hourly(count))))
        }
      }
    })
}

const throttle = ({ burst, perMinute }: Buckets.Share, tokens: number) => {
  const wait = Math.max(1, Math.ceil((1 - tokens) * 60 / perMinute))
  return Wire.throttled.pipe(HttpServerResponse.setHeaders({
    "Retry-After": String(wait),
    "RateLimit-Policy": `"default";q=${Math.ceil(perMinute)};w=60`,
    RateLimit: `"default";r=${Math.floor(Math.min(burst, tokens))};t=${wait}`
  }))
}
