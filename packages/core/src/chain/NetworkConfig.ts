/** What an operator (or the devnet) says about one network: where its nodes are and which contracts we use there. */
import * as BigInt from "effect/BigInt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Address } from "./Address.ts"
import { Network } from "./Network.ts"

/** Wei as an operator writes it: decimal digits, or hex with 0x. */
const Wei = Schema.String.pipe(Schema.decodeTo(Schema.BigInt, SchemaTransformation.transformEffect({
  decode: (text) =>
    Option.match(BigInt.fromString(text), {
      onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "must be a whole number of wei" }, text)),
      onSome: Effect.succeed
    }),
  encode: (wei) => Effect.succeed(wei.toString())
})))

/** A token of the network's list. Decimals are a hint for documents; the chain is asked before money is counted. */
export const TokenEntry = Schema.Struct({
  symbol: Schema.String,
  address: Address,
  decimals: Schema.Int
}).annotate({ identifier: "TokenEntry" })
export type TokenEntry = typeof TokenEntry.Type

/** Addresses of a Uniswap V3 deployment: factory, SwapRouter02 and QuoterV2. */
export const UniswapV3Book = Schema.Struct({
  factory: Address,
  router: Address,
  quoter: Address
}).annotate({ identifier: "UniswapV3Book" })
export type UniswapV3Book = typeof UniswapV3Book.Type

/** QuickSwap's router and quoter (Algebra's interface). */
export const QuickswapBook = Schema.Struct({ router: Address, quoter: Address }).annotate({ identifier: "QuickswapBook" })
export type QuickswapBook = typeof QuickswapBook.Type

/** Aave V3 on a network. Without a data provider the market is asked for its own. */
export const AaveV3Book = Schema.Struct({ pool: Address, poolDataProvider: Schema.optional(Address) }).annotate({ identifier: "AaveV3Book" })
export type AaveV3Book = typeof AaveV3Book.Type

/** An aggregator's router, the only one its calldata may be sent to, and where its API answers if not at its usual address. */
export const AggregatorBook = Schema.Struct({
  router: Address,
  url: Schema.optional(Schema.String)
}).annotate({ identifier: "AggregatorBook" })
export type AggregatorBook = typeof AggregatorBook.Type

/**
 * The derivatives network behind a chain: the contracts its exchange listens to, the token it is paid in, and where it tells what came of
 * an order. A receipt alone never tells that.
 */
export const PerpetualsBook = Schema.Struct({
  /** Takes orders as raw actions. */
  coreWriter: Address,
  /** Takes the chain's USDC to the exchange. */
  depositWallet: Address,
  usdc: Address,
  /** The whole address of the info API, its path included. */
  infoUrl: Schema.String
}).annotate({ identifier: "PerpetualsBook" })
export type PerpetualsBook = typeof PerpetualsBook.Type

/** Aggregators by venue name. */
export const AggregatorBooks = Schema.Struct({
  "1inch": Schema.optional(AggregatorBook),
  kyberswap: Schema.optional(AggregatorBook),
  odosV3: Schema.optional(AggregatorBook)
})

export const NetworkBook = Schema.Struct({
  network: Network,
  chainId: Schema.Int,
  /** Every endpoint of the network, best first. */
  rpcUrls: Schema.NonEmptyArray(Schema.String),
  /** Blocks on top of a transaction's block (its own included) before its outcome is told. */
  confirmations: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))),
  /** Blocks after which no reorg is expected: a receipt is final, and so is somebody else's transaction under our nonce. */
  finalityDepth: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))),
  /** How often the block follower looks for a new block while something is in flight. */
  blockPollMillis: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))),
  /** How long a transaction may wait for a block before it is replaced at a higher fee. */
  patienceMillis: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))).pipe(
    Schema.withDecodingDefaultType(Effect.succeed(20_000)),
    Schema.withConstructorDefault(Effect.succeed(20_000))
  ),
  /** The most a transaction may pay per gas, in wei. At the cap it waits for fees to fall. */
  maxFeePerGas: Wei.pipe(
    Schema.withDecodingDefaultType(Effect.succeed(500_000_000_000n)),
    Schema.withConstructorDefault(Effect.succeed(500_000_000_000n))
  ),
  /** PoolFactory of the vault platform. */
  platformFactory: Address,
  multicall3: Address,
  wrappedNative: Address,
  tokens: Schema.Array(TokenEntry),
  uniswapV3: Schema.optional(UniswapV3Book),
  /** Uniswap V3's NonfungiblePositionManager, where vaults may provide liquidity. */
  positionManager: Schema.optional(Address),
  quickswap: Schema.optional(QuickswapBook),
  aggregators: AggregatorBooks.pipe(Schema.withDecodingDefaultType(Effect.succeed({})), Schema.withConstructorDefault(Effect.succeed({}))),
  aaveV3: Schema.optional(AaveV3Book),
  /** Compound V3 markets, one a base token. */
  comets: Schema.Array(Address).pipe(Schema.withDecodingDefaultType(Effect.succeed([])), Schema.withConstructorDefault(Effect.succeed([]))),
  /** ERC-4626 lenders, one a token. */
  fTokens: Schema.Array(Address).pipe(Schema.withDecodingDefaultType(Effect.succeed([])), Schema.withConstructorDefault(Effect.succeed([]))),
  /** By an asset's symbol, the token that gains when the asset loses: what a bot holds that is short. */
  inverseTokens: Schema.Record(Schema.String, Address).pipe(
    Schema.withDecodingDefaultType(Effect.succeed({})),
    Schema.withConstructorDefault(Effect.succeed({}))
  ),
  /** Where people look transactions up, `https://…`; a chain of one's own has none. */
  explorer: Schema.optional(Schema.String.pipe(Schema.check(Schema.isPattern(/^https?:\/\/[^\s"'<>]+$/u)))),
  /** Where vaults of this network trade perpetual contracts, if they do. */
  perpetuals: Schema.optional(PerpetualsBook)
}).annotate({ identifier: "NetworkBook" })
export type NetworkBook = typeof NetworkBook.Type
