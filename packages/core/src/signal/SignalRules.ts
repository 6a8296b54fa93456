/** The rules of a webhook token: when its calls count. A call that does not count is recorded and refused. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Hours in which nothing is done, every day, in a time zone; over midnight where `to` is before `from`. */
export const QuietHours = Schema.Struct({ from: Schema.String, to: Schema.String, timeZone: Schema.String })
export type QuietHours = typeof QuietHours.Type

export const SignalRules = Schema.Struct({
  muted: Schema.Boolean,
  quiet: Schema.NullOr(QuietHours),
  /** Addresses, blocks of addresses and names of charting services; null: any source. */
  sources: Schema.NullOr(Schema.Array(Schema.String)),
  /** Calls that count in a minute; null: any number. */
  perMinute: Schema.NullOr(Schema.Int),
  /** Seconds after its own time in which a call counts; null: always. */
  maxAge: Schema.NullOr(Schema.Int)
})
export type SignalRules = typeof SignalRules.Type

/** The rules of a new token. */
export const noRules: SignalRules = { muted: false, quiet: null, sources: null, perMinute: null, maxAge: null }

/** The highest rate of a token, and the number of calls of a minute that are counted. */
export const maxPerMinute = 600

/** Addresses from which charting services call, as they publish them. */
export const publishedSources: Readonly<Record<string, ReadonlyArray<string>>> = {
  tradingview: ["52.89.214.238", "34.212.75.30", "54.218.53.128", "52.32.178.7"]
}

/** Returns the addresses and blocks of a list of sources, with the names of services replaced by their addresses. */
export const addressesOf = (sources: ReadonlyArray<string>): ReadonlyArray<string> =>
  sources.flatMap((source) => publishedSources[source] ?? [source])

/** Seconds that a chart's clock may be ahead of this one. */
const maxAhead = 60

/** Parses `22:00-06:00 Europe/Berlin`; the time zone is UTC where none is named. */
export const readQuiet = (text: string): QuietHours | undefined => {
  const [, from, to, timeZone = "UTC"] =
    /^((?:[01]\d|2[0-3]):[0-5]\d)\s*-\s*((?:[01]\d|2[0-3]):[0-5]\d)(?:\s+([A-Za-z][\w+/-]{0,50}))?$/.exec(text) ?? []
  return from === undefined || to === undefined || from === to || Option.isNone(clockOf(timeZone))
    ? undefined
    : { from, to, timeZone }
}

export const showQuiet = ({ from, timeZone, to }: QuietHours): string => `${from}-${to} ${timeZone}`

/** Returns the function that returns the time of day in a time zone, as `22:05`; none for an unknown zone. */
const clockOf = (timeZone: string): Option.Option<(millis: number) => string> =>
  Option.map(
    Option.liftThrowable(() =>
      new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    )(),
    (format) => (millis) => format.format(new Date(millis))
  )

/** Checks whether a time is in the quiet hours. */
export const isQuiet = ({ from, timeZone, to }: QuietHours, millis: number): boolean => {
  const clock = Option.getOrUndefined(clockOf(timeZone))
  if (clock === undefined) return false
  const time = clock(millis)
  return from < to ? from <= time && time < to : time >= from || time < to
}

/** A call to which the rules are applied. */
export interface Occasion {
  /** Unix milliseconds. */
  readonly now: number
  /** The time that the call names; null without one. */
  readonly time: number | null
  /** Maximum age in seconds that the call itself asks for. */
  readonly maxLag: number | null
  /** The source, and whether the rules list it. */
  readonly source: string
  readonly isListed: boolean
  /** Calls of the token that counted in the last minute. */
  readonly recent: number
}

const ageRefusal = ({ maxAge }: SignalRules, { maxLag, now, time }: Occasion): string | null => {
  const [limit, name] = maxAge === null || (maxLag !== null && maxLag <= maxAge)
    ? [maxLag, "max_lag"] as const
    : [maxAge, "the token's max_age"] as const
  if (limit === null) return null
  if (time === null) return `timestamp: is required with ${name}; in TradingView use {{timenow}}`
  const seconds = Math.floor((now - time) / 1000)
  if (seconds > limit) {
    return `timestamp: the alert is ${seconds} s old, and ${name} is ${limit} s; nothing was done`
  }
  return seconds < -maxAhead
    ? `timestamp: is ${-seconds} s in the future, so its age is unknown; nothing was done`
    : null
}

/** Returns why a call does not count; null when it does. */
export const refusalOf = (rules: SignalRules, occasion: Occasion): string | null => {
  const { muted, perMinute, quiet } = rules
  if (muted) return "token: is muted; nothing was done. setWebhookToken with muted=false ends that"
  if (!occasion.isListed) return `token: takes no calls from ${occasion.source}; nothing was done`
  if (quiet !== null && isQuiet(quiet, occasion.now)) {
    return `token: has quiet hours, ${showQuiet(quiet)}; nothing was done`
  }
  if (perMinute !== null && occasion.recent >= perMinute) {
    return `token: its rate is ${perMinute} a minute, and as many have counted; nothing was done`
  }
  return ageRefusal(rules, occasion)
}

/** Returns true if every call that counts by the new rules also counts by the old ones. */
export const isTighter = (before: SignalRules, after: SignalRules): boolean => {
  const fewer = (old: number | null, next: number | null) => old === null || (next !== null && next <= old)
  const { quiet, sources } = before
  return (!before.muted || after.muted) &&
    fewer(before.perMinute, after.perMinute) && fewer(before.maxAge, after.maxAge) &&
    (quiet === null || (after.quiet !== null && showQuiet(quiet) === showQuiet(after.quiet))) &&
    (sources === null ||
      (after.sources !== null && addressesOf(after.sources).every((each) => addressesOf(sources).includes(each))))
}
