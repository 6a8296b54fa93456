import { assert, describe, it } from "@effect/vitest"
import { endpoints } from "../../src/Catalogue.ts"
import { openApiDocument } from "../../src/introspection/OpenApiDocument.ts"

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<
    {
      readonly name: string
      readonly in: string
      readonly required: boolean
      readonly schema: Json
      readonly example?: unknown
    }
  >
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly required: ReadonlyArray<string>; readonly properties: Json } }>
    >
  }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content: Readonly<Record<string, { readonly schema: Json; readonly example?: Json }>>
      }
    >
  >
}

interface Document {
  readonly openapi: string
  readonly info: Json
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
  readonly tags: ReadonlyArray<{ readonly name: string }>
}

// Callers receive JSON text.
const document = JSON.parse(JSON.stringify(openApiDocument(endpoints, { version: "1.2.3" }))) as Document

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Lists every object in the document with its path. */
const objects = (value: unknown, at: string): ReadonlyArray<readonly [string, Json]> =>
  Array.isArray(value)
    ? value.flatMap((each, index) => objects(each, `${at}/${index}`))
    : isObject(value)
    ? [[at, value] as const, ...Object.entries(value).flatMap(([name, each]) => objects(each, `${at}/${name}`))]
    : []

const resolve = (ref: string): unknown =>
  ref.replace(/^#\//, "").split("/").reduce<unknown>(
    (found, name) => isObject(found) ? found[name] : undefined,
    document
  )

/** Converts a path template to the catalogue's notation. */
const segmented = (path: string) => path.replace(/\{(\w+)\}/g, ":$1")

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation,
    facts: endpoints.find(({ paths }) => paths.some((each) => each === segmented(path)))!
  }))
)

/** Returns the alternatives of a 200 response that are boxed per endpoint: all but the shared failure. */
const successes = ({ responses }: Operation): ReadonlyArray<Json> => {
  const flat = (schema: Json): ReadonlyArray<Json> =>
    Array.isArray(schema["oneOf"])
      ? schema["oneOf"].flatMap((each) => flat(each as Json))
      : "$ref" in schema
      ? []
      : [schema]
  return flat(responses["200"]!.content["application/json"]!.schema)
}

describe("the OpenAPI document", () => {
  it("has OpenAPI version 3.1.0 and the service's version", () => {
    assert.strictEqual(document.openapi, "3.1.0")
    assert.strictEqual(document.info["version"], "1.2.3")
    assert.isString(document.info["title"])
  })

  it("has an operation for every path and method of every listed endpoint, and none for createGasWallet", () => {
    const expected = endpoints.filter(({ listed }) => listed)
      .flatMap(({ methods, paths }) =>
        paths.flatMap((path) => methods.map((method) => `${method.toLowerCase()} ${path}`))
      )
    assert.sameMembers(operations.map(({ method, path }) => `${method} ${segmented(path)}`), expected)
    assert.notInclude(JSON.stringify(document), "createGasWallet")
  })

  it("names every operation once", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { listed, name } of endpoints) assert.strictEqual(ids.includes(name), listed, name)
  })

  it("has references that all resolve", () => {
    const refs = objects(document, "#").flatMap(([at, object]) =>
      typeof object["$ref"] === "string" ? [[at, object["$ref"]] as const] : []
    )
    assert.isNotEmpty(refs)
    for (const [at, ref] of refs) {
      assert.isTrue(ref.startsWith("#/") && isObject(resolve(ref)), `${at} refers to ${ref}`)
    }
  })

  it("contains no $id, which would change the base of references", () => {
    assert.deepStrictEqual(objects(document, "#").filter(([, object]) => "$id" in object).map(([at]) => at), [])
  })

  it("requires only properties that the object has", () => {
    for (const [at, { properties, required }] of objects(document, "#")) {
      if (Array.isArray(required) && isObject(properties)) {
        for (const name of required) assert.property(properties, String(name), at)
      }
    }
  })

  it("describes every tag it uses", () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { operation, path } of operations) assert.includeMembers(tags, [...operation.tags], path)
  })

  for (const { facts, method, operation, path } of operations) {
    describe(`${method.toUpperCase()} ${path}`, () => {
      it("boxes every field of a success once, including status", () => {
        const found = successes(operation)
        assert.strictEqual(found.length, facts.class === "movesFunds" ? 3 : 1)
        for (const { properties, required, type } of found) {
          assert.strictEqual(type, "object")
          assert.include(required as ReadonlyArray<string>, "status")
          for (const [name, property] of Object.entries(properties as Json)) {
            assert.deepInclude(property, { type: "array", minItems: 1, maxItems: 1 }, name)
            assert.property(property, "items", name)
          }
        }
      })

      it("shows an example boxed like the response, with fields the response has", () => {
        const { example } = operation.responses["200"]!.content["application/json"]!
        const [success] = successes(operation)
        const fields = Object.keys(success?.["properties"] as Json)
        for (const [name, value] of Object.entries(example ?? {})) {
          assert.isTrue(Array.isArray(value) && value.length === 1, name)
          assert.include(fields, name)
        }
        assert.includeMembers(Object.keys(example ?? {}), success?.["required"] as Array<string>)
      })

      it("answers 200, 400 and 503, each described", () => {
        assert.deepStrictEqual(Object.keys(operation.responses), ["200", "400", "503"])
        for (const { description } of Object.values(operation.responses)) assert.isNotEmpty(description)
        assert.deepStrictEqual(Object.keys(operation.responses["503"]!.content), ["text/html"])
      })

      it("takes its parameters where the method allows them, and shows no example of a secret", () => {
        // Path parameters are in the path whatever the method.
        const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? "")
        const parameters = (operation.parameters ?? []).filter(({ name }) => method !== "post" || inPath.includes(name))
        assert.deepStrictEqual(parameters, operation.parameters ?? [])
        const body = method === "post" ? operation.requestBody?.content["application/json"]?.schema : undefined
        const described = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})]
        // A body-only parameter cannot be used with GET.
        assert.sameMembers(
          described,
          facts.params.filter(({ info }) => method === "post" || !info.bodyOnly).map(({ name }) => name)
        )
        const required = [
          ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
          ...body?.required ?? []
        ]
        assert.sameMembers(required, facts.params.filter((param) => param.required).map(({ name }) => name))
        for (const parameter of operation.parameters ?? []) {
          const secret = facts.params.find(({ name }) => name === parameter.name)?.info.secret
          assert.strictEqual("example" in parameter, secret === false, parameter.name)
        }
      })
    })
  }
})
