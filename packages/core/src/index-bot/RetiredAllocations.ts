/**
 * Parses the targets of the retired setAllocations: lists with dashes between their items (`assets=WBTC-WETH` beside
 * `allocations=50-50`), or assets and weights in turn (`allocations=BTC-50-ETH-30-USDC-20`).
 */
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import * as Targets from "./Targets.ts"

const separated = "items with dashes between them (or a JSON list)"

const isItem = (item: unknown): item is string | number =>
  typeof item === "number" || (typeof item === "string" && item.trim() !== "")

/** Splits a list at its dashes, or returns what is wrong with it. */
const split = (given: unknown): Result.Result<ReadonlyArray<string>, string> => {
  const items: ReadonlyArray<unknown> = typeof given === "string"
    ? given.trim().split("-")
    : Array.isArray(given)
    ? given
    : [given]
  return items.length <= 2 * Targets.bounds.max && items.every(isItem)
    ? Result.succeed(items.map((item) => String(item).trim()))
    : Result.fail(`must be 1 to ${2 * Targets.bounds.max} ${separated}, none of them empty`)
}

const DashList: Schema.Codec<ReadonlyArray<string>, unknown> = Schema.Unknown.pipe(Schema.decodeTo(
  Schema.Array(Schema.String),
  SchemaTransformation.transformEffect({
    decode: (given: unknown) =>
      Result.match(split(given), {
        onFailure: (fault) => Effect.fail(new SchemaIssue.InvalidValue({ message: fault }, given)),
        onSuccess: Effect.succeed
      }),
    encode: Effect.succeed
  })
))

/** Declares a list of the retired syntax. */
export const List = (description: string, example: string) =>
  Param.json(DashList, {
    accepts: separated,
    description,
    example,
    jsonSchema: { type: "string" },
    explain: (given) => Result.match(split(given), { onFailure: (fault) => fault, onSuccess: () => undefined })
  })

/** The parameters that are lists of the retired syntax. */
export const lists = {
  assets: Schema.optional(List("The targets' assets, with dashes between them.", "WETH-USDC")),
  allocations: Schema.optional(
    List(
      "The weights of `assets` in percent of the whole vault, with dashes between them; without `assets`, assets " +
        "and weights in turn (BTC-50-ETH-30-USDC-20).",
      "50-50"
    )
  ),
  lower_thresholds: Schema.optional(
    List("Percentage points that each asset may fall below its target.", "5-5")
  ),
  upper_thresholds: Schema.optional(
    List("Percentage points that each asset may rise above its target.", "5-5")
  ),
  slippages: Schema.optional(List("Percent of slippage for each asset.", "1-1"))
}

/** The lists of a request. */
interface Lists {
  readonly assets?: ReadonlyArray<string> | undefined
  readonly allocations?: ReadonlyArray<string> | undefined
  readonly lower_thresholds?: ReadonlyArray<string> | undefined
  readonly upper_thresholds?: ReadonlyArray<string> | undefined
  readonly slippages?: ReadonlyArray<string> | undefined
}

/** The targets in the lists, and what the caller should know about how they were read. */
export interface ReadLists {
  readonly targets: ReadonlyArray<Targets.UnresolvedTarget>
  /** Percent; undefined when the caller named none. */
  readonly slippage: number | undefined
  readonly notes: ReadonlyArray<string>
}

/** A parameter and what is wrong with it. */
interface Fault {
  readonly name: string
  readonly message: string
}

const fault = (name: string, message: string): Result.Result<never, Fault> => Result.fail({ name, message })

/** Parses numbers from `min` (exclusive if `positive`) to `max`. */
const numbers = (
  name: keyof Lists,
  items: ReadonlyArray<string>,
  { max, positive }: { readonly max: number; readonly positive: boolean }
): Result.Result<ReadonlyArray<number>, Fault> => {
  const values = items.map((item) => {
    const decimal = Params.readDecimal(item)
    return decimal === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(decimal)
  })
  const wrong = values.findIndex((value) => !(positive ? value > 0 : value >= 0) || value > max)
  return wrong === -1
    ? Result.succeed(values)
    : fault(
      name,
      `must be numbers ${positive ? "above" : "from"} 0 ${positive ? "and at most" : "to"} ${max}; ` +
        `the one in place ${wrong + 1} is not`
    )
}

