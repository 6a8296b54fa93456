/** A mocked chain as the service's configuration sees it. */
import type { Network } from "@vault-trader/core/chain/Network"
import { NetworkBook, TokenEntry, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import type { Blocks } from "./Blocks.ts"
import * as Genesis from "./Genesis.ts"

/** What an operator would configure otherwise. */
export type Changes = Partial<Parameters<typeof NetworkBook.make>[0]>

/** All tokens there are now, by symbol. Nothing answers at its URL: whoever tests puts the chain in the client's place. */
export const make = (network: Network, { chainId, head }: Blocks, changes: Changes): NetworkBook => {
  const tokens = Array.from(head.world.contracts).flatMap(([address, contract]) =>
    contract._tag === "Token" ? [TokenEntry.make({ symbol: contract.symbol, address, decimals: contract.decimals })] : [])
  return NetworkBook.make({
    network,
    chainId,
    rpcUrls: ["http://test-chain.invalid"],
    confirmations: 1,
    finalityDepth: 1,
    blockPollMillis: 100,
    platformFactory: Genesis.deployed.factory,
    multicall3: Genesis.deployed.multicall3,
    wrappedNative: Genesis.tokenAddress(Genesis.wrappedNativeOf(network)),
    tokens: tokens.sort((one, other) => one.symbol < other.symbol ? -1 : 1),
    uniswapV3: UniswapV3Book.make(Genesis.deployed.uniswapV3),
    ...changes
  })
}
