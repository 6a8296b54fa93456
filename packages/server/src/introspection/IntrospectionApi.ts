/** The handler of `/llmIntrospect`. */
import { endpoints } from "@vault-trader/core/endpoint/Catalogue"
import { introspection } from "@vault-trader/core/introspection/Introspection"
import { IntrospectionApi } from "@vault-trader/core/introspection/IntrospectionApi"
import * as Effect from "effect/Effect"
import type { Version } from "../gate/Health.ts"

export const layer = (version: Version) => {
  const answer = { status: "success" as const, ...introspection(endpoints, version) }
  return IntrospectionApi.toLayer({ llmIntrospect: () => Effect.succeed(answer) })
}
