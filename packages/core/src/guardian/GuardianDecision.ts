/**
 * Decides what a guardian does after a reading. Pure. One reading decides nothing that moves funds: a change of state
 * needs several in a row, each of a later block. Only the oracle guardian holds trades at its first bad reading.
 */
import * as BigDecimal from "effect/BigDecimal"
import { format } from "../chain/Quantity.ts"
import type {
  GasTerms,
  Guardian,
  GuardianMemory,
  GuardianTerms,
  HealthTerms,
  LossTerms,
  OracleTerms
} from "./Guardian.ts"

/** The oracle's answer about a token. */
export interface OracleAnswer {
  readonly symbol: string
  /** USD per whole token, 18 decimals; null while the oracle has no fresh price. */
  readonly price18: bigint | null
  /** Unix seconds of the feed's last update; null when the platform does not return it. */
  readonly updatedAt: number | null
  readonly isStable: boolean
}

/** A reading of what a guardian watches. `block` is the block's time, unix seconds. */
export type Reading =
  /** `factor18`: null without debt. */
  | { readonly _tag: "health_factor"; readonly block: number; readonly factor18: bigint | null }
  /** `day`: the block's day (UTC). */
  | { readonly _tag: "loss_breaker"; readonly block: number; readonly day: string; readonly price18: bigint }
  | { readonly _tag: "oracle"; readonly block: number; readonly answers: ReadonlyArray<OracleAnswer> }
  | { readonly _tag: "gas"; readonly block: number; readonly wei: bigint }

/**
 * `act`: the next action is due. `trip`: the limit is passed and confirmed, `acts` if actions follow. `clear`: the
 * danger is over, and the guardian watches again.
 */
export type Step =
  | { readonly _tag: "wait" | "act" | "clear"; readonly reason: string }
  | { readonly _tag: "trip"; readonly acts: boolean; readonly reason: string }

export interface Decision {
  readonly memory: GuardianMemory
  readonly step: Step
}

type Watched = Pick<Guardian, "state" | "memory" | "paper">

const wait = (memory: GuardianMemory, reason: string): Decision => ({ memory, step: { _tag: "wait", reason } })

/** Returns the row of readings after another one; a reading of the same block adds nothing. */
const rowAfter = (
  { row }: GuardianMemory,
  holds: boolean,
  block: number
): GuardianMemory["row"] =>
  !holds ? null : row === null ? { times: 1, block } : block > row.block ? { times: row.times + 1, block } : row

/** Counts a reading that asks for a change, and makes the change once there are enough in a row. */
const confirmed = (
  memory: GuardianMemory,
  { confirmations }: Pick<GuardianTerms, "confirmations">,
  { block, holds, reason, step }: {
    readonly block: number
    readonly holds: boolean
    readonly reason: string
    readonly step: Step
  }
): Decision => {
  const row = rowAfter(memory, holds, block)
  const counted = { ...memory, row }
  if (row === null) return wait(counted, reason)
  return row.times >= confirmations
    ? { memory: { ...counted, row: null }, step }
    : wait(counted, `${reason} Confirmed by ${row.times} of ${confirmations} readings.`)
}

/** Formats a health factor with four decimals. */
export const factorText = (factor18: bigint | null): string =>
  factor18 === null ? "no debt" : `a health factor of ${format(factor18 / 10n ** 14n, 4)}`

const decideHealth = (terms: HealthTerms, watched: Watched, block: number, factor18: bigint | null): Decision => {
  const reading = `The vault has ${factorText(factor18)}.`
  const memory = { ...watched.memory, reading }
  const [floor, target] = [terms.floor18, terms.target18].map((each) => format(each / 10n ** 14n, 4))
  if (watched.state === "armed") {
    const reason = `${reading} The floor is ${floor ?? ""}.`
    return confirmed(memory, terms, {
      block,
      holds: factor18 !== null && factor18 < terms.floor18,
      reason,
      step: { _tag: "trip", acts: true, reason }
    })
  }
  const goal = watched.state === "tripped" ? terms.floor18 : terms.target18
  if (factor18 === null || factor18 >= goal) {
    return { memory: { ...memory, row: null }, step: { _tag: "clear", reason: reading } }
  }
  const reason = `${reading} It is to reach ${target ?? ""}.`
  return watched.state === "acting" ? { memory, step: { _tag: "act", reason } } : wait(memory, reason)
}

/** Returns the loss from `from` to `to`, percent with two decimals, rounded down; 0 for a gain. */
export const lossOf = (from: bigint | null, to: bigint): number =>
  from === null || from <= to || from === 0n ? 0 : Number((from - to) * 10_000n / from) / 100

/** Compares a loss with its limit, exactly as written. */
const passes = (from: bigint | null, to: bigint, limit: number | null): boolean => {
  if (limit === null || from === null || from <= to) return false
  const { scale, value } = BigDecimal.fromNumberUnsafe(limit)
  return (from - to) * 100n * 10n ** BigInt(Math.max(0, scale)) >= from * value * 10n ** BigInt(Math.max(0, -scale))
}

/** Returns the memory after a share price. Peak and opening are prices that two readings in a row have reached. */
const remembered = (memory: GuardianMemory, day: string, price18: bigint): GuardianMemory => {
  const { last18 } = memory
  if (last18 === null) return { ...memory, last18: price18 }
  const steady = price18 < last18 ? price18 : last18
  const peak18 = memory.peak18 === null || steady > memory.peak18 ? steady : memory.peak18
  // A day opens at the last price of the day before, so that a loss over midnight counts.
  return memory.day === day
    ? { ...memory, last18: price18, peak18 }
    : { ...memory, last18: price18, peak18, day, open18: memory.day === null ? steady : last18 }
}

