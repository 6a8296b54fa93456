/**
 * Where a webhook may be sent: https, to addresses of the public internet. The name is resolved here and the very address that was looked
 * at is the one that is connected to, so a name that answers otherwise a moment later leads nowhere else.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Dns from "node:dns/promises"
import * as Net from "node:net"

/** Nothing is sent there. */
export class NotPermitted extends Schema.TaggedError<NotPermitted>()("NotPermitted", { message: Schema.String }) {}

export interface Target {
  readonly url: URL
  readonly address: string
  readonly family: 4 | 6
}

const closed = new Net.BlockList()
for (
  const [network, bits] of [
    ["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["169.254.0.0", 16], ["172.16.0.0", 12], ["192.0.0.0", 24],
    ["192.0.2.0", 24], ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["198.51.100.0", 24], ["203.0.113.0", 24],
    ["224.0.0.0", 4], ["240.0.0.0", 4]
  ] as const
) closed.addSubnet(network, bits, "ipv4")
// Of the public range: what is reserved, and what carries an IPv4 address within it (Teredo, 6to4).
for (const [network, bits] of [["2001::", 23], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20]] as const) closed.addSubnet(network, bits, "ipv6")

const open = new Net.BlockList()
open.addSubnet("2000::", 3, "ipv6")

/** Whether an address is one of the public internet: no loopback, no private or link-local range, nothing reserved. */
export const isPublic = (address: string): boolean => {
  switch (Net.isIP(address)) {
    case 4:
      return !closed.check(address, "ipv4")
    case 6:
      return open.check(address, "ipv6") && !closed.check(address, "ipv6")
    default:
      return false
  }
}

const isLoopback = (address: string) => address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address)

const refuse = (message: string) => new NotPermitted({ message })

/** Resolves and judges a URL. `loopback`: plain http, and https, to this machine itself are permitted besides (for tests). */
export const resolve = (text: string, loopback: boolean): Effect.Effect<Target, NotPermitted> =>
  Effect.gen(function*() {
    const url = new URL(text)
    if (url.protocol !== "https:" && !loopback) return yield* refuse("only https URLs are permitted")
    const host = url.hostname.replace(/^\[|\]$/g, "")
    const found = yield* Effect.tryPromise({ try: () => Dns.lookup(host, { all: true }), catch: () => refuse("its host cannot be resolved") }).pipe(
      Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.fail(refuse("its host cannot be resolved in time")) })
    )
    const [first] = found
    if (first === undefined) return yield* refuse("its host cannot be resolved")
    const permitted = ({ address }: { readonly address: string }) => (isPublic(address) && url.protocol === "https:") || (loopback && isLoopback(address))
    // One address that is not permitted is enough: a name may not mix what is open and what is not.
    if (!found.every(permitted)) return yield* refuse("its host is not on the public internet")
    return { url, address: first.address, family: first.family === 6 ? 6 : 4 }
  })
