/**
 * Wakes the index bots that are due or have a run in progress. Due times are in their rows, so no run is missed or
 * doubled.
 */
import { IndexBots } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"

/** Maximum number of bots woken per round; the others follow in the next rounds. */
const batchSize = 500

export const IndexScheduleLive = Singleton.make(
  "IndexSchedule",
  Effect.gen(function*() {
    const store = yield* IndexBotStore
    const bots = yield* IndexBots.client
    const round = Effect.gen(function*() {
      yield* Effect.forEach(yield* store.waiting(batchSize), ({ network, pool }) =>
        // The actor continues by itself; a timeout here does not stop it.
        bots(idOf(network, pool)).wake().pipe(Effect.timeout("2 seconds"), Effect.ignore), {
        concurrency: 16,
        discard: true
      })
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("a round of the index schedule failed", cause)))
    return yield* round.pipe(Effect.andThen(Effect.sleep("2 seconds")), Effect.forever)
  })
)