const decideLoss = (
  terms: LossTerms,
  watched: Watched,
  { block, day, price18 }: Extract<Reading, { readonly _tag: "loss_breaker" }>
): Decision => {
  const known = remembered(watched.memory, day, price18)
  const [daily, total] = [lossOf(known.open18, price18), lossOf(known.peak18, price18)]
  const reading = `A share is worth $${format(price18 / 10n ** 12n, 6)}, ${daily} % less than at the day's beginning ` +
    `and ${total} % less than at its peak.`
  const memory = { ...known, reading }
  if (watched.state === "acting") return { memory, step: { _tag: "act", reason: reading } }
  if (watched.state === "tripped") return wait(memory, `${reading} The breaker has tripped; resetGuardian arms it.`)
  const limits = [
    ...(terms.maxDaily === null ? [] : [`${terms.maxDaily} % a day`]),
    ...(terms.maxTotal === null ? [] : [`${terms.maxTotal} % in total`])
  ].join(", ")
  const reason = `${reading} The limit is ${limits}.`
  return confirmed(memory, terms, {
    block,
    holds: passes(known.open18, price18, terms.maxDaily) || passes(known.peak18, price18, terms.maxTotal),
    reason,
    step: { _tag: "trip", acts: terms.closeInto !== null, reason }
  })
}

const one18 = 10n ** 18n

/** Returns what is wrong with the oracle's answers; undefined when they can be traded on. `now`: unix seconds. */
export const faultOf = (
  { maxAgeSeconds, maxDepeg }: Pick<OracleTerms, "maxAgeSeconds" | "maxDepeg">,
  answers: ReadonlyArray<OracleAnswer>,
  now: number
): string | undefined => {
  for (const { isStable, price18, symbol, updatedAt } of answers) {
    if (price18 === null) return `the vault's oracle has no fresh price for ${symbol}`
    if (maxAgeSeconds !== null) {
      if (updatedAt === null) return `the age of the oracle's answer for ${symbol} is unknown`
      const age = Math.max(0, now - updatedAt)
      if (age > maxAgeSeconds) {
        return `the oracle's answer for ${symbol} is ${age} seconds old; ${maxAgeSeconds} are accepted`
      }
    }
    const distance = price18 > one18 ? price18 - one18 : one18 - price18
    if (isStable && maxDepeg !== null && passes(one18, one18 - distance, maxDepeg)) {
      return `${symbol} is at $${format(price18 / 10n ** 14n, 4)}, ${maxDepeg} % or more off its peg`
    }
  }
  return undefined
}

const decideOracle = (
  terms: OracleTerms,
  watched: Watched,
  { answers, block }: Extract<Reading, { readonly _tag: "oracle" }>,
  now: number
): Decision => {
  const fault = faultOf(terms, answers, Math.max(block, Math.floor(now / 1_000)))
  const memory: GuardianMemory = {
    ...watched.memory,
    reading: fault === undefined
      ? `The oracle's answers for ${answers.map(({ symbol }) => symbol).join(", ")} can be traded on.`
      : `Now ${fault}.`
  }
  if (watched.state === "armed") {
    if (fault === undefined) return wait({ ...memory, row: null }, memory.reading ?? "")
    const reason = `Trades are held: ${fault}.`
    return { memory: { ...memory, row: null }, step: { _tag: "trip", acts: false, reason } }
  }
  if (fault !== undefined) return wait({ ...memory, row: null }, `Trades are held: ${fault}.`)
  const reason = "The oracle's answers can be traded on again."
  return confirmed(memory, terms, { block, holds: true, reason, step: { _tag: "clear", reason } })
}

const decideGas = (terms: GasTerms, watched: Watched, block: number, wei: bigint): Decision => {
  const reading = `The wallet has ${format(wei, 18)} of the native token.`
  const low = wei < terms.minWei
  const refillWei = terms.targetWei > wei ? terms.targetWei - wei : 0n
  const memory: GuardianMemory = { ...watched.memory, reading, refillWei: null }
  const reason = `${reading} The minimum is ${format(terms.minWei, 18)}.`
  if (watched.state === "armed") {
    const decided = confirmed(memory, terms, {
      block,
      holds: low,
      reason,
      step: { _tag: "trip", acts: false, reason: `${reason} A refill of ${format(refillWei, 18)} is proposed.` }
    })
    return decided.step._tag === "trip" ? { ...decided, memory: { ...decided.memory, refillWei } } : decided
  }
  // A tenth above the minimum, so that a balance around it is not reported again and again.
  const refilled = wei * 10n >= terms.minWei * 11n
  return refilled
    ? confirmed(memory, terms, { block, holds: true, reason: reading, step: { _tag: "clear", reason: reading } })
    : wait({ ...memory, row: null, refillWei }, reason)
}

/** Decides about a guardian after a reading of its kind. `now`: unix milliseconds. */
export const decide = (
  guardian: Watched & { readonly terms: GuardianTerms },
  reading: Reading,
  now: number
): Decision => {
  const { terms } = guardian
  const decided = terms._tag === "health_factor" && reading._tag === "health_factor"
    ? decideHealth(terms, guardian, reading.block, reading.factor18)
    : terms._tag === "loss_breaker" && reading._tag === "loss_breaker"
    ? decideLoss(terms, guardian, reading)
    : terms._tag === "oracle" && reading._tag === "oracle"
    ? decideOracle(terms, guardian, reading, now)
    : terms._tag === "gas" && reading._tag === "gas"
    ? decideGas(terms, guardian, reading.block, reading.wei)
    : wait(guardian.memory, "Nothing was read.")
  const { step } = decided
  return guardian.paper && step._tag === "trip"
    ? { ...decided, step: { _tag: "trip", acts: false, reason: `On paper: ${step.reason} Nothing is done.` } }
    : decided
}
