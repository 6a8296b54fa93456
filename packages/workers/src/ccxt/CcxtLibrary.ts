/**
 * The part of ccxt in use: loaded on first use, typed by hand because its own declarations are larger than this
 * program.
 */
import * as Effect from "effect/Effect"
import { AsyncLocalStorage } from "node:async_hooks"

/** Numbers are text, because the option `number: String` is set. */
export interface LibraryMarket {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly spot?: boolean
  readonly active?: boolean
  readonly precision: { readonly amount?: string; readonly price?: string }
  readonly limits: { readonly amount?: { readonly min?: string }; readonly cost?: { readonly min?: string } }
}

export interface LibraryOrder {
  readonly id?: string
  readonly clientOrderId?: string
  readonly status?: string
  readonly filled?: string
  readonly cost?: string
  readonly average?: string
  readonly side?: string
  readonly amount?: string
  readonly price?: string
  readonly timestamp?: number
  readonly fees?: ReadonlyArray<{ readonly currency?: string; readonly cost?: string }>
}

export interface LibraryExchange {
  readonly id: string
  urls: Record<string, unknown>
  readonly has: Record<string, unknown>
  readonly options: Record<string, unknown>
  readonly timeframes?: Readonly<Record<string, string>>
  readonly markets?: Readonly<Record<string, LibraryMarket>>
  readonly precisionMode: number
  readonly features?: { readonly spot?: { readonly fetchOHLCV?: { readonly limit?: number } } }
  nonce: () => number
  milliseconds: () => number
  fetch: (url: string, method: string, headers?: Readonly<Record<string, string>>, body?: string) => Promise<unknown>
  handleRestResponse(response: object, url: string, method: string, headers?: unknown, body?: unknown): Promise<unknown>
  handleErrors: (status: number, ...rest: ReadonlyArray<unknown>) => unknown
  marketsLoading?: Promise<unknown> | undefined
  loadMarkets: (reload?: boolean) => Promise<Readonly<Record<string, LibraryMarket>>>
  setMarkets(markets: unknown, currencies?: unknown): unknown
  setSandboxMode(enabled: boolean): void
  loadTimeDifference?(): Promise<unknown>
  fetchBalance(): Promise<{ readonly free: Readonly<Record<string, string | undefined>> }>
  fetchTicker(
    symbol: string
  ): Promise<{ readonly last?: string; readonly bid?: string; readonly ask?: string; readonly timestamp?: number }>
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since: number,
    limit: number
  ): Promise<ReadonlyArray<ReadonlyArray<string | number | undefined>>>
  createOrder(
    symbol: string,
    type: "limit",
    side: "buy" | "sell",
    amount: string,
    price: string,
    params: object
  ): Promise<LibraryOrder>
  fetchOrder(id: string | undefined, symbol: string, params: object): Promise<LibraryOrder>
  cancelOrder(id: string, symbol: string): Promise<unknown>
  fetchMyTrades?(
    symbol: string,
    since: undefined,
    limit: number
  ): Promise<ReadonlyArray<{ readonly order?: string; readonly timestamp?: number }>>
  fetchOrderTrades?(
    id: string,
    symbol: string
  ): Promise<ReadonlyArray<{ readonly fee?: { readonly currency?: string; readonly cost?: string } }>>
  sapiGetAccountApiRestrictions?(): Promise<{ readonly enableWithdrawals?: boolean }>
  privateGetAccountConfig?(): Promise<{ readonly data?: ReadonlyArray<{ readonly perm?: string }> }>
}

/** Replaces the network and the clock in simulations. */
export interface Transport {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly request: (request: {
    readonly url: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }) => Promise<{ readonly status: number; readonly body: string } | "timeout" | "reset">
}

export interface Library {
  readonly exchanges: ReadonlyArray<string>
  readonly [name: string]: unknown
}

type Constructor = new(options: object) => LibraryExchange

/** State of one call: the time of its decision, and the status of its response. */
interface Call {
  readonly nonce: number | undefined
  status: number | undefined
}

const calls = new AsyncLocalStorage<Call>()

const name: string = "ccxt"
let loaded: Library | undefined
/** Loads ccxt on first use. Loading takes most of a second, which services without exchanges should not pay for. */
export const load: Effect.Effect<Library> = Effect.suspend(() =>
  loaded !== undefined ? Effect.succeed(loaded) : Effect.map(
    Effect.promise(() => import(name) as Promise<{ readonly default: Library }>),
    (module) => loaded = module.default
  )
)

