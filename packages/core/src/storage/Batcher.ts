/** Many callers, one statement: gathers what waits into one run, and hands each caller its own result. */
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

interface Waiting<A, B, E> {
  readonly item: A
  readonly done: Deferred.Deferred<B, E>
}

/** What lies in the queue at this moment, up to `maximum`; waits for nothing. */
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
 * A function that runs together with whatever else waits at that moment, up to `maximum` items a run and `concurrency` runs at once
 * (one, where nothing is said).
 * `run` answers one result per item, in order; its failure fails every item of that run. Whoever waits when the scope closes,
 * or asks afterwards, is interrupted.
 */
export const make = <A, B, E, R>(options: {
  readonly maximum: number
  readonly concurrency?: number
  readonly run: (items: Arr.NonEmptyReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E, R>
}): Effect.Effect<(item: A) => Effect.Effect<B, E>, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Waiting<A, B, E>>()
    const unanswered = new Set<Waiting<A, B, E>>()
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Queue.shutdown(queue),
        Effect.forEach(unanswered, ({ done }) => Deferred.interrupt(done), { discard: true })
      )
    )
    /** Whoever asks in the same breath as the first goes along with it. */
    const gathered = Effect.gen(function*() {
      const first = yield* Queue.take(queue)
      if (options.maximum === 1) return Arr.of(first)
      yield* Effect.yieldNow
      return Arr.make(first, ...takeAtMost(queue, options.maximum - 1))
    })
    const turn = Effect.flatMap(gathered, (waiting) =>
      Effect.map(Effect.exit(Effect.suspend(() => options.run(Arr.map(waiting, ({ item }) => item)))), (exit) => {
        for (const [index, each] of waiting.entries()) {
          Deferred.doneUnsafe(each.done, Exit.map(exit, (results) => results[index]!))
          unanswered.delete(each)
        }
      }))
    yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(turn)), options.concurrency ?? 1, { discard: true })
    return (item: A) =>
      Effect.suspend(() => {
        const waiting = { item, done: Deferred.makeUnsafe<B, E>() }
        if (!Queue.offerUnsafe(queue, waiting)) return Effect.interrupt
        unanswered.add(waiting)
        return Deferred.await(waiting.done)
      })
  })
