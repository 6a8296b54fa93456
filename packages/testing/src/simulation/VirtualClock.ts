/** A clock that moves only when told: every sleep, timeout and schedule of a life waits in one queue, in order. */
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
  /** The world's clock. */
  readonly clock: Clock.Clock
  /** The same time for one process: what sleeps in it wakes late when it is frozen, never when it is dead. */
  readonly of: (process: Process) => Clock.Clock
  readonly now: () => number
  /** When the next timer is due, in milliseconds. */
  readonly next: () => number | undefined
  /** Does something so many milliseconds from now. */
  readonly after: (millis: number, what: () => void) => void
  /** Moves on and wakes whoever is due, in order. */
  readonly moveTo: (millis: number) => void
}

/** A clock that begins at the given time, in unix milliseconds. */
export const make = (start: number): VirtualClock => {
  let now = start
  let timers: Array<Timer> = []
  const add = (millis: number, process: Process | undefined, wake: () => void) => {
    const timer = { at: now + Math.max(0, millis), process, wake }
    let place = timers.length
    while (place > 0 && (timers[place - 1]?.at ?? 0) > timer.at) place--
    timers.splice(place, 0, timer)
    return () => {
      const found = timers.indexOf(timer)
      if (found !== -1) timers.splice(found, 1)
    }
  }
  const nanos = () => BigInt(Math.round(now * 1e6))
  const of = (process: Process | undefined): Clock.Clock => ({
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const millis = Duration.toMillis(duration)
        // Whoever sleeps for ever is not in the queue: it only ever wakes by interruption.
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
      // A dead process's timers move nobody's time.
      while (timers[0]?.process?.state() === "dead") timers.shift()
      return timers[0]?.at
    },
    after: (millis, what) => {
      add(millis, undefined, what)
    },
    moveTo: (millis) => {
      now = Math.max(now, millis)
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { wake } of due) wake()
    }
  }
}
