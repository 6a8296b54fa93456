/** What a token is worth, as several sources tell it: they are held against each other before anybody believes one. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Token } from "../chain/Token.ts"

/** What one source says: USD (18 decimals) of one whole token. */
export const Reading = Schema.Struct({
  source: Schema.String,
  usd18: Schema.BigIntFromString,
  /** When we asked, unix milliseconds. */
  readAt: Schema.Number,
  /** When the source says its figure is from, unix milliseconds; null where it does not say. */
  updatedAt: Schema.NullOr(Schema.Number)
}).annotate({ identifier: "PriceReading" })
export type Reading = typeof Reading.Type

/** What all sources of a network say of a token, first source first; those that say nothing are named with their reason. */
export const Readings = Schema.Struct({
  token: Token,
  readings: Schema.Array(Reading),
  silent: Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String }))
}).annotate({ identifier: "PriceReadings" })
export type Readings = typeof Readings.Type

/** How far sources may be apart, in percent of the lower. */
export const mostApart = 2n

/** Why no price can be used: nobody says one, or two sources contradict each other. */
export interface Unusable {
  readonly reason: string
}

/** USD with six decimals, for people. */
const shown = (usd18: bigint) => (Number(usd18 / 10n ** 12n) / 1e6).toString()

/** The first source's reading, while no other is further from it than `mostApart`. */
export const agreed = ({ readings, silent }: Pick<Readings, "readings" | "silent">): Result.Result<Reading, Unusable> => {
  const [first, ...others] = readings
  if (first === undefined) {
    return Result.fail({ reason: `no source has a price (${silent.map(({ reason, source }) => `${source}: ${reason}`).join("; ") || "none is configured"})` })
  }
  const stranger = others.find(({ usd18 }) => isApart(first.usd18, usd18))
  return stranger === undefined
    ? Result.succeed(first)
    : Result.fail({
      reason: `the sources are more than ${mostApart} % apart: ${first.source} says ${shown(first.usd18)} USD, ${stranger.source} ${shown(stranger.usd18)} USD`
    })
}

const isApart = (one: bigint, other: bigint) => {
  const [low, high] = one < other ? [one, other] : [other, one]
  return (high - low) * 100n > low * mostApart
}

/** Seconds since the figure is from, or since it was read where the source does not say. */
export const ageSeconds = ({ readAt, updatedAt }: Pick<Reading, "readAt" | "updatedAt">, now: number): number =>
  Math.max(0, Math.round((now - (updatedAt ?? readAt)) / 1000))
