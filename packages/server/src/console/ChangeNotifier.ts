/**
 * Tells streams that something of their manager's may be different now. One look at the database a second for all of them, in each process, and
 * none while nobody follows; a connection that was lost is no reason to miss anything, as it would be for LISTEN.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { ChangeStore } from "@vault-trader/core/console/ChangeStore"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

/** How often the database is looked at. */
const pause = "1 second"
const patience = "10 seconds"

interface Follower {
  mark: string | undefined
  readonly told: Set<Queue.Queue<void>>
}

export class ChangeNotifier extends Context.Service<ChangeNotifier, {
  /** Gets something whenever what is the manager's has changed; what changed before it was taken is one thing. */
  readonly of: (manager: Address) => Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** Looks now: this process has just changed something. */
  readonly notifyNow: Effect.Effect<void>
}>()("vault-trader/server/console/Changes") {
  static readonly layer = Layer.effect(
    ChangeNotifier,
    Effect.gen(function*() {
      const store = yield* ChangeStore
      const followers = new Map<Address, Follower>()
      const stirred = yield* Queue.sliding<void>(1)

      const look = Effect.gen(function*() {
        if (followers.size === 0) return
        for (const { manager, mark } of yield* store.marks([...followers.keys()])) {
          const follower = followers.get(manager)
          // Who came just now has no mark yet, and may have looked before this one: it is told too.
          if (follower === undefined || follower.mark === mark) continue
          follower.mark = mark
          yield* Effect.forEach(follower.told, (queue) => Queue.offer(queue, undefined), { discard: true })
        }
      })

      yield* look.pipe(
        Effect.timeout(patience),
        Effect.catchCause((cause) => Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logDebug("changes cannot be looked for", cause)),
        Effect.andThen(Effect.timeoutOption(Queue.take(stirred), pause)),
        Effect.forever,
        Effect.forkScoped
      )

      const join = (manager: Address, queue: Queue.Queue<void>) =>
        Effect.sync(() => {
          const follower = followers.get(manager) ?? { mark: undefined, told: new Set() }
          follower.told.add(queue)
          followers.set(manager, follower)
        })
      const leave = (manager: Address, queue: Queue.Queue<void>) =>
        Effect.suspend(() => {
          const follower = followers.get(manager)
          follower?.told.delete(queue)
          if (follower?.told.size === 0) followers.delete(manager)
          return Queue.shutdown(queue)
        })

      return {
        of: (manager) =>
          Effect.acquireRelease(
            Effect.tap(Queue.sliding<void>(1), (queue) => join(manager, queue)),
            (queue) => leave(manager, queue)
          ),
        notifyNow: Effect.asVoid(Queue.offer(stirred, undefined))
      }
    })
  )
}
