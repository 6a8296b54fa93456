/** What tokens are worth, by all sources of a network, and what actions cost. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { type Token } from "@vault-trader/core/chain/Token"
import { agreed, Reading, type Readings } from "@vault-trader/core/billing/Price"
import { nativeOf, type Prices as PriceTable, standardPrices } from "@vault-trader/core/billing/PriceList"
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
import { sources } from "./PriceSources.ts"

type Said = Pick<Readings, "readings" | "silent">

/** How long what the sources said is good for another charge. */
const goodMillis = 10_000

export interface Options {
  readonly prices: PriceTable
  /** Wallets that are charged nothing. */
  readonly exempt: ReadonlyArray<Address>
}

export const standardOptions: Options = { prices: standardPrices, exempt: [] }

export class Prices extends Context.Service<Prices, {
  /** USD (18 decimals) of one whole native token by the first source that says one; none when nobody can say. For people. */
  readonly native: (network: Network) => Effect.Effect<Option.Option<bigint>>
  /** What is booked at this moment: none while no source has a price, or they contradict each other. */
  readonly usable: (network: Network) => Effect.Effect<Option.Option<Reading>>
  /** What every source says of a token now, and how old that is. */
  readonly readings: (network: Network, token: Token) => Effect.Effect<Said, Failure>
  /** USD that an action costs a wallet. */
  readonly usd: (action: ChargeClass, wallet: Address) => number
  /** The charge of a wallet's action at this moment. Without a usable native price it stands in USD alone. */
  readonly charge: (network: Network, action: ChargeClass, wallet: Address) => Effect.Effect<ChargeRow>
}>()("vault-trader/workers/billing/Prices") {
  static readonly layerOf = ({ exempt, prices }: Options) =>
    Layer.effect(
      Prices,
      Effect.gen(function*() {
        const chains = yield* Chains
        const free = new Set(exempt)

        const ask = (network: Network) =>
          Effect.gen(function*() {
            const chain = yield* chains.get(network)
            return yield* saidBy(chain, { address: chain.book.wrappedNative, decimals: 18 })
          }).pipe(
            // A price that cannot be read is told as missing: an action is neither blocked nor free for it.
            Effect.catch((failure) =>
              Effect.as(Effect.logWarning(`no price for ${facts[network].native} on ${network}: ${failure._tag}`), nobody)
            )
          )

        // One reading serves everybody who asks for a while: what is charged says how old it was.
        const recents = new Map(yield* Effect.forEach(chains.networks, (network) =>
          Effect.map(TtlCache.freshAndCached(ask(network), goodMillis), (reading) => [network, reading] as const)))
        const said = (network: Network) =>
          Effect.suspend(() => {
            const recent = recents.get(network)
            if (recent === undefined) return Effect.succeed(nobody)
            // Silence is not kept for anybody.
            return Effect.flatMap(recent.recent, (found) => found.readings.length > 0 ? Effect.succeed(found) : recent.fresh)
          })
        const usable = (network: Network) => Effect.map(said(network), (found) => Result.getSuccess(agreed(found)))

        const usdOf = (action: ChargeClass, wallet: Address) => free.has(wallet) ? 0 : prices[action]

        return {
          usd: usdOf,
          native: (network) => Effect.map(said(network), ({ readings: [first] }) => Option.map(Option.fromNullishOr(first), ({ usd18 }) => usd18)),
          usable,
          readings: (network, token) =>
            Effect.gen(function*() {
              const chain = yield* chains.get(network)
              const [found, updatedAt] = yield* Effect.mapError(
                Effect.all([saidBy(chain, token), PriceFeed.updatedAt(chain, token.address)], { concurrency: "unbounded" }),
                unavailable
              )
              // The oracle's figure is as old as its feed's last answer.
              return {
                ...found,
                readings: found.readings.map((reading) => reading.source === sources[0]?.name ? Reading.make({ ...reading, updatedAt }) : reading)
              }
            }),
          charge: (network, action, wallet) =>
            Effect.gen(function*() {
              const usd = usdOf(action, wallet)
              if (usd === 0) return { action, usd, nativeWei: 0n, nativePriceUsd18: null, priceSource: null, priceAt: null }
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

  static readonly layer = Prices.layerOf(standardOptions)
}

const nobody: Said = { readings: [], silent: sources.map(({ name }) => ({ source: name, reason: "the node does not answer" })) }

/** What all sources say of a token, asked in one call. */
const saidBy = (chain: ChainClient, token: Pick<Token, "address" | "decimals">) =>
  Effect.gen(function*() {
    const asked = sources.map((source) => ({ source, reads: source.reads(chain, token) }))
    const answers = yield* chain.readAll(asked.flatMap(({ reads }) => reads))
    const readAt = yield* Clock.currentTimeMillis
    let at = 0
    const told = asked.map(({ reads, source }) => {
      const own = answers.slice(at, at += reads.length)
      return { source: source.name, known: reads.length > 0, usd18: source.priceOf(own, chain, token) }
    })
    return {
      readings: told.flatMap(({ source, usd18 }) => usd18 === undefined ? [] : [Reading.make({ source, usd18, readAt, updatedAt: null })]),
      silent: told.filter(({ usd18 }) => usd18 === undefined).map(({ known, source }) =>
        ({ source, reason: known ? "has no price for it, or none that is fresh" : "does not know it on this network" }))
    }
  })
