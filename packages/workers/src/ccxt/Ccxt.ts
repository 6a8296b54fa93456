/**
 * Clients of centralized exchanges over ccxt; nothing else calls them. Provides typed failures, a timeout for every
 * call, a rate limit per account and shared markets.
 */
import type { Credentials } from "@vault-trader/core/exchange/ExchangeAccount"
import type { ExchangeId } from "@vault-trader/core/exchange/Exchanges"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import * as CcxtCall from "./CcxtCall.ts"
import {
  type AccountClient,
  accountClient,
  spotMarketsOf,
  type Market,
  type PublicClient,
  publicClient
} from "./ExchangeClient.ts"
import { type ExchangeFailure, UnknownExchange } from "./ExchangeFailure.ts"
import { type LibraryMarket, load, make, type Transport } from "./CcxtLibrary.ts"

export interface Access {
  /** Exchange base URLs by ccxt's id. Set by the operator only; callers cannot override them. */
  readonly urls: Readonly<Record<string, string>>
  /** Hard limit of one request. */
  readonly timeoutMillis: number
  /** How long an exchange may accept an order after it was signed. */
  readonly windowMillis: number
  /** Milliseconds between two requests of a customer, instead of ccxt's value for the exchange. */
  readonly paceMillis?: number
  /** Replaces the network. */
  readonly transport?: Transport
}

export const defaultAccess: Access = { urls: {}, timeoutMillis: 10_000, windowMillis: 10_000 }

/** Access to the exchanges of this process. */
export const ExchangeAccess = Context.Reference<Access>("vault-trader/workers/ccxt/ExchangeAccess", {
  defaultValue: () => defaultAccess
})

/** The account that requests are made for. */
interface Holder {
  readonly exchange: ExchangeId
  readonly testnet: boolean
  readonly credentials: Credentials
}

export class Ccxt extends Context.Service<Ccxt, {
  /** Returns the public client of an exchange by ccxt's id; shared by all callers. */
  readonly anybody: (id: string) => Effect.Effect<PublicClient, UnknownExchange>
  /** Makes a separate client with its own rate limit. */
  readonly holder: (holder: Holder) => Effect.Effect<AccountClient>
  /** Returns the milliseconds after which an exchange no longer accepts a signed order. */
  readonly lateMillis: (exchange: ExchangeId) => number
}>()("vault-trader/workers/ccxt/Ccxt") {
  static readonly layer = (access: Access = defaultAccess): Layer.Layer<Ccxt> =>
    Layer.effect(
      Ccxt,
      Effect.gen(function*() {
        const library = yield* Effect.cached(load)
        const shared = new Map<string, PublicClient>()
        const listings = new Map<string, Listing>()
        const { paceMillis, timeoutMillis, transport, urls, windowMillis } = access

        const listingOf = (key: string) => {
          const listing = listings.get(key) ?? { turn: Semaphore.makeUnsafe(1), read: undefined }
          listings.set(key, listing)
          return listing
        }

        const makeCall = (id: string, testnet: boolean, credentials: Readonly<Record<string, string>>) =>
          Effect.map(library, (loaded) => {
            const exchange = make(loaded, {
              id,
              url: urls[id],
              testnet,
              timeoutMillis,
              windowMillis,
              paceMillis,
              credentials,
              transport
            })
            return CcxtCall.make(loaded, exchange, Object.values(credentials), timeoutMillis)
          })

        return {
          anybody: (id) =>
            Effect.gen(function*() {
              const { exchanges } = yield* library
              if (!exchanges.includes(id)) return yield* new UnknownExchange({ exchange: id, known: exchanges })
              const known = shared.get(id)
              if (known !== undefined) return known
              const caller = yield* makeCall(id, false, {})
              const client = publicClient(caller, markets(caller, listingOf(id)))
              shared.set(id, client)
              return client
            }).pipe(Effect.withSpan("Ccxt.anybody", { attributes: { exchange: id } })),
          holder: ({ credentials: { apiKey, passphrase, secret }, exchange, testnet }) =>
            Effect.gen(function*() {
              const credentials = {
                ...{ apiKey: Redacted.value(apiKey), secret: Redacted.value(secret) },
                ...(passphrase === null ? {} : { password: Redacted.value(passphrase) })
              }
              const caller = yield* makeCall(exchange, testnet, credentials)
              yield* caller.synchronized
              return accountClient(caller, markets(caller, listingOf(`${exchange}${testnet ? "/testnet" : ""}`)))
            }).pipe(Effect.withSpan("Ccxt.holder", { attributes: { exchange } })),
          lateMillis: (exchange) => exchange === "binance" ? windowMillis : Math.max(windowMillis, windows[exchange])
        }
      })
    )
}

/**
 * Documented maximum age of a signed request per exchange, milliseconds. Binance receives it with each request instead.
 */
const windows: Readonly<Record<ExchangeId, number>> = {
  binance: 0,
  bitget: 30_000,
  gate: 60_000,
  kucoin: 5_000,
  okx: 30_000
}

/** The markets of an exchange as last read. */
interface Listing {
  readonly turn: Semaphore.Semaphore
  read: {
    readonly at: number
    readonly raw: Readonly<Record<string, LibraryMarket>>
    readonly markets: ReadonlyMap<string, Market>
  } | undefined
}

const marketsTtlMillis = 3_600_000

/** Returns the markets, read at most once an hour for all callers; on failure the last ones remain current. */
const markets = (
  { request, exchange }: CcxtCall.CcxtCall,
  listing: Listing
): Effect.Effect<ReadonlyMap<string, Market>, ExchangeFailure> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    if (listing.read === undefined || now - listing.read.at > marketsTtlMillis) {
      // Forces a reload instead of ccxt's cached markets.
      const raw = yield* Effect.option(request((each) => each.loadMarkets(true)))
      if (raw._tag === "Some") {
        listing.read = { at: now, raw: raw.value, markets: spotMarketsOf(raw.value, exchange.precisionMode) }
      }
    }
    if (listing.read === undefined) {
      return yield* Effect.map(
        request((each) => each.loadMarkets()),
        (raw) => spotMarketsOf(raw, exchange.precisionMode)
      )
    }
    if (exchange.markets === undefined) exchange.setMarkets(listing.read.raw)
    return listing.read.markets
  }).pipe(listing.turn.withPermits(1))
