/**
 * Makes the database forget: the service stops, the rows come back as they were some seconds ago, the service starts.
 */
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import type { ChainProfile } from "./ChainProfile.ts"
import { engineSupport } from "./EngineSupport.ts"
import type { FaultCounts } from "./FaultCounts.ts"
import { type Attempt, type Forgotten, readAttempts, readIntents } from "./RunEvidence.ts"
import type { Runners } from "./Runners.ts"
import type { TableCopy } from "./TableCopy.ts"
import type { Trace } from "./Trace.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface Restores {
  /** Copies the rows now and then, and restores a copy where that is drawn. Call it with each block with faults. */
  readonly onBlock: () => void
  readonly forgotten: () => Forgotten
  /** The attempts that were removed together with the signing record. */
  readonly lost: () => ReadonlyArray<Attempt>
}

/** Number of copies that are kept, one every few blocks. */
const maxCopies = 5

export const make = (options: {
  readonly chance: SeededRandom
  readonly clock: VirtualClock
  readonly counts: FaultCounts
  readonly trace: Trace
  readonly profile: ChainProfile
  readonly runners: Runners
  readonly sessions: Sessions
  /** Loses the signing record, as a machine does whose disk is gone. */
  readonly loseRecord: () => void
}): Restores => {
  const { chance, clock, counts, loseRecord, profile, runners, sessions, trace } = options
  const isOn = engineSupport.restore && profile.restores > 0
  const intents = new Set<string>()
  const reopened = new Set<string>()
  const attempts = new Map<string, Attempt>()
  let lost: ReadonlyArray<Attempt> = []
  let copies: Array<TableCopy> = []
  let isRestored = false

  const restore = () => {
    const copy = copies[chance.below(copies.length)]
    if (copy === undefined) return
    const losesRecord = chance.happens(profile.recordLosses)
    counts.count(losesRecord ? "database and signing record restored" : "database restored")
    trace.add("restore", clock.now(), copies.indexOf(copy), losesRecord ? "without the record" : "with the record")
    const before = { intents: readIntents(sessions), attempts: readAttempts(sessions) }
    isRestored = true
    runners.restartAll()
    sessions.restore(copy)
    if (losesRecord) loseRecord()
    const after = new Map(readIntents(sessions).map(({ id, status }) => [id, status]))
    const kept = new Set(readAttempts(sessions).map(({ hash }) => hash))
    for (const { id, status } of before.intents) {
      if (!after.has(id)) intents.add(id)
      else if (status === "failed" && after.get(id) !== "failed") reopened.add(id)
    }
    const removed = before.attempts.filter(({ hash }) => !kept.has(hash))
    for (const attempt of removed) attempts.set(attempt.hash, attempt)
    if (losesRecord) lost = [...lost, ...removed]
    copies = []
  }

  return {
    lost: () => lost,
    forgotten: () => ({ intents, reopened, attempts: [...attempts.values()], isRestored }),
    onBlock: () => {
      if (!isOn || !sessions.isFree()) return
      if (copies.length > 0 && chance.happens(profile.restores / 4)) return restore()
      if (chance.happens(0.4)) copies = [...copies, sessions.copy()].slice(-maxCopies)
    }
  }
}
