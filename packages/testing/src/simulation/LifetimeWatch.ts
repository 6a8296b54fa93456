/** Watches signed bytes as they leave: none may leave after the end of its submission's lifetime. */
import type { Hash } from "@vault-trader/core/chain/Address"
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

/** A lifetime counts also after a restore has forgotten it. `wasMined`: a reorg has removed it since, or not. */
export const make = (
  sessions: Sessions,
  clock: VirtualClock,
  wasMined: (hash: Hash) => boolean
): LifetimeWatch => {
  const late: Array<{ readonly raw: string; readonly millis: number }> = []
  const ends = new Map<string, { readonly hash: Hash; readonly until: number }>()
  const endOf = (raw: string) => {
    const [row] = sessions.peek(
      `select a.hash, extract(epoch from s.valid_until) * 1000 as until from attempts a
        join submissions s on s.key = a.submission_key
        where a.raw = $1 and not a.cancels and s.intent_id is not null and s.valid_until is not null`,
      [raw]
    )
    const end = row === undefined ? ends.get(raw) : { hash: row["hash"] as Hash, until: Number(row["until"]) }
    if (end !== undefined) ends.set(raw, end)
    return end
  }
  return {
    late: () => late,
    onSend: (raw) => {
      if (!engineSupport.lifetimes || !sessions.isFree()) return
      const end = endOf(raw)
      if (end === undefined || clock.now() - end.until <= toleranceMillis || wasMined(end.hash)) return
      late.push({ raw, millis: clock.now() - end.until })
    }
  }
}
