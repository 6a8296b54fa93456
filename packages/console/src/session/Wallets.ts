/** The manager's wallets in this browser, discovered by EIP-6963 without third-party services. */
import { arbitrum, base, type Chain, hyperEvm, mainnet, optimism, polygon } from "viem/chains"
import { createConfig, http } from "wagmi"

const chains: readonly [Chain, ...Array<Chain>] = [base, optimism, arbitrum, polygon, mainnet, hyperEvm]

/** Nodes are reached only through the wallet: the page's content security policy allows no other connections. */
export const wallets = createConfig({
  chains,
  multiInjectedProviderDiscovery: true,
  transports: Object.fromEntries(chains.map(({ id }) => [id, http("/console/no-node")]))
})
