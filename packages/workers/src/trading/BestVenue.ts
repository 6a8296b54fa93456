/**
 * `best`: quotes the venues side by side within a time limit, and takes the largest output. Outputs are compared as they
 * are quoted: neither gas nor charges are deducted.
 */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import { AggregatorClient } from "../venue/AggregatorClient.ts"
import type { Quote, Venue } from "../venue/Venue.ts"
import * as VenueOffer from "./VenueOffer.ts"

/** A venue's quote by one of its ways. */
interface Quoted {
  readonly venue: VenueName
  readonly quote: Quote
}

/** A venue's way without a quote. */
interface Unquoted extends VenueOffer.Skipped {
  readonly keyMissing: boolean
  /** The failure that is not about the venue: no node answers. */
  readonly failure: ExecutionFailure | undefined
}

/** Quotes by one way. Every failure leaves this venue out, and so does the time limit; no other venue waits for it. */
const answer = (search: VenueOffer.Search, venue: VenueName, source: Venue["quote"], limitMillis: number) =>
  Effect.gen(function*() {
    yield* VenueOffer.refuseUnguarded(search, venue)
    return yield* VenueOffer.quoteBy(search, source)
  }).pipe(
    Effect.timeoutOrElse({
      duration: limitMillis,
      orElse: () =>
        new VenueOffer.VenueSkipped({ reason: `gave no quote within ${limitMillis / 1000} s`, cause: undefined })
    }),
    Effect.match({
      onSuccess: (quote): Quoted | Unquoted => ({ venue, quote }),
      onFailure: (failure): Quoted | Unquoted =>
        failure._tag === "ExecutionFailure"
          ? { venue, reason: failure.message, cause: undefined, keyMissing: false, failure }
          : {
            venue,
            reason: failure.reason,
            cause: failure.cause,
            keyMissing: failure.keyMissing === true,
            failure: undefined
          }
    })
  )

/** Quotes by every way of every venue, all at the same time; the largest output first, else in the chain's order. */
const quoteAll = (search: VenueOffer.Search, wanted: ReadonlyArray<VenueName>) =>
  Effect.gen(function*() {
    const { timeoutMillis } = yield* AggregatorClient
    const answers = yield* Effect.forEach(
      wanted.flatMap((venue) =>
        // A second way is no venue of its own where the platform does not guard the router.
        search.market.guarded.has(venue)
          ? VenueOffer.sourcesOf(venue).map((source) => ({ venue, source }))
          : [{ venue, source: VenueOffer.sourcesOf(venue)[0] }]
      ),
      ({ source, venue }) => answer(search, venue, source, timeoutMillis),
      { concurrency: "unbounded" }
    )
    const quoted = answers.filter((each): each is Quoted => "quote" in each)
    const unquoted = answers.filter((each): each is Unquoted => !("quote" in each))
    return {
      quoted: quoted.toSorted((a, b) =>
        a.quote.amountOut === b.quote.amountOut ? 0 : a.quote.amountOut > b.quote.amountOut ? -1 : 1
      ),
      // A missing key is not worth a word where the venue quotes without its API.
      unquoted: unquoted.filter(({ keyMissing, venue }) =>
        !keyMissing || !quoted.some((other) => other.venue === venue)
      )
    }
  })

/**
 * Returns the offer of the venue that quotes most. One whose quote does not hold is left out for the next. The other
 * venues are in `passed`, each with its reason.
 */
export const select = (search: VenueOffer.Search, wanted: ReadonlyArray<VenueName>) =>
  Effect.gen(function*() {
    const { market } = search
    const { quoted, unquoted } = yield* quoteAll(search, wanted)
    const outage = unquoted.find(({ failure }) => failure !== undefined)?.failure
    if (quoted.length === 0 && outage !== undefined) return yield* outage
    const skipped: Array<VenueOffer.Skipped> = [...unquoted]
    for (const [index, { quote, venue }] of quoted.entries()) {
      const found = yield* Effect.result(VenueOffer.offerOf(search, venue, quote))
      if (found._tag === "Failure") {
        if (found.failure._tag === "ExecutionFailure") return yield* found.failure
        skipped.push({ venue, reason: found.failure.reason, cause: found.failure.cause })
        continue
      }
      const worse = quoted.slice(index + 1).flatMap((other): ReadonlyArray<VenueOffer.Skipped> =>
        other.venue === venue
          ? []
          : [{ venue: other.venue, reason: comparison(market, other, venue), cause: undefined }]
      )
      return { ...found.success, passed: inOrder(wanted, [...skipped, ...worse]) }
    }
    return yield* VenueOffer.noVenueFailure(market, wanted, skipped)
  })

const comparison = ({ tokenOut }: VenueOffer.Search["market"], { quote }: Quoted, winner: VenueName) =>
  `quotes ${Quantity.format(quote.amountOut, tokenOut.decimals)} ${tokenOut.symbol}, no more than ${winner}`

const inOrder = (wanted: ReadonlyArray<VenueName>, skipped: ReadonlyArray<VenueOffer.Skipped>) =>
  wanted.flatMap((name) => skipped.flatMap(({ reason, venue }) => venue === name ? [{ venue, reason }] : []))
