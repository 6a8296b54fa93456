/** lenderA's other contracts by its own word: the market's code names a provider, and that names the rest. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { AaveV3Book, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Network } from "@vault-trader/core/chain/Network"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { addressesProviderAbi, poolAbi } from "./AaveV3Abi.ts"

/** Written into the market's code: they never change. */
const providers = new WeakMap<NetworkBook, Address>()

/** Kept until the process ends: one that is replaced goes on answering. */
const dataProviders = new WeakMap<NetworkBook, Address>()

/** 2015: the market's contracts do not answer as that interface does. */
export const silent = (network: Network) =>
  new ExecutionFailure({ errorType: "market_not_available", message: `lenderA's contracts on ${network} do not answer; nothing was sent.` })

const addressOf = (chain: ChainClient, read: Contract.Read<Address>) =>
  Effect.gen(function*() {
    const [told] = yield* Effect.mapError(chain.readAll([read]), unavailable)
    return Result.isFailure(told) ? yield* silent(chain.book.network) : Contract.lower(told.success)
  })

const remembered = <R>(known: WeakMap<NetworkBook, Address>, chain: ChainClient, find: Effect.Effect<Address, ExecutionFailure, R>) =>
  Effect.suspend(() => {
    const address = known.get(chain.book)
    return address === undefined ? Effect.tap(find, (found) => Effect.sync(() => known.set(chain.book, found))) : Effect.succeed(address)
  })

const providerOf = (chain: ChainClient, market: Address) =>
  remembered(providers, chain, addressOf(chain, Contract.read(poolAbi, market, "ADDRESSES_PROVIDER", [])))

/** lenderA's oracle as it is named now. */
export const oracleOf = (chain: ChainClient, market: Address): Effect.Effect<Address, ExecutionFailure> =>
  Effect.flatMap(providerOf(chain, market), (provider) => addressOf(chain, Contract.read(addressesProviderAbi, provider, "getPriceOracle", [])))

/** Who tells about reserves: as the book says, or as the market's provider named it first. */
export const dataProviderOf = (chain: ChainClient, { pool, poolDataProvider }: AaveV3Book): Effect.Effect<Address, ExecutionFailure> =>
  poolDataProvider !== undefined
    ? Effect.succeed(poolDataProvider)
    : remembered(
      dataProviders,
      chain,
      Effect.flatMap(providerOf(chain, pool), (provider) => addressOf(chain, Contract.read(addressesProviderAbi, provider, "getPoolDataProvider", [])))
    )
