/** How long the bytes of a call go to private endpoints only: `60` for all networks, or `60,polygon=20`. */
import { type Network, parse as parseNetwork } from "@vault-trader/core/chain/Network"

/** Returns the seconds that apply to a network. */
export type PrivateSeconds = (network: Network) => number

export const defaultSeconds = 60
const maxSeconds = 3_600

/** Reads `60`, or `60,polygon=20,base=5`; `undefined` for anything else. */
export const read = (text: string): PrivateSeconds | undefined => {
  let all: number | undefined
  const own = new Map<Network, number>()
  for (const part of text.split(",").map((each) => each.trim()).filter((each) => each !== "")) {
    const [, name, digits] = /^(?:(\w+)\s*=\s*)?(\d{1,4})$/.exec(part) ?? []
    const seconds = Number(digits ?? 0)
    const network = name === undefined ? undefined : parseNetwork(name)
    if (seconds < 1 || seconds > maxSeconds || (name !== undefined && network === undefined)) return undefined
    if (network === undefined) all = seconds
    else own.set(network, seconds)
  }
  return all === undefined && own.size === 0 ? undefined : (network) => own.get(network) ?? all ?? defaultSeconds
}
