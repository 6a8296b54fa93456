/** The faults of an index's form, by the endpoint's own parameters. */
import { factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { IndexBotApi } from "@vault-trader/core/index-bot/IndexBotApi"
import * as Option from "effect/Option"
import { type IndexTerms, type TargetRow, targetsOf } from "./IndexTerms.ts"
import { t } from "../text/Text.ts"

const params = factsOfGroup(IndexBotApi).find(({ name }) => name === "setIndexBot")?.params ?? []
const paramOf = (name: string) => params.find((param) => param.name === name)

/** Returns the API's error for a field, or null. */
export const faultOf = (name: Exclude<keyof IndexTerms, "targets">, value: string): string | null => {
  if (name === "wallet") return value === "" ? t("Choose the gas wallet that trades") : null
  const param = paramOf(name)
  if (param === undefined) return null
  if (value.trim() === "") return param.required ? t("Required") : null
  return Option.isSome(param.decode(value)) ? null : t("Must be {accepts}", { accepts: param.info.accepts })
}

/** Returns the API's error for the list of targets, or undefined. */
export const faultOfTargets = (rows: ReadonlyArray<TargetRow>): string | undefined =>
  paramOf("targets")?.info.explain?.(targetsOf(rows))
