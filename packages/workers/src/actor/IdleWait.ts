/**
 * Lets loops sleep while their feature has nothing to do. While any loop sleeps, one query a second asks for all of
 * them, and only within this process: what another process sets is found as soon.
 */
import { type Presence, PresenceStore } from "@vault-trader/core/storage/Presence"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"

/** Time between two looks: what is set begins within a second. */
const lookMillis = 900

export class IdleWait extends Context.Service<IdleWait, {
  /** Returns once the feature has something to do; at once when the last look, at most a second ago, found it. */
  readonly until: (presence: Presence) => Effect.Effect<void>
}>()("vault-trader/workers/actor/IdleWait") {
  static readonly layer = Layer.effect(
    IdleWait,
    Effect.gen(function*() {
      const store = yield* PresenceStore
      const one = yield* Semaphore.make(1)
      let [seen, at]: [ReadonlySet<Presence>, number] = [new Set(), Number.NEGATIVE_INFINITY]
      /** Looks again unless another loop has just looked. A failing database counts as work, whose loop reports it. */
      const look = one.withPermits(1)(Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (Math.abs(now - at) < lookMillis) return seen
        const found = yield* Effect.option(store.read)
        at = now
        if (found._tag === "Some") seen = found.value
        return seen
      }))
      const until = (presence: Presence): Effect.Effect<void> =>
        Effect.flatMap(look, (found) =>
          found.has(presence)
            ? Effect.void
            : Effect.andThen(Effect.sleep(lookMillis), Effect.suspend(() => until(presence))))
      return { until }
    })
  ).pipe(Layer.provide(PresenceStore.layer))
}

/** Runs rounds forever, with a pause after each, while the feature has something to do. */
export const forever = <E, R>(
  presence: Presence,
  round: Effect.Effect<void, E, R>,
  pause: Duration.Input
): Effect.Effect<never, E, R | IdleWait> =>
  Effect.flatMap(
    IdleWait,
    ({ until }) => Effect.forever(until(presence).pipe(Effect.andThen(round), Effect.andThen(Effect.sleep(pause))))
  )
