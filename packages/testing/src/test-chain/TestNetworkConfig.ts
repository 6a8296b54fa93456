/** Builds the service's configuration of a mocked chain. */
import type { Network } from "@vault-trader/core/chain/Network"
import { NetworkBook, TokenEntry, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import type { Blocks } from "./Blocks.ts"
import * as Genesis from "./Genesis.ts"

/** Values that replace the defaults. */
export type Changes = Partial<Parameters<typeof NetworkBook.make>[0]>

/**
 * Returns the configuration with all current tokens, by symbol. Nothing answers at its URL: the test replaces the
 * client by the chain.
 */
export const make = (network: Network, { chainId, head }: Blocks, changes: Changes): NetworkBook => {
  const tokens = Array.from(head.world.contracts).flatMap(([address, contract]) =>
    contract._tag === "Token"
      ? [TokenEntry.make({ symbol: contract.symbol, address, decimals: contract.decimals })]
      : []
  )
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
