/**
 * A clock that advances only when it is moved: every sleep, timeout and schedule of a run waits in one ordered queue.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Process } from "./Process.ts"

interface Timer {
  readonly at: number
  readonly process: Process | undefined
  readonly wake: () => void
}

export interface VirtualClock {
  /** The clock of code outside of any process. */
  readonly clock: Clock.Clock
  /**
   * The same time for one process, whose clock is wrong by `skewMillis`: its sleeps wake late while it is frozen, never
   * once it is dead.
   */
  readonly of: (process: Process, skewMillis?: number) => Clock.Clock
  readonly now: () => number
  /** Time of the next timer, in milliseconds. */
  readonly next: () => number | undefined
  /** Calls `callback` after this many milliseconds. */
  readonly after: (millis: number, callback: () => void) => void
  /**
   * From now on the sleeps of processes end late, at the next multiple of this many milliseconds, as those of a busy
   * machine do; 0 ends that.
   */
  readonly delaySleeps: (millis: number) => void
  /** Advances the clock and wakes every timer that is due, in order. */
  readonly moveTo: (millis: number) => void
}

/** Creates a clock that starts at the given time, in unix milliseconds. */
export const make = (start: number): VirtualClock => {
  let now = start
  let timers: Array<Timer> = []
  let step = 0
  const add = (millis: number, process: Process | undefined, wake: () => void) => {
    const due = now + Math.max(0, millis)
    const isLate = process !== undefined && step > 0 && due > now
    const timer = { at: isLate ? Math.ceil(due / step) * step : due, process, wake }
    let place = timers.length
    while (place > 0 && (timers[place - 1]?.at ?? 0) > timer.at) place--
    timers.splice(place, 0, timer)
    return () => {
      const found = timers.indexOf(timer)
      if (found !== -1) timers.splice(found, 1)
    }
  }
  const nanosOf = (millis: number) => BigInt(Math.round(millis * 1e6))
  const of = (process: Process | undefined, skewMillis = 0): Clock.Clock => ({
    currentTimeMillisUnsafe: () => now + skewMillis,
    currentTimeMillis: Effect.sync(() => now + skewMillis),
    currentTimeNanosUnsafe: () => nanosOf(now + skewMillis),
    currentTimeNanos: Effect.sync(() => nanosOf(now + skewMillis)),
    monotonicTimeNanosUnsafe: () => nanosOf(now),
    monotonicTimeNanos: Effect.sync(() => nanosOf(now)),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const millis = Duration.toMillis(duration)
        // An infinite sleep is not queued: it ends only by interruption.
        if (!Number.isFinite(millis)) return Effect.void
        const wake = () => resume(Effect.void)
        const cancel = add(millis, process, process === undefined ? wake : () => process.deliver(wake))
        return Effect.sync(cancel)
      })
  })
  return {
    clock: of(undefined),
    of,
    now: () => now,
    next: () => {
      // Timers of a dead process do not hold up or advance time.
      while (timers[0]?.process?.state() === "dead") timers.shift()
      return timers[0]?.at
    },
    after: (millis, callback) => {
      add(millis, undefined, callback)
    },
    delaySleeps: (millis) => {
      step = millis
    },
    moveTo: (millis) => {
      now = Math.max(now, millis)
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { wake } of due) wake()
    }
  }
}
