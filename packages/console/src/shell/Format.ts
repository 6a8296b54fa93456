/** Formats money, amounts, percentages and times for people. Every page uses these functions, so that figures agree. */
import { language, locale, t } from "../text/Text.ts"
import { nextTask } from "./Tasks.ts"

/** Stands for a value that is not known. */
export const unknown = "–"

const minus = (text: string): string => text.replace("-", "−")

/** Makes a format when it is first used, and once: it is as much work as a row of a table, the first one of a page. */
const once = <A>(make: () => A): () => A => {
  let made: A | undefined
  return () => made ??= make()
}

const numbers = (options: Intl.NumberFormatOptions) => once(() => new Intl.NumberFormat(locale, options))

const cents = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
const compact = numbers({ notation: "compact", maximumFractionDigits: 2 })

/** Formats by most decimals and by most significant digits. */
const upTo2 = numbers({ maximumFractionDigits: 2 })
const upTo4 = numbers({ maximumFractionDigits: 4 })
const upTo6 = numbers({ maximumFractionDigits: 6 })
const digits4 = numbers({ maximumSignificantDigits: 4 })
const digits5 = numbers({ maximumSignificantDigits: 5 })
const digits6 = numbers({ maximumSignificantDigits: 6 })

// The first format of a page loads the browser's data of its language, which is a task of its own.
void nextTask().then(cents)

/** Formats US dollars with the sign before them, in each language: some write "USD", or a space that others lack. */
const usdText = (value: number, format: () => Intl.NumberFormat): string =>
  `${value < 0 ? "−" : ""}$${format().format(Math.abs(value))}`

/** Formats US dollars with cents. */
export const dollars = (value: number): string => usdText(value, cents)

/** Formats a limit in US dollars; without one, in words. */
export const limitText = (usd: string | null | undefined): string =>
  usd === null || usd === undefined ? t("no limit") : money(usd)

/** Formats US dollars with cents; a dash for an unknown value. */
export const money = (value: number | string | null | undefined): string =>
  value === null || value === undefined ? unknown : dollars(Number(value))

/** Formats US dollars for narrow places: "$1.25M". Below 100,000 it has cents. */
export const compactMoney = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? unknown
    : usdText(value, Math.abs(value) < 1e5 ? cents : compact)

/** Rounds to the two decimals of money and of changes in percent; a change that rounds to nothing has no sign. */
export const toHundredths = (value: number): number => Math.round(value * 100) / 100 + 0

/** Formats a gain or a loss in US dollars, with its sign. */
export const signedMoney = (value: number | string | null | undefined): string => {
  if (value === null || value === undefined) return unknown
  const number = toHundredths(Number(value))
  return number > 0 ? `+${dollars(number)}` : dollars(number)
}

/** Formats a price: two decimals from 1,000, otherwise six significant digits. */
export const price = (value: number | string | null | undefined): string =>
  value === null || value === undefined
    ? unknown
    : (Math.abs(Number(value)) >= 1_000 ? upTo2 : digits6)().format(Number(value))

/** Formats a quantity in human units with at most six decimals. */
export const quantity = (text: string): string => upTo6().format(Number(text))

/** Formats an amount for a column: four decimals from 1, two from 1,000, four significant digits below 1. */
export const amount = (text: string | null | undefined): string => {
  if (text === null || text === undefined) return unknown
  const value = Number(text)
  const size = Math.abs(value)
  if (size !== 0 && size < 1e-6) return minus(value.toExponential(2))
  return minus((size >= 1_000 ? upTo2 : size >= 1 ? upTo4 : digits4)().format(value))
}

/** Formats a percentage with at most two decimals and a non-breaking space. */
export const percent = (value: number): string => `${minus(upTo2().format(value))}\u00a0%`

/** Formats a change in percent, with its sign and two decimals. */
export const signedPercent = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return unknown
  const rounded = toHundredths(value)
  return `${rounded > 0 ? "+" : ""}${minus(cents().format(rounded))}\u00a0%`
}

const dateTime = once(() =>
  new Intl.DateTimeFormat(language === "en" ? undefined : locale, { dateStyle: "medium", timeStyle: "medium" })
)

/** Formats an ISO 8601 time in the page's language, English as the user's locale writes it, and time zone. */
export const moment = (iso: string): string => dateTime().format(new Date(iso))

const ages = [[86_400, "day"], [3_600, "hour"], [60, "minute"], [1, "second"]] as const

/** Words a number of units in a narrow place. */
const shortSpans = {
  day: (count: number) => t("{count} d", { count }),
  hour: (count: number) => t("{count} h", { count }),
  minute: (count: number) => t("{count} min", { count }),
  second: (count: number) => t("{count} s", { count })
}

const spans = {
  day: (count: number) => t("{count, plural, one {# day} other {# days}}", { count }),
  hour: (count: number) => t("{count, plural, one {# hour} other {# hours}}", { count }),
  minute: (count: number) => t("{count, plural, one {# minute} other {# minutes}}", { count }),
  second: (count: number) => t("{count, plural, one {# second} other {# seconds}}", { count })
}

/** Formats the time from one moment to another, both in milliseconds: "5 min ago", "in 2 h". */
export const relative = (at: number, now: number): string => {
  const seconds = Math.round(Math.abs(at - now) / 1000)
  if (seconds < 5) return t("now")
  const [size, unit] = ages.find(([each]) => seconds >= each) ?? ages[3]
  const span = shortSpans[unit](Math.floor(seconds / size))
  return at > now ? t("in {span}", { span }) : t("{span} ago", { span })
}

/** Formats seconds as `6 hours`. */
export const spanOf = (seconds: number): string => {
  const [size, unit] = ages.find(([each]) => seconds % each === 0) ?? ages[3]
  return spans[unit](seconds / size)
}

/** Formats a quantity and its token with five significant digits: "0.0001897 ETH". */
export const shortOf = (text: string): string => {
  const [value = "", ...token] = text.split(" ")
  return [short(value), ...token].join(" ")
}

/** Formats a decimal text with five significant digits, for display only. */
export const short = (text: string): string => digits5().format(Number(text))

/** Shortens the long amounts in a sentence of the service: "Sold 6000 USDC for 1.9973 WETH". */
export const readable = (sentence: string): string =>
  sentence.replace(/(?<![\w.])\d+\.\d{7,}(?![\w.]*\w)/g, (text) => amount(text))

/** Lists parts as the language does: "a, b and c", "a or b", or without a word between them. */
export const listOf = (parts: ReadonlyArray<string>, type: "and" | "or" | "none"): string =>
  listFormats[type]().format(parts)

const listFormats = {
  and: once(() => new Intl.ListFormat(locale, { type: "conjunction" })),
  or: once(() => new Intl.ListFormat(locale, { type: "disjunction" })),
  none: once(() => new Intl.ListFormat(locale, { type: "unit", style: "short" }))
}

/** Shortens an address or a hash, for the places where it has no name. */
export const shortHex = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`

/** The length up to which sentences of a message are shown at once. */
const summaryLength = 150

/** Splits a service's message: its first sentences with short amounts, and the rest, which is shown on demand. */
export const summaryOf = (message: string): { readonly summary: string; readonly details: string } => {
  const sentences = message.split(/(?<=[.!?]) (?=\S)/)
  let summary = sentences.shift() ?? ""
  while (sentences[0] !== undefined && summary.length + sentences[0].length < summaryLength) {
    summary = `${summary} ${sentences.shift() ?? ""}`
  }
  return { summary: readable(summary), details: sentences.join(" ") }
}
