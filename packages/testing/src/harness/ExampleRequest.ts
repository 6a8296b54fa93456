/** Requests for tests, made from the example requests of the endpoints' declarations. */
import type { Catalogue } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import type * as RpcGroup from "effect/rpc/RpcGroup"

/** Parameters of a request as in a JSON body; `undefined` omits one. */
export type Params = Readonly<Record<string, unknown>>

type EndpointName = RpcGroup.Rpcs<typeof Catalogue>["_tag"]

/** Parameters by endpoint, for those whose example request needs a set-up. The compiler refuses unknown names. */
export type Fixtures<A = Params> = { readonly [Name in EndpointName]?: A }

/** Returns the fixture of an endpoint, if it has one. */
export const fixtureOf = <A>(fixtures: Fixtures<A>, { name }: EndpointFacts): A | undefined =>
  fixtures[name as EndpointName]

/**
 * Returns the endpoint's example request. Parameters that the scene has take its values; the fixture adds or replaces
 * parameters.
 */
export const exampleRequest = (facts: EndpointFacts, scene: Params, fixture: Params = {}): Params => ({
  ...Object.fromEntries(Object.entries(facts.exampleRequest).map(([name, value]) => [name, scene[name] ?? value])),
  ...fixture
})

/** Returns the request as a dry run, if the endpoint has one. */
export const asDryRun = (facts: EndpointFacts, params: Params): Params =>
  facts.params.some(({ name }) => name === "dryRun") ? { ...params, dryRun: "true" } : params

/** Returns the parameters as texts, for a query or a form. */
export const toTexts = (params: Params): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)]]
    )
  )

/** Moves the parameters that a path names into the path. */
export const fillPath = (
  path: string,
  params: Readonly<Record<string, string>>
): { readonly path: string; readonly params: Readonly<Record<string, string>> } => {
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name ?? "")
  return {
    path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
    params: Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.includes(name)))
  }
}
