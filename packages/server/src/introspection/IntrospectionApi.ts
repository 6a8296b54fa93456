/** The handler of `/llmIntrospect`. */
import { PriceList } from "@vault-trader/core/billing/PriceList"
import { endpoints } from "@vault-trader/core/Catalogue"
import { introspection } from "@vault-trader/core/introspection/Introspection"
import { IntrospectionApi } from "@vault-trader/core/introspection/IntrospectionApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import type { Version } from "../gate/Health.ts"

export const layer = (version: Version) =>
  Handlers.layer(
    IntrospectionApi,
    Effect.map(PriceList, (prices) => {
      const answer = { ...introspection(endpoints, version, prices) }
      return { llmIntrospect: () => Effect.succeed(answer) }
    })
  )
