/**
 * The environment of a run under one seed: its clock, randomness, trace and I/O gate, and the loop that advances time.
 */
import { Sha256 } from "@vault-trader/core/audit/CanonicalJson"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as References from "effect/References"
import * as Scheduler from "effect/Scheduler"
import * as Crypto from "node:crypto"
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
  /** Executes every read, also where its tables have not changed. */
  readonly forgets?: boolean
  /** Draws faults that are rare by themselves in most runs, so that they meet each other. */
  readonly rare?: boolean
}

export interface Environment {
  readonly seed: number
  readonly chance: SeededRandom.SeededRandom
  readonly clock: VirtualClock.VirtualClock
  readonly trace: Trace.Trace
  readonly counts: FaultCounts.FaultCounts
  readonly profile: FaultProfile.FaultProfile
  readonly gate: IoGate.IoGate
  readonly forgets: boolean
  readonly rare: boolean
  /** Runs everything that is pending until only time can change anything. */
  readonly settle: Effect.Effect<void>
}

/** `kinds`: the faults that runs of this type can meet. */
export const make = (seed: number, options: Options, kinds: ReadonlyArray<FaultCounts.Kind>): Environment => {
  const chance = SeededRandom.make(seed)
  const clock = VirtualClock.make(start)
  const trace = Trace.make(options.traced === true)
  const rare = options.rare === true
  const profile = FaultProfile.draw(chance, rare)
  const gate = IoGate.make((count) => profile.shuffles ? chance.below(count) : 0)
  return {
    seed,
    chance,
    clock,
    trace,
    profile,
    gate,
    forgets: options.forgets === true,
    rare,
    counts: FaultCounts.make(kinds),
    settle: Effect.promise(gate.settle)
  }
}

/** An event that is due at a time. `run` returns whether it was the last one to wait for. */
interface TimedEvent {
  /** In milliseconds of the virtual clock. */
  readonly due: () => number
  readonly run: Effect.Effect<boolean>
}

/**
 * Builds the event that submits requests while `isOn`: one, or four at once now and then, and the next after a pause.
 */
export const submissions = (
  { chance, clock }: Environment,
  { isOn, pauseMillis, submit }: {
    readonly isOn: () => boolean
    readonly pauseMillis: () => number
    readonly submit: () => void
  }
): TimedEvent => {
  let next = clock.now() + 500
  return {
    due: () => isOn() ? next : Number.POSITIVE_INFINITY,
    run: Effect.sync(() => {
      next = clock.now() + pauseMillis()
      for (let left = chance.happens(0.15) ? 4 : 1; left > 0; left--) submit()
      return false
    })
  }
}

/** Advances to the next timer or event, until `end` or until an event returns true. */
export const until = (
  { clock, settle, trace }: Environment,
  end: number,
  events: ReadonlyArray<TimedEvent>
): Effect.Effect<void> =>
  Effect.gen(function*() {
    for (;;) {
      yield* settle
      if (clock.now() >= end) return
      const next = Math.min(clock.next() ?? end, end, ...events.map(({ due }) => due()))
      clock.moveTo(Math.max(next, clock.now() + 1))
      trace.add("clock", clock.now())
      for (const { due, run } of events) if (clock.now() >= due() && (yield* run)) return
    }
  })

const resolved = Promise.resolve()

/** Schedules fiber turns by microtasks alone: a real timer would let virtual time overtake a fiber. */
const scheduleMicrotask = (turn: () => void) => {
  let isScheduled = true
  // A reaction of a promise costs less than `queueMicrotask`, which opens an asynchronous context of Node for each turn.
  void resolved.then(() => {
    if (isScheduled) turn()
  })
  return () => {
    isScheduled = false
  }
}

/** Runs a program on the environment's clock and randomness. */
export const run = <A>(environment: Environment, options: Options, program: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const restore = GlobalRandomness.install(environment.seed)
    return Effect.ensuring(program, Effect.sync(restore))
  }).pipe(onVirtualTime(environment, options))

/** Returns a function that runs a program on the environment's clock; `run` also replaces the process's randomness. */
export const onVirtualTime =
  ({ clock, seed }: Environment, options: Options) => <A>(program: Effect.Effect<A>): Effect.Effect<A> =>
    program.pipe(
      Effect.provideService(Clock.Clock, clock.clock),
      Random.withSeed(seed),
      Effect.provideService(Scheduler.Scheduler, new Scheduler.MixedScheduler("async", scheduleMicrotask)),
      Effect.provideService(Sha256, (text) => Effect.sync(() => Crypto.hash("sha256", text))),
      Effect.withTracerEnabled(false),
      options.logged === true
        ? Effect.provide(Logger.layer([Logger.consolePretty()]))
        : Effect.provideService(References.MinimumLogLevel, "None")
    )
