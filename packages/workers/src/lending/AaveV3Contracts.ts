/** Resolves lenderA's other contracts on chain: the market names an addresses provider, which names the rest. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { AaveV3Book, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { addressesProviderAbi, poolAbi } from "./AaveV3Abi.ts"

/** Addresses providers. They are immutable in the market's code and never change. */
const providers = new WeakMap<NetworkBook, Address>()

/** Data providers, cached until the process ends: a replaced contract still answers. */
const dataProviders = new WeakMap<NetworkBook, Address>()

/** 2015: the market's contracts do not implement the expected interface. */
export const silent = (network: Network) => explain({ _tag: "LenderUnknownInterface", network })

/** A contract's address. `isAlone`: it is one endpoint's word, see `readToKeep`. */
interface Found {
  readonly address: Address
  readonly isAlone: boolean
}

const find = (chain: ChainClient, read: Contract.Read<Address>): Effect.Effect<Found, ExecutionFailure> =>
  Effect.gen(function*() {
    const { isAlone, results: [address] } = yield* Effect.mapError(chain.readToKeep([read]), unavailable)
    if (Result.isFailure(address)) return yield* silent(chain.book.network)
    return { address: Contract.lower(address.success), isAlone }
  })

/** Keeps an address, unless it is one endpoint's word. */
const cached = (
  known: WeakMap<NetworkBook, Address>,
  chain: ChainClient,
  finding: Effect.Effect<Found, ExecutionFailure>
): Effect.Effect<Found, ExecutionFailure> =>
  Effect.suspend(() => {
    const address = known.get(chain.book)
    return address === undefined
      ? Effect.tap(finding, (found) =>
        Effect.sync(() => {
          if (!found.isAlone) known.set(chain.book, found.address)
        }))
      : Effect.succeed({ address, isAlone: false })
  })

const providerOf = (chain: ChainClient, market: Address) =>
  cached(providers, chain, find(chain, Contract.read(poolAbi, market, "ADDRESSES_PROVIDER", [])))

/** Returns lenderA's current oracle. */
export const oracleOf = (chain: ChainClient, market: Address): Effect.Effect<Address, ExecutionFailure> =>
  Effect.flatMap(
    providerOf(chain, market),
    (provider) => find(chain, Contract.read(addressesProviderAbi, provider.address, "getPriceOracle", []))
  ).pipe(Effect.map(({ address }) => address))

/**
 * Returns the contract that reports reserve data: the one in the book, or the first one the market's provider named.
 */
export const dataProviderOf = (
  chain: ChainClient,
  { pool, poolDataProvider }: AaveV3Book
): Effect.Effect<Address, ExecutionFailure> =>
  poolDataProvider !== undefined
    ? Effect.succeed(poolDataProvider)
    : cached(
      dataProviders,
      chain,
      Effect.flatMap(providerOf(chain, pool), (provider) =>
        Effect.map(
          find(chain, Contract.read(addressesProviderAbi, provider.address, "getPoolDataProvider", [])),
          // A contract that one endpoint alone names says what two endpoints would confirm.
          ({ address, isAlone }) => ({ address, isAlone: isAlone || provider.isAlone })
        ))
    ).pipe(Effect.map(({ address }) => address))
