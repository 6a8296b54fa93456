/**
 * Checks that a webhook URL is https and points to the public internet. The name is resolved here, and exactly the
 * checked address is connected to, so a name that resolves differently a moment later cannot redirect the request.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Dns from "node:dns/promises"
import * as Net from "node:net"

/** The URL is not permitted; nothing is sent to it. */
export class NotPermitted extends Schema.TaggedError<NotPermitted>()("NotPermitted", { message: Schema.String }) {}

export interface Target {
  readonly url: URL
  readonly address: string
  readonly family: 4 | 6
}

const privateRanges = new Net.BlockList()
for (
  const [network, bits] of [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4]
  ] as const
) privateRanges.addSubnet(network, bits, "ipv4")
// Within the public range: reserved blocks, and blocks that embed an IPv4 address (Teredo, 6to4).
for (const [network, bits] of [["2001::", 23], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20]] as const) {
  privateRanges.addSubnet(network, bits, "ipv6")
}

const open = new Net.BlockList()
open.addSubnet("2000::", 3, "ipv6")

/** Returns true for an address of the public internet: not loopback, private, link-local or reserved. */
export const isPublic = (address: string): boolean => {
  switch (Net.isIP(address)) {
    case 4:
      return !privateRanges.check(address, "ipv4")
    case 6:
      return open.check(address, "ipv6") && !privateRanges.check(address, "ipv6")
    default:
      return false
  }
}

const isLoopback = (address: string) => address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address)

const refuse = (message: string) => new NotPermitted({ message })

/** Resolves a host to the addresses at which it may be reached; `isPermitted` decides about each of them. */
const resolveHost = (host: string, isPermitted: (address: string) => boolean) =>
  Effect.gen(function*() {
    const found = yield* Effect.tryPromise({
      try: () => Dns.lookup(host, { all: true }),
      catch: () => refuse("its host cannot be resolved")
    }).pipe(
      Effect.timeoutOrElse({
        duration: "5 seconds",
        orElse: () => Effect.fail(refuse("its host cannot be resolved in time"))
      })
    )
    const [first] = found
    if (first === undefined) return yield* refuse("its host cannot be resolved")
    // Every address must be permitted: a name may not mix public and private addresses.
    if (!found.every(({ address }) => isPermitted(address))) {
      return yield* refuse("its host is not on the public internet")
    }
    return { address: first.address, family: first.family === 6 ? 6 as const : 4 as const }
  })

/** Resolves and checks a URL. `loopback` also permits http and https to this machine (for tests). */
export const resolve = (text: string, loopback: boolean): Effect.Effect<Target, NotPermitted> =>
  Effect.gen(function*() {
    const url = new URL(text)
    if (url.protocol !== "https:" && !loopback) return yield* refuse("only https URLs are permitted")
    const host = url.hostname.replace(/^\[|\]$/g, "")
    const isPermitted = (address: string) =>
      (isPublic(address) && url.protocol === "https:") || (loopback && isLoopback(address))
    return { url, ...(yield* resolveHost(host, isPermitted)) }
  })

/** Resolves and checks the host of a server that is not reached by HTTP. */
export const resolveServer = (
  host: string,
  loopback: boolean
): Effect.Effect<Pick<Target, "address" | "family">, NotPermitted> =>
  resolveHost(host, (address) => isPublic(address) || (loopback && isLoopback(address)))
