/** The interface of venue adapters: an adapter quotes a swap and builds the exact call for it. One file per adapter. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { AggregatorClient } from "./AggregatorClient.ts"
import type { NoQuote } from "./NoQuote.ts"

export interface QuoteRequest {
  readonly chain: ChainClient
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Smallest units of `tokenIn`. */
  readonly amountIn: bigint
  /** The only receiver of the bought tokens. */
  readonly vault: Address
  /** The gas wallet for which the quote is requested. */
  readonly wallet: Address
  /** Percent, as sent to an API. The binding minimum is passed to `build`. */
  readonly slippage: number
}

export interface Quote {
  /** The contract that takes `tokenIn`; it is called, and approved as spender. */
  readonly router: Address
  /**
   * Smallest units of `tokenOut` the venue expects to pay. An API is not bound by it; only the call's minimum is
   * binding.
   */
  readonly amountOut: bigint
  /** The route for display: symbols and pool fees in turn. */
  readonly route: ReadonlyArray<string>
  /**
   * Builds the call that swaps and reverts below `minOut` (smallest units). After `deadline` (unix seconds) it reverts
   * on venues whose calls carry one: Uniswap V3 and QuickSwap. Fails with `NoQuote` when the venue returns a different
   * call than requested.
   */
  readonly build: (minOut: bigint, deadline: bigint) => Effect.Effect<Hex, NoQuote | ExecutionFailure>
}

/** A swap decoded from its calldata. It does not include the caller. */
export interface Swap {
  readonly tokenIn: Address
  /** The maximum taken of `tokenIn`, smallest units. */
  readonly amountIn: bigint
  /** Null when the calldata names pools instead of the bought token. */
  readonly tokenOut: Address | null
  readonly minOut: bigint
  /** The receiver of `tokenOut`; null when it is the caller. */
  readonly receiver: Address | null
}

/**
 * The adapter of an exchange on the chain, or of an aggregator.
 *
 * @example
 * ```ts
 * import { NoQuote } from "@vault-trader/workers/venue/NoQuote"
 * import type { Venue } from "@vault-trader/workers/venue/Venue"
 * import * as Effect from "effect/Effect"
 *
 * // A venue that exists on no network.
 * export const Nowhere: Venue = {
 *   name: "uniswapV3",
 *   router: () => undefined,
 *   open: () => Effect.void,
 *   quote: ({ tokenIn, tokenOut }) =>
 *     Effect.fail(new NoQuote({ reason: `no pool of ${tokenIn.symbol} and ${tokenOut.symbol}` })),
 *   decode: () => undefined
 * }
 * ```
 */
export interface Venue {
  readonly name: VenueName
  /** The contract that must be guarded and approved on this network; `undefined` where the venue does not exist. */
  readonly router: (chain: ChainClient) => Address | undefined
  /**
   * Fails while the wallet cannot request quotes: the API has no key configured, the venue is banned, or the wallet has
   * sent too many requests; a venue that can do without its API stays open.
   */
  readonly open: (chain: ChainClient, wallet: Address) => Effect.Effect<void, NoQuote, AggregatorClient>
  /**
   * Quotes a swap. `NoQuote` skips the venue; an `ExecutionFailure` (2020) means that nothing is known, and planning is
   * repeated.
   */
  readonly quote: (request: QuoteRequest) => Effect.Effect<Quote, NoQuote | ExecutionFailure, AggregatorClient>
  /**
   * Quotes a swap on the chain alone, where a venue with an API can do without it. Used after `quote` or its offer
   * failed.
   */
  readonly withoutApi?: (request: QuoteRequest) => Effect.Effect<Quote, NoQuote | ExecutionFailure, AggregatorClient>
  /**
   * Decodes a call to the router, as the inverse of `build`; `undefined` for every call this adapter would not make.
   */
  readonly decode: (calldata: Hex) => Swap | undefined
}
