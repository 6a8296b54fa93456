/** The runners of a life, one after the other, and now and then two at once: they die, stand still, lose their actors, and are started anew. */
import * as Effect from "effect/Effect"
import * as Process from "./Process.ts"
import type { Services } from "./Runner.ts"
import type { World } from "./Environment.ts"

export interface Runners {
  readonly start: () => void
  /** The youngest, if it stands: what can be asked of it, on its own time. */
  readonly current: () => { readonly process: Process.Process; readonly services: Services } | undefined
  readonly died: (process: Process.Process) => void
  readonly froze: (process: Process.Process) => void
  readonly endActors: (process: Process.Process, millis: number) => void
  /** At the end nobody lives. */
  readonly end: () => void
}

export const make = (
  { chance, clock, tally, trace }: World,
  life: {
    /** Starts what a process hosts; its locks are refused while `locksFail`. */
    readonly host: (process: Process.Process, locksFail: () => boolean) => Effect.Effect<Services>
    /** Runs something of the world's: it stops for no process's end. */
    readonly fork: <A, E>(effect: Effect.Effect<A, E>) => void
  }
): Runners => {
  const all: Array<Process.Process> = []
  const standing = new Map<Process.Process, Services>()
  const locksFailUntil = new Map<Process.Process, number>()
  const note = (what: string, process: Process.Process) => trace.add(what, process.name, clock.now())
  const newest = () => all[all.length - 1]

  const start = () => {
    const process = Process.make(`runner ${all.length + 1}`)
    all.push(process)
    note("starts", process)
    const runner = life.host(process, () => clock.now() < (locksFailUntil.get(process) ?? 0))
    life.fork(Effect.tap(runner, (services) => Effect.sync(() => standing.set(process, services))))
  }

  const wake = (process: Process.Process) => {
    if (process.state() !== "frozen") return
    note("wakes", process)
    tally.count(process.owns() ? "frozen runner woke in time" : "frozen runner woke after another took over")
    process.thaw()
    // Its shards are gone: it lets go of them within seconds, and then nobody needs it.
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
      const services = process === undefined ? undefined : standing.get(process)
      return process === undefined || services === undefined || process.state() !== "runs" ? undefined : { process, services }
    },
    died: (process) => {
      note("dies", process)
      if (process === newest()) clock.after(500 + chance.below(3_000), start)
    },
    froze: (process) => {
      note("freezes", process)
      tally.count("runner froze")
      clock.after(1_000 + chance.below(25_000), () => wake(process))
      // When its locks have expired another one gets them.
      clock.after(6_000 + chance.below(3_000), () => takeOver(process))
    },
    endActors: (process, millis) => {
      note("loses its actors", process)
      locksFailUntil.set(process, clock.now() + millis)
    },
    end: () => {
      for (const process of all) process.die()
    }
  }
}
