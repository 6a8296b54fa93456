/** Batches concurrent calls into one run and returns each caller its own result. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
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

/** The clock of limits: the machine's, because what a run waits for is outside of the program. */
export const LimitClock = Context.Reference<Clock.Clock>("vault-trader/core/storage/LimitClock", {
  defaultValue: () => Clock.Clock.defaultValue()
})

/** Bounds a run, so that the calls after it do not wait for one that hangs. */
export interface Limit<A, B, E> {
  /** How long a run may take. The next run then begins in its place. */
  readonly after: Duration.Input
  /** Returns the result of the call of an item of a late run. */
  readonly late: (item: A) => Exit.Exit<B, E>
  /** Leaves a late run to end by itself, or with the scope; otherwise it is interrupted. */
  readonly leaves?: boolean
}

/** A run, and the fiber that it is executed in. */
interface Run<A, B, E> {
  readonly waiting: ReadonlyArray<PendingItem<A, B, E>>
  readonly worker: Fiber.Fiber<unknown, unknown>
  readonly until: number
}

/** How long a late run may still take: a process that was stopped first reads what has arrived meanwhile. */
const grace = Duration.millis(100)

/**
 * Watches the runs of a batcher, with one timer for all of them. Calls `onLate` once for each run that exceeds the
 * limit.
 */
const watchRuns = <A, B, E>(
  { after }: Limit<A, B, E>,
  clock: Clock.Clock,
  onLate: (run: Run<A, B, E>) => Effect.Effect<void>
) => {
  const millis = Duration.toMillis(Duration.fromInputUnsafe(after))
  /** In the order in which they began. */
  const runs = new Set<Run<A, B, E>>()
  let isWatching = false
  const watch = Effect.gen(function*() {
    for (let [oldest] = runs; oldest !== undefined; [oldest] = runs) {
      const left = oldest.until - clock.currentTimeMillisUnsafe()
      yield* Effect.sleep(left > 0 ? Duration.millis(left) : grace)
      if (left <= 0 && runs.delete(oldest)) yield* onLate(oldest)
    }
    isWatching = false
  }).pipe(Effect.provideService(Clock.Clock, clock))
  return {
    begin: (waiting: Run<A, B, E>["waiting"], worker: Run<A, B, E>["worker"]) => {
      const run = { waiting, worker, until: clock.currentTimeMillisUnsafe() + millis }
      runs.add(run)
      return run
    },
    end: (run: Run<A, B, E>) => runs.delete(run),
    /** Starts the watch unless it runs. */
    watch: (scope: Scope.Scope) =>
      Effect.suspend(() => {
        if (isWatching) return Effect.void
        isWatching = true
        return Effect.forkIn(watch, scope)
      })
  }
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
  readonly limit?: Limit<A, B, E>
}): Effect.Effect<(item: A) => Effect.Effect<B, E>, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const { limit } = options
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
    /** Completes calls, unless they are completed already. */
    const complete = (
      waiting: ReadonlyArray<PendingItem<A, B, E>>,
      exitOf: (item: A, index: number) => Exit.Exit<B, E>
    ) => {
      for (const [index, each] of waiting.entries()) {
        Deferred.doneUnsafe(each.done, exitOf(each.item, index))
        pending.delete(each)
      }
    }
    const runAll = (waiting: Arr.NonEmptyReadonlyArray<PendingItem<A, B, E>>) =>
      Effect.map(
        Effect.exit(Effect.suspend(() => options.run(Arr.map(waiting, ({ item }) => item)))),
        (exit) => complete(waiting, (_, index) => Exit.map(exit, (results) => results[index]!))
      )
    const scope = yield* Effect.scope
    const context = yield* Effect.context<R>()
    const clock = yield* LimitClock
    const startWorker = (turn: Effect.Effect<unknown, never, R>) =>
      Effect.asVoid(Effect.forkIn(Effect.provide(Effect.forever(turn), context), scope))
    const watched = (bound: Limit<A, B, E>): Effect.Effect<unknown, never, R> => {
      /** Ends a late run's calls, and its worker's turns; another worker takes its place. */
      const giveUp = ({ waiting, worker }: Run<A, B, E>) =>
        Effect.suspend(() => {
          complete(waiting, bound.late)
          abandoned.add(worker)
          if (bound.leaves !== true) worker.interruptUnsafe()
          return startWorker(turn)
        })
      const abandoned = new WeakSet<Fiber.Fiber<unknown, unknown>>()
      const runs = watchRuns(bound, clock, giveUp)
      const turn: Effect.Effect<unknown, never, R> = Effect.withFiber((worker) =>
        abandoned.has(worker)
          ? Effect.interrupt
          : Effect.flatMap(nextBatch, (waiting) => {
            const run = runs.begin(waiting, worker)
            return Effect.andThen(
              runs.watch(scope),
              Effect.ensuring(runAll(waiting), Effect.sync(() => runs.end(run)))
            )
          })
      )
      return turn
    }
    const turn = limit === undefined ? Effect.flatMap(nextBatch, runAll) : watched(limit)
    yield* Effect.replicateEffect(startWorker(turn), options.concurrency ?? 1, { discard: true })
    return (item: A) =>
      Effect.suspend(() => {
        const waiting = { item, done: Deferred.makeUnsafe<B, E>() }
        if (!Queue.offerUnsafe(queue, waiting)) return Effect.interrupt
        pending.add(waiting)
        return Deferred.await(waiting.done)
      })
  })
