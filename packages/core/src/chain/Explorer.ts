/** Where people look transactions up: the explorers that the networks themselves point to. An operator may name another in the network's book. */
import type { Hash } from "./Address.ts"
import type { Network } from "./Network.ts"

export const explorers: Readonly<Record<Network, string>> = {
  optimism: "https://optimistic.etherscan.io",
  base: "https://basescan.org",
  arbitrum: "https://arbiscan.io",
  polygon: "https://polygonscan.com",
  ethereum: "https://etherscan.io",
  hyperliquid: "https://hyperevmscan.io"
}

/** The page of a transaction. */
export const pageOf = (explorer: string, hash: Hash): string => `${explorer.replace(/\/+$/, "")}/tx/${hash}`
