/** Wakes the accounts that have something to look after: bots with a side to keep, orders whose fate is not known. */
import * as Singleton from "@effect/cluster/Singleton"
import { ExchangeAccounts, idOf } from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Seconds between two looks at an account, where nobody says another number. */
export const standardSeconds = 15
/** Parts the accounts are looked after in, wherever the runners are. */
const shards = 4

const watch = (shard: number, seconds: number) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const accounts = yield* ExchangeAccounts.client
    const round = Effect.gen(function*() {
      yield* Effect.forEach(yield* store.due(shard, shards), ({ exchange, manager, name }) =>
        accounts(idOf(manager, exchange, name)).wake().pipe(Effect.timeout("5 seconds"), Effect.catchAllCause((cause) => Effect.logDebug("an exchange account was not woken", cause))), {
        concurrency: 16,
        discard: true
      })
    }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("a round of the exchange accounts' watch failed", cause)), Effect.withSpan("ExchangeAccounts.round", { attributes: { shard } }))
    yield* Effect.forever(Effect.zipRight(round, Effect.sleep(`${seconds} seconds`)))
  })

export const ExchangeWatchLive = (seconds: number) =>
  Layer.mergeAll(Layer.empty, ...Arr.makeBy(shards, (shard) => Singleton.make(`ExchangeAccounts/${shard}`, watch(shard, seconds))))
