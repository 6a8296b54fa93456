/** Decides which waiting events of a channel go into its next message, and when the others are checked again. */
import { isQuiet } from "../signal/SignalRules.ts"
import type { ChannelRules } from "./Channel.ts"

/** An event that is not in a message yet. Times are unix milliseconds. */
export interface Waiting {
  readonly event: string
  readonly urgent: boolean
  readonly at: number
}

export interface Plan {
  /** Events of the next message, oldest first; none when nothing is sent now. */
  readonly send: ReadonlyArray<string>
  /** Events that wait longer than they may; they are dropped. */
  readonly expired: ReadonlyArray<string>
  /** Events that wait, with the time at which they are checked again. */
  readonly hold: ReadonlyArray<{ readonly event: string; readonly until: number }>
}

/** How long an event or a message waits before it is dropped, in milliseconds: a day. */
export const maxWaitMillis = 86_400_000

/** More waiting events than this are one message. */
const maxSingles = 5

const minute = 60_000

/** Time at which events in quiet hours are checked again: the next full minute, as the clock may have changed. */
const afterQuiet = (now: number) => (Math.floor(now / minute) + 1) * minute

/** Quiet hours may be longer than the wait of a failing channel: an event that they hold waits as long as they last. */
const isExpired = ({ at, urgent }: Waiting, { digestMinutes, quiet }: ChannelRules, now: number) =>
  now - at > maxWaitMillis + (urgent ? 0 : digestMinutes * minute + (quiet === null ? 0 : maxWaitMillis))

/**
 * Plans the next message. `sentAt`: times of the channel's messages of the last hour, oldest first.
 */
export const plan = (
  waiting: ReadonlyArray<Waiting>,
  rules: ChannelRules,
  sentAt: ReadonlyArray<number>,
  now: number
): Plan => {
  const expired = waiting.filter((each) => isExpired(each, rules, now))
  const open = waiting.filter((each) => !expired.includes(each)).sort((a, b) => a.at - b.at)
  const quiet = rules.quiet !== null && isQuiet(rules.quiet, now)
  const normal = open.filter(({ urgent }) => !urgent)
  const digestAt = (normal[0]?.at ?? now) + rules.digestMinutes * minute
  const normalHeld = quiet ? afterQuiet(now) : digestAt > now ? digestAt : undefined
  const due = normalHeld === undefined ? open : open.filter(({ urgent }) => urgent)
  const held = normalHeld === undefined ? [] : normal.map(({ event }) => ({ event, until: normalHeld }))
  const done = (send: ReadonlyArray<Waiting>, hold: Plan["hold"]): Plan => ({
    send: send.map(({ event }) => event),
    expired: expired.map(({ event }) => event),
    hold
  })
  if (due.length === 0) return done([], held)
  const oldest = sentAt.length >= rules.perHour ? sentAt.at(-rules.perHour) : undefined
  if (oldest !== undefined && oldest + 60 * minute > now) {
    // At the limit: what comes meanwhile is one message, as soon as the limit permits one.
    return done([], [...held, ...due.map(({ event }) => ({ event, until: oldest + 60 * minute }))])
  }
  // A digest, and what piled up at the limit or while the channel failed, is one message.
  const isGrouped = (rules.digestMinutes > 0 && normalHeld === undefined) || due.length > maxSingles ||
    sentAt.length >= rules.perHour - 1
  return done(isGrouped ? due : due.slice(0, 1), held)
}
