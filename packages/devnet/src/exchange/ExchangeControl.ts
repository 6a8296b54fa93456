/** Controls the fake exchange: its clock, its faults and the log of its requests. */
import type { Fault } from "./ExchangeFault.ts"
import { ofOrders } from "./ExchangeFault.ts"
import * as ExchangeLedger from "./ExchangeLedger.ts"

interface SeenRequest {
  readonly exchange: "binance" | "coinbase"
  readonly method: string
  readonly path: string
}

/** The prices of a ticker that are wrong. */
interface Quotation {
  readonly bid?: number
  readonly ask?: number
  readonly last?: number
}

export interface ExchangeControl {
  readonly books: ExchangeLedger.Books
  /** The exchange's own time, unix milliseconds. */
  readonly now: () => number
  /** Sets the error of its clock, milliseconds. */
  readonly skew: (millis: number) => void
  /** Replaces the current fault. It applies to the next `times` requests, or to all until it is replaced. */
  readonly inject: (fault: Fault, times?: number) => void
  /**
   * Sets the function that is called once per order; a fault it returns takes precedence over `inject`. For seeded tests.
   */
  readonly injectEach: (faultOf: () => Fault | undefined) => void
  /** Shows these prices in the next `times` tickers, or in all until it is called again. Orders match as before. */
  readonly misquote: (wrong: Quotation, times?: number) => void
  readonly misquoted: () => Quotation
  readonly heal: () => void
  readonly seen: () => ReadonlyArray<SeenRequest>
  readonly forget: () => void
  readonly meet: (request: SeenRequest, isOrder: boolean) => Fault | undefined
  /** Delay of a `lateAcceptance`, milliseconds. */
  lateness: number
  /** How long a request stays unanswered before the gateway in front responds with 504, milliseconds. */
  silence: number
}

/** Maximum number of logged requests: a devnet may run for days. */
const maxSeen = 5000

/** Builds the control of a fake exchange. `clock` returns unix milliseconds. */
export const make = (clock: () => number = Date.now): ExchangeControl => {
  let offset = 0
  let current: { readonly fault: Fault; left: number } | undefined
  let each: (() => Fault | undefined) | undefined
  let misquotes: { readonly wrong: Quotation; left: number } | undefined
  let seen: Array<SeenRequest> = []
  return {
    books: ExchangeLedger.make(),
    now: () => clock() + offset,
    skew: (millis) => {
      offset = millis
    },
    inject: (fault, times = Number.POSITIVE_INFINITY) => {
      current = { fault, left: times }
    },
    injectEach: (faultOf) => {
      each = faultOf
    },
    misquote: (wrong, times = Number.POSITIVE_INFINITY) => {
      misquotes = { wrong, left: times }
    },
    misquoted: () => {
      if (misquotes === undefined || misquotes.left <= 0) return {}
      misquotes.left -= 1
      return misquotes.wrong
    },
    heal: () => {
      current = undefined
      misquotes = undefined
      each = undefined
    },
    seen: () => seen,
    forget: () => {
      seen = []
    },
    meet: (request, isOrder) => {
      seen = [...seen.slice(-maxSeen), request]
      const drawn = isOrder ? each?.() : undefined
      if (drawn !== undefined) return drawn
      if (current === undefined || current.left <= 0 || (ofOrders.has(current.fault) && !isOrder)) return undefined
      current.left -= 1
      return current.fault
    },
    lateness: 300,
    silence: 30_000
  }
}
