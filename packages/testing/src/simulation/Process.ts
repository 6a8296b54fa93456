/**
 * A simulated process: input from outside arrives at once while it runs, later while it is frozen, never once it is
 * dead.
 */

export interface Process {
  readonly name: string
  readonly state: () => "runs" | "frozen" | "dead"
  /** Passes an input to the process. */
  readonly deliver: (input: () => void) => void
  /** Stops it as `kill -9` does: without any cleanup. */
  readonly die: () => void
  /** As `kill -STOP` and `kill -CONT` do: input that arrives while frozen is delivered in order on waking. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Returns whether the cluster still assigns it its shards; false once another process took over. */
  readonly owns: () => boolean
  readonly disown: () => void
}

export const make = (name: string): Process => {
  let state: "runs" | "frozen" | "dead" = "runs"
  let owns = true
  let pending: Array<() => void> = []
  return {
    name,
    state: () => state,
    deliver: (input) => {
      if (state === "runs") input()
      else if (state === "frozen") pending.push(input)
    },
    die: () => {
      state = "dead"
      pending = []
    },
    freeze: () => {
      if (state === "runs") state = "frozen"
    },
    thaw: () => {
      if (state !== "frozen") return
      state = "runs"
      const arrived = pending
      pending = []
      for (const input of arrived) input()
    },
    owns: () => owns,
    disown: () => {
      owns = false
    }
  }
}