/** Reads an optional list that has one number for each asset. */
const numbersPerAsset = (
  name: "lower_thresholds" | "upper_thresholds" | "slippages",
  lists: Lists,
  assets: ReadonlyArray<string>,
  range: { readonly max: number; readonly positive: boolean }
): Result.Result<ReadonlyArray<number> | undefined, Fault> => {
  const items = lists[name]
  if (items === undefined) return Result.succeed(undefined)
  return items.length === assets.length
    ? numbers(name, items, range)
    : fault(name, `must match assets: ${assets.length} assets, ${items.length} ${name}`)
}

const pairs = (words: ReadonlyArray<string>): Result.Result<ReadonlyArray<Targets.UnresolvedTarget>, Fault> =>
  words.length < 2 || words.length % 2 !== 0
    ? fault(
      "allocations",
      "must be numbers beside assets (assets=WBTC-WETH&allocations=50-50), or assets and weights in turn, as " +
        "BTC-50-ETH-30-USDC-20"
    )
    : Result.mapError(
      Targets.read(
        words.flatMap((word, index) => index % 2 === 0 ? [{ asset: word, weight: words[index + 1] }] : [])
      ),
      (message) => ({ name: "allocations", message })
    )

/** Chooses one tolerance from the points allowed below and above a target: the smaller. */
const toleranceAt = (
  index: number,
  lower: ReadonlyArray<number> | undefined,
  upper: ReadonlyArray<number> | undefined
): number | null => {
  const given = [lower?.[index], upper?.[index]].filter((points) => points !== undefined)
  return given.length === 0 ? null : Math.min(...given)
}

const differs = (values: ReadonlyArray<number> | undefined, others = values) =>
  values !== undefined && others !== undefined &&
  values.some((value, index) => value !== (others === values ? values[0] : others[index]))

/** Explains how lists that this service has no exact equivalent of were read. */
const notesOf = (
  lower: ReadonlyArray<number> | undefined,
  upper: ReadonlyArray<number> | undefined,
  slippages: ReadonlyArray<number> | undefined
): ReadonlyArray<string> => [
  ...(lower === undefined && upper === undefined
    ? []
    : [
      "Thresholds are read as percentage points below and above the target, and an index has one tolerance for both."
    ]),
  ...(differs(lower, upper) ? ["Where they differ, the smaller one is the tolerance."] : []),
  ...(differs(slippages) ? ["An index has one slippage for all its trades: the smallest one given."] : [])
]

const besideAssets = (
  assets: ReadonlyArray<string>,
  lists: Lists
): Result.Result<ReadLists, Fault> =>
  Result.gen(function*() {
    const { allocations } = lists
    if (allocations === undefined) {
      return yield* fault("allocations", "is missing; it has one weight for each of assets")
    }
    if (allocations.length !== assets.length) {
      return yield* fault(
        "allocations",
        `must match assets: ${assets.length} assets, ${allocations.length} allocations`
      )
    }
    const lower = yield* numbersPerAsset("lower_thresholds", lists, assets, { max: 100, positive: false })
    const upper = yield* numbersPerAsset("upper_thresholds", lists, assets, { max: 100, positive: false })
    const slippages = yield* numbersPerAsset("slippages", lists, assets, { max: 5, positive: true })
    const targets = yield* Result.mapError(
      Targets.read(assets.map((asset, index) => ({
        asset,
        weight: allocations[index],
        tolerance: toleranceAt(index, lower, upper)
      }))),
      (message) => ({ name: "allocations", message })
    )
    return {
      targets,
      slippage: slippages === undefined ? undefined : Math.min(...slippages),
      notes: notesOf(lower, upper, slippages)
    }
  })

const lonely = (lists: Lists) =>
  (["lower_thresholds", "upper_thresholds", "slippages"] as const).find((name) => lists[name] !== undefined)

/** Reads the lists of a request, or returns the parameter that is wrong and why. */
export const read = (lists: Lists): Result.Result<ReadLists, Fault> => {
  const { allocations, assets } = lists
  if (assets !== undefined) return besideAssets(assets, lists)
  const alone = lonely(lists)
  if (alone !== undefined) return fault(alone, "must match assets, which is missing")
  return allocations === undefined
    ? fault("targets", "is missing")
    : Result.map(pairs(allocations), (targets) => ({ targets, slippage: undefined, notes: [] }))
}
