/** Injects process faults at I/O points: crash, freeze, actor shutdown, lost statements. */
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import type { Process } from "./Process.ts"
import type { Kind, FaultCounts } from "./FaultCounts.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { FaultDecision, Statement } from "./VirtualPostgres.ts"
import type { ChainProfile } from "./ChainProfile.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import { isWrite, nameOf } from "./StatementName.ts"

interface Options {
  readonly chance: SeededRandom
  readonly profile: FaultProfile & Partial<Pick<ChainProfile, "fullDisks">>
  readonly clock: VirtualClock
  readonly counts: FaultCounts
  readonly isFaultPhase: () => boolean
  /** Only runners crash or freeze; other processes run on. */
  readonly isRunner: (process: Process) => boolean
  readonly onCrash: (process: Process) => void
  readonly onFreeze: (process: Process) => void
  readonly endActors: (process: Process, millis: number) => void
}

/** The randomness of the faults, and their counts. */
type Draws = Pick<Options, "chance" | "profile" | "counts">

export interface FaultInjector {
  readonly forStatement: (statement: Statement) => FaultDecision
  /** Starts a database outage, or fills its disk, now and then. */
  readonly onBlock: () => void
  /**
   * `isSend`: the call changes state outside the process. `weight`: how much likelier a fault is than at a read of the
   * database; the rarer the calls, the larger it must be for a fault to happen at all.
   */
  readonly forCall: (process: Process, isSend: boolean, weight?: number) => FaultDecision
  readonly apply: (decision: FaultDecision, process: Process, answer: () => void) => void
  /** Writes at which a runner ended, lost its actors or froze, and how often each was reached. */
  readonly points: () => Readonly<Record<string, { readonly passed: number; readonly ended: number }>>
}

/** Names a write by its operation and table; a commit by the last write of its transaction. */
const pointOf = ({ text, wrote }: Statement): string | undefined => {
  if (/^commit/i.test(text)) return wrote === undefined ? undefined : `commit of ${nameOf(wrote)}`
  return isWrite(text) ? nameOf(text) : undefined
}

/** Locks are refreshed every two seconds: an answer delayed for longer arrives after the actor was shut down. */
const answerDelayMillis = 2_600

/** Draws a crash or a freeze at a point that is `weight` times as likely to fail as a read. */
const drawEnding = ({ chance, profile }: Draws, weight: number): FaultDecision => {
  if (chance.happens(profile.crashes * weight)) return chance.happens(0.5) ? "diesBefore" : "diesAfter"
  return chance.happens(profile.freezes * weight) ? "freezes" : "runs"
}

/** Draws whether the connection breaks at a runner's statement. */
const drawLoss = ({ chance, counts, profile }: Draws, text: string): FaultDecision => {
  // Commits are rare and the most delicate of all statements.
  const isCommit = /^commit/i.test(text)
  if (!chance.happens(profile.database * (isCommit ? 4 : 1))) return "runs"
  const decision = chance.happens(0.5) ? "fails" : "runsButFails"
  const kind: Kind = decision === "fails"
    ? "statement lost before it ran"
    : isCommit
    ? "commit lost after it ran"
    : "statement lost after it ran"
  counts.count(kind)
  return decision
}

const decideServer = ({ chance, counts, profile }: Draws, text: string): FaultDecision => {
  if (!/^insert/i.test(text) || !chance.happens(profile.database * 10)) return "runs"
  const decision = chance.happens(0.5) ? "fails" : "runsButFails"
  counts.count(decision === "fails" ? "server's insert lost before it ran" : "server's insert lost after it ran")
  return decision
}

/** Counts per write how often it was reached, and how often a runner or its actors ended at it. */
const makePoints = () => {
  const points = new Map<string, { passed: number; ended: number }>()
  return {
    count: (point: string, decision: FaultDecision) => {
      const isEnd = decision === "diesBefore" || decision === "diesAfter" || decision === "endsActor" ||
        decision === "freezes"
      const { ended, passed } = points.get(point) ?? { ended: 0, passed: 0 }
      points.set(point, { passed: passed + 1, ended: ended + (isEnd ? 1 : 0) })
    },
    all: (): ReturnType<FaultInjector["points"]> => Object.fromEntries(points)
  }
}

const decideRunner = (
  draws: Draws,
  points: ReturnType<typeof makePoints>,
  statement: Statement
): FaultDecision => {
  const { chance, counts, profile } = draws
  const point = pointOf(statement)
  const weight = point === undefined ? 0.5 : 3
  const end = drawEnding(draws, weight)
  const decision = end !== "runs"
    ? end
    : chance.happens(profile.actorShutdowns * weight)
    ? "endsActor"
    : drawLoss(draws, statement.text)
  if (decision === "diesBefore") counts.count("runner died before a statement")
  if (decision === "diesAfter") counts.count("runner died after a statement")
  if (decision === "endsActor") counts.count("actor ended at a statement")
  if (decision === "freezes" && statement.isInTransaction) counts.count("runner froze in a transaction")
  if (point !== undefined) points.count(point, decision)
  return decision
}

export const make = (options: Options): FaultInjector => {
  const { chance, clock, isRunner, isFaultPhase, counts, profile } = options
  let outageUntil = 0
  let diskFullUntil = 0
  const points = makePoints()

  return {
    onBlock: () => {
      if (!isFaultPhase()) return
      const { fullDisks = 0 } = profile
      if (fullDisks > 0 && clock.now() >= diskFullUntil && chance.happens(fullDisks)) {
        counts.count("disk full for a while")
        diskFullUntil = clock.now() + 2_000 + chance.below(20_000)
      }
      if (clock.now() < outageUntil || !chance.happens(profile.outages)) return
      counts.count("database away for a while")
      outageUntil = clock.now() + 1_000 + chance.below(14_000)
    },
    forStatement: (statement) =>
      !isFaultPhase()
        ? "runs"
        : clock.now() < outageUntil
        ? "fails"
        : clock.now() < diskFullUntil && isWrite(statement.text)
        ? "diskFull"
        : isRunner(statement.process)
        ? decideRunner(options, points, statement)
        : decideServer(options, statement.text),
    forCall: (process, isSend, weight = isSend ? 3 : 0.3) => {
      if (!isFaultPhase() || !isRunner(process)) return "runs"
      const decision = drawEnding(options, weight)
      if (decision === "diesBefore") counts.count("runner died before a call")
      if (decision === "diesAfter") counts.count(isSend ? "runner died after a send" : "runner died after a call")
      return decision
    },
    apply: (decision, process, answer) => {
      if (decision === "diesBefore" || decision === "diesAfter") {
        process.die()
        return options.onCrash(process)
      }
      if (decision === "freezes") {
        process.freeze()
        options.onFreeze(process)
        return answer()
      }
      if (decision === "endsActor") {
        options.endActors(process, answerDelayMillis)
        return clock.after(answerDelayMillis, answer)
      }
      answer()
    },
    points: points.all
  }
}
