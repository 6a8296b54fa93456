/**
 * Notifies streams that data of their manager may have changed. Each process polls the database once a second for all
 * of them, and not at all without subscribers. Unlike LISTEN, polling misses nothing when a connection is lost.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { ChangeStore } from "@vault-trader/core/console/ChangeStore"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

/** Time between two polls of the database. */
const pollInterval = "1 second"
const pollTimeout = "10 seconds"

interface Subscriber {
  mark: string | undefined
  readonly queues: Set<Queue.Queue<void>>
}

export class ChangeNotifier extends Context.Service<ChangeNotifier, {
  /** Receives an item when the manager's data has changed. Changes before it is taken are merged into one item. */
  readonly of: (manager: Address) => Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** Polls now, because this process has just changed something. */
  readonly notifyNow: Effect.Effect<void>
}>()("vault-trader/server/console/ChangeNotifier") {
  static readonly layer = Layer.effect(
    ChangeNotifier,
    Effect.gen(function*() {
      const store = yield* ChangeStore
      const subscribers = new Map<Address, Subscriber>()
      const wakeup = yield* Queue.sliding<void>(1)

      const poll = Effect.gen(function*() {
        if (subscribers.size === 0) return
        for (const { manager, mark } of yield* store.marks([...subscribers.keys()])) {
          const subscriber = subscribers.get(manager)
          // A new subscriber has no mark yet and may have read before this poll, so it is notified too.
          if (subscriber === undefined || subscriber.mark === mark) continue
          subscriber.mark = mark
          yield* Effect.forEach(subscriber.queues, (queue) => Queue.offer(queue, undefined), { discard: true })
        }
      })

      yield* poll.pipe(
        Effect.timeout(pollTimeout),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logDebug("cannot poll for changes", cause)
        ),
        Effect.andThen(Effect.timeoutOption(Queue.take(wakeup), pollInterval)),
        Effect.forever,
        Effect.forkScoped
      )

      const join = (manager: Address, queue: Queue.Queue<void>) =>
        Effect.sync(() => {
          const subscriber = subscribers.get(manager) ?? { mark: undefined, queues: new Set() }
          subscriber.queues.add(queue)
          subscribers.set(manager, subscriber)
        })
      const leave = (manager: Address, queue: Queue.Queue<void>) =>
        Effect.suspend(() => {
          const subscriber = subscribers.get(manager)
          subscriber?.queues.delete(queue)
          if (subscriber?.queues.size === 0) subscribers.delete(manager)
          return Queue.shutdown(queue)
        })

      return {
        of: (manager) =>
          Effect.acquireRelease(
            Effect.tap(Queue.sliding<void>(1), (queue) => join(manager, queue)),
            (queue) => leave(manager, queue)
          ),
        notifyNow: Effect.asVoid(Queue.offer(wakeup, undefined))
      }
    })
  )
}
