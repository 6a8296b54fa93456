/** Prices of tokens from all sources of a network, and charges of actions. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { type Token } from "@vault-trader/core/chain/Token"
import { findAgreedReading, Reading, type Readings } from "@vault-trader/core/billing/Price"
import { nativeOf, type Prices as PriceTable, defaultPrices } from "@vault-trader/core/billing/PriceList"
import type { Charge as ChargeClass } from "@vault-trader/core/endpoint/Endpoint"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { ChargeRow } from "@vault-trader/core/billing/Charge"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as PriceFeed from "./PriceFeed.ts"
import { sources, suffice } from "./PriceSources.ts"

type SourceAnswers = Pick<Readings, "readings" | "silent">

/** How long the sources' answers are reused for further charges. */
const answersTtlMillis = 10_000

interface Options {
  readonly prices: PriceTable
  /** Wallets that are charged nothing. */
  readonly exempt: ReadonlyArray<Address>
}

const defaultOptions: Options = { prices: defaultPrices, exempt: [] }

/** The prices and exemptions of this process. */
export const PriceOptions = Context.Reference<Options>("vault-trader/workers/billing/PriceOptions", {
  defaultValue: () => defaultOptions
})

export class Prices extends Context.Service<Prices, {
  /**
   * Returns USD (18 decimals) per whole native token from the first source that has a price; none when no source has
   * one. For display.
   */
  readonly native: (network: Network) => Effect.Effect<Option.Option<bigint>>
  /**
   * Returns the price for charges: none while no source has one, while they contradict each other, and while the only
   * one is a pool's spot price, which one trade can move.
   */
  readonly usable: (network: Network) => Effect.Effect<Option.Option<Reading>>
  /** Reads every source's current price of a token, and its age. */
  readonly readings: (network: Network, token: Token) => Effect.Effect<SourceAnswers, Failure>
  /** Returns the USD that an action costs a wallet. */
  readonly usd: (action: ChargeClass, wallet: Address) => number
  /** Returns the charge of a wallet's action at this moment; in USD only while there is no usable native price. */
  readonly charge: (network: Network, action: ChargeClass, wallet: Address) => Effect.Effect<ChargeRow>
}>()("vault-trader/workers/billing/Prices") {
  static readonly layerOf = ({ exempt, prices }: Options) =>
    Layer.effect(
      Prices,
      Effect.gen(function*() {
        const chains = yield* Chains
        const sourceAnswers = yield* makeNativeAnswers(chains)
        const exemptWallets = new Set(exempt)

        const usable = (network: Network) =>
          Effect.map(sourceAnswers(network), (found) =>
            suffice(found.readings.map(({ source }) => source))
              ? Result.getSuccess(findAgreedReading(found))
              : Option.none())

        const usdOf = (action: ChargeClass, wallet: Address) => exemptWallets.has(wallet) ? 0 : prices[action]

        return {
          usd: usdOf,
          native: (network) =>
            Effect.map(
              sourceAnswers(network),
              ({ readings: [first] }) => Option.map(Option.fromNullishOr(first), ({ usd18 }) => usd18)
            ),
          usable,
          readings: (network, token) =>
            Effect.gen(function*() {
              const chain = yield* chains.get(network)
              const [found, updatedAt] = yield* Effect.mapError(
                Effect.all([readSources(chain, token), PriceFeed.updatedAt(chain, token.address)], {
                  concurrency: "unbounded"
                }),
                unavailable
              )
              // The oracle's price is as old as its feed's last update.
              return {
                ...found,
                readings: found.readings.map((reading) =>
                  reading.source === sources[0]?.name ? Reading.make({ ...reading, updatedAt }) : reading
                )
              }
            }),
          charge: (network, action, wallet) =>
            Effect.gen(function*() {
              const usd = usdOf(action, wallet)
              if (usd === 0) {
                return { action, usd, nativeWei: 0n, nativePriceUsd18: null, priceSource: null, priceAt: null }
              }
              const price = Option.getOrUndefined(yield* usable(network))
              return {
                action,
                usd,
                nativeWei: price === undefined ? null : nativeOf(usd, price.usd18),
                nativePriceUsd18: price?.usd18 ?? null,
                priceSource: price?.source ?? null,
                priceAt: price?.readAt ?? null
              }
            })
        }
      })
    )

  static readonly layer = Layer.unwrap(Effect.map(PriceOptions, Prices.layerOf))
}

/**
 * Builds the function that returns a network's native prices. All callers share one reading for `answersTtlMillis`; a
 * charge records when its price was read.
 */
const makeNativeAnswers = (chains: Chains["Service"]) =>
  Effect.gen(function*() {
    const readNative = (network: Network) =>
      Effect.gen(function*() {
        const chain = yield* chains.get(network)
        return yield* readSources(chain, { address: chain.book.wrappedNative, decimals: 18 })
      }).pipe(
        // A price that cannot be read is reported as missing: the action is neither blocked nor free.
        Effect.catch((failure) =>
          Effect.as(
            Effect.logWarning(`no price for ${facts[network].native} on ${network}: ${failure._tag}`),
            noAnswers
          )
        )
      )

    const recents = new Map(
      yield* Effect.forEach(chains.networks, (network) =>
        Effect.map(
          TtlCache.freshAndCached(readNative(network), answersTtlMillis),
          (reading) => [network, reading] as const
        ))
    )
    return (network: Network) =>
      Effect.suspend(() => {
        const recent = recents.get(network)
        if (recent === undefined) return Effect.succeed(noAnswers)
        // Missing prices are not cached.
        return Effect.flatMap(
          recent.recent,
          (found) => found.readings.length > 0 ? Effect.succeed(found) : recent.fresh
        )
      })
  })

const noAnswers: SourceAnswers = {
  readings: [],
  silent: sources.map(({ name }) => ({ source: name, reason: "the node does not answer" }))
}

/**
 * Reads a token's price from all sources in one call. Two of the network's endpoints must agree, where it has so many: one
 * alone would give both sources' prices.
 */
const readSources = (chain: ChainClient, token: Pick<Token, "address" | "decimals">) =>
  Effect.gen(function*() {
    const sourceReads = sources.map((source) => ({ source, reads: source.reads(chain, token) }))
    const answers = yield* chain.readConfirmed(sourceReads.flatMap(({ reads }) => reads))
    const readAt = yield* Clock.currentTimeMillis
    let at = 0
    const results = sourceReads.map(({ reads, source }) => {
      const own = answers.slice(at, at += reads.length)
      return { source: source.name, known: reads.length > 0, usd18: source.priceOf(own, chain, token) }
    })
    return {
      readings: results.flatMap(({ source, usd18 }) =>
        usd18 === undefined ? [] : [Reading.make({ source, usd18, readAt, updatedAt: null })]
      ),
      silent: results.filter(({ usd18 }) => usd18 === undefined).map(({ known, source }) => ({
        source,
        reason: known ? "has no price for it, or none that is fresh" : "does not know it on this network"
      }))
    }
  })
