/** The handler of `/llmIntrospect`: the whole catalogue, one category or one endpoint of it. */
import { PriceList } from "@vault-trader/core/billing/PriceList"
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  categories,
  type Category,
  compactIntrospection,
  introspection
} from "@vault-trader/core/introspection/Introspection"
import { IntrospectionApi } from "@vault-trader/core/introspection/IntrospectionApi"
import * as Effect from "effect/Effect"
import { Directory } from "../gate/ServedNetworks.ts"
import * as Handlers from "../wire/Handlers.ts"
import type { Version } from "../gate/Health.ts"

const all = categories(endpointsByTitle)

const unknown = (name: string, accepted: ReadonlyArray<string>) =>
  Effect.fail(new ValidationFailure({ code: "1010", message: `${name}: must be one of ${accepted.join(", ")}` }))

const ofCategory = (category: string | undefined) => {
  if (category === undefined) return Effect.succeed(all)
  const name = category.toLowerCase().replace(/[^a-z0-9]+/g, "-")
  const chosen = all.filter((each) => each.category === name)
  return chosen.length > 0 ? Effect.succeed(chosen) : unknown("category", all.map((each) => each.category))
}

const ofEndpoint = (chosen: ReadonlyArray<Category>, endpoint: string | undefined) => {
  if (endpoint === undefined) return Effect.succeed(chosen)
  const name = endpoint.toLowerCase().replace(/^\//, "")
  const found = chosen.flatMap(({ category, endpoints }) => {
    const named = endpoints.filter((facts) =>
      [facts.name, ...facts.paths.map((path) => path.slice(1))].some((each) => each.toLowerCase() === name)
    )
    return named.length === 0 ? [] : [{ category, endpoints: named }]
  })
  return found.length > 0
    ? Effect.succeed(found)
    : unknown("endpoint", chosen.flatMap(({ endpoints }) => endpoints.map((facts) => facts.name)))
}

export const layer = (version: Version) =>
  Handlers.layer(
    IntrospectionApi,
    Effect.gen(function*() {
      const prices = yield* PriceList
      const served = yield* Directory
      return {
        llmIntrospect: ({ category, compact, endpoint }) =>
          Effect.gen(function*() {
            const chosen = yield* ofEndpoint(yield* ofCategory(category), endpoint)
            const options = { ...version, prices, served }
            return compact === true
              ? compactIntrospection(all, chosen, options)
              : introspection(all, chosen, options)
          })
      }
    })
  )
