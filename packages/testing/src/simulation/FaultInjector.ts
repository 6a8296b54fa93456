/** What befalls processes where they touch the world: death, a standstill, the end of their actors, statements that are lost. */
import type { Chance } from "@vault-trader/app/SeededRandom"
import type { Process } from "./Process.ts"
import type { Kind, Tally } from "./FaultCounts.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fate, Statement } from "./VirtualPostgres.ts"
import type { Weather } from "./FaultProfile.ts"
import { isWrite, nameOf } from "./StatementName.ts"

export interface Misfortune {
  readonly ofStatement: (statement: Statement) => Fate
  /** Lets the database go away, now and then. */
  readonly atBlock: () => void
  /** `isSend`: it is meant to change something out there. */
  /** At a call `weight` times as delicate as a read of the database: the rarer the calls, the more each must weigh to be met at all. */
  readonly ofCall: (process: Process, isSend: boolean, weight?: number) => Fate
  readonly befall: (fate: Fate, process: Process, answer: () => void) => void
  /** At which writes a runner ended, was ended in part or stood still, and how often each was passed. */
  readonly points: () => Readonly<Record<string, { readonly passed: number; readonly ended: number }>>
}

/** A write's name: what it does to which table; a commit is named after the last write of its transaction. */
const pointOf = ({ text, wrote }: Statement): string | undefined => {
  if (/^commit/i.test(text)) return wrote === undefined ? undefined : `commit of ${nameOf(wrote)}`
  return isWrite(text) ? nameOf(text) : undefined
}

/** Locks are refreshed every two seconds: an answer held for longer comes after its actor has been ended. */
const endingMillis = 2_600

export const make = (life: {
  readonly chance: Chance
  readonly weather: Weather
  readonly clock: VirtualClock
  readonly tally: Tally
  readonly isTroubled: () => boolean
  /** Processes other than the runners are not ours to end. */
  readonly isRunner: (process: Process) => boolean
  readonly died: (process: Process) => void
  readonly froze: (process: Process) => void
  readonly endActors: (process: Process, millis: number) => void
}): Misfortune => {
  const { chance, clock, isRunner, isTroubled, tally, weather } = life
  let awayUntil = 0
  const points = new Map<string, { passed: number; ended: number }>()

  /** What ends or stops a process, at something that is `weight` times as delicate as a read. */
  const ending = (weight: number): Fate => {
    if (chance.happens(weather.deaths * weight)) return chance.happens(0.5) ? "diesBefore" : "diesAfter"
    return chance.happens(weather.freezes * weight) ? "freezes" : "runs"
  }

  const ofServer = (text: string): Fate => {
    if (!/^insert/i.test(text) || !chance.happens(weather.database * 10)) return "runs"
    const fate = chance.happens(0.5) ? "fails" : "runsButFails"
    tally.count(fate === "fails" ? "server's insert lost before it ran" : "server's insert lost after it ran")
    return fate
  }

  const ofRunner = (statement: Statement): Fate => {
    const point = pointOf(statement)
    const weight = point === undefined ? 0.5 : 3
    const end = ending(weight)
    const fate = end !== "runs" ? end : chance.happens(weather.endings * weight) ? "endsActor" : lost(statement.text)
    if (fate === "diesBefore") tally.count("runner died before a statement")
    if (fate === "diesAfter") tally.count("runner died after a statement")
    if (fate === "endsActor") tally.count("actor ended at a statement")
    if (fate === "freezes" && statement.isInTransaction) tally.count("runner froze in a transaction")
    if (point !== undefined) pass(point, fate === "diesBefore" || fate === "diesAfter" || fate === "endsActor" || fate === "freezes")
    return fate
  }

  const pass = (point: string, ended: boolean) => {
    const { ended: before, passed } = points.get(point) ?? { ended: 0, passed: 0 }
    points.set(point, { passed: passed + 1, ended: before + (ended ? 1 : 0) })
  }

  const lost = (text: string): Fate => {
    // Few statements are commits, and none is so delicate.
    const isCommit = /^commit/i.test(text)
    if (!chance.happens(weather.database * (isCommit ? 4 : 1))) return "runs"
    const fate = chance.happens(0.5) ? "fails" : "runsButFails"
    const kind: Kind = fate === "fails" ? "statement lost before it ran" : isCommit ? "commit lost after it ran" : "statement lost after it ran"
    tally.count(kind)
    return fate
  }

  return {
    atBlock: () => {
      if (!isTroubled() || clock.now() < awayUntil || !chance.happens(weather.outages)) return
      tally.count("database away for a while")
      awayUntil = clock.now() + 1_000 + chance.below(14_000)
    },
    ofStatement: (statement) =>
      !isTroubled() ? "runs" : clock.now() < awayUntil ? "fails" : isRunner(statement.process) ? ofRunner(statement) : ofServer(statement.text),
    ofCall: (process, isSend, weight = isSend ? 3 : 0.3) => {
      if (!isTroubled() || !isRunner(process)) return "runs"
      const fate = ending(weight)
      if (fate === "diesBefore") tally.count("runner died before a call")
      if (fate === "diesAfter") tally.count(isSend ? "runner died after a send" : "runner died after a call")
      return fate
    },
    befall: (fate, process, answer) => {
      if (fate === "diesBefore" || fate === "diesAfter") {
        process.die()
        return life.died(process)
      }
      if (fate === "freezes") {
        process.freeze()
        life.froze(process)
        return answer()
      }
      if (fate === "endsActor") {
        life.endActors(process, endingMillis)
        return clock.after(endingMillis, answer)
      }
      answer()
    },
    points: () => Object.fromEntries(points)
  }
}
