/** Watches signed bytes as they leave: none may leave after the end of its submission's lifetime. */
import { engineSupport } from "./EngineSupport.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface LifetimeWatch {
  /** Compares the time with the lifetime of the bytes' submission. */
  readonly onSend: (raw: string) => void
  readonly late: () => ReadonlyArray<{ readonly raw: string; readonly millis: number }>
}

/**
 * How long after `valid_until` bytes may still leave: a block, the largest error of a runner's clock, and the longest
 * freeze of a runner between its decision and the send.
 */
const toleranceMillis = 2_000 + 10_000 + 26_000

export const make = (sessions: Sessions, clock: VirtualClock): LifetimeWatch => {
  const late: Array<{ readonly raw: string; readonly millis: number }> = []
  return {
    late: () => late,
    onSend: (raw) => {
      if (!engineSupport.lifetimes || !sessions.isFree()) return
      const [row] = sessions.peek(
        `select extract(epoch from s.valid_until) * 1000 as until from attempts a
          join submissions s on s.key = a.submission_key
          where a.raw = $1 and not a.cancels and s.intent_id is not null and s.valid_until is not null`,
        [raw]
      )
      const until = Number(row?.["until"] ?? Number.NaN)
      if (clock.now() - until > toleranceMillis) late.push({ raw, millis: clock.now() - until })
    }
  }
}
