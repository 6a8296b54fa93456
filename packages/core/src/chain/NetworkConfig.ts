/** The configuration of one network, set by the operator or the devnet: its nodes and the contracts used there. */
import * as BigInt from "effect/BigInt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Address } from "./Address.ts"
import { Network } from "./Network.ts"

/** Wei as the operator writes it: decimal digits, or hex with 0x. */
const Wei = Schema.String.pipe(Schema.decodeTo(
  Schema.BigInt,
  SchemaTransformation.transformEffect({
    decode: (text) =>
      Option.match(BigInt.fromString(text), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "must be a whole number of wei" }, text)),
        onSome: Effect.succeed
      }),
    encode: (wei) => Effect.succeed(wei.toString())
  })
))

/**
 * A token of the network's list. Decimals are only a hint for documents; amounts are computed with the decimals read
 * from the chain.
 */
export const TokenEntry = Schema.Struct({
  symbol: Schema.String,
  address: Address,
  decimals: Schema.Int
}).annotate({ identifier: "TokenEntry" })
export type TokenEntry = typeof TokenEntry.Type

/** An asset that vaults of the platform may hold, as the platform publishes it. */
export const SupportedAsset = Schema.Struct({
  /** The published name; a token's symbol is read from its contract. */
  name: Schema.String,
  address: Address,
  /** Its type in the platform's AssetHandler. */
  type: Schema.Int,
  /** Price feed in USD, where its price has one source. */
  feed: Schema.optional(Address)
}).annotate({ identifier: "SupportedAsset" })
export type SupportedAsset = typeof SupportedAsset.Type

/** A leveraged or inverse vault token of the platform. */
export const PoolToken = Schema.Struct({
  address: Address,
  symbol: Schema.String,
  /** Symbol of the asset whose price it follows, as parameters name it. */
  asset: Schema.String,
  /** Multiple of the asset's move: 3 gains three percent for one, -1 gains one for one percent down. */
  leverage: Schema.Number
}).annotate({ identifier: "PoolToken" })
export type PoolToken = typeof PoolToken.Type

/** EasySwapperV2, which buys pool tokens and redeems them in two steps. Also the asset of a withdrawal in progress. */
export const EasySwapperBook = Schema.Struct({
  address: Address,
  poolTokens: Schema.Array(PoolToken),
  /** Key of Odos's router at its swapper; without one, nothing is swapped there. */
  odosKey: Schema.optional(Schema.String)
}).annotate({ identifier: "EasySwapperBook" })
export type EasySwapperBook = typeof EasySwapperBook.Type

/** Addresses of a Uniswap V3 deployment: factory, SwapRouter02 and QuoterV2. */
export const UniswapV3Book = Schema.Struct({
  factory: Address,
  router: Address,
  quoter: Address
}).annotate({ identifier: "UniswapV3Book" })
export type UniswapV3Book = typeof UniswapV3Book.Type

/**
 * An exchange of concentrated liquidity beside Uniswap V3: its position manager, which names its factory, and the
 * contracts in which positions are staked.
 */
