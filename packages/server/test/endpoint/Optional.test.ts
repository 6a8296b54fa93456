import { assert, layer } from "@effect/vitest"
import { Catalogue, endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { ParamDescription } from "@vault-trader/core/endpoint/Param"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Rpc from "effect/rpc/Rpc"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { Client, Served, unlimited } from "./TestService.ts"

/** Handlers that return the names of the parameters they received. */
const handlers = Catalogue.toLayer(
  Object.fromEntries(
    Array.from(
      Catalogue.requests.keys(),
      (name) => [name, (params: Readonly<Record<string, unknown>>) => reached(Object.keys(params))]
    )
  ) as never
)

const reached = (names: ReadonlyArray<string>) =>
  new ExecutionFailure({ errorType: "nothing_to_do", message: [...names].sort().join(" ") })

const namesOf = (facts: EndpointFacts, which: (required: boolean) => boolean) =>
  facts.params.filter(({ required }) => which(required)).map(({ name }) => name)

/** Examples for parameters whose documented example is not usable. */
const ours: Readonly<Record<string, unknown>> = {
  privateKey: "11".repeat(32),
  url: "https://hooks.example/events",
  ...{ access_token: "t".repeat(8), smtp_password: "p".repeat(8) },
  subscription: {
    endpoint: "https://push.example/1",
    keys: { p256dh: "B".repeat(87), auth: "a".repeat(22) },
    vapid: { publicKey: "B".repeat(87), privateKey: "k".repeat(43) },
    contact: "mailto:operator@example.com"
  },
  signature: `v2.1800000000.0123456789abcdef.0x${"12".repeat(65)}`,
  ...{ cex_api_key: "k".repeat(8), cex_secret: "s".repeat(8), cex_passphrase: "p".repeat(8) }
}
const exampleOf = ({ info, name }: ParamDescription): unknown => ours[name] ?? info.example

/** Calls an endpoint with the examples of these parameters and returns the message of the response. */
const messageFor = (facts: EndpointFacts, names: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { ask } = yield* Client
    const examples = facts.params.filter(({ name }) => names.includes(name)).map((param) => ({
      name: param.name,
      example: exampleOf(param)
    }))
    const [path = ""] = facts.paths
    const placed = examples.reduce((text, { example, name }) => text.replace(`/:${name}`, `/${String(example)}`), path)
    const body = JSON.stringify(Object.fromEntries(examples.map(({ example, name }) => [name, example])))
    const method = facts.methods.find((each) => each !== "GET") ?? "POST"
    const { text } = yield* ask(placed, { method, body, headers: { "content-type": "application/json" } })
    return String([JSON.parse(text).message].flat()[0])
  })

layer(Layer.orDie(Served(Catalogue, handlers, unlimited)), { timeout: "4 minutes", excludeTestServices: true })(
  "parameters",
  (it) => {
    it.effect("are optional in an endpoint's payload where the catalogue says so, and nowhere else", () =>
      Effect.sync(() => {
        for (const facts of endpoints) {
          const { payloadSchema } = Catalogue.requests.get(facts.name) as unknown as Rpc.AnyWithProps
          const { fields } = payloadSchema as unknown as Schema.Struct<Schema.Struct.Fields>
          const optional = Object.keys(fields).filter((name) =>
            fields[name] !== undefined && SchemaAST.isOptional(fields[name].ast)
          )
          assert.deepStrictEqual(optional, namesOf(facts, (required) => !required), facts.name)
          assert.sameMembers(Object.keys(fields), namesOf(facts, () => true), facts.name)
        }
        assert.isAbove(endpoints.flatMap((facts) => namesOf(facts, (required) => !required)).length, endpoints.length)
      }))

    it.effect("that are optional may be left out, and reach the handler where they are given", () =>
      Effect.forEach(endpoints, (facts) =>
        Effect.gen(function*() {
          for (const names of [namesOf(facts, (required) => required), namesOf(facts, () => true)]) {
            assert.strictEqual(yield* messageFor(facts, names), [...names].sort().join(" "), facts.name)
          }
        })))

    it.effect("that are required are named when they are missing", () =>
      Effect.forEach(endpoints, (facts) =>
        Effect.gen(function*() {
          const required = namesOf(facts, (each) => each).filter((name) =>
            facts.paths.every((path) => !path.includes(`/:${name}`))
          )
          for (const name of required) {
            assert.strictEqual(
              yield* messageFor(facts, namesOf(facts, () => true).filter((other) => other !== name)),
              `Missing required parameter: ${name}`,
              facts.name
            )
          }
        })))
  }
)
