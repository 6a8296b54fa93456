/** A devnet network as the service's configuration sees it. */
import { NetworkBook, TokenEntry, UniswapV3Book } from "@vault-trader/core/chain/NetworkBook"
import type { Network } from "@vault-trader/core/chain/Network"
import type { DevnetNetwork } from "./DevnetFile.ts"

/** One node that never reorganises by itself: one confirmation is final, and looking often costs nothing. */
export const networkBook = (network: Network, entry: DevnetNetwork): NetworkBook =>
  new NetworkBook({
    network,
    chainId: entry.chainId,
    rpcUrls: [entry.rpcUrl],
    confirmations: 1,
    finalityDepth: 1,
    blockPollMillis: 100,
    platformFactory: entry.factory,
    multicall3: entry.multicall3,
    wrappedNative: entry.wrappedNative,
    tokens: Object.entries(entry.tokens).map(([symbol, token]) => new TokenEntry({ symbol, ...token })),
    uniswapV3: new UniswapV3Book({
      factory: entry.uniswapV3.factory,
      router: entry.uniswapV3.router,
      quoter: entry.uniswapV3.quoter
    })
  })
