/** Calls one exchange for one customer and converts ccxt's errors to typed failures. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ExchangeFailure, ExchangeRefused, ExchangeUnavailable, redact, sentence } from "./ExchangeFailure.ts"
import { call, type Library, type LibraryExchange, type LibraryOrder } from "./CcxtLibrary.ts"

export interface CcxtCall {
  readonly exchange: LibraryExchange
  /** Calls the exchange. With `nonce` the request is signed as if made at that time. */
  readonly request: <A>(
    request: (exchange: LibraryExchange) => Promise<A>,
    nonce?: number
  ) => Effect.Effect<A, ExchangeFailure>
  /** Calls for an order; none when the exchange reports that there is no such order. */
  readonly requestOrder: (
    request: (exchange: LibraryExchange) => Promise<LibraryOrder>
  ) => Effect.Effect<Option.Option<LibraryOrder>, ExchangeFailure>
  /** Measures the difference between the exchange's clock and ours. */
  readonly synchronized: Effect.Effect<void>
}

/** ccxt errors that are definite: the exchange has read the request and refuses it. */
const refusals: ReadonlyArray<readonly [string, ExchangeRefused["kind"]]> = [
  ...["AuthenticationError", "PermissionDenied", "AccountSuspended", "AccountNotEnabled"].map((name) =>
    [name, "credentials"] as const
  ),
  ["InsufficientFunds", "funds"],
  ["InvalidOrder", "order"],
  ...["BadRequest", "ArgumentsRequired", "NotSupported", "OperationRejected"].map((name) => [name, "other"] as const)
]
/** Subclasses of those in ccxt that are not refusals: an order of that id exists, or does not exist. */
const notRefusals = ["DuplicateOrderId", "OrderNotFound", "OrderNotCached"]
/** Detects a duplicate order id where ccxt only reports a refused order. */
const isDuplicate = (text: string) => /\bduplicate\b/i.test(text)

const isA = (library: Library, error: unknown, name: string) => {
  const Class = library[name]
  return typeof Class === "function" && error instanceof Class
}

/** Makes the calls of one customer. `secrets` are redacted from every error text. */
export const make = (
  library: Library,
  exchange: LibraryExchange,
  secrets: ReadonlyArray<string>,
  timeoutMillis: number
): CcxtCall => {
  const unavailable = (reason: string) => new ExchangeUnavailable({ exchange: exchange.id, reason })

  const toFailure = (error: unknown, status: number | undefined): ExchangeFailure => {
    const found = notRefusals.some((name) => isA(library, error, name))
      ? undefined
      : refusals.find(([name]) => isA(library, error, name))?.[1]
    const text = redact(sentence(error instanceof Error ? error.message : ""), secrets).replace(
      new RegExp(`^${exchange.id} `),
      ""
    ).replace(/\.$/, "")
    const kind = found === "order" && isDuplicate(text) ? undefined : found
    // A refusal with a 5xx status is not definite.
    if (kind !== undefined && (status === undefined || status < 500)) {
      return new ExchangeRefused({ exchange: exchange.id, kind, reason: `${text}.` })
    }
    return unavailable(text === "" ? "it does not respond." : `${text}.`)
  }

  const synchronized: Effect.Effect<void> = Effect.suspend(() =>
    exchange.loadTimeDifference === undefined || exchange.options["adjustForTimeDifference"] !== true
      ? Effect.void
      : Effect.ignore(Effect.tryPromise(() => exchange.loadTimeDifference?.() ?? Promise.resolve()))
  )

  const request: CcxtCall["request"] = (send, nonce) =>
    call(() => send(exchange), (error, status) => ({ error, status }), nonce).pipe(
      Effect.tapError(({ error }) => isA(library, error, "InvalidNonce") ? synchronized : Effect.void),
      Effect.mapError(({ error, status }) => toFailure(error, status)),
      // Includes waiting for the rate limiter; ccxt's own timeout is for the request only.
      Effect.timeoutOrElse({
        duration: timeoutMillis * 3,
        orElse: () => Effect.fail(unavailable("it does not respond in time."))
      })
    )

  return {
    exchange,
    request,
    requestOrder: (send) =>
      request((each) =>
        send(each).then(Option.some, (error: unknown) => {
          if (isA(library, error, "OrderNotFound")) return Option.none<LibraryOrder>()
          throw error
        })
      ),
    synchronized
  }
}
