/** Checks the text fields of a form by the parameters of the endpoint that it calls. */
import { factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import * as Option from "effect/Option"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { t } from "../text/Text.ts"

export interface FormParameters {
  /** Returns the API's complaint about a field's text; null if it is accepted, or empty and not required. */
  readonly faultOf: (name: string, value: string | boolean | ReadonlyArray<string>) => string | null
}

/** Returns the parameters of an endpoint of a group. */
export const parametersOf = <Rpcs extends Rpc.Any>(
  group: RpcGroup.RpcGroup<Rpcs>,
  endpoint: Rpcs["_tag"]
): FormParameters => {
  const params = factsOfGroup(group).find(({ name }) => name === endpoint)?.params ?? []
  const paramOf = (name: string) => params.find((param) => param.name === name)
  return {
    faultOf: (name, value) => {
      const param = paramOf(name)
      if (param === undefined) return null
      if (value === "" || (Array.isArray(value) && value.length === 0)) return param.required ? t("Required") : null
      return Option.isSome(param.decode(value)) ? null : t("Must be {accepts}", { accepts: param.info.accepts })
    }
  }
}
