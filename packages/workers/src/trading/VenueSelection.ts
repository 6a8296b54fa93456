/** Selects the venue of a swap: the named one, the first of the fallback chain that can do it, or the best. */
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import type { VaultContext } from "../vault/Action.ts"
import * as BestVenue from "./BestVenue.ts"
import * as PairState from "./PairState.ts"
import * as VenueOffer from "./VenueOffer.ts"

/** Words why the API of a venue was not used, for an offer without it. */
const withoutApi = (reason: string) => `${reason}; the swap goes through its router without its API`

/**
 * Returns one venue's offer. Where its API has none, the venue is quoted without it; `apiReason` says why, unless the
 * API has no key.
 */
const offerOfVenue = (search: VenueOffer.Search, name: VenueName) =>
  Effect.gen(function*() {
    yield* VenueOffer.refuseUnguarded(search, name)
    const [first, second] = VenueOffer.sourcesOf(name).map((source) =>
      Effect.flatMap(VenueOffer.quoteBy(search, source), (quote) => VenueOffer.offerOf(search, name, quote))
    )
    const byApi = yield* Effect.result(first!)
    if (byApi._tag === "Success") return { offer: byApi.success, apiReason: undefined }
    const failure = byApi.failure
    if (failure._tag === "ExecutionFailure" || second === undefined) return yield* failure
    const offer = yield* Effect.catchTag(second, "VenueSkipped", ({ cause, reason }) =>
      new VenueOffer.VenueSkipped({
        reason: `${failure.reason}; without its API: ${reason}`,
        cause: failure.cause ?? cause
      }))
    return { offer, apiReason: failure.keyMissing === true ? undefined : withoutApi(failure.reason) }
  })

/** Tries the venues in order. */
const first = (search: VenueOffer.Search, wanted: ReadonlyArray<VenueName>) =>
  Effect.gen(function*() {
    const { market, request: { platform } } = search
    const skipped: Array<VenueOffer.Skipped> = []
    for (const name of wanted) {
      const found = yield* Effect.result(offerOfVenue(search, name))
      if (found._tag === "Success") {
        const { apiReason, offer } = found.success
        if (apiReason !== undefined) skipped.push({ venue: name, reason: apiReason, cause: undefined })
        return { ...offer, passed: skipped.map(({ reason, venue }) => ({ venue, reason })) }
      }
      if (found.failure._tag === "ExecutionFailure") return yield* found.failure
      if (platform === name) return yield* VenueOffer.namedVenueFailure(name, market, found.failure)
      skipped.push({ venue: name, reason: found.failure.reason, cause: found.failure.cause })
    }
    return yield* VenueOffer.noVenueFailure(market, wanted, skipped)
  })

/**
 * Selects the venue of a swap: the named one, the first of the fallback chain with a valid offer for `auto`, the one
 * with the largest output for `best`. Lists skipped venues with reasons.
 */
export const selectVenue = (
  context: VaultContext,
  request: VenueOffer.Terms,
  market: PairState.Market,
  amountIn: bigint
) => {
  const search = { context, request, market, amountIn }
  const wanted = PairState.candidates(context, request.platform, market.tokenOut)
  return request.platform === "best" ? BestVenue.select(search, wanted) : first(search, wanted)
}
