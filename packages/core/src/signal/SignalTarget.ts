/** The bots that a webhook token drives. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { IndexTarget } from "../index-bot/IndexBot.ts"
import * as Targets from "../index-bot/Targets.ts"
import { sides } from "../threshold-bot/ThresholdBot.ts"
import { legsOf } from "../chain/PairText.ts"
import { Pair } from "../endpoint/Pair.ts"

/** Maximum number of bots of a token. */
export const maxTargets = 20

/** A threshold bot. `weight`: the percent of the wrong side's balance that a trade sells when a signal names none. */
const ThresholdTarget = Schema.Struct({
  kind: Schema.Literal("threshold"),
  network: Network,
  pool: Address,
  base: Schema.String,
  quote: Schema.String,
  /** Percent; null: as the bot is set. */
  weight: Schema.NullOr(Schema.Number)
})
export type ThresholdTarget = typeof ThresholdTarget.Type

/** The bot of a pair of an exchange account. */
const ExchangeTarget = Schema.Struct({
  kind: Schema.Literal("exchange"),
  subaccount: Schema.String,
  pair: Schema.String,
  weight: Schema.NullOr(Schema.Number)
})
export type ExchangeTarget = typeof ExchangeTarget.Type

const setsOf = <S extends Schema.Top>(set: S) => Schema.Record(Schema.Literals(sides), Schema.optionalKey(set))

/** A vault's index bot, which gets other targets at each side. A side without targets changes nothing. */
const IndexTargetSets = Schema.Struct({
  kind: Schema.Literal("index"),
  network: Network,
  pool: Address,
  sets: setsOf(Schema.Array(IndexTarget))
})
export type IndexTargetSets = typeof IndexTargetSets.Type

/** A bot of a token, as it is stored. */
export const SignalTarget = Schema.Union([ThresholdTarget, ExchangeTarget, IndexTargetSets])
export type SignalTarget = typeof SignalTarget.Type

/** A bot as its caller names it: the targets of an index are not resolved to tokens yet. */
const UnresolvedTarget = Schema.Union([
  ThresholdTarget,
  ExchangeTarget,
  Schema.Struct({ ...IndexTargetSets.fields, sets: setsOf(Schema.Array(Targets.UnresolvedTarget)) })
])
export type UnresolvedTarget = typeof UnresolvedTarget.Type

type Read<A> = Result.Result<A, string>
type Members = Readonly<Record<string, unknown>>

const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))
const readNetwork = Schema.decodeUnknownOption(Params.Network)
const readPool = Schema.decodeUnknownOption(Params.Pool)
const readPair = Schema.decodeUnknownOption(Pair)

const weightOf = (given: unknown): number | null | undefined => {
  if (given === undefined || given === null) return null
  const value = typeof given === "number" ? given : typeof given === "string" ? Number(given) : Number.NaN
  return value > 0 && value <= 100 ? value : undefined
}

const vaultOf = (member: Members): Read<{ readonly network: Network; readonly pool: Address }> => {
  const network = Option.getOrUndefined(readNetwork(member["network"]))
  const pool = Option.getOrUndefined(readPool(member["pool"]))
  return network === undefined
    ? Result.fail("has no network that is served")
    : pool === undefined
    ? Result.fail("has no pool, a vault's address")
    : Result.succeed({ network, pool })
}

const setsIn = (index: unknown): Read<Extract<UnresolvedTarget, { readonly kind: "index" }>["sets"]> => {
  if (!isRecord(index) || Array.isArray(index) || Object.keys(index).length === 0) {
    return Result.fail("has an index that is no object of targets by side")
  }
  const unknown = Object.keys(index).find((side) => !sides.some((each) => each === side))
  if (unknown !== undefined) return Result.fail(`has an index with a side other than ${sides.join(", ")}`)
  return Result.all(
    Object.fromEntries(
      Object.entries(index).map(([side, set]) => [side, Result.mapError(Targets.read(set), (fault) => `: ${fault}`)])
    )
  )
}

const memberOf = (member: unknown): Read<UnresolvedTarget> => {
  if (!isRecord(member) || Array.isArray(member)) return Result.fail("is no object")
  const weight = weightOf(member["weight"])
  if (weight === undefined) return Result.fail("has a weight that is not above 0 and at most 100")
  const { subaccount, index } = member
  if (index !== undefined) {
    return Result.flatMap(
      vaultOf(member),
      (vault) => Result.map(setsIn(index), (sets) => ({ kind: "index" as const, ...vault, sets }))
    )
  }
  const pair = Option.getOrUndefined(readPair(member["pair"]))
  if (pair === undefined) return Result.fail("has no pair, such as WETH-USDC")
  if (subaccount !== undefined) {
    return typeof subaccount === "string" && subaccount !== ""
      ? Result.succeed({ kind: "exchange" as const, subaccount, pair: pair.toUpperCase(), weight })
      : Result.fail("has a subaccount that is no name")
  }
  const [base, quote] = legsOf(pair)
  return Result.map(vaultOf(member), (vault) => ({ kind: "threshold" as const, ...vault, base, quote, weight }))
}

/** Names a bot in sentences. */
export const nameOf = (target: SignalTarget | UnresolvedTarget): string =>
  target.kind === "threshold"
    ? `${target.network}/${target.pool} ${target.base}-${target.quote}`
    : target.kind === "exchange"
    ? `${target.subaccount} ${target.pair}`
    : `${target.network}/${target.pool} index`

const read = (given: unknown): Read<ReadonlyArray<UnresolvedTarget>> => {
  if (!Array.isArray(given)) return Result.fail("must be a JSON list of objects")
  if (given.length > maxTargets) return Result.fail(`must be at most ${maxTargets} bots, not ${given.length}`)
  const read = Result.all(
    given.map((member: unknown, index) =>
      Result.mapError(memberOf(member), (fault) => `has a member in place ${index + 1} that ${fault}`)
    )
  )
  return Result.flatMap(read, (targets) => {
    const twice = Targets.findRepeated(targets, (target) => nameOf(target).toUpperCase())
    return twice === undefined ? Result.succeed(targets) : Result.fail(`names ${nameOf(twice)} more than once`)
  })
}

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

export const SignalTargets = Param.json(
  Schema.Unknown.pipe(Schema.decodeTo(
    Schema.Array(Schema.toType(UnresolvedTarget)),
    SchemaTransformation.transformEffect({
      decode: (given: unknown) =>
        Result.match(read(given), {
          onFailure: (fault) => Effect.fail(new SchemaIssue.InvalidValue({ message: fault }, given)),
          onSuccess: Effect.succeed
        }),
      encode: Effect.succeed
    })
  )),
  {
    accepts: `a JSON list of at most ${maxTargets} bots`,
    description:
      "The bots that each alert drives, at most 20, in place of the token's own; an empty list names its own " +
      "again. A threshold bot is {network, pool, pair, weight?}; an exchange bot {subaccount, pair, weight?}; an index " +
      "bot {network, pool, index: {long: targets, neutral: targets, …}} with targets as in setIndexBot. `weight` is the " +
      "percent of the wrong side's balance that one trade sells; an alert's own percentage is taken of it, and refused " +
      "at a bot without a weight.",
    example: [{ network: "base", pool, pair: "WETH-USDC", weight: 50 }],
    jsonSchema: { type: "array", maxItems: maxTargets, items: { type: "object" } },
    explain: (given) => Result.match(read(given), { onFailure: (fault) => fault, onSuccess: () => undefined })
  }
)
