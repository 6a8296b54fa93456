/** Wakes the index bots whose time has come, and those with a run under way. What is due is in their rows, so nothing is missed or doubled. */
import { IndexBots } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"

/** Due bots a round wakes; the others' turn comes in the next rounds. */
const atOnce = 500

export const IndexScheduleLive = Singleton.make(
  "IndexSchedule",
  Effect.gen(function*() {
    const store = yield* IndexBotStore
    const bots = yield* IndexBots.client
    const round = Effect.gen(function*() {
      yield* Effect.forEach(yield* store.waiting(atOnce), ({ network, pool }) =>
        // It goes on without us; here it only had to be woken.
        bots(idOf(network, pool)).wake().pipe(Effect.timeout("2 seconds"), Effect.ignore), { concurrency: 16, discard: true })
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("a round of the index schedule failed", cause)))
    return yield* round.pipe(Effect.andThen(Effect.sleep("2 seconds")), Effect.forever)
  })
)
