/** Bans without a database, for tests that are about something else. */
import { type VenueBan, VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** Nothing ends here by itself. */
export const MemoryBans = Layer.sync(VenueBanStore, () => {
  const bans = new Map<string, VenueBan>()
  return {
    ban: (network, venue, reason) => Effect.sync(() => void bans.set(`${network}/${venue}`, { reason, until: "tomorrow" })),
    find: (network, venue) => Effect.sync(() => Option.fromNullishOr(bans.get(`${network}/${venue}`)))
  }
})
