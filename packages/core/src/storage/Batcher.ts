/** Many callers, one statement: gathers what waits into one run, and hands each caller its own result. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

interface Waiting<A, B, E> {
  readonly item: A
  readonly done: Deferred.Deferred<B, E>
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
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E, R>
}): Effect.Effect<(item: A) => Effect.Effect<B, E>, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Waiting<A, B, E>>()
    const unanswered = new Set<Waiting<A, B, E>>()
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Queue.shutdown(queue),
        Effect.forEach(unanswered, ({ done }) => Deferred.interrupt(done), { discard: true })
      )
    )
    const turn = Queue.takeBetween(queue, 1, options.maximum).pipe(
      Effect.flatMap((chunk) => {
        const waiting = Array.from(chunk)
        return Effect.matchCauseEffect(options.run(waiting.map(({ item }) => item)), {
          onFailure: (cause) => Effect.forEach(waiting, ({ done }) => Deferred.failCause(done, cause), { discard: true }),
          onSuccess: (results) =>
            Effect.forEach(waiting, ({ done }, index) => Deferred.succeed(done, results[index]!), { discard: true })
        }).pipe(Effect.tap(() => Effect.sync(() => waiting.forEach((each) => unanswered.delete(each)))))
      })
    )
    yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(turn)), options.concurrency ?? 1, { discard: true })
    return (item: A) =>
      Effect.gen(function*() {
        const done = yield* Deferred.make<B, E>()
        const waiting = { item, done }
        unanswered.add(waiting)
        yield* Queue.offer(queue, waiting)
        return yield* Deferred.await(done)
      })
  })
