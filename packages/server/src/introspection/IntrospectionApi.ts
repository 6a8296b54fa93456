/** The handler of `/llmIntrospect`. */
import { PriceList } from "@vault-trader/core/billing/PriceList"
import { endpoints } from "@vault-trader/core/Catalogue"
import { introspection } from "@vault-trader/core/introspection/Introspection"
import { IntrospectionApi } from "@vault-trader/core/introspection/IntrospectionApi"
import * as Effect from "effect/Effect"
import type { Version } from "../gate/Health.ts"

export const layer = (version: Version) =>
  IntrospectionApi.toLayer(Effect.map(PriceList, (prices) => {
    const answer = { status: "success" as const, ...introspection(endpoints, version, prices) }
    return { llmIntrospect: () => Effect.succeed(answer) }
  }))
