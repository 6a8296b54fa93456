/**
 * The gate that all I/O of a run's processes passes: statements to the database, calls to nodes. One step runs at a
 * time, and only when no fiber can continue without it. Which of the pending steps runs first is random, as it is on a
 * real network.
 */
import type { Process } from "./Process.ts"

interface IoStep {
  readonly process: Process
  /** Returns whether the step can run now. */
  readonly ready: () => boolean
  readonly run: () => void
}

export interface IoGate {
  /** Adds a step to the queue. Returns a function that removes it. */
  readonly enqueue: (step: IoStep) => () => void
  /** Runs everything that is pending until only time can change anything. */
  readonly settle: () => Promise<void>
}

/** `choose` picks the index of one of `count` pending steps. */
export const make = (choose: (count: number) => number): IoGate => {
  let pending: Array<IoStep> = []

  const next = (): boolean => {
    pending = pending.filter(({ process }) => process.state() !== "dead")
    const ready = pending.filter((step) => step.ready())
    const step = ready[ready.length > 1 ? choose(ready.length) : 0]
    if (step === undefined) return false
    pending.splice(pending.indexOf(step), 1)
    step.run()
    return true
  }

  return {
    enqueue: (step) => {
      pending.push(step)
      return () => {
        const place = pending.indexOf(step)
        if (place !== -1) pending.splice(place, 1)
      }
    },
    settle: async () => {
      do {
        // Fibers and promises of a run continue by microtasks alone: when the event loop turns, none is left.
        await new Promise((resolve) => setImmediate(resolve))
      } while (next())
    }
  }
}

/** A gate without contention: every step runs at once. */
export const ungated: IoGate = {
  enqueue: ({ run }) => {
    run()
    return () => undefined
  },
  settle: () => Promise.resolve()
}
