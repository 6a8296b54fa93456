/** What the fake exchange is told, and what it was asked: its clock, its faults, its requests. */
import type { Fault } from "./ExchangeFault.ts"
import { ofOrders } from "./ExchangeFault.ts"
import * as ExchangeLedger from "./ExchangeLedger.ts"

export interface SeenRequest {
  readonly exchange: "binance" | "coinbase"
  readonly method: string
  readonly path: string
}

export interface Desk {
  readonly books: ExchangeLedger.Books
  /** The exchange's own time, unix milliseconds. */
  readonly now: () => number
  /** Its clock goes wrong by so much. */
  readonly skew: (millis: number) => void
  /** Replaces what it was told before; `times` requests meet it, or all until told otherwise. */
  readonly tell: (fault: Fault, times?: number) => void
  /** What each order is about to meet, asked once an order; in place of `tell`, for seeded tests. */
  readonly tellEach: (faultOf: () => Fault | undefined) => void
  readonly heal: () => void
  readonly seen: () => ReadonlyArray<SeenRequest>
  readonly forget: () => void
  readonly meet: (request: SeenRequest, isOrder: boolean) => Fault | undefined
  /** How late a `lateAcceptance` is, milliseconds. */
  lateness: number
  /** How long a silent answer is silent before the gateway in front gives up with a 504, milliseconds. */
  silence: number
}

/** A devnet may run for days. */
const remembered = 5000

/** `clock`: unix milliseconds. */
export const make = (clock: () => number = Date.now): Desk => {
  let offset = 0
  let told: { readonly fault: Fault; left: number } | undefined
  let each: (() => Fault | undefined) | undefined
  let seen: Array<SeenRequest> = []
  return {
    books: ExchangeLedger.make(),
    now: () => clock() + offset,
    skew: (millis) => { offset = millis },
    tell: (fault, times = Number.POSITIVE_INFINITY) => { told = { fault, left: times } },
    tellEach: (faultOf) => { each = faultOf },
    heal: () => {
      told = undefined
      each = undefined
    },
    seen: () => seen,
    forget: () => { seen = [] },
    meet: (request, isOrder) => {
      seen = [...seen.slice(-remembered), request]
      const drawn = isOrder ? each?.() : undefined
      if (drawn !== undefined) return drawn
      if (told === undefined || told.left <= 0 || (ofOrders.has(told.fault) && !isOrder)) return undefined
      told.left -= 1
      return told.fault
    },
    lateness: 300,
    silence: 30_000
  }
}