export const LiquidityBook = Schema.Struct({
  positionManager: Address,
  /** Velodrome's gauges, one per pool; Pancake's MasterChefV3. */
  staking: Schema.Array(Address).pipe(
    Schema.withDecodingDefaultType(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  )
}).annotate({ identifier: "LiquidityBook" })
export type LiquidityBook = typeof LiquidityBook.Type

/** QuickSwap's router and quoter (Algebra's interface). */
export const QuickswapBook = Schema.Struct({ router: Address, quoter: Address }).annotate({
  identifier: "QuickswapBook"
})
export type QuickswapBook = typeof QuickswapBook.Type

/** Aave V3 on a network. Without a data provider, the pool's own is read from the chain. */
export const AaveV3Book = Schema.Struct({ pool: Address, poolDataProvider: Schema.optional(Address) }).annotate({
  identifier: "AaveV3Book"
})
export type AaveV3Book = typeof AaveV3Book.Type

/** An aggregator's router, the only address its calldata may be sent to, and its API's URL unless it is the default. */
export const AggregatorBook = Schema.Struct({
  router: Address,
  url: Schema.optional(Schema.String)
}).annotate({ identifier: "AggregatorBook" })
export type AggregatorBook = typeof AggregatorBook.Type

/**
 * The derivatives exchange behind a chain: the contracts it listens to, the token it settles in, and the API that
 * reports the outcome of an order. A receipt alone never shows that outcome.
 */
export const PerpetualsBook = Schema.Struct({
  /** Accepts orders as raw actions. */
  coreWriter: Address,
  /** Transfers USDC from the chain to the exchange. */
  depositWallet: Address,
  usdc: Address,
  /** The full URL of the info API, including its path. */
  infoUrl: Schema.String
}).annotate({ identifier: "PerpetualsBook" })
export type PerpetualsBook = typeof PerpetualsBook.Type

/** Aggregators by venue name. */
export const AggregatorBooks = Schema.Struct({
  "1inch": Schema.optional(AggregatorBook),
  kyberswap: Schema.optional(AggregatorBook),
  odosV3: Schema.optional(AggregatorBook)
})

/**
 * The rule by which a block is final. `finalized`, `safe`: the node's block of that tag. `depth`: so many blocks below
 * the head.
 */
export const Finality = Schema.Literals(["finalized", "safe", "depth"])
export type Finality = typeof Finality.Type

export const NetworkBook = Schema.Struct({
  network: Network,
  chainId: Schema.Int,
  /** Every node of the network, best first. */
  rpcUrls: Schema.NonEmptyArray(Schema.String),
  /** Endpoints that only take signed bytes and keep them out of the public mempool; nothing is read from them. */
  privateRpcUrls: Schema.Array(Schema.String).pipe(
    Schema.withDecodingDefaultType(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  ),
  /** How long the bytes of a call go to `privateRpcUrls` only; after that they go to every endpoint. */
  privateFallbackMillis: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))).pipe(
    Schema.withDecodingDefaultType(Effect.succeed(60_000)),
    Schema.withConstructorDefault(Effect.succeed(60_000))
  ),
  /** Blocks, counting the transaction's own, before its outcome is reported. */
  confirmations: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))),
  /** The rule by which a block, and every receipt in it, is final. */
  finality: Finality.pipe(
    Schema.withDecodingDefaultType(Effect.succeed("depth" as const)),
    Schema.withConstructorDefault(Effect.succeed("depth" as const))
  ),
  /**
   * Blocks after which no reorg is expected: a receipt is final, and so is a foreign transaction that used our nonce.
   * Where `finality` names a tag, it is the fallback for a node without that tag.
   */
  finalityDepth: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))),
  /** How often the block follower polls for a new block while something is in flight. */
  blockPollMillis: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))),
  /** How long a transaction may wait for a block before it is replaced at a higher fee. */
  patienceMillis: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0))).pipe(
    Schema.withDecodingDefaultType(Effect.succeed(20_000)),
    Schema.withConstructorDefault(Effect.succeed(20_000))
  ),
  /** The maximum fee per gas, in wei. A transaction at this cap waits for fees to fall. */
  maxFeePerGas: Wei.pipe(
    Schema.withDecodingDefaultType(Effect.succeed(500_000_000_000n)),
    Schema.withConstructorDefault(Effect.succeed(500_000_000_000n))
  ),
  /** PoolFactory of the vault platform. */
  platformFactory: Address,
  multicall3: Address,
  wrappedNative: Address,
  tokens: Schema.Array(TokenEntry),
  /** Every asset that the platform supports. Tokens among them that `tokens` lacks are found by their symbol, too. */
  assets: Schema.Array(SupportedAsset).pipe(
    Schema.withDecodingDefaultType(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  ),
  uniswapV3: Schema.optional(UniswapV3Book),
  /** Uniswap V3's NonfungiblePositionManager, on networks where vaults may provide liquidity. */
  positionManager: Schema.optional(Address),
  /** Velodrome's concentrated liquidity (Slipstream; Aerodrome on base): pools differ by their tick spacing. */
  velodromeCl: Schema.optional(LiquidityBook),
  /** Pancake's concentrated liquidity. */
  pancakeCl: Schema.optional(LiquidityBook),
  quickswap: Schema.optional(QuickswapBook),
  easySwapper: Schema.optional(EasySwapperBook),
  aggregators: AggregatorBooks.pipe(
    Schema.withDecodingDefaultType(Effect.succeed({})),
    Schema.withConstructorDefault(Effect.succeed({}))
  ),
  aaveV3: Schema.optional(AaveV3Book),
  /** Compound V3 markets, one per base token. */
  comets: Schema.Array(Address).pipe(
    Schema.withDecodingDefaultType(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  ),
  /** ERC-4626 lenders, one per token. */
  fTokens: Schema.Array(Address).pipe(
    Schema.withDecodingDefaultType(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  ),
  /** By an asset's symbol: the token that rises when the asset falls, which a short bot holds. */
  inverseTokens: Schema.Record(Schema.String, Address).pipe(
    Schema.withDecodingDefaultType(Effect.succeed({})),
    Schema.withConstructorDefault(Effect.succeed({}))
  ),
  /** URL of the block explorer, `https://…`; a private chain has none. */
  explorer: Schema.optional(Schema.String.pipe(Schema.check(Schema.isPattern(/^https?:\/\/[^\s"'<>]+$/u)))),
  /** Present when vaults of this network can trade perpetual contracts. */
  perpetuals: Schema.optional(PerpetualsBook)
}).annotate({ identifier: "NetworkBook" })
export type NetworkBook = typeof NetworkBook.Type
