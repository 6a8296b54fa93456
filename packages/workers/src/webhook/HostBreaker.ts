/** Leaves hosts alone that do not answer, for longer each time. Any answer, a refusal too, ends it: such a host costs an attempt no time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Attempts in a row without an answer after which a host is left alone. */
const maxFailures = 3

/** How long at first, and at most, in milliseconds. */
const firstPause = 30_000
const maxPause = 600_000

/** Hosts in memory before the one that failed longest ago is forgotten. */
const capacity = 10_000

interface Standing {
  readonly failures: number
  readonly until: number
}

export interface HostBreaker {
  /** The hosts that are left alone now. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
  /** The hosts whose pause is over, and of which it is not known whether they answer again: one attempt at a time shows it. */
  readonly probed: Effect.Effect<ReadonlyArray<string>>
  readonly note: (host: string, answered: boolean) => Effect.Effect<void>
}

export const make = (): HostBreaker => {
  const hosts = new Map<string, Standing>()
  const those = (accept: (standing: Standing, now: number) => boolean) =>
    Effect.map(Clock.currentTimeMillis, (now) => [...hosts].filter(([, standing]) => accept(standing, now)).map(([host]) => host))
  return {
    open: those(({ failures, until }, now) => failures >= maxFailures && until > now),
    probed: those(({ failures, until }, now) => failures >= maxFailures && until <= now),
    note: (host, answered) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const failures = answered ? 0 : (hosts.get(host)?.failures ?? 0) + 1
        hosts.delete(host)
        if (failures > 0) hosts.set(host, { failures, until: now + Math.min(maxPause, firstPause * 2 ** Math.max(0, failures - maxFailures)) })
        if (hosts.size > capacity) hosts.delete(hosts.keys().next().value ?? "")
      })
  }
}
