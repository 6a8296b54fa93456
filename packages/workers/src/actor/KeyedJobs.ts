/**
 * A queue of jobs with one deferred per key: callers of the same key share one job and its outcome. The owner takes
 * the keys, does the work and completes them.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"

export interface KeyedJobs<A, E = never> {
  /**
   * Queues a key once and returns its deferred. Synchronous: an interrupted caller must not leave a deferred that is
   * never completed.
   */
  readonly join: (key: string) => Deferred.Deferred<A, E>
  /** Joins the key's job and waits for its outcome. Interrupting the wait does not stop the job. */
  readonly run: (key: string) => Effect.Effect<A, E>
  /** Queues keys whether or not they are known: for work without a caller, and for jobs that must run again. */
  readonly enqueue: (keys: Iterable<string>) => Effect.Effect<void>
  /** Waits for the next key. */
  readonly take: Effect.Effect<string>
  /** Waits for a key, and takes up to `max` of the queued ones, without duplicates. */
  readonly takeBatch: (max: number) => Effect.Effect<ReadonlyArray<string>>
  /** Completes the key's job, so that the next `join` starts another one. Without a job it has no effect. */
  readonly complete: (key: string, outcome: Exit.Exit<A, E>) => Effect.Effect<void>
  /** Returns true from `join` until `complete`. */
  readonly has: (key: string) => boolean
  /** Keys that were joined and are not completed. A running iteration includes keys that are joined meanwhile. */
  readonly keys: Iterable<string>
  /** Number of queued keys, including duplicates. */
  readonly size: Effect.Effect<number>
}

export const make = <A, E = never>(): Effect.Effect<KeyedJobs<A, E>> =>
  Effect.map(Queue.unbounded<string>(), (queue) => {
    const waiters = new Map<string, Deferred.Deferred<A, E>>()

    const join = (key: string) => {
      const known = waiters.get(key)
      if (known !== undefined) return known
      const deferred = Deferred.makeUnsafe<A, E>()
      waiters.set(key, deferred)
      Queue.offerUnsafe(queue, key)
      return deferred
    }

    const complete = (key: string, outcome: Exit.Exit<A, E>) =>
      Effect.sync(() => {
        const deferred = waiters.get(key)
        waiters.delete(key)
        if (deferred !== undefined) Deferred.doneUnsafe(deferred, outcome)
      })

    return {
      join,
      run: (key) => Effect.suspend(() => Deferred.await(join(key))),
      enqueue: (keys) => Effect.asVoid(Queue.offerAll(queue, keys)),
      take: Queue.take(queue),
      takeBatch: (max) => Effect.map(Queue.takeBetween(queue, 1, max), (keys) => Array.from(new Set(keys))),
      complete,
      has: (key) => waiters.has(key),
      keys: { [Symbol.iterator]: () => waiters.keys() },
      size: Queue.size(queue)
    }
  })
