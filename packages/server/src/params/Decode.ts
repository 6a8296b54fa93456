/** Decodes the given values to typed parameters and collects all errors. Pure. */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Option from "effect/Option"
import { paramValue, type Sources } from "./ParamSources.ts"
import type { Refusal } from "./ValidationOrder.ts"

export interface Decoded {
  /** The parameters that could be read. */
  readonly params: Readonly<Record<string, unknown>>
  readonly refusals: ReadonlyArray<Refusal>
}

/** Reads every declared parameter. Undeclared names are ignored, because webhook senders add some. */
export const decode = (facts: EndpointFacts, sources: Sources): Decoded => {
  const params: Record<string, unknown> = {}
  const refusals: Array<Refusal> = []
  for (const param of facts.params) {
    const { name, info } = param
    const found = paramValue(facts, param, sources)
    if (found._tag === "missing") {
      if (param.required) refusals.push({ code: "1010", name, missing: true, message: "is missing" })
    } else if (found._tag === "unusable") {
      refusals.push({ code: found.code === "own" ? info.code : "1010", name, missing: false, message: found.message })
    } else {
      const value = param.decode(found.value)
      if (Option.isSome(value)) params[name] = value.value
      else {refusals.push({
          code: info.code,
          name,
          missing: false,
          message: info.explain?.(found.value) ?? `must be ${info.accepts}`
        })}
    }
  }
  return { params, refusals }
}
