/** The parameters of the endpoints of groups of vaults. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { GroupMember, maxMembers, Split, splits } from "./VaultGroup.ts"

const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/

export const GroupName = Param.make(Schema.String, {
  accepts: "1 to 64 characters: letters, digits, spaces and . _ -, beginning with a letter or a digit",
  description: "Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does not matter.",
  example: "majors",
  jsonSchema: { type: "string", pattern: namePattern.source },
  read: (text) => namePattern.test(text) ? text : undefined,
  show: (value) => value
})

type Read<A> = Result.Result<A, string>

const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))
const readNetwork = Schema.decodeUnknownOption(Params.Network)
const readPool = Schema.decodeUnknownOption(Params.Pool)
const known: ReadonlySet<string> = new Set(["network", "pool", "weight"])

/** Reads a weight: none, or a number above 0 and at most 100; undefined for anything else. */
const weightOf = (given: unknown): number | null | undefined => {
  if (given === undefined || given === null) return null
  const value = typeof given === "number" ? given : typeof given === "string" ? Number(given) : Number.NaN
  return value >= 0.000001 && value <= 100 ? value : undefined
}

const memberOf = (given: unknown): Read<GroupMember> => {
  if (!isRecord(given) || Array.isArray(given)) return Result.fail("is no object {network, pool, weight?}")
  const other = Object.keys(given).find((name) => !known.has(name))
  if (other !== undefined) return Result.fail("has a member other than network, pool and weight")
  const network = Option.getOrUndefined(readNetwork(given["network"]))
  if (network === undefined) return Result.fail("has no network")
  const pool = Option.getOrUndefined(readPool(given["pool"]))
  if (pool === undefined) return Result.fail("has no pool: the address of a vault, 0x + 40 hex characters")
  const weight = weightOf(given["weight"])
  return weight === undefined
    ? Result.fail("has a weight that is not above 0 and at most 100")
    : Result.succeed({ network, pool, weight })
}

const consistent = (members: ReadonlyArray<GroupMember>): Read<ReadonlyArray<GroupMember>> => {
  const ids = members.map(({ network, pool }) => `${network}/${pool}`)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice !== undefined) return Result.fail(`names ${twice} more than once`)
  const weighted = members.filter(({ weight }) => weight !== null).length
  return weighted === 0 || weighted === members.length
    ? Result.succeed(members)
    : Result.fail(`has a weight for ${weighted} of ${members.length} vaults; give one to each of them, or to none`)
}

const read = (given: unknown): Read<ReadonlyArray<GroupMember>> => {
  if (!Array.isArray(given)) return Result.fail("must be a JSON list of objects {network, pool, weight?}")
  if (given.length === 0 || given.length > maxMembers) {
    return Result.fail(`must be 1 to ${maxMembers} vaults, not ${given.length}`)
  }
  const members = Result.all(
    given.map((member: unknown, index) =>
      Result.mapError(memberOf(member), (fault) => `has in place ${index + 1} an entry that ${fault}`)
    )
  )
  return Result.flatMap(members, consistent)
}

export const Members = Param.json(
  Schema.Unknown.pipe(Schema.decodeTo(
    Schema.Array(Schema.toType(GroupMember)),
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
    accepts: `a JSON list of 1 to ${maxMembers} different vaults {network, pool, weight?}`,
    description:
      `The vaults, 1 to ${maxMembers}: objects {network, pool, weight?}. A weight, above 0 and at most 100, is a vault's ` +
      "part of an amount, relative to the others; all vaults have one, or none.",
    example: [{ network: "base", pool: "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2", weight: 60 }],
    jsonSchema: { type: "array", minItems: 1, maxItems: maxMembers, items: { type: "object" } },
    explain: (given) => Result.match(read(given), { onFailure: (fault) => fault, onSuccess: () => undefined })
  }
)

export const SplitBy = Param.make(Split, {
  accepts: `one of ${splits.join(", ")}`,
  description:
    "How `amount` is split: by `weight`, or by each vault's `holding` of `from`. Default: by weight where the vaults " +
    "have one.",
  example: "holding",
  jsonSchema: { type: "string", enum: [...splits] },
  read: (text) => splits.find((split) => split === text.toLowerCase()),
  show: (value) => value
})
