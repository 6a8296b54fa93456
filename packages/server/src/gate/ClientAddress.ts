/** The client address of a request, and the network that belongs to one client. */
import * as Option from "effect/Option"
import * as Net from "node:net"
import type { RequestHead } from "../wire/RequestHead.ts"

/**
 * Returns the eight 16-bit groups of an IPv6 address in hexadecimal. The URL parser accepts every notation, including a
 * dotted end.
 */
const groupsOf = (address: string): ReadonlyArray<string> => {
  const [left = [], right = []] = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::")
    .map((half) => half === "" ? [] : half.split(":"))
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right]
}

/** Returns the IPv4 address in an IPv4-mapped one (`::ffff:0:0/96`). */
const mapped = (groups: ReadonlyArray<string>): string | undefined => {
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return undefined
  return groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join(
    "."
  )
}

/** Normalizes an address for comparison: IPv4 in dotted notation, without the port that some proxies add. */
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

/** Returns true if an address is one of a list of addresses and CIDR blocks. A malformed entry contains none. */
export const isIn = (list: ReadonlyArray<string>, address: string): boolean =>
  Net.isIP(address) !== 0 &&
  list.some((entry) => {
    const [start = "", bits] = entry.split("/")
    const isBlock = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (Net.isIPv6(start) ? 128 : 32))
    return Net.isIP(start) !== 0 && isBlock && blockList([entry]).check(address, family(address))
  })

/** Returns the client's address: the socket's, or the last forwarded address that is not a trusted proxy's. */
export const clientAddress = (request: RequestHead, proxies: Net.BlockList): string => {
  const trusted = (address: string) => Net.isIP(address) !== 0 && proxies.check(address, family(address))
  const socket = plain(Option.getOrElse(request.remoteAddress, () => "unknown"))
  if (!trusted(socket)) return socket
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((part) => plain(part.trim()))
  const client = forwarded.reverse().find((address) => !trusted(address)) ?? ""
  // A trusted proxy writes addresses only. Entries before a malformed one cannot be trusted either.
  return Net.isIP(client) === 0 ? socket : client
}

export interface ClientNetwork {
  /** The network of one client: an IPv4 address, or an IPv6 /64, the minimum that a subscriber gets. */
  readonly narrow: string
  /** The IPv6 /48 around it, usually the maximum that a subscriber gets. */
  readonly wide: string | undefined
}

/** Returns the network of a client's address. */
export const networkOf = (address: string): ClientNetwork => {
  if (!Net.isIPv6(address)) return { narrow: address, wide: undefined }
  const groups = groupsOf(address)
  return { narrow: `${groups.slice(0, 4).join(":")}::/64`, wide: `${groups.slice(0, 3).join(":")}::/48` }
}

/** A client of the service. */
interface Client {
  readonly address: string
  readonly network: ClientNetwork
}

/** Maximum number of clients that are remembered, and length of what names one: a forged header may be long. */
const maxRemembered = 10_000
const maxName = 200

/** Finds the clients of requests. What the headers and the socket say is understood once for each client. */
export const clientsBehind = (proxies: Net.BlockList): (request: RequestHead) => Client => {
  const known = new Map<string, Client>()
  return (request) => {
    const socket = Option.getOrElse(request.remoteAddress, () => "unknown")
    const name = `${socket} ${request.headers["x-forwarded-for"] ?? ""}`
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const address = clientAddress(request, proxies)
    const client = { address, network: networkOf(address) }
    if (known.size >= maxRemembered) known.clear()
    if (name.length <= maxName) known.set(name, client)
    return client
  }
}
