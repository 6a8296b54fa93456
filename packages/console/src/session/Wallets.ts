/** The manager's own wallets in this browser, found by EIP-6963. No service of a third party is asked. */
import { arbitrum, base, type Chain, hyperEvm, mainnet, optimism, polygon } from "viem/chains"
import { createConfig, http } from "wagmi"

const chains: readonly [Chain, ...Array<Chain>] = [base, optimism, arbitrum, polygon, mainnet, hyperEvm]

/** Nodes are asked through the wallet only: the page's policy lets it speak to nobody else. */
export const wallets = createConfig({
  chains,
  multiInjectedProviderDiscovery: true,
  transports: Object.fromEntries(chains.map(({ id }) => [id, http("/console/no-node")]))
})
