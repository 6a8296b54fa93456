/**
 * Pauses hosts that do not respond, for longer each time. Any response ends the pause, even a refusal, because it costs
 * no timeout.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Consecutive attempts without a response after which a host is paused. */
const maxFailures = 3

/** First and maximum pause, in milliseconds. */
const firstPause = 30_000
const maxPause = 600_000

/** Maximum number of hosts in memory; then the one that failed longest ago is removed. */
const capacity = 10_000

interface HostState {
  readonly failures: number
  readonly until: number
}

interface HostBreaker {
  /** The hosts that are paused now. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
  /** The hosts whose pause is over but that have not responded yet. They get one attempt at a time as a probe. */
  readonly probed: Effect.Effect<ReadonlyArray<string>>
  readonly note: (host: string, answered: boolean) => Effect.Effect<void>
}

export const make = (): HostBreaker => {
  const hosts = new Map<string, HostState>()
  const select = (accept: (state: HostState, now: number) => boolean) =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => [...hosts].filter(([, state]) => accept(state, now)).map(([host]) => host)
    )
  return {
    open: select(({ failures, until }, now) => failures >= maxFailures && until > now),
    probed: select(({ failures, until }, now) => failures >= maxFailures && until <= now),
    note: (host, answered) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const failures = answered ? 0 : (hosts.get(host)?.failures ?? 0) + 1
        hosts.delete(host)
        if (failures > 0) {
          hosts.set(host, {
            failures,
            until: now + Math.min(maxPause, firstPause * 2 ** Math.max(0, failures - maxFailures))
          })
        }
        if (hosts.size > capacity) hosts.delete(hosts.keys().next().value ?? "")
      })
  }
}
