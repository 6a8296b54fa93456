/**
 * The runners of a run, one after the other and sometimes two at once: they crash, freeze, lose their actors and are
 * restarted.
 */
import * as Effect from "effect/Effect"
import * as Process from "./Process.ts"
import type { Services } from "./Runner.ts"
import type { Environment } from "./Environment.ts"

export interface Runners {
  readonly start: () => void
  /** Returns the newest runner while it runs, with its services; call them on that process's clock. */
  readonly current: () => { readonly process: Process.Process; readonly services: Services } | undefined
  readonly onCrash: (process: Process.Process) => void
  readonly onFreeze: (process: Process.Process) => void
  readonly endActors: (process: Process.Process, millis: number) => void
  /** Stops all runners as `kill -9` does, and starts a new one. */
  readonly restartAll: () => void
  /** Stops all runners at the end of the run. */
  readonly end: () => void
}

export const make = (
  { chance, clock, counts, trace }: Environment,
  options: {
    /** Starts the actors of a process; its locks are refused while `locksFail`. */
    readonly host: (process: Process.Process, locksFail: () => boolean) => Effect.Effect<Services>
    /** Runs an effect outside of any process: no crash interrupts it. */
    readonly fork: <A, E>(effect: Effect.Effect<A, E>) => void
  }
): Runners => {
  const all: Array<Process.Process> = []
  const servicesOf = new Map<Process.Process, Services>()
  const locksFailUntil = new Map<Process.Process, number>()
  const note = (event: string, process: Process.Process) => trace.add(event, process.name, clock.now())
  const newest = () => all[all.length - 1]

  const start = () => {
    const process = Process.make(`runner ${all.length + 1}`)
    all.push(process)
    note("starts", process)
    const runner = options.host(process, () => clock.now() < (locksFailUntil.get(process) ?? 0))
    options.fork(Effect.tap(runner, (services) => Effect.sync(() => servicesOf.set(process, services))))
  }

  const wake = (process: Process.Process) => {
    if (process.state() !== "frozen") return
    note("wakes", process)
    counts.count(process.owns() ? "frozen runner woke in time" : "frozen runner woke after another took over")
    process.thaw()
    // Its shards are gone: it releases them within seconds and is then of no use.
    if (!process.owns()) clock.after(30_000, process.die)
  }

  const takeOver = (process: Process.Process) => {
    if (process.state() !== "frozen" || process !== newest()) return
    process.disown()
    start()
  }

  return {
    start,
    current: () => {
      const process = newest()
      const services = process === undefined ? undefined : servicesOf.get(process)
      return process === undefined || services === undefined || process.state() !== "runs"
        ? undefined
        : { process, services }
    },
    onCrash: (process) => {
      note("dies", process)
      if (process === newest()) clock.after(500 + chance.below(3_000), start)
    },
    onFreeze: (process) => {
      note("freezes", process)
      counts.count("runner froze")
      clock.after(1_000 + chance.below(25_000), () => wake(process))
      // Once its locks have expired, another runner acquires them.
      clock.after(6_000 + chance.below(3_000), () => takeOver(process))
    },
    endActors: (process, millis) => {
      note("loses its actors", process)
      locksFailUntil.set(process, clock.now() + millis)
    },
    restartAll: () => {
      // A newest runner that died before is replaced already.
      const restarts = newest()?.state() !== "dead"
      for (const process of all) process.die()
      if (restarts) clock.after(500 + chance.below(3_000), start)
    },
    end: () => {
      for (const process of all) process.die()
    }
  }
}
