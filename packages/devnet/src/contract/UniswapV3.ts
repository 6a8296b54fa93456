/** Deploys Uniswap V3 from its npm artifacts and seeds its pools. */
import * as Effect from "effect/Effect"
import { maxUint256, stringToHex, zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { link } from "./Artifact.ts"
import type { Bundle } from "./Bundle.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import type { PoolFacts } from "./Market.ts"
import type { Token, Tokens } from "./Tokens.ts"

export interface UniswapV3 {
  readonly factory: Contract
  readonly positionManager: Contract
  readonly router: Contract
  readonly quoter: Contract
}

/**
 * Deploys the factory with the 0.01% tier, the position manager, SwapRouter02 and QuoterV2. The router has no Uniswap
 * V2.
 */
export const deploy = (
  deployer: Deployer,
  { uniswap }: Bundle,
  wrappedNative: Contract
): Effect.Effect<UniswapV3, RpcFailure> =>
  Effect.gen(function*() {
    const native = wrappedNative.address
    const { factory, positionManager } = yield* deployPools(deployer, uniswap, native)
    const router = yield* deployer.deploy(
      link(uniswap.router, {}),
      zeroAddress,
      factory.address,
      positionManager.address,
      native
    )
    const quoter = yield* deployer.deploy(link(uniswap.quoter, {}), factory.address, native)
    yield* deployer.send(factory, "enableFeeAmount", 100, 1)
    return { factory, positionManager, router, quoter }
  })

/** Deploys a factory and a position manager. */
export const deployPools = (
  deployer: Deployer,
  uniswap: Bundle["uniswap"],
  native: Address
): Effect.Effect<Pick<UniswapV3, "factory" | "positionManager">, RpcFailure> =>
  Effect.gen(function*() {
    const factory = yield* deployer.deploy(link(uniswap.factory, {}))
    const library = yield* deployer.deploy(link(uniswap.descriptorLibrary, {}))
    const descriptor = yield* deployer.deploy(
      link(uniswap.descriptor, { NFTDescriptor: library.address }),
      native,
      stringToHex("ETH", { size: 32 })
    )
    const positionManager = yield* deployer.deploy(
      link(uniswap.positionManager, {}),
      factory.address,
      native,
      descriptor.address
    )
    return { factory, positionManager }
  })

const tickSpacing: Readonly<Record<PoolFacts["fee"], number>> = { 100: 1, 500: 10, 2500: 50, 3000: 60 }
const maximumTick = 887_272

const squareRoot = (value: bigint): bigint => {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

const ticks = (price: number, spacing: number, width: number | undefined) => {
  const middle = Math.floor(Math.log(price) / Math.log(1.0001))
  const [low, high] = width === undefined ? [-maximumTick, maximumTick] : [middle - width, middle + width]
  return { tickLower: Math.ceil(low / spacing) * spacing, tickUpper: Math.floor(high / spacing) * spacing }
}

/** The fields of a token that determine its pools' prices: USD with 8 decimals. */
export type Priced = Pick<Token, "price" | "decimals">

/** Returns the value of a token's smallest unit in USD, as a fraction shared by both tokens of a pair. */
const unitValue = (token: Priced, other: Priced) => token.price * 10n ** BigInt(other.decimals)

/**
 * Returns the price of a pool that agrees with its tokens' values: the root of second per first, in 96 binary places.
 */
export const sqrtPriceX96 = (first: Priced, second: Priced): bigint =>
  squareRoot((unitValue(first, second) << 192n) / unitValue(second, first))

/** Returns what fills a pool at the feeds' price: its tokens in order, its price, the range and the amounts. */
export const fillOf = (tokens: Tokens, facts: Omit<PoolFacts, "fee">, spacing: number) => {
  const [base, quote] = [tokens(facts.base), tokens(facts.quote)]
  const [first, second] = base.contract.address < quote.contract.address ? [base, quote] : [quote, base]
  const baseAmount = facts.depth * 10n ** BigInt(base.decimals)
  const quoteAmount = baseAmount * unitValue(base, quote) / unitValue(quote, base)
  return {
    token0: first.contract.address,
    token1: second.contract.address,
    sqrtPriceX96: sqrtPriceX96(first, second),
    ...ticks(Number(unitValue(first, second)) / Number(unitValue(second, first)), spacing, facts.width),
    amount0Desired: first === base ? baseAmount : quoteAmount,
    amount1Desired: first === base ? quoteAmount : baseAmount
  }
}

/** The rest of a mint's parameters. */
export const seedTerms = { amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 40n } as const

/** Creates a pool at the feeds' price and fills it. The deployer must hold the tokens and have approved them. */
const seed = (deployer: Deployer, positionManager: Contract, tokens: Tokens, facts: PoolFacts) =>
  Effect.gen(function*() {
    const { sqrtPriceX96: price, token0, token1, ...fill } = fillOf(tokens, facts, tickSpacing[facts.fee])
    yield* deployer.send(positionManager, "createAndInitializePoolIfNecessary", token0, token1, facts.fee, price)
    yield* deployer.send(positionManager, "mint", {
      ...{ token0, token1, fee: facts.fee, ...fill, ...seedTerms },
      recipient: deployer.address
    })
  })

/** Approves a position manager for the deployer's stock of these pools' tokens. */
export const approveStock = (
  deployer: Deployer,
  positionManager: Contract,
  tokens: Tokens,
  pools: ReadonlyArray<Pick<PoolFacts, "base" | "quote">>
): Effect.Effect<void, RpcFailure> =>
  Effect.forEach(
    new Set(pools.flatMap((pool) => [pool.base, pool.quote])),
    (symbol) => deployer.send(tokens(symbol).contract, "approve", positionManager.address, maxUint256),
    { discard: true }
  )

/** Fills the pools from the deployer's stock. */
export const seedPools = (
  deployer: Deployer,
  { positionManager }: Pick<UniswapV3, "positionManager">,
  tokens: Tokens,
  pools: ReadonlyArray<PoolFacts>
): Effect.Effect<void, RpcFailure> =>
  Effect.gen(function*() {
    yield* approveStock(deployer, positionManager, tokens, pools)
    for (const pool of pools) yield* seed(deployer, positionManager, tokens, pool)
  })
