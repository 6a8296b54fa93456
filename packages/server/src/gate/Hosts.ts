/**
 * The host names of the service. A request for another host, or from a page of another origin, is refused; this stops
 * DNS rebinding, where an attacker points a name of their own at this machine.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Net from "node:net"
import * as Wire from "../wire/Wire.ts"
import { Origin } from "../wire/Origin.ts"
import type { RequestHead } from "../wire/RequestHead.ts"
import { blockList, plain } from "./ClientAddress.ts"

/** Maximum number of host names that are remembered. Only the service's own are. */
const maxRemembered = 100

/** Returns true for a host name that is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/i.test(host)

/** Parses the name and port of a Host header; undefined if malformed. */
const parsed = (host: string): URL | undefined => {
  const text = `http://${host}`
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(text) ? new URL(text) : undefined
}

/** Returns true if a host or origin names the service's port; without a port it means that of http or https. */
const isAt = ({ port: named }: URL, port: number | undefined): boolean =>
  port === undefined || (named === "" ? port === 80 || port === 443 : Number(named) === port)

export class Hosts extends Context.Service<Hosts, {
  /**
   * Returns the error response to a request for another host or from another origin; none if both are the service's.
   */
  readonly refusal: (
    request: RequestHead
  ) => Option.Option<HttpServerResponse.HttpServerResponse>
}>()("vault-trader/server/gate/Hosts") {
  /** `trustedProxies`: addresses or blocks whose X-Forwarded-Host is trusted. */
  static readonly layer = (
    trustedProxies: ReadonlyArray<string>
  ): Layer.Layer<Hosts, never, Origin | HttpServer.HttpServer> =>
    Layer.effect(
      Hosts,
      Effect.gen(function*() {
        const { urls } = yield* Origin
        const { address } = yield* HttpServer.HttpServer
        const port = NetAddress.isInetAddress(address) ? address.port : undefined
        const proxies = blockList(trustedProxies)
        const named = new Set(
          urls.map((url) => new URL(url)).flatMap(({ host, port: at, protocol }) =>
            at === "" ? [host, `${host}:${protocol === "https:" ? 443 : 80}`] : [host]
          )
        )
        const known = urls.length > 0 ? urls.join(", ") : `http://127.0.0.1:${port ?? ""}`

        const isOurs = (host: string): boolean => {
          const url = parsed(host)
          return url !== undefined && (named.has(url.host) || (isLoopback(url.hostname) && isAt(url, port)))
        }
        const isOwnPage = (origin: string): boolean => {
          const url = URL.canParse(origin) ? new URL(origin) : undefined
          return url !== undefined && (urls.includes(url.origin) || (isLoopback(url.hostname) && isAt(url, port)))
        }
        /**
         * Returns the host that the caller named: the one forwarded by a trusted proxy, or the request's Host header.
         */
        const hostOf = ({ headers, remoteAddress }: RequestHead): string => {
          const { host = "", "x-forwarded-host": forwarded } = headers
          if (forwarded === undefined) return host
          const socket = plain(Option.getOrElse(remoteAddress, () => ""))
          const trusted = Net.isIP(socket) !== 0 && proxies.check(socket, Net.isIPv6(socket) ? "ipv6" : "ipv4")
          return trusted ? forwarded.split(",")[0]?.trim() ?? host : host
        }

        /** Hosts that are the service's, as callers write them: few, so each is understood once. */
        const ours = new Set<string>()
        const isKnownOurs = (host: string): boolean => {
          if (ours.has(host)) return true
          const is = isOurs(host)
          if (is && ours.size < maxRemembered) ours.add(host)
          return is
        }

        return {
          refusal: (request) => {
            const host = hostOf(request)
            if (!isKnownOurs(host)) {
              return Option.some(
                Wire.error(
                  421,
                  `The host '${host.slice(0, 100)}' is not this service's, which is reached at ${known}. ` +
                    "This request was not read. The operator can add hosts with PUBLIC_URL."
                )
              )
            }
            const origin = request.headers["origin"]
            if (origin !== undefined && !isOwnPage(origin)) {
              return Option.some(
                Wire.error(
                  403,
                  `This request came from a page of '${
                    origin.slice(0, 100)
                  }', but only the service's own pages at ${known} may send requests. This request was not read.`
                )
              )
            }
            return Option.none()
          }
        }
      })
    )
}
