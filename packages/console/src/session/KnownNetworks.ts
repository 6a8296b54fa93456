/** Descriptions of the networks for a wallet that does not know one. The page itself calls none of these addresses. */
import { explorers } from "@vault-trader/core/chain/Explorer"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts } from "@vault-trader/core/chain/NetworkFacts"

const known: Readonly<Record<Network, { readonly name: string; readonly node: string }>> = {
  arbitrum: { name: "Arbitrum One", node: "https://arb1.arbitrum.io/rpc" },
  base: { name: "Base", node: "https://mainnet.base.org" },
  ethereum: { name: "Ethereum", node: "https://ethereum.reth.rs/rpc" },
  hyperliquid: { name: "HyperEVM", node: "https://rpc.hyperliquid.xyz/evm" },
  optimism: { name: "OP Mainnet", node: "https://mainnet.optimism.io" },
  plasma: { name: "Plasma", node: "https://rpc.plasma.to" },
  polygon: { name: "Polygon", node: "https://polygon.drpc.org" }
}

const tokenNames: Readonly<Record<string, string>> = { ETH: "Ether", XPL: "Plasma" }

/** Returns the parameters of `wallet_addEthereumChain`, without the chain id. */
export const descriptionOf = (network: Network) => {
  const { native } = facts[network]
  return {
    chainName: known[network].name,
    nativeCurrency: { name: tokenNames[native] ?? native, symbol: native, decimals: 18 },
    rpcUrls: [known[network].node],
    blockExplorerUrls: [explorers[network]]
  }
}
