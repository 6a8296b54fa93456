/** Batches concurrent calls into one run and returns each caller its own result. */
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

interface PendingItem<A, B, E> {
  readonly item: A
  readonly done: Deferred.Deferred<B, E>
}

/** Takes up to `maximum` items from the queue without waiting. */
const takeAtMost = <A>(queue: Queue.Queue<A>, maximum: number): ReadonlyArray<A> => {
  const taken: Array<A> = []
  while (taken.length < maximum) {
    const next = Queue.takeUnsafe(queue)
    if (next === undefined || Exit.isFailure(next)) break
    taken.push(next.value)
  }
  return taken
}

/**
 * Builds a function whose waiting calls run together, up to `maximum` items per run and `concurrency` concurrent runs
 * (default 1). `run` returns one result per item, in order; its failure fails every item of that run. Callers that wait
 * when the scope closes, or call afterwards, are interrupted.
 *
 * @example
 * ```ts
 * import * as Batcher from "@vault-trader/core/storage/Batcher"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   const double = yield* Batcher.make({
 *     maximum: 100,
 *     run: (items: ReadonlyArray<number>) => Effect.succeed(items.map((item) => item * 2))
 *   })
 *   // One run with two items.
 *   return yield* Effect.all([double(1), double(2)], { concurrency: "unbounded" })
 * })
 * Effect.runPromise(Effect.scoped(program)).then(console.log) // [2, 4]
 * ```
 */
export const make = <A, B, E, R>(options: {
  readonly maximum: number
  readonly concurrency?: number
  readonly run: (items: Arr.NonEmptyReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E, R>
}): Effect.Effect<(item: A) => Effect.Effect<B, E>, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<PendingItem<A, B, E>>()
    const pending = new Set<PendingItem<A, B, E>>()
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Queue.shutdown(queue),
        Effect.forEach(pending, ({ done }) => Deferred.interrupt(done), { discard: true })
      )
    )
    /** Collects a batch: callers in the same tick join the first caller. */
    const nextBatch = Effect.gen(function*() {
      const first = yield* Queue.take(queue)
      if (options.maximum === 1) return Arr.of(first)
      yield* Effect.yieldNow
      return Arr.make(first, ...takeAtMost(queue, options.maximum - 1))
    })
    const turn = Effect.flatMap(nextBatch, (waiting) =>
      Effect.map(
        Effect.exit(Effect.suspend(() => options.run(Arr.map(waiting, ({ item }) => item)))),
        (exit) => {
          for (const [index, each] of waiting.entries()) {
            Deferred.doneUnsafe(each.done, Exit.map(exit, (results) => results[index]!))
            pending.delete(each)
          }
        }
      ))
    yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(turn)), options.concurrency ?? 1, { discard: true })
    return (item: A) =>
      Effect.suspend(() => {
        const waiting = { item, done: Deferred.makeUnsafe<B, E>() }
        if (!Queue.offerUnsafe(queue, waiting)) return Effect.interrupt
        pending.add(waiting)
        return Deferred.await(waiting.done)
      })
  })
