/** The networks' names, aliases, chain ids and native tokens. Constants only, so that pages can use them lightly. */

/** Canonical network names, in the order documents list them. */
export const names = ["optimism", "base", "arbitrum", "polygon", "ethereum", "hyperliquid", "plasma"] as const
type Name = typeof names[number]

/** Properties of a network that never change. */
interface NetworkFacts {
  readonly chainId: number
  /** Symbol of the token gas is paid in. */
  readonly native: string
  /** Symbol of the ERC-20 that wraps the native token. */
  readonly wrappedNative: string
}

export const facts: Readonly<Record<Name, NetworkFacts>> = {
  optimism: { chainId: 10, native: "ETH", wrappedNative: "WETH" },
  base: { chainId: 8453, native: "ETH", wrappedNative: "WETH" },
  arbitrum: { chainId: 42161, native: "ETH", wrappedNative: "WETH" },
  polygon: { chainId: 137, native: "POL", wrappedNative: "WMATIC" },
  ethereum: { chainId: 1, native: "ETH", wrappedNative: "WETH" },
  hyperliquid: { chainId: 999, native: "HYPE", wrappedNative: "WHYPE" },
  plasma: { chainId: 9745, native: "XPL", wrappedNative: "WXPL" }
}

const aliases: Readonly<Record<string, Name>> = { mainnet: "ethereum" }

/** Parses a network name or alias, ignoring case; `undefined` when no network has that name. */
export const parse = (text: string): Name | undefined => {
  const name = text.trim().toLowerCase()
  return names.find((known) => known === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
}
