/** Parses targets as callers write them: a list of `{asset, weight, tolerance?}`. */
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Schema from "effect/Schema"
import { symbolOf } from "../chain/Token.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"

export const bounds = { min: 2, max: 20 } as const

/** A target whose asset is as the caller named it, not yet resolved. */
export const UnresolvedTarget = Schema.Struct({
  asset: Schema.String,
  /** Percent of the whole vault. */
  weight: Schema.Number,
  /** Percentage points; null for the index's default. */
  tolerance: Schema.NullOr(Schema.Number)
})
export type UnresolvedTarget = typeof UnresolvedTarget.Type

type Read<A> = Result.Result<A, string>

const readAsset = Schema.decodeUnknownOption(Params.Asset("Asset"))
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** Parses a decimal from a JSON number or text. */
const decimalOf = (given: unknown): BigDecimal.BigDecimal | undefined =>
  typeof given === "number" || typeof given === "string" ? Params.readDecimal(String(given).trim()) : undefined

const percentOf = (given: unknown, accept: (value: number) => boolean): number | undefined => {
  const decimal = decimalOf(given)
  const value = decimal === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(decimal)
  return accept(value) ? value : undefined
}

const memberOf = (given: unknown, place: number): Read<UnresolvedTarget> => {
  const wrong = (what: string) => Result.fail(`${what}, in place ${place}`)
  if (!isRecord(given) || Array.isArray(given)) return wrong("has a member that is no object {asset, weight}")
  const asset = Option.filter(readAsset(given["asset"]), (text) => text !== "")
  if (Option.isNone(asset)) return wrong("has a member whose asset is no token symbol or address")
  const weight = percentOf(given["weight"], (value) => value > 0 && value <= 100)
  if (weight === undefined) return wrong("has a member whose weight is not above 0 and at most 100")
  const own = given["tolerance"]
  const tolerance = own === undefined || own === null ? null : percentOf(own, (value) => value >= 0 && value <= 100)
  return tolerance === undefined
    ? wrong("has a member whose tolerance is not from 0 to 100")
    : Result.succeed({ asset: asset.value, weight, tolerance })
}

const isHundred = (sum: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThanOrEqualTo(
    BigDecimal.abs(BigDecimal.subtract(sum, BigDecimal.make(100n, 0))),
    BigDecimal.make(1n, 2)
  )

/** Returns the first item whose name, or an alias of it, occurs earlier in the list. */
export const findRepeated = <A>(items: ReadonlyArray<A>, nameOf: (item: A) => string): A | undefined =>
  items.find((item, index) => items.findIndex((earlier) => nameOf(earlier) === nameOf(item)) < index)

/** Checks targets against each other: each asset once, weights that sum to 100. */
const consistent = (targets: ReadonlyArray<UnresolvedTarget>): Read<ReadonlyArray<UnresolvedTarget>> => {
  const twice = findRepeated(targets, ({ asset }) => symbolOf(asset))
  if (twice !== undefined) {
    return Result.fail(
      `Duplicate asset: ${
        symbolOf(twice.asset)
      } is named more than once (BTC is WBTC, ETH is WETH, USD is USDC, POL is WMATIC)`
    )
  }
  const sum = BigDecimal.sumAll(targets.map(({ weight }) => BigDecimal.fromNumberUnsafe(weight)))
  return isHundred(sum)
    ? Result.succeed(targets)
    : Result.fail(`have weights that sum to ${BigDecimal.format(sum)}; they must sum to 100`)
}

/** Reads targets from a list of objects, or returns what is wrong with it. */
export const read = (given: unknown): Read<ReadonlyArray<UnresolvedTarget>> => {
  if (!Array.isArray(given)) return Result.fail("must be a JSON list of objects {asset, weight, tolerance?}")
  if (given.length < bounds.min || given.length > bounds.max) {
    return Result.fail(`must be ${bounds.min} to ${bounds.max} targets, not ${given.length}`)
  }
  return Result.flatMap(Result.all(given.map((each, index) => memberOf(each, index + 1))), consistent)
}

const schemaOf = (
  reading: (given: unknown) => Read<ReadonlyArray<UnresolvedTarget>>
): Schema.Codec<ReadonlyArray<UnresolvedTarget>, unknown> =>
  Schema.Unknown.pipe(Schema.decodeTo(
    Schema.Array(Schema.toType(UnresolvedTarget)),
    SchemaTransformation.transformEffect({
      decode: (given: unknown) =>
        Result.match(reading(given), {
          onFailure: (fault) => Effect.fail(new SchemaIssue.InvalidValue({ message: fault }, given)),
          onSuccess: Effect.succeed
        }),
      encode: Effect.succeed
    })
  ))

const explainBy = (reading: (given: unknown) => Read<unknown>) => (given: unknown) =>
  Result.match(reading(given), { onFailure: (fault) => fault, onSuccess: () => undefined })

const example = [{ asset: "WETH", weight: 50 }, { asset: "WBTC", weight: 30, tolerance: 2 }, {
  asset: "USDC",
  weight: 20
}]

export const Targets = Param.json(schemaOf(read), {
  accepts: "a JSON list of 2 to 20 objects {asset, weight, tolerance?} of different assets whose weights sum to 100",
  description:
    "The vault's targets: 2 to 20 objects {asset, weight, tolerance?} of different assets. `weight` is percent of the whole " +
    "vault; all weights sum to 100. `tolerance` is the deviation in percentage points allowed for this asset.",
  example,
  jsonSchema: {
    type: "array",
    minItems: bounds.min,
    maxItems: bounds.max,
    items: {
      type: "object",
      required: ["asset", "weight"],
      properties: {
        asset: { type: "string" },
        weight: { type: "number", exclusiveMinimum: 0, maximum: 100 },
        tolerance: { type: "number", minimum: 0, maximum: 100 }
      }
    }
  },
  explain: explainBy(read)
})
