/** What a life under one seed takes place in: its time, its chance, what it writes down, and how its time goes by. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as References from "effect/References"
import * as Scheduler from "effect/Scheduler"
import * as IoGate from "./IoGate.ts"
import * as SeededRandom from "@vault-trader/app/SeededRandom"
import * as GlobalRandomness from "./GlobalRandomness.ts"
import * as FaultCounts from "./FaultCounts.ts"
import * as Trace from "./Trace.ts"
import * as VirtualClock from "./VirtualClock.ts"
import * as FaultProfile from "./FaultProfile.ts"

export const start = Date.UTC(2026, 10, 20)

export interface Options {
  /** Keeps the trace's lines. */
  readonly traced?: boolean
  /** Prints the actors' logs. */
  readonly logged?: boolean
}

export interface World {
  readonly seed: number
  readonly chance: SeededRandom.Chance
  readonly clock: VirtualClock.VirtualClock
  readonly trace: Trace.Trace
  readonly tally: FaultCounts.Tally
  readonly weather: FaultProfile.Weather
  readonly border: IoGate.Border
  /** Lets everything go on until only time can change anything. */
  readonly settle: Effect.Effect<void>
}

/** `kinds`: of faults that lives of this sort meet. */
export const make = (seed: number, options: Options, kinds: ReadonlyArray<FaultCounts.Kind>): World => {
  const chance = SeededRandom.make(seed)
  const clock = VirtualClock.make(start)
  const trace = Trace.make(options.traced === true)
  const weather = FaultProfile.of(chance)
  const border = IoGate.make((count) => weather.shuffles ? chance.below(count) : 0)
  return { seed, chance, clock, trace, weather, border, tally: FaultCounts.make(kinds), settle: Effect.promise(border.settle) }
}

/** Something that happens at its time; answers whether that was the last thing to wait for. */
export interface Beat {
  /** In the world's milliseconds. */
  readonly due: () => number
  readonly happen: Effect.Effect<boolean>
}

/** Moves on to the next thing that waits for time, until the end or the beat that says so. */
export const until = ({ clock, settle, trace }: World, end: number, beats: ReadonlyArray<Beat>): Effect.Effect<void> =>
  Effect.gen(function*() {
    for (;;) {
      yield* settle
      if (clock.now() >= end) return
      const next = Math.min(clock.next() ?? end, end, ...beats.map(({ due }) => due()))
      clock.moveTo(Math.max(next, clock.now() + 1))
      trace.add("clock", clock.now())
      for (const { due, happen } of beats) if (clock.now() >= due() && (yield* happen)) return
    }
  })

/** Turns by microtasks alone: a timer of the real world would let virtual time overtake a fiber. */
const soon = (turn: () => void) => {
  let isWanted = true
  queueMicrotask(() => {
    if (isWanted) turn()
  })
  return () => {
    isWanted = false
  }
}

/** Lives it on the world's time and chance. */
export const lived = <A>({ clock, seed }: World, options: Options, life: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const restore = GlobalRandomness.begin(seed)
    return Effect.ensuring(life, Effect.sync(restore))
  }).pipe(
    Effect.provideService(Clock.Clock, clock.clock),
    Random.withSeed(seed),
    Effect.provideService(Scheduler.Scheduler, new Scheduler.MixedScheduler("async", soon)),
    Effect.withTracerEnabled(false),
    options.logged === true ? Effect.provide(Logger.layer([Logger.consolePretty()])) : Effect.provideService(References.MinimumLogLevel, "None")
  )
