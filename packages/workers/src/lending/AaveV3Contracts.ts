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

const addressOf = (chain: ChainClient, read: Contract.Read<Address>) =>
  Effect.gen(function*() {
    const [address] = yield* Effect.mapError(chain.readConfirmed([read]), unavailable)
    return Result.isFailure(address) ? yield* silent(chain.book.network) : Contract.lower(address.success)
  })

const cached = <R>(
  known: WeakMap<NetworkBook, Address>,
  chain: ChainClient,
  find: Effect.Effect<Address, ExecutionFailure, R>
) =>
  Effect.suspend(() => {
    const address = known.get(chain.book)
    return address === undefined
      ? Effect.tap(find, (found) => Effect.sync(() => known.set(chain.book, found)))
      : Effect.succeed(address)
  })

const providerOf = (chain: ChainClient, market: Address) =>
  cached(providers, chain, addressOf(chain, Contract.read(poolAbi, market, "ADDRESSES_PROVIDER", [])))

/** Returns lenderA's current oracle. */
export const oracleOf = (chain: ChainClient, market: Address): Effect.Effect<Address, ExecutionFailure> =>
  Effect.flatMap(
    providerOf(chain, market),
    (provider) => addressOf(chain, Contract.read(addressesProviderAbi, provider, "getPriceOracle", []))
  )

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
        addressOf(chain, Contract.read(addressesProviderAbi, provider, "getPoolDataProvider", [])))
    )
