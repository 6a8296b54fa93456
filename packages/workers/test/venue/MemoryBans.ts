/** An in-memory ban store, for tests about other things. */
import { type VenueBan, VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** Bans never expire here. */
export const MemoryBans = Layer.sync(VenueBanStore, () => {
  const bans = new Map<string, VenueBan>()
  return {
    ban: (network, venue, { reason }) =>
      Effect.sync(() => void bans.set(`${network}/${venue}`, { reason, until: "tomorrow" })),
    pause: (network, venue, _, { reason }) =>
      Effect.sync(() => void bans.set(`${network}/${venue}`, { reason, until: "tomorrow" })),
    find: (network, venue) => Effect.sync(() => Option.fromNullishOr(bans.get(`${network}/${venue}`)))
  }
})