/** Moves every URL of an exchange to another base URL, keeping the paths. */
const rebase = (base: string, addresses: unknown): unknown => {
  if (typeof addresses === "string") {
    const text = addresses.replaceAll(/\{\w+\}/g, "host")
    return URL.canParse(text) ? base + new URL(text).pathname.replace(/\/$/, "") : addresses
  }
  return typeof addresses === "object" && addresses !== null
    ? Object.fromEntries(Object.entries(addresses).map(([key, value]) => [key, rebase(base, value)]))
    : addresses
}

interface ClientOptions {
  readonly id: string
  /** The operator's base URL of the exchange. */
  readonly url: string | undefined
  readonly testnet: boolean
  readonly timeoutMillis: number
  /** How long the exchange accepts a request after it was signed, if it can be specified. */
  readonly windowMillis: number
  readonly paceMillis: number | undefined
  readonly credentials: Readonly<Record<string, string>>
  readonly transport: Transport | undefined
}

/**
 * Returns ccxt's options. For Binance they restrict loading to the spot markets, so that other APIs need not respond.
 */
const optionsOf = (id: string, windowMillis: number) =>
  id === "binance"
    ? { defaultType: "spot", fetchMarkets: { types: ["spot"] }, fetchMargins: false, recvWindow: windowMillis }
    : { defaultType: "spot" }

/** Sends the exchange's requests through a transport; ccxt still builds, signs and parses them. */
const useTransport = (library: Library, exchange: LibraryExchange, { now, request }: Transport): void => {
  const failure = (name: string, text: string) => new (library[name] as new(text: string) => Error)(text)
  exchange.milliseconds = now
  exchange.fetch = async (url, method, headers = {}, body = "") => {
    const answer = await request({ url, method, headers, body })
    if (answer === "timeout") throw failure("RequestTimeout", "request timed out")
    if (answer === "reset") throw failure("NetworkError", "the connection was reset")
    const response = {
      status: answer.status,
      statusText: String(answer.status),
      headers: new Map([["Content-Type", "application/json"]]),
      text: () => Promise.resolve(answer.body)
    }
    return exchange.handleRestResponse(response, url, method, headers, body)
  }
}

/** Makes ccxt's client of one exchange for one customer. It applies the exchange's rate limit and never retries. */
export const make = (
  library: Library,
  { credentials, id, paceMillis, testnet, timeoutMillis, transport, url, windowMillis }: ClientOptions
): LibraryExchange => {
  const Class = library[id] as Constructor
  const exchange = new Class({
    ...credentials,
    number: String,
    timeout: timeoutMillis,
    enableRateLimit: transport === undefined,
    options: { ...optionsOf(id, windowMillis), adjustForTimeDifference: Object.keys(credentials).length > 0 },
    ...(paceMillis === undefined ? {} : { rateLimit: paceMillis })
  })
  if (id === "binance") exchange.has["fetchCurrencies"] = false
  if (testnet) exchange.setSandboxMode(true)
  if (url !== undefined) exchange.urls = { ...exchange.urls, api: rebase(url, exchange.urls["api"]) }
  if (transport !== undefined) useTransport(library, exchange, transport)
  const loadMarkets = exchange.loadMarkets.bind(exchange)
  // Otherwise ccxt would fail every later request with the first failure.
  exchange.loadMarkets = (reload) =>
    loadMarkets(reload).catch((error: unknown) => {
      exchange.marketsLoading = undefined
      throw error
    })
  const nonce = exchange.nonce.bind(exchange)
  const handleErrors = exchange.handleErrors.bind(exchange)
  // Signs a request that waited in the rate limiter with the time of its decision, so that its age counts.
  exchange.nonce = () => calls.getStore()?.nonce ?? nonce()
  exchange.handleErrors = (status, ...rest) => {
    const call = calls.getStore()
    if (call !== undefined) call.status = status
    return handleErrors(status, ...rest)
  }
  return exchange
}

/** Runs a call. With `nonce` it is signed as if made then. `toFailure` receives the error and its HTTP status. */
export const call = <A, E>(
  request: () => Promise<A>,
  toFailure: (error: unknown, status: number | undefined) => E,
  nonce?: number
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const store: Call = { nonce, status: undefined }
    return Effect.tryPromise({ try: () => calls.run(store, request), catch: (error) => toFailure(error, store.status) })
  })
