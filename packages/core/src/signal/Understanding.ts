/**
 * Understands a signal: one pure function from a body, its media type and the URL's query to a side, or to the reason
 * why there is none. What contradicts itself is refused.
 */
import * as BodyText from "../endpoint/BodyText.ts"
import type { ValidationCode } from "../failure/Failure.ts"
import type { Side } from "../threshold-bot/ThresholdBot.ts"
import { redacted, type Understood } from "./Signal.ts"
import * as SideWords from "./SideWords.ts"
import * as SignalText from "./SignalText.ts"

/** A call as it arrived. */
export interface Message {
  readonly body: string
  readonly mediaType: string
  /** The URL's query, with or without `?`. */
  readonly query: string
}

/** Why a message is not carried out. */
export interface Fault {
  readonly code: Extract<ValidationCode, "1008" | "1010">
  readonly message: string
}

export interface Understanding {
  readonly understood: Understood
  /** Unix milliseconds. */
  readonly time: number | null
  /** Maximum age in seconds that the message itself asks for. */
  readonly maxLag: number | null
  readonly fault: Fault | null
}

/** The names of each part of a message, as charts and bots write them; without case, `_`, `-` and `.`. */
const names = {
  side: ["side", "direction"],
  position: ["marketposition", "strategymarketposition"],
  action: ["action", "orderaction", "strategyorderaction", "signal"],
  text: ["alert", "message", "text"],
  percent: ["percent", "percentage", "pct", "share"],
  price: ["price", "close", "triggerprice", "orderprice"],
  time: ["timestamp", "ts", "timenow", "time"],
  maxLag: ["maxlag", "maxage"]
} as const
type Part = keyof typeof names

const plain = (name: string) => name.toLowerCase().replaceAll(/[_.\s-]/g, "")

