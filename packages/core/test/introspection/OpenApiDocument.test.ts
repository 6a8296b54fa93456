import { assert, describe, it } from "@effect/vitest"
import { endpoints, endpointsByTitle } from "../../src/Catalogue.ts"
import { openApiDocument } from "../../src/introspection/OpenApiDocument.ts"

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
  readonly example?: unknown
}

interface Content {
  readonly schema: Json
  readonly example?: Json
}

interface Response {
  readonly description: string
  readonly content: Readonly<Record<string, Content>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly security?: ReadonlyArray<Json>
  readonly parameters?: ReadonlyArray<Json>
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
  readonly "x-alias"?: ReadonlyArray<string>
}

interface Document {
  readonly security: ReadonlyArray<Json>
  readonly openapi: string
  readonly info: Json
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Json>>
  readonly tags: ReadonlyArray<{ readonly name: string }>
}

// Callers receive JSON text.
const text = JSON.stringify(openApiDocument(endpointsByTitle, { version: "1.2.3" }))
const document = JSON.parse(text) as Document
const alone = (answers: "boxed" | "unboxed") =>
  JSON.stringify(openApiDocument(endpointsByTitle, { version: "1" }, answers))

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Lists every object in the document with its path. */
const objects = (value: unknown, at: string): ReadonlyArray<readonly [string, Json]> =>
  Array.isArray(value)
    ? value.flatMap((each, index) => objects(each, `${at}/${index}`))
    : isObject(value)
    ? [[at, value] as const, ...Object.entries(value).flatMap(([name, each]) => objects(each, `${at}/${name}`))]
    : []

const resolve = (ref: string, of: Document = document): unknown =>
  ref.replace(/^#\//, "").split("/").reduce<unknown>((found, name) => isObject(found) ? found[name] : undefined, of)

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

const boxed = "application/json"
const unboxed = "application/vnd.vault-trader.v1+json"

/** Returns what a reference points to; anything else as it is. */
const followed = <A>(value: Json): A => (typeof value["$ref"] === "string" ? resolve(value["$ref"]) : value) as A

const responseOf = (operation: Operation, status: string): Response => followed(operation.responses[status]!)
const contentOf = (operation: Operation, type: string): Content => responseOf(operation, "200").content[type]!
const parametersOf = ({ parameters = [] }: Operation): ReadonlyArray<Parameter> =>
  parameters.map((each) => followed(each))

/** Returns the members of an object's schema, with those of the schemas that it extends. */
const objectOf = (schema: Json): { readonly properties: Json; readonly required: ReadonlyArray<string> } => {
  const { allOf, properties = {}, required = [] } = followed<Json>(schema)
  const parts = Array.isArray(allOf) ? allOf.map((each) => objectOf(each as Json)) : []
  return {
    properties: Object.assign({}, properties, ...parts.map((part) => part.properties)) as Json,
    required: [...required as ReadonlyArray<string>, ...parts.flatMap((part) => part.required)]
  }
}

/** Returns every alternative of a union, of the unions in it, too. */
const alternatives = (schema: Json): ReadonlyArray<ReturnType<typeof objectOf>> => {
  const { oneOf } = followed<Json>(schema)
  return Array.isArray(oneOf) ? oneOf.flatMap((each) => alternatives(each as Json)) : [objectOf(schema)]
}

const boxedOnly = JSON.parse(alone("boxed")) as Document
const unboxedOnly = JSON.parse(alone("unboxed")) as Document

/** Returns a part of a document with everything that it refers to in the place of the reference. */
const whole = (of: Document, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => whole(of, each))
  if (!isObject(value)) return value
  if (typeof value["$ref"] === "string") return whole(of, resolve(value["$ref"], of))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(of, each)]))
}

/** Returns what a document says of an operation's answers in a media type. */
const contentIn = (of: Document, path: string, type: string): Content => {
  const [operation] = Object.values(of.paths[path] ?? {})
  const { content } = whole(of, operation?.responses["200"]) as Response
  return content[type]!
}

const answersOf = (of: Document, path: string, type: string) => alternatives(contentIn(of, path, type).schema)

const bodyOf = ({ requestBody }: Operation) =>
  requestBody === undefined ? undefined : objectOf(followed<Response>(requestBody).content[boxed]!.schema)

const isKey = (name: string) => name === "apiKey" || name === "gas_wallet_api_key"

