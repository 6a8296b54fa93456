/** A token's price from several sources. A price is used only when the sources agree. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Token } from "../chain/Token.ts"

/** The price from one source: USD (18 decimals) per whole token. */
export const Reading = Schema.Struct({
  source: Schema.String,
  usd18: Schema.BigIntFromString,
  /** Time of the request, unix milliseconds. */
  readAt: Schema.Number,
  /** Time of the price according to its source, unix milliseconds; null when the source gives none. */
  updatedAt: Schema.NullOr(Schema.Number)
}).annotate({ identifier: "PriceReading" })
export type Reading = typeof Reading.Type

/**
 * The prices of a token from all sources of a network, in order of preference. Sources without a price are listed with
 * the reason.
 */
export const Readings = Schema.Struct({
  token: Token,
  readings: Schema.Array(Reading),
  silent: Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String }))
}).annotate({ identifier: "PriceReadings" })
export type Readings = typeof Readings.Type

/** The maximum difference between sources, in percent of the lower price. */
const maxDeviationPercent = 2n

/** The reason why no price can be used: no source has one, or two sources disagree. */
interface Unusable {
  readonly reason: string
}

/** Formats USD with six decimals, for display. */
const formatUsd = (usd18: bigint) => (Number(usd18 / 10n ** 12n) / 1e6).toString()

/** Returns the first source's reading if no other source differs from it by more than `maxDeviationPercent`. */
export const findAgreedReading = (
  { readings, silent }: Pick<Readings, "readings" | "silent">
): Result.Result<Reading, Unusable> => {
  const [first, ...others] = readings
  if (first === undefined) {
    return Result.fail({
      reason: `no source has a price (${
        silent.map(({ reason, source }) => `${source}: ${reason}`).join("; ") || "none is configured"
      })`
    })
  }
  const outlier = others.find(({ usd18 }) => isApart(first.usd18, usd18))
  return outlier === undefined
    ? Result.succeed(first)
    : Result.fail({
      reason: `the sources are more than ${maxDeviationPercent} % apart: ${first.source} says ${
        formatUsd(first.usd18)
      } USD, ${outlier.source} ${formatUsd(outlier.usd18)} USD`
    })
}

const isApart = (one: bigint, other: bigint) => {
  const [low, high] = one < other ? [one, other] : [other, one]
  return (high - low) * 100n > low * maxDeviationPercent
}

/**
 * Returns the age of a price in seconds, by its source's time, or by the time of reading when the source gives none.
 */
export const ageSeconds = ({ readAt, updatedAt }: Pick<Reading, "readAt" | "updatedAt">, now: number): number =>
  Math.max(0, Math.round((now - (updatedAt ?? readAt)) / 1000))
