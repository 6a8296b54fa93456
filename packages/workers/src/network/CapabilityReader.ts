/** Reads what vaults can do on a network: the contracts of the address book that the vault platform guards now. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Capabilities } from "@vault-trader/core/network/Capabilities"
import { fallbackChains, names } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import { venues } from "../venue/VenueRegistry.ts"

/** How long the platform's guards are cached: governance changes them rarely, and every plan reads its own. */
const guardTtlMillis = 60_000

/** The contracts behind the capabilities of a network, as its address book has them. */
const contractsOf = (chain: ChainClient) => {
  const { aaveV3, comets, fTokens, inverseTokens, network, perpetuals, positionManager } = chain.book
  const order = [...new Set([...fallbackChains[network], ...names])]
  return {
    venues: order.flatMap((platform) => {
      const router = venues[platform].router(chain)
      return router === undefined ? [] : [{ platform, router }]
    }),
    lenders: [
      ...(aaveV3 === undefined ? [] : [{ lender: "lenderA", market: aaveV3.pool }]),
      ...comets.map((market) => ({ lender: "lenderB", market })),
      ...fTokens.map((market) => ({ lender: "lenderC", market }))
    ],
    liquidity: positionManager === undefined ? [] : [{ protocol: "uniswapV3", position_manager: positionManager }],
    shorts: Object.entries(inverseTokens).map(([asset, token]) => ({ asset, token })),
    perpetuals: perpetuals?.coreWriter
  }
}

type Contracts = ReturnType<typeof contractsOf>

/** Returns the addresses of the contracts and of the tokens that the platform has to allow. */
const allowedBy = (chain: ChainClient, { lenders, liquidity, perpetuals, shorts, venues }: Contracts) => {
  const { platformFactory } = chain.book
  const called = [
    ...venues.map(({ router }) => router),
    ...lenders.map(({ market }) => market),
    ...liquidity.map(({ position_manager: manager }) => manager),
    ...(perpetuals === undefined ? [] : [perpetuals])
  ]
  const held = shorts.map(({ token }) => token)
  return Effect.mapError(
    Effect.all([
      chain.readAll(called.map((to) => Contract.read(factoryAbi, platformFactory, "getContractGuard", [to]))),
      chain.readAll(held.map((token) => Contract.read(factoryAbi, platformFactory, "isValidAsset", [token])))
    ], { concurrency: "unbounded" }),
    unavailable
  ).pipe(
    Effect.map(([guards, valid]): ReadonlySet<Address> =>
      new Set([
        ...called.filter((_, index) => Result.getOrElse(guards[index]!, () => zeroAddress) !== zeroAddress),
        ...held.filter((_, index) => Result.getOrElse(valid[index]!, () => false))
      ])
    )
  )
}

/** Reads which of the assets a vault has enabled. */
const enabledIn = (chain: ChainClient, pool: Address, assets: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const logic = yield* ManagerLogic.find(chain, pool)
    const answers = yield* Effect.mapError(
      chain.readAll(assets.map((asset) => Contract.read(managerLogicAbi, logic, "isSupportedAsset", [asset]))),
      unavailable
    )
    return new Set(assets.filter((_, index) => Result.getOrElse(answers[index]!, () => false)))
  })

/** Makes the reader of a network. The vault's assets are read each time, the platform's guards once a minute. */
export const make = (chain: ChainClient) =>
  Effect.gen(function*() {
    const contracts = contractsOf(chain)
    const guards = yield* TtlCache.make(allowedBy(chain, contracts), guardTtlMillis)
    return (pool: Address | null): Effect.Effect<Capabilities, ExecutionFailure | ValidationFailure> =>
      Effect.gen(function*() {
        const { lenders, liquidity, perpetuals, shorts } = contracts
        const assets = [
          ...lenders.map(({ market }) => market),
          ...liquidity.map(({ position_manager: manager }) => manager),
          ...shorts.map(({ token }) => token),
          ...(perpetuals === undefined ? [] : [perpetuals])
        ]
        const [allowed, enabled] = yield* Effect.all([
          guards,
          pool === null ? Effect.succeed(undefined) : enabledIn(chain, pool, assets)
        ], { concurrency: "unbounded" })
        const usable = (address: Address) => ({
          allowed: allowed.has(address),
          enabled: enabled === undefined ? null : enabled.has(address)
        })
        return {
          network: chain.book.network,
          pool,
          venues: contracts.venues.map((venue) => ({ ...venue, allowed: allowed.has(venue.router) })),
          lenders: lenders.map((lender) => ({ ...lender, ...usable(lender.market) })),
          liquidity: liquidity.map((one) => ({ ...one, ...usable(one.position_manager) })),
          shorts: shorts.map((short) => ({ ...short, ...usable(short.token) })),
          perpetuals: perpetuals === undefined ? null : { target: perpetuals, ...usable(perpetuals) }
        }
      }).pipe(Effect.withSpan("CapabilityReader.read", { attributes: { network: chain.book.network } }))
  })