describe("the OpenAPI document", () => {
  it("has OpenAPI version 3.1.0 and the service's version", () => {
    assert.strictEqual(document.openapi, "3.1.0")
    assert.strictEqual(document.info["version"], "1.2.3")
    assert.isString(document.info["title"])
  })

  it("has one operation for every listed endpoint: GET for reads, POST for everything else, and no createGasWallet", () => {
    const listed = endpoints.filter(({ listed }) => listed)
    assert.deepStrictEqual(operations.map(({ facts }) => facts.name).sort(), listed.map(({ name }) => name).sort())
    for (const { facts, method, path } of operations) {
      assert.strictEqual(segmented(path), facts.paths[0])
      if (facts.class !== "readOnly") assert.strictEqual(method, "post", facts.name)
    }
    assert.strictEqual(operations.find(({ facts }) => facts.name === "poolComposition")?.method, "get")
    assert.notInclude(text, "createGasWallet")
  })

  it("lists every other method and path of an endpoint as an alias", () => {
    for (const { facts, method, operation, path } of operations) {
      const all = facts.paths.flatMap((each) => facts.methods.map((name) => `${name} ${each}`))
      const other = method === "get" ? "POST" : "GET"
      const aliases = operation["x-alias"]?.map(segmented) ?? [`${other} ${segmented(path)}`]
      assert.sameMembers([...aliases, `${method.toUpperCase()} ${segmented(path)}`], all, facts.name)
    }
  })

  it("names every operation once, as an identifier", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]*$/)
    assert.includeMembers(ids, ["vaultTrade", "lenderAV3Lend", "ethPrice"])
  })

  it("stays small: under 256 kB with both media types and short texts, under 2.5 kB an endpoint with one", () => {
    assert.isBelow(text.length, 256_000)
    assert.isBelow(alone("boxed").length / operations.length, 2_500)
    assert.isBelow(alone("unboxed").length / operations.length, 2_500)
  })

  it("accepts an API key in two headers, and requires none of public endpoints", () => {
    assert.deepStrictEqual(Object.keys(document.components["securitySchemes"] ?? {}), ["Bearer", "ApiKeyHeader"])
    for (const { facts, operation } of operations) {
      const schemes = (operation.security ?? document.security).flatMap((each) => Object.keys(each))
      assert.deepStrictEqual(
        schemes,
        facts.access === "open" || facts.access === "manager" ? [] : ["Bearer", "ApiKeyHeader"],
        facts.name
      )
      const parameters = parametersOf(operation)
      for (const { name, required } of parameters) if (isKey(name)) assert.notStrictEqual(required, true, facts.name)
      for (const name of bodyOf(operation)?.required ?? []) assert.isFalse(isKey(name), facts.name)
      assert.strictEqual(
        parameters.some((each) => each.in === "header" && each.name === "Idempotency-Key"),
        facts.params.some(({ name }) => name === "idempotency_key"),
        facts.name
      )
    }
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
      if (Array.isArray(required) && isObject(properties) && !at.includes("/properties/properties")) {
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
      it("boxes every field once in the document with boxes, and has the same fields without", () => {
        const found = answersOf(boxedOnly, path, boxed)
        const plain = answersOf(unboxedOnly, path, unboxed)
        assert.strictEqual(found.length, facts.class === "movesFunds" ? 4 : 2)
        assert.deepStrictEqual(answersOf(document, path, unboxed), plain)
        assert.deepStrictEqual(
          found.map(({ properties, required }) => [Object.keys(properties), required]),
          plain.map(({ properties, required }) => [Object.keys(properties), required])
        )
        for (const [index, { properties, required }] of found.entries()) {
          assert.include(required, "status")
          for (const [name, property] of Object.entries(properties)) {
            assert.deepInclude(property, { type: "array", minItems: 1, maxItems: 1 }, name)
            assert.deepStrictEqual((property as Json)["items"], plain[index]?.properties[name], name)
          }
        }
      })

      it("refers to one schema of boxes, where both media types are described", () => {
        const ref = "#/components/schemas/Boxed"
        assert.deepStrictEqual(contentOf(operation, boxed), { schema: { $ref: ref } })
      })

      it("shows a short example boxed like the response, with fields the response has", () => {
        const { example } = contentIn(boxedOnly, path, boxed)
        if (example === undefined) return assert.isAbove(JSON.stringify(facts.example).length, 150)
        const [success] = answersOf(boxedOnly, path, boxed)
        for (const [name, value] of Object.entries(example)) {
          assert.isTrue(Array.isArray(value) && value.length === 1, name)
          assert.property(success?.properties, name)
        }
        assert.includeMembers(Object.keys(example), [...success?.required ?? []])
      })

      it("answers 200, 400 and 503, each described", () => {
        const statuses = Object.keys(operation.responses)
        assert.deepStrictEqual(statuses, ["200", "400", "503"])
        for (const status of statuses) assert.isNotEmpty(responseOf(operation, status).description)
        assert.deepStrictEqual(Object.keys(responseOf(operation, "503").content), ["text/html", boxed])
        assert.isNotEmpty(operation.description)
      })

      it("takes each parameter in one place, and shows no example of a secret", () => {
        // Path parameters are in the path whatever the method.
        const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? "")
        const parameters = parametersOf(operation).filter((each) => each.in !== "header")
        if (method === "post") assert.sameMembers(parameters.map(({ name }) => name), inPath)
        const body = bodyOf(operation)
        const described = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})]
        // The key of a read is a header.
        const expected = facts.params.filter(({ name }) => method === "post" || !isKey(name))
        assert.sameMembers(described, expected.map(({ name }) => name))
        const required = [
          ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
          ...body?.required ?? []
        ]
        assert.sameMembers(
          required,
          facts.params.filter((param) => param.required && !isKey(param.name)).map(({ name }) => name)
        )
        const secrets = facts.params.filter(({ info }) => info.secret).map(({ name }) => name)
        for (const { example, name } of parameters) if (secrets.includes(name)) assert.isUndefined(example, name)
        const example = followed<Response>(operation.requestBody ?? {}).content?.[boxed]?.example ?? {}
        assert.notIncludeMembers(Object.keys(example), secrets.length === 0 ? ["(none)"] : secrets)
      })
    })
  }
})
