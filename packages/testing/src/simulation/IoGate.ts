/**
 * Everything that leaves a process of a life: statements to the database, calls to nodes. One thing crosses at a time, and only when
 * every fiber has had its turns; which of those that wait goes first is chance's choice, as it is the network's in the world.
 */
import type { Process } from "./Process.ts"

export interface Crossing {
  readonly process: Process
  /** Whether it can happen now. */
  readonly ready: () => boolean
  readonly happen: () => void
}

export interface Border {
  /** Puts it in line; the answer takes it out again. */
  readonly cross: (crossing: Crossing) => () => void
  /** Lets everything go on until only time can change anything. */
  readonly settle: () => Promise<void>
}

/** `choose` picks one of so many that wait. */
export const make = (choose: (count: number) => number): Border => {
  let waiting: Array<Crossing> = []

  const next = (): boolean => {
    waiting = waiting.filter(({ process }) => process.state() !== "dead")
    const ready = waiting.filter((crossing) => crossing.ready())
    const chosen = ready[ready.length > 1 ? choose(ready.length) : 0]
    if (chosen === undefined) return false
    waiting.splice(waiting.indexOf(chosen), 1)
    chosen.happen()
    return true
  }

  return {
    cross: (crossing) => {
      waiting.push(crossing)
      return () => {
        const place = waiting.indexOf(crossing)
        if (place !== -1) waiting.splice(place, 1)
      }
    },
    settle: async () => {
      do {
        // Fibers and promises of a life go on by microtasks alone: when the loop turns, none of them is left.
        await new Promise((resolve) => setImmediate(resolve))
      } while (next())
    }
  }
}

/** Nobody else is there: whatever comes crosses at once. */
export const open: Border = {
  cross: ({ happen }) => {
    happen()
    return () => undefined
  },
  settle: () => Promise.resolve()
}
