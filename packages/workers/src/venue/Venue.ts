/** What a venue adapter is: it quotes a swap and hands over the exact call that would do it. One file an adapter. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { AggregatorClient } from "./AggregatorClient.ts"

export interface QuoteRequest {
  readonly chain: ChainClient
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Smallest units of `tokenIn`. */
  readonly amountIn: bigint
  /** Receives what is bought; never anybody else. */
  readonly vault: Address
  /** Percent. What an API is told; the least amount that counts is given to `build`. */
  readonly slippage: number
}

export interface Quote {
  /** The contract that takes `tokenIn`: called, and approved as spender. */
  readonly router: Address
  /** Smallest units of `tokenOut` the venue expects to pay. An API's word: nothing but the call's minimum binds it. */
  readonly amountOut: bigint
  /** The way taken, for people: symbols and pool fees in turn. */
  readonly route: ReadonlyArray<string>
  /**
   * The call that swaps and reverts below `minOut` (smallest units). After `deadline` (unix seconds) it reverts on venues whose calls
   * carry one: Uniswap V3 and QuickSwap. `NoQuote` when the venue hands out another call than was asked for.
   */
  readonly build: (minOut: bigint, deadline: bigint) => Effect.Effect<Hex, NoQuote | ExecutionFailure>
}

/** A swap as its bytes tell it: what was asked for, and nothing of who asked. */
export interface Swap {
  readonly tokenIn: Address
  /** Smallest units: the most that is taken of `tokenIn`. */
  readonly amountIn: bigint
  /** Null where the bytes name pools and not what they pay. */
  readonly tokenOut: Address | null
  readonly minOut: bigint
  /** Who gets `tokenOut`; null when it is whoever makes the call. */
  readonly receiver: Address | null
}

/** This venue cannot do this swap now; the next one may. */
export class NoQuote extends Schema.TaggedError<NoQuote>()("NoQuote", { reason: Schema.String }) {}

export interface Venue {
  readonly name: VenueName
  /** The contract that must be guarded and approved on this network; `undefined` where the venue does not exist. */
  readonly router: (chain: ChainClient) => Address | undefined
  /** Fails while there is no use in asking for quotes: nobody is paid for the API, or it wants to be left alone. */
  readonly open: (chain: ChainClient) => Effect.Effect<void, NoQuote, AggregatorClient>
  /** `NoQuote` passes the venue over; an `ExecutionFailure` (2020) says that nothing is known, and planning is repeated. */
  readonly quote: (request: QuoteRequest) => Effect.Effect<Quote, NoQuote | ExecutionFailure, AggregatorClient>
  /** The swap that a call of the router is: the way back from `build`. `undefined` for every call this adapter would not make. */
  readonly decode: (calldata: Hex) => Swap | undefined
}
