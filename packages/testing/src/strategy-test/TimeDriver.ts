/** Drives a service on virtual time: the clock advances only when nothing else can happen. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Environment } from "../simulation/Environment.ts"

export interface TimeDriver {
  /** Drives the service until the promise ends. Dies after ten virtual minutes. */
  readonly complete: <A>(promise: Promise<A>) => Effect.Effect<A>
  /** Drives the service until so much time has passed. */
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  /** Moves the clock at once: timers that are due meanwhile fire once, and one block is mined. */
  readonly skip: (duration: Duration.Input) => Effect.Effect<void>
}

const blockMillis = 2_000
const maxWaitMillis = 600_000

/** Turns of the event loop for what does not run by microtasks: parsing a request, hashing on Node's thread pool. */
const turns = 4

const turn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Waits a little real time. */
const moment = Effect.callback<void>((resume) => {
  setTimeout(() => resume(Effect.void), 2)
})

/**
 * Makes the driver of an environment in which `mine` mines a block. Time stands still while `isBusy`: a thread works
 * outside of the clock.
 */
export const make = (
  { clock, settle }: Environment,
  mine: Effect.Effect<unknown>,
  isBusy: () => boolean = () => false
): TimeDriver => {
  let nextBlock = clock.now() + blockMillis

  /** Advances to the next timer or block, at most to `end`. */
  const advanceOnce = (end: number) =>
    Effect.gen(function*() {
      const next = Math.min(clock.next() ?? end, nextBlock, end)
      clock.moveTo(Math.max(next, clock.now() + 1))
      if (clock.now() < nextBlock) return
      nextBlock = clock.now() + blockMillis
      yield* mine
    })

  /** Settles until `done`, or until several turns of the event loop have changed nothing. */
  const settleTurns = (done: () => boolean) =>
    Effect.gen(function*() {
      for (let left = turns; left > 0; left--) {
        yield* settle
        if (done()) return
        yield* turn
      }
    })

  const driveUntil = (end: number, done: () => boolean) =>
    Effect.gen(function*() {
      for (;;) {
        yield* settleTurns(done)
        if (isBusy()) {
          yield* moment
          continue
        }
        if (done() || clock.now() >= end) return
        yield* advanceOnce(end)
      }
    })

  const skip = (millis: number) =>
    Effect.gen(function*() {
      yield* settleTurns(() => false)
      clock.moveTo(clock.now() + millis)
      nextBlock = clock.now() + blockMillis
      yield* mine
    })

  return {
    skip: (duration) => skip(Duration.toMillis(Duration.fromInputUnsafe(duration))),
    advance: (duration) =>
      Effect.suspend(() =>
        driveUntil(clock.now() + Duration.toMillis(Duration.fromInputUnsafe(duration)), () => false)
      ),
    complete: <A>(promise: Promise<A>) =>
      Effect.gen(function*() {
        let isDone = false
        const end = () => {
          isDone = true
        }
        promise.then(end, end)
        yield* driveUntil(clock.now() + maxWaitMillis, () => isDone)
        if (!isDone) return yield* Effect.die(new Error("the service did not answer within ten virtual minutes"))
        return yield* Effect.promise(() => promise)
      })
  }
}
