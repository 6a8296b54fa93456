/** The gateway's rate: a token bucket per client address and per API key; beyond it the HTML 503 of the wire. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import * as Net from "node:net"
import * as Wire from "../endpoint/Wire.ts"

export interface RateLimitOptions {
  readonly enabled: boolean
  /** Requests that may come at once. */
  readonly burst: number
  /** Requests regained a minute. */
  readonly perMinute: number
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks. */
  readonly trustedProxies: ReadonlyArray<string>
}

interface Bucket {
  tokens: number
  at: number
}

/** A session's share: requests at once, and regained a minute. A page that is open asks about one a second. */
const session = { burst: 200, perMinute: 600 }

/** Buckets in memory before the oldest full ones are forgotten. */
const capacity = 100_000

type Throttled = Option.Option<HttpServerResponse.HttpServerResponse>

export class RateLimit extends Context.Tag("vault-trader/server/gate/RateLimit")<RateLimit, {
  /** The 503 when the client's address has used its share. */
  readonly ofAddress: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Throttled>
  /** The same for a key, whichever addresses use it. */
  readonly ofKey: (apiKey: unknown) => Effect.Effect<Throttled>
  /** Whether a console's session may ask once more. Its share is its own: a page looks often, and takes nothing from the API's callers. */
  readonly ofSession: (digest: string) => Effect.Effect<boolean>
}>() {
  static readonly layer = (options: RateLimitOptions): Layer.Layer<RateLimit> =>
    Layer.sync(RateLimit, () => {
      const buckets = new Map<string, Bucket>()
      const proxies = blockList(options.trustedProxies)

      /** The tokens there were before one was taken; under 1, none was. */
      const taken = (id: string, { burst, perMinute }: Pick<RateLimitOptions, "burst" | "perMinute">) =>
        Effect.map(Clock.currentTimeMillis, (now): number => {
          const bucket = buckets.get(id) ?? { tokens: burst, at: now }
          const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perMinute / 60_000)
          // Moved to the end: the map's order is by last use, so the first ones are the ones to forget.
          buckets.delete(id)
          buckets.set(id, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
          if (buckets.size > capacity) buckets.delete(buckets.keys().next().value ?? "")
          return tokens
        })
      const take = (id: string) =>
        Effect.map(taken(id, options), (tokens): Throttled => tokens >= 1 ? Option.none() : Option.some(throttle(options, tokens)))

      const none = Effect.succeed<Throttled>(Option.none())
      return {
        ofAddress: (request) => options.enabled ? take(`address ${clientAddress(request, proxies)}`) : none,
        ofSession: (digest) =>
          options.enabled ? Effect.map(taken(`session ${digest}`, session), (tokens) => tokens >= 1) : Effect.succeed(true),
        ofKey: (apiKey) =>
          options.enabled && Redacted.isRedacted(apiKey)
            // A digest stands for the key: no key lies in memory for the sake of counting.
            ? take(`key ${Crypto.createHash("sha256").update(String(Redacted.value(apiKey))).digest("base64")}`)
            : none
      }
    })
}

const throttle = ({ burst, perMinute }: RateLimitOptions, tokens: number) => {
  const wait = Math.max(1, Math.ceil((1 - tokens) * 60 / perMinute))
  return Wire.throttled.pipe(HttpServerResponse.setHeaders({
    "Retry-After": String(wait),
    "RateLimit-Policy": `"default";q=${perMinute};w=60`,
    RateLimit: `"default";r=${Math.floor(Math.min(burst, tokens))};t=${wait}`
  }))
}

/** An address as it is compared: IPv4 in its own notation, without the port some proxies add. */
const plain = (address: string) =>
  address.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").toLowerCase()
const family = (address: string) => Net.isIPv6(address) ? "ipv6" as const : "ipv4" as const

const blockList = (proxies: ReadonlyArray<string>): Net.BlockList => {
  const list = new Net.BlockList()
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/")
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return list
}

/** The client's address: the socket's, or the last forwarded one that no trusted proxy stands behind. */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest, proxies: Net.BlockList): string => {
  const trusted = (address: string) => Net.isIP(address) !== 0 && proxies.check(address, family(address))
  const socket = plain(Option.getOrElse(request.remoteAddress, () => "unknown"))
  if (!trusted(socket)) return socket
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((part) => plain(part.trim()))
  const client = forwarded.reverse().find((address) => !trusted(address)) ?? ""
  // What is no address was not written by a proxy we know; who stands before it in the list is anybody's word.
  return Net.isIP(client) === 0 ? socket : client
}