/** A value, and the name under which it was sent. */
interface Given {
  readonly name: string
  readonly value: string
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const isPresent = (value: string) => !["", "null", "na", "undefined"].includes(value.toLowerCase())

type Member = readonly [name: string, value: unknown]

/** Lists members, and those of objects two levels down under joined names. */
const flat = (members: Iterable<Member>, prefix = "", depth = 0): ReadonlyArray<Member> =>
  Array.from(members).flatMap(([name, value]): ReadonlyArray<Member> =>
    typeof value === "object" && value !== null && !Array.isArray(value) && depth < 2
      ? flat(Object.entries(value), `${prefix}${name}.`, depth + 1)
      : [[`${prefix}${name}`, value]]
  )

class Faulty {
  readonly fault: Fault
  constructor(code: Fault["code"], message: string) {
    this.fault = { code, message }
  }
}

/** Parts whose values are compared wherever they are: two that mean different sides are refused. */
const ofSide: ReadonlyArray<Part> = ["side", "position", "action"]

/** Returns the members that give a part, the first of its names first. A side may be in an inner object. */
const given = (members: ReadonlyArray<Member>, part: Part): ReadonlyArray<Member> =>
  names[part].flatMap((wanted) =>
    members.filter(([name]) =>
      plain(name) === wanted || (ofSide.includes(part) && plain(name.slice(name.lastIndexOf(".") + 1)) === wanted)
    )
  )

const isSame = (part: Part, one: string, other: string) =>
  one.toLowerCase() === other.toLowerCase() ||
  (ofSide.includes(part) && SideWords.read(one) !== undefined && SideWords.read(one) === SideWords.read(other))

/** Returns the value of a part; undefined when it is not given. */
const valueOf = (members: ReadonlyArray<Member>, part: Part): Given | Faulty | undefined => {
  const code = ofSide.includes(part) ? "1008" : "1010"
  let first: Given | undefined
  for (const [name, value] of given(members, part)) {
    if (value === null || value === undefined) continue
    if (!isScalar(value)) {
      return new Faulty(code, `${name}: must be one value, not ${Array.isArray(value) ? "a list" : "an object"}`)
    }
    const text = String(value).trim()
    if (!isPresent(text)) continue
    if (first !== undefined && !isSame(part, first.value, text)) {
      if (first.name === name) return new Faulty("1010", `${name}: is given in two places with different values`)
      if (ofSide.includes(part)) {
        return new Faulty("1008", `${first.name}: is another side than ${name}; send one of them`)
      }
    }
    first ??= { name, value: text }
  }
  return first
}

/** Parses unix seconds or milliseconds, or ISO 8601, into unix milliseconds. */
export const readTime = (text: string): number | undefined => {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (/^\d{12,14}$/.test(text)) return Number(text)
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** Parses a number of seconds from 1 to a day. */
export const readSeconds = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 86_400 ? Number(text) : undefined

/** Parses a percentage above 0, at most 100, with or without its sign. */
export const readPercent = (text: string): number | undefined => {
  const value = /^\d{1,3}(\.\d{1,9})?\s*%?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  return value > 0 && value <= 100 ? value : undefined
}

/** Parses a part with a reader that knows what is accepted. */
const parsed = <A>(
  given: Given | Faulty | undefined,
  read: (text: string) => A | undefined,
  code: Fault["code"],
  accepts: string
): A | Faulty | null => {
  if (given === undefined) return null
  if (given instanceof Faulty) return given
  const value = read(given.value)
  return value ??
    new Faulty(code, `${given.name}: ${SideWords.explainPlaceholder(given.value) ?? `must be ${accepts}`}`)
}

const sideIn = (members: ReadonlyArray<Member>, part: "side" | "position" | "action") =>
  parsed(valueOf(members, part), SideWords.read, "1008", SideWords.accepted)

/** 3Commas starts a deal with a message of type `bot` that names no action. */
const startsDeal = (members: ReadonlyArray<Member>) =>
  members.some(([name, value]) => plain(name) === "messagetype" && value === "bot") &&
  members.some(([name]) => plain(name) === "botid") && given(members, "action").length === 0

/**
 * Returns the side that the members name. The position after an order counts before the order, because an order to buy
 * may also close a short position.
 */
const namedSide = (members: ReadonlyArray<Member>): Side | Faulty | null => {
  const side = sideIn(members, "side")
  const position = sideIn(members, "position")
  const action = sideIn(members, "action")
  if (side instanceof Faulty) return side
  if (position instanceof Faulty) return position
  if (action instanceof Faulty) return action
  if (side !== null && position !== null && side !== position) {
    return new Faulty("1008", `side: is ${side}, but market_position is ${position}; send one of them`)
  }
  if (side !== null && action !== null && side !== action) {
    return new Faulty("1008", `side: is ${side}, but action means ${action}; send one of them`)
  }
  return side ?? position ?? action ?? (startsDeal(members) ? "long" : null)
}

const missingSide = new Faulty(
  "1010",
  "Missing required parameter: side (or market_position, action, or a text that is one word)"
)

/** A part that is not understood counts as not given, beside its fault. */
const known = <A>(value: A | Faulty | null): A | null => value instanceof Faulty ? null : value

/** Understands a message. Its side is null only if there is a fault. */
export const understand = ({ body, mediaType, query }: Message): Understanding => {
  const content = BodyText.read(body, mediaType)
  const members = [...flat(new URLSearchParams(query)), ...flat(content.members)]
  const named = namedSide(members)
  const member = valueOf(members, "text")
  const text = content.text ?? (member instanceof Faulty ? undefined : member?.value)
  const meaning = named === null && text !== undefined ? SignalText.read(text) : null
  const side = named ?? (meaning === null
    ? missingSide
    : meaning.fault !== null
    ? new Faulty("1008", `alert: ${meaning.fault}`)
    : meaning.side)
  const percent = parsed(valueOf(members, "percent"), readPercent, "1010", "a percentage above 0, at most 100")
  const ofText = meaning?.percent ?? null
  const share = percent ??
    (ofText === null || readPercent(String(ofText)) !== undefined
      ? ofText
      : new Faulty("1010", "alert: names a percentage that is not above 0 and at most 100"))
  const time = parsed(
    valueOf(members, "time"),
    readTime,
    "1010",
    "a time: unix seconds, unix milliseconds or ISO 8601"
  )
  const maxLag = parsed(valueOf(members, "maxLag"), readSeconds, "1010", "a whole number of seconds from 1 to 86400")
  const price = valueOf(members, "price")
  const first = [side, share, time, maxLag].find((part): part is Faulty => part instanceof Faulty)
  const lacksTime = first === undefined && maxLag !== null && time === null
  return {
    understood: {
      side: known(side),
      percent: known(share),
      price: price !== undefined && !(price instanceof Faulty) && /^\d{1,30}(\.\d{1,30})?$/.test(price.value)
        ? price.value
        : meaning?.price ?? null,
      timestamp: known(time) === null ? null : new Date(Number(known(time))).toISOString(),
      placeholders: SideWords.placeholdersOf(`${query} ${body}`).slice(0, 20),
      unknown_words: (meaning?.unknown ?? []).map((word) => redacted(word).slice(0, 60))
    },
    time: known(time),
    maxLag: known(maxLag),
    fault: first?.fault ??
      (lacksTime
        ? { code: "1010", message: "timestamp: is required with max_lag; in TradingView use {{timenow}}" }
        : null)
  }
}
