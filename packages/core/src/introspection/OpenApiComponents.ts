/** The shared schemas of the OpenAPI document: named once, referred to everywhere, with and without boxes. */
import { isObject, type Json } from "./ResponseSchema.ts"

export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Returns a name as identifiers are written: `lenderAV3/lend` is `LenderAV3Lend`. */
export const pascal = (name: string): string =>
  name.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")

/** Values by name. Adding a content again returns the name that it has. */
const collection = () => {
  const values: Record<string, Json> = {}
  const names = new Map<string, string>()
  const free = (name: string): string => {
    let index = 1
    while (`${name}${index === 1 ? "" : index}` in values) index++
    return `${name}${index === 1 ? "" : index}`
  }
  const nameOf = (name: string, value: Json): string => {
    const content = JSON.stringify(value)
    const known = names.get(content)
    if (known !== undefined) return known
    const chosen = free(name)
    names.set(content, chosen)
    values[chosen] = value
    return chosen
  }
  return { nameOf, values }
}

/** The shared parts of the document that are collected so far. */
export interface Components {
  readonly schemas: Record<string, Json>
  readonly parameters: Record<string, Json>
  readonly requestBodies: Record<string, Json>
  /** Returns a reference to the schema, under this name where it is new. */
  readonly add: (name: string, schema: Json) => Json
  /** Returns a reference to the body, under this name where it is new. */
  readonly addBody: (name: string, body: Json) => Json
}

export const make = (): Components => {
  const schemas = collection()
  const bodies = collection()
  return {
    schemas: schemas.values,
    parameters: {},
    requestBodies: bodies.values,
    add: (name, schema) => schemaRef(schemas.nameOf(name, schema)),
    addBody: (name, body) => ({ $ref: `#/components/requestBodies/${bodies.nameOf(name, body)}` })
  }
}

const mapValues = (values: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

/** Replaces every object with members inside of a schema by a reference to a component; `name` is the place's. */
const hoist = (components: Components, schema: unknown, name: string): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => hoist(components, each, name))
  if (!isObject(schema)) return schema
  const inner = hoistInside(components, schema, name)
  return isObject(inner["properties"]) ? components.add(name, inner) : inner
}

/** Replaces the objects inside of a schema, and not the schema itself. */
export const hoistInside = (components: Components, schema: Json, name: string): Json =>
  mapValues(schema, (value, key) =>
    key === "properties" && isObject(value)
      ? mapValues(value, (field, fieldName) => hoist(components, field, name + pascal(fieldName)))
      : key === "items" || key === "anyOf"
      ? hoist(components, value, name)
      : value)

/** Objects that many endpoints return; their boxes have a name. */
const common = ["Address", "Hash", "Quantity"]

/** Returns the name of a box by its content; undefined for content that few endpoints return. */
const boxName = (schema: Json): string | undefined => {
  const { $ref, anyOf, const: value, type, ...rest } = schema
  if (Object.keys(rest).length > 0) return undefined
  if (typeof $ref === "string") return common.find((name) => $ref.endsWith(`/${name}`))
  if (typeof value === "string" || typeof value === "boolean") return pascal(String(value))
  if (Array.isArray(anyOf)) {
    const [first, second] = anyOf as ReadonlyArray<Json>
    const name = first !== undefined && second?.["type"] === "null" ? boxName(first) : undefined
    return name === undefined ? undefined : `Nullable${name}`
  }
  if (Array.isArray(type)) return `Nullable${pascal(String(type[0]))}`
  return typeof type === "string" && type !== "array" && type !== "object" ? pascal(type) : undefined
}

const boxed = (schema: unknown): Json => ({ type: "array", minItems: 1, maxItems: 1, items: schema })

/** Returns the schema in a one-element array. */
const box = (components: Components, schema: Json): Json => {
  const name = boxName(schema)
  return name === undefined ? boxed(schema) : components.add(`Boxed${name}`, boxed(schema))
}

/** Returns the schema of an object with each field in a one-element array. */
export const boxFields = (components: Components, schema: Json): Json => ({
  ...schema,
  properties: mapValues(schema["properties"] as Json, (field) => box(components, field as Json))
})
