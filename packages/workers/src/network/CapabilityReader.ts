/** Reads what vaults can do on a network: the contracts of the address book that the vault platform guards now. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Capabilities } from "@vault-trader/core/network/Capabilities"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import * as VaultContracts from "./VaultContracts.ts"

/** How long the platform's guards are cached: governance changes them rarely, and every plan reads its own. */
const guardTtlMillis = 60_000

/** Returns the addresses of the contracts and of the tokens that the platform allows. */
const allowedBy = (chain: ChainClient, contracts: VaultContracts.VaultContracts, held: ReadonlyArray<Address>) => {
  const { network, platformFactory } = chain.book
  const { coreWriter, lenders, liquidity, venues } = contracts
  // EasySwapperV2 is among the venues.
  const called = [
    ...venues.map(({ router }) => router),
    ...lenders.map(({ market }) => market),
    ...liquidity.flatMap(({ manager, staking }) => [manager, ...staking]),
    ...(coreWriter === undefined ? [] : [coreWriter])
  ]
  return Effect.gen(function*() {
    const [guards, valid] = yield* Effect.mapError(
      readGroups(chain, [
        called.map((contract) => ContractGuard.read(chain.book, contract)),
        held.map((token) => Contract.read(factoryAbi, platformFactory, "isValidAsset", [token]))
      ]),
      unavailable
    )
    // An unreadable guard is unknown, not missing.
    if (guards.some(Result.isFailure) || valid.some(Result.isFailure)) {
      return yield* explain({ _tag: "PlatformRulesUnreadable", network })
    }
    return new Set<Address>([
      ...called.filter((_, index) => ContractGuard.isGuarded(guards[index])),
      ...held.filter((_, index) => Result.getOrElse(valid[index]!, () => false))
    ])
  })
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
    const contracts = VaultContracts.of(chain)
    const { coreWriter, lenders, liquidity, venues } = contracts
    const { easySwapper, inverseTokens, network } = chain.book
    const poolTokens = easySwapper?.poolTokens ?? []
    const held = [...new Set([...Object.values(inverseTokens), ...poolTokens.map(({ address }) => address)])]
    const assets = [
      ...lenders.map(({ market }) => market),
      ...liquidity.map(({ manager }) => manager),
      ...[coreWriter, easySwapper?.address].filter((address) => address !== undefined),
      ...held
    ]
    const guards = yield* TtlCache.make(allowedBy(chain, contracts, held), guardTtlMillis)
    return (pool: Address | null): Effect.Effect<Capabilities, ExecutionFailure | ValidationFailure> =>
      Effect.gen(function*() {
        const [allowed, enabled] = yield* Effect.all([
          guards,
          pool === null ? Effect.succeed(undefined) : enabledIn(chain, pool, assets)
        ], { concurrency: "unbounded" })
        const usable = (address: Address) => ({ allowed: allowed.has(address), enabled: enabled?.has(address) ?? null })
        return {
          network,
          pool,
          venues: venues.map((venue) => ({ ...venue, allowed: allowed.has(venue.router) })),
          lenders: lenders.map((lender) => ({ ...lender, ...usable(lender.market) })),
          liquidity: liquidity.map(({ dex, manager, staking }) => ({
            ...{ protocol: dex, position_manager: manager, ...usable(manager) },
            staking: staking.filter((contract) => allowed.has(contract))
          })),
          shorts: Object.entries(inverseTokens).map(([asset, token]) => ({
            asset,
            token,
            ...usable(token),
            redeemed_by: easySwapper !== undefined && poolTokens.some(({ address }) => address === token)
              ? { contract: easySwapper.address, ...usable(easySwapper.address) }
              : null
          })),
          leveraged: easySwapper === undefined ? [] : poolTokens.map(({ address, asset, leverage, symbol }) => ({
            ...{ asset, leverage, symbol, token: address },
            ...usable(address),
            redeemed_by: { contract: easySwapper.address, ...usable(easySwapper.address) }
          })),
          perpetuals: coreWriter === undefined ? null : { target: coreWriter, ...usable(coreWriter) }
        }
      }).pipe(Effect.withSpan("CapabilityReader.read", { attributes: { network } }))
  })
