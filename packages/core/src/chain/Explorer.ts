/** Block explorers that the networks themselves recommend. The operator can override one in the network's book. */
import type { Hash } from "./Address.ts"
import type { Network } from "./Network.ts"

export const explorers: Readonly<Record<Network, string>> = {
  optimism: "https://optimistic.etherscan.io",
  base: "https://basescan.org",
  arbitrum: "https://arbiscan.io",
  polygon: "https://polygonscan.com",
  ethereum: "https://etherscan.io",
  hyperliquid: "https://hyperevmscan.io",
  plasma: "https://plasmascan.to"
}

/** Returns the URL of a transaction's page. */
export const pageOf = (explorer: string, hash: Hash): string => `${explorer.replace(/\/+$/, "")}/tx/${hash}`
