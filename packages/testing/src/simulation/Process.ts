/** A process of a life as the world sees it: what comes from outside reaches it while it runs, later while it is frozen, never once it is dead. */

export interface Process {
  readonly name: string
  readonly state: () => "runs" | "frozen" | "dead"
  /** Hands over what the world has for it. */
  readonly deliver: (what: () => void) => void
  /** As `kill -9` would: nothing is tidied up. */
  readonly die: () => void
  /** As `kill -STOP` and `kill -CONT` would: what arrives meanwhile is taken in on waking, in order. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Whether the cluster still gives it its shards: another process may have taken over. */
  readonly owns: () => boolean
  readonly disown: () => void
}

export const make = (name: string): Process => {
  let state: "runs" | "frozen" | "dead" = "runs"
  let owns = true
  let held: Array<() => void> = []
  return {
    name,
    state: () => state,
    deliver: (what) => {
      if (state === "runs") what()
      else if (state === "frozen") held.push(what)
    },
    die: () => {
      state = "dead"
      held = []
    },
    freeze: () => {
      if (state === "runs") state = "frozen"
    },
    thaw: () => {
      if (state !== "frozen") return
      state = "runs"
      const arrived = held
      held = []
      for (const what of arrived) what()
    },
    owns: () => owns,
    disown: () => {
      owns = false
    }
  }
}
