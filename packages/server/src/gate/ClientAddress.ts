/** The client of a request by its address, and the network the client has to itself. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Net from "node:net"

/** The eight 16-bit groups of an IPv6 address, in hexadecimal. The URL parser knows every notation, one with a dotted end included. */
const groupsOf = (address: string): ReadonlyArray<string> => {
  const [left = [], right = []] = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::")
    .map((half) => half === "" ? [] : half.split(":"))
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right]
}

/** The IPv4 address within an IPv4-mapped one (`::ffff:0:0/96`). */
const mapped = (groups: ReadonlyArray<string>): string | undefined => {
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return undefined
  return groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join(".")
}

/** An address as it is compared: IPv4 in its own notation, without the port some proxies add. */
export const plain = (address: string): string => {
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").toLowerCase()
  return Net.isIPv6(bare) ? mapped(groupsOf(bare)) ?? bare : bare
}

const family = (address: string) => Net.isIPv6(address) ? "ipv6" as const : "ipv4" as const

/** Builds the list of proxies from addresses and CIDR blocks. */
export const blockList = (proxies: ReadonlyArray<string>): Net.BlockList => {
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

export interface ClientNetwork {
  /** What one client has to itself: an IPv4 address, or an IPv6 /64, which every subscriber gets at least. */
  readonly narrow: string
  /** The IPv6 /48 around it, the most that a subscriber gets as a rule. */
  readonly wide: string | undefined
}

/** The network of a client's address. */
export const networkOf = (address: string): ClientNetwork => {
  if (!Net.isIPv6(address)) return { narrow: address, wide: undefined }
  const groups = groupsOf(address)
  return { narrow: `${groups.slice(0, 4).join(":")}::/64`, wide: `${groups.slice(0, 3).join(":")}::/48` }
}
