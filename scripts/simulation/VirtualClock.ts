/** A clock that moves only when told: every sleep, timeout and schedule of a life waits in one queue, in order. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

export interface VirtualClock {
  /** The world's clock. */
  readonly clock: Clock.Clock
  /** The same time for one process: nothing that sleeps in it wakes once it is dead. */
  readonly of: (dead: () => boolean) => Clock.Clock
  readonly now: () => number
  /** When the next timer is due, in milliseconds. */
  readonly next: () => number | undefined
  /** Moves on and wakes whoever is due, in order. */
  readonly moveTo: (millis: number) => void
}

/** A clock that begins at the given time, in unix milliseconds. */
export const make = (start: number): VirtualClock => {
  let now = start
  let order = 0
  let timers: Array<Timer> = []
  const add = (millis: number, wake: () => void) => {
    const timer = { at: now + Math.max(0, millis), order: order++, wake }
    const place = timers.findIndex(({ at }) => at > timer.at)
    if (place === -1) timers.push(timer)
    else timers.splice(place, 0, timer)
    return () => {
      const found = timers.indexOf(timer)
      if (found === -1) return false
      timers.splice(found, 1)
      return true
    }
  }
  const nanos = () => BigInt(Math.round(now * 1e6))
  const of = (dead: () => boolean): Clock.Clock => ({
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const millis = Duration.toMillis(duration)
        // Whoever sleeps for ever is not in the queue: it only ever wakes by interruption.
        if (!Number.isFinite(millis) || dead()) return Effect.void
        const cancel = add(millis, () => { if (!dead()) resume(Effect.void) })
        return Effect.sync(cancel)
      })
  })
  return {
    clock: of(() => false),
    of,
    now: () => now,
    next: () => timers[0]?.at,
    moveTo: (millis) => {
      now = Math.max(now, millis)
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { wake } of due) wake()
    }
  }
}
