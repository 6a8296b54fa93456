/** What a venue adapter is: it quotes a swap and hands over the exact call that would do it. One file an adapter. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { VenueName } from "@vault-trader/core/venue/Venues"
import type { ExecutionFailure } from "@vault-trader/core/endpoint/Failure"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChainClient } from "../chain/ChainClient.ts"

export interface QuoteRequest {
  readonly chain: ChainClient
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Smallest units of `tokenIn`. */
  readonly amountIn: bigint
  /** Receives what is bought; never anybody else. */
  readonly vault: Address
}

export interface Quote {
  /** The contract that takes `tokenIn`: called, and approved as spender. */
  readonly router: Address
  /** Smallest units of `tokenOut` the venue expects to pay. */
  readonly amountOut: bigint
  /** The way taken, for people: symbols and pool fees in turn. */
  readonly route: ReadonlyArray<string>
  /** The call that swaps and reverts below `minOut` (smallest units) or after `deadline` (unix seconds). */
  readonly calldata: (minOut: bigint, deadline: bigint) => Hex
}

/** A swap as its bytes tell it: what `calldata` was asked for, and nothing of who asked. */
export interface Swap {
  readonly tokenIn: Address
  /** Smallest units: the most that is taken of `tokenIn`. */
  readonly amountIn: bigint
  readonly tokenOut: Address
  readonly minOut: bigint
  /** Who gets `tokenOut`. */
  readonly receiver: Address
}

/** This venue cannot do this swap now; the next one may. */
export class NoQuote extends Schema.TaggedError<NoQuote>()("NoQuote", { reason: Schema.String }) {}

export interface Venue {
  readonly name: VenueName
  /** The contract that must be guarded and approved on this network; `undefined` where the venue does not exist. */
  readonly router: (chain: ChainClient) => Address | undefined
  /** `NoQuote` passes the venue over; an `ExecutionFailure` (2020) says that nothing is known, and planning is repeated. */
  readonly quote: (request: QuoteRequest) => Effect.Effect<Quote, NoQuote | ExecutionFailure>
  /** The swap that a call of the router is: the way back from `calldata`. `undefined` for every call this adapter would not make. */
  readonly decode: (calldata: Hex) => Swap | undefined
}
