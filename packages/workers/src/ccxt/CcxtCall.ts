/** One exchange as one customer asks it; failures of ours instead of ccxt's. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ExchangeFailure, ExchangeRefused, ExchangeUnavailable, scrubbed, sentence } from "./ExchangeFailure.ts"
import { call, type Library, type LibraryExchange, type LibraryOrder } from "./CcxtLibrary.ts"

export interface Asking {
  readonly exchange: LibraryExchange
  /** With `nonce` the request is signed as if made at that time. */
  readonly ask: <A>(asked: (exchange: LibraryExchange) => Promise<A>, nonce?: number) => Effect.Effect<A, ExchangeFailure>
  /** None where the exchange says that there is no such order. */
  readonly askOrder: (asked: (exchange: LibraryExchange) => Promise<LibraryOrder>) => Effect.Effect<Option.Option<LibraryOrder>, ExchangeFailure>
  /** Learns how far the exchange's clock is from ours. */
  readonly synchronized: Effect.Effect<void>
}

/** Definite: the exchange has read the request and will not have it. */
const refusals: ReadonlyArray<readonly [string, ExchangeRefused["kind"]]> = [
  ...["AuthenticationError", "PermissionDenied", "AccountSuspended", "AccountNotEnabled"].map((name) => [name, "credentials"] as const),
  ["InsufficientFunds", "funds"],
  ["InvalidOrder", "order"],
  ...["BadRequest", "ArgumentsRequired", "NotSupported", "OperationRejected"].map((name) => [name, "other"] as const)
]
/** Not among them, although ccxt has them below: an order of that id is there; one is not there. */
const notRefusals = ["DuplicateOrderId", "OrderNotFound", "OrderNotCached"]
/** The same, where ccxt has no name for it but the one of orders that are refused. */
const isDuplicate = (words: string) => /\bduplicate\b/i.test(words)

const isA = (library: Library, error: unknown, name: string) => {
  const Class = library[name]
  return typeof Class === "function" && error instanceof Class
}

/** `secrets`: never to be repeated, whatever a foreign error says. */
export const make = (library: Library, exchange: LibraryExchange, secrets: ReadonlyArray<string>, timeoutMillis: number): Asking => {
  const unavailable = (reason: string) => new ExchangeUnavailable({ exchange: exchange.id, reason })

  const failed = (error: unknown, status: number | undefined): ExchangeFailure => {
    const found = notRefusals.some((name) => isA(library, error, name)) ? undefined : refusals.find(([name]) => isA(library, error, name))?.[1]
    const words = scrubbed(sentence(error instanceof Error ? error.message : ""), secrets).replace(new RegExp(`^${exchange.id} `), "").replace(/\.$/, "")
    const kind = found === "order" && isDuplicate(words) ? undefined : found
    // What a server in trouble says about a request is not the last word on it.
    if (kind !== undefined && (status === undefined || status < 500)) return new ExchangeRefused({ exchange: exchange.id, kind, reason: `${words}.` })
    return unavailable(words === "" ? "it does not answer." : `${words}.`)
  }

  const synchronized: Effect.Effect<void> = Effect.suspend(() =>
    exchange.loadTimeDifference === undefined || exchange.options["adjustForTimeDifference"] !== true
      ? Effect.void
      : Effect.ignore(Effect.tryPromise(() => exchange.loadTimeDifference?.() ?? Promise.resolve())))

  const ask: Asking["ask"] = (asked, nonce) =>
    call(() => asked(exchange), (error, status) => ({ error, status }), nonce).pipe(
      Effect.tapError(({ error }) => isA(library, error, "InvalidNonce") ? synchronized : Effect.void),
      Effect.mapError(({ error, status }) => failed(error, status)),
      // Waiting for the rate limiter counts too; ccxt's own limit is for the request alone.
      Effect.timeoutOrElse({ duration: timeoutMillis * 3, orElse: () => Effect.fail(unavailable("it does not answer in time.")) })
    )

  return {
    exchange,
    ask,
    askOrder: (asked) =>
      ask((each) =>
        asked(each).then(Option.some, (error: unknown) => {
          if (isA(library, error, "OrderNotFound")) return Option.none<LibraryOrder>()
          throw error
        })),
    synchronized
  }
}
