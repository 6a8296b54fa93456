/** Wakes the accounts with work: bots with a side to keep, and orders with an unknown outcome. */
import { type ExchangeAccount, ExchangeAccounts, idOf } from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import * as Arr from "effect/Array"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Default seconds between two checks of an account. */
export const defaultSeconds = 15

/** Seconds between two checks of an account in this process. */
export const ExchangeInterval = Context.Reference<number>("vault-trader/workers/exchange/ExchangeInterval", {
  defaultValue: () => defaultSeconds
})

/** Number of singletons that share the accounts; the cluster places each on a runner. */
const shards = 4

const runRounds = (shard: number, seconds: number) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const accounts = yield* ExchangeAccounts.client
    const wake = ({ exchange, manager, name }: ExchangeAccount) =>
      accounts(idOf(manager, exchange, name)).wake().pipe(
        Effect.timeout("5 seconds"),
        Effect.catchCause((cause) => Effect.logDebug("an exchange account was not woken", cause))
      )
    const round = withoutTracing((traced) =>
      Effect.gen(function*() {
        const due = yield* store.due(shard, shards)
        if (due.length === 0) return
        yield* Effect.forEach(due, wake, { concurrency: 16, discard: true }).pipe(
          Effect.withSpan("ExchangeAccounts.round", { attributes: { shard, due: due.length } }),
          traced
        )
      })
    ).pipe(Effect.catchCause((cause) => Effect.logWarning("a round of the exchange accounts' watch failed", cause)))
    return yield* Effect.forever(Effect.andThen(round, Effect.sleep(`${seconds} seconds`)))
  })

export const ExchangeWatchLive = (seconds: number) =>
  Layer.mergeAll(
    Layer.empty,
    ...Arr.makeBy(shards, (shard) => Singleton.make(`ExchangeAccounts/${shard}`, runRounds(shard, seconds)))
  )
