/** Implements the Chain actor of one network: its head, platform, tokens, vaults and signatures. */
import type { Address } from "@vault-trader/core/chain/Address"
import { Chain, Head, ManagedVault, Platform } from "@vault-trader/core/network/Chain"
import { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import { ManagedVaults } from "../manager/ManagedVaults.ts"
import { signedBy, textSignedBy } from "../manager/ManagerSignature.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as CapabilityReader from "./CapabilityReader.ts"

const factoryAbi = parseAbi([
  "function isPool(address) view returns (bool)",
  "function isPaused() view returns (bool)",
  "function isValidAsset(address) view returns (bool)",
  "function getMaximumFee() view returns (uint256, uint256, uint256, uint256, uint256)",
  "function getMaximumSupportedAssetCount() view returns (uint256)"
])

/** Reads the platform's rules from its factory. A value that cannot be read is a failure, never a guess. */
const platformOf = (network: Network, chain: ChainClient, tokens: Tokens["Service"]) =>
  Effect.gen(function*() {
    const { chainId, platformFactory: factory, tokens: listed } = chain.book
    const read = Contract.read
    const [[paused, fees, most], valid] = yield* Effect.mapError(
      Effect.all([
        chain.readAll([
          read(factoryAbi, factory, "isPaused", []),
          read(factoryAbi, factory, "getMaximumFee", []),
          read(factoryAbi, factory, "getMaximumSupportedAssetCount", [])
        ]),
        chain.readAll(listed.map(({ address }) => read(factoryAbi, factory, "isValidAsset", [address])))
      ], { concurrency: "unbounded" }),
      unavailable
    )
    if (Result.isFailure(paused) || Result.isFailure(fees) || Result.isFailure(most)) {
      return yield* explain({ _tag: "PlatformRulesUnreadable", network })
    }
    const supported = listed.filter((_, index) => Result.getOrElse(valid[index]!, () => false))
    const found = yield* tokens.at(network, supported.map(({ address }) => address))
    const [performance, management, entry, exit, denominator] = fees.success.map(Number) as [
      number,
      number,
      number,
      number,
      number
    ]
    return Platform.make({
      chainId,
      factory,
      paused: paused.success,
      maximumFee: { performance, management, entry, exit, denominator },
      mostAssets: Number(most.success),
      assets: found.flatMap((token) => token === undefined ? [] : [token])
    })
  })

const vaultAbi = parseAbi([
  "function name() view returns (string)",
  "function poolManagerLogic() view returns (address)",
  "function manager() view returns (address)",
  "function trader() view returns (address)"
])

const zeroAddress = "0x0000000000000000000000000000000000000000"

/** Returns those of these vaults that the manager manages on chain, with their names and traders. */
const findManaged = (chain: ChainClient, manager: Address, pools: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const [names, logics] = yield* Effect.all([
      chain.readAll(pools.map((pool) => Contract.read(vaultAbi, pool, "name", []))),
      chain.readAll(pools.map((pool) => Contract.read(vaultAbi, pool, "poolManagerLogic", [])))
    ], { concurrency: "unbounded" })
    const found = pools.flatMap((pool, index) => {
      const logic = logics[index]!
      return Result.isSuccess(logic)
        ? [{ pool, logic: logic.success, name: Result.getOrElse(names[index]!, () => "") }]
        : []
    })
    const [managers, traders] = yield* Effect.all([
      chain.readAll(found.map(({ logic }) => Contract.read(vaultAbi, logic, "manager", []))),
      chain.readAll(found.map(({ logic }) => Contract.read(vaultAbi, logic, "trader", [])))
    ], { concurrency: "unbounded" })
    return found.flatMap(({ name, pool }, index) => {
      const [owner, trader] = [managers[index]!, traders[index]!]
      if (Result.isFailure(owner) || Result.isFailure(trader) || Contract.lower(owner.success) !== manager) return []
      return [
        ManagedVault.make({
          pool,
          name,
          trader: trader.success === zeroAddress ? null : Contract.lower(trader.success)
        })
      ]
    })
  })

export const ChainLive = Chain.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const chains = yield* Chains
    const managed = yield* ManagedVaults
    // Code is never removed from a factory: once seen, it is not read again.
    let hasPlatform = false
    const requirePlatform = (chain: ChainClient) =>
      Effect.gen(function*() {
        if (hasPlatform) return
        const { platformFactory: factory } = chain.book
        hasPlatform = (yield* Effect.mapError(chain.code(factory), unavailable)) !== "0x"
        if (!hasPlatform) return yield* explain({ _tag: "PlatformMissing", network, factory })
      })
    const capabilities = yield* Effect.cached(Effect.flatMap(chains.get(network), CapabilityReader.make))
    return {
      head: () =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const { number, time } = yield* Effect.mapError(chain.head, unavailable)
          yield* requirePlatform(chain)
          return Head.make({ chainId: chain.book.chainId, block: number, time, disputed: yield* chain.isDisputed })
        }),
      codeAt: ({ payload: { address } }) =>
        Effect.flatMap(chains.get(network), (chain) => Effect.mapError(chain.code(address), unavailable)),
      platform: () => Effect.flatMap(chains.get(network), (chain) => platformOf(network, chain, tokens)),
      capabilities: ({ payload: { pool } }) => Effect.flatMap(capabilities, (read) => read(pool)),
      managedBy: ({ payload: { manager } }) =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const { pools } = yield* managed.of(network, chain, manager)
          return pools.length === 0 ? [] : yield* Effect.mapError(findManaged(chain, manager, pools), unavailable)
        }),
      vaultsAmong: ({ payload: { addresses } }) =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const answers = yield* Effect.mapError(
            chain.readAll(
              addresses.map((address) => Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [address]))
            ),
            unavailable
          )
          return addresses.filter((_, index) => Result.getOrElse(answers[index]!, () => false))
        }),
      signedBy: ({ payload: { signature, statement } }) =>
        Effect.flatMap(chains.get(network), (chain) => signedBy(chain, statement, signature)),
      textSignedBy: ({ payload: { manager, signature, text } }) =>
        Effect.flatMap(chains.get(network), (chain) => textSignedBy(chain, { manager, text, signature })),
      token: ({ payload: { address } }) =>
        Effect.flatMap(tokens.at(network, [address]), ([token]) =>
          token === undefined
            ? new ValidationFailure({ code: "1005", message: `contract: ${address} is not a token on ${network}` })
            : Effect.succeed(token)),
      symbol: ({ payload: { symbol } }) =>
        Effect.mapError(
          tokens.resolve(network, symbol, []),
          (failure) =>
            failure._tag === "ValidationFailure" && failure.code === "1010"
              ? new ValidationFailure({ code: "1010", message: `symbol: ${failure.message}` })
              : failure
        )
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
