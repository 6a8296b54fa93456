/** Finds routes through the devnet's Uniswap pools, and what they pay. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { concatHex, numberToHex, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Deployed } from "../contract/Deployed.ts"
import { AddressResult, read } from "../contract/Deployer.ts"
import { pools } from "../contract/Market.ts"

/** A network that an aggregator trades on. */
export interface AggregatorNetwork {
  readonly network: Network
  readonly chainId: number
  readonly rpc: AnvilRpc
  readonly deployed: Deployed
}

interface Hop {
  readonly from: Address
  readonly to: Address
  readonly fee: number
}

export interface Route {
  readonly hops: readonly [Hop, ...ReadonlyArray<Hop>]
  readonly amountIn: bigint
  readonly amountOut: bigint
}

const quoterAbi = parseAbi([
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[], uint32[], uint256)"
])
const factoryAbi = parseAbi(["function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)"])

const Quoted = Schema.Tuple([Schema.BigInt, Schema.Unknown, Schema.Unknown, Schema.Unknown])

export const soldToken = ({ hops }: Route): Address => hops[0].from
export const boughtToken = ({ hops }: Route): Address => hops.at(-1)?.to ?? hops[0].to

/** Encodes the hops as a Uniswap path. */
export const path = ({ hops }: Pick<Route, "hops">): Hex =>
  concatHex([hops[0].from, ...hops.flatMap(({ fee, to }) => [numberToHex(fee, { size: 3 }), to])])

/** Returns every seeded pool in both directions. */
const edges = ({ deployed: { tokens }, network }: AggregatorNetwork): ReadonlyArray<Hop> =>
  pools(network).flatMap(({ base, fee, quote }) => {
    const [from, to] = [tokens[base]?.address, tokens[quote]?.address]
    return from === undefined || to === undefined ? [] : [{ from, to, fee }, { from: to, to: from, fee }]
  })

/** Returns the routes through one or two pools. */
const candidateHops = (ground: AggregatorNetwork, from: Address, to: Address): ReadonlyArray<Route["hops"]> => {
  const all = edges(ground)
  const first = all.filter((hop) => hop.from === from)
  return first.flatMap((hop): ReadonlyArray<Route["hops"]> =>
    hop.to === to ? [[hop]] : all.filter((next) => next.from === hop.to && next.to === to).map((next) => [hop, next])
  )
}

const quote = ({ deployed, rpc }: AggregatorNetwork, hops: Route["hops"], amountIn: bigint) =>
  read(rpc, { address: deployed.uniswapV3.quoter, abi: quoterAbi }, Quoted, "quoteExactInput", path({ hops }), amountIn)
    .pipe(
      Effect.map(([amountOut]): Route => ({ hops, amountIn, amountOut })),
      // The pool has too little liquidity: no route, but not a failure either.
      Effect.catchTag("RpcRefused", () => Effect.succeed(undefined))
    )

/** Returns the route that pays most; `None` when none pays anything. */
export const best = (
  ground: AggregatorNetwork,
  from: Address,
  to: Address,
  amountIn: bigint
): Effect.Effect<Option.Option<Route>, RpcFailure> =>
  Effect.map(
    Effect.forEach(candidateHops(ground, from, to), (hops) => quote(ground, hops, amountIn), { concurrency: 4 }),
    (routes) =>
      Option.fromNullishOr(
        routes.reduce(
          (most, route) => route !== undefined && route.amountOut > (most?.amountOut ?? 0n) ? route : most,
          undefined
        )
      )
  )

/** Returns the pool of a hop. */
export const poolOf = (
  { deployed, rpc }: AggregatorNetwork,
  { fee, from, to }: Hop
): Effect.Effect<Address, RpcFailure> =>
  read(rpc, { address: deployed.uniswapV3.factory, abi: factoryAbi }, AddressResult, "getPool", from, to, fee)
