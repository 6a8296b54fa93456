/** The JSON Schema of an endpoint's success, as callers see it: plain JSON, without the artefacts of Effect's schemas. */
import * as Schema from "effect/Schema"

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The names of non-finite numbers, which Effect's number schema allows. JSON has no such numbers. */
const specials = JSON.stringify({ type: "string", enum: ["Infinity", "-Infinity", "NaN"] })

const isNull = (schema: unknown): boolean => isObject(schema) && schema["type"] === "null"

/** Returns the alternatives of a schema that JSON can have, each once. */
const alternatives = (anyOf: ReadonlyArray<unknown>): ReadonlyArray<Json> => {
  const texts = anyOf.map((each) => JSON.stringify(each))
  return anyOf.filter((_, index) => texts[index] !== specials && texts.indexOf(texts[index] ?? "") === index) as Array<
    Json
  >
}

/** Removes null from an optional field. Effect's schema allows null for a missing value, but responses omit the field. */
const withoutLastNull = (field: Json): Json => {
  const { anyOf, ...rest } = field
  if (!Array.isArray(anyOf) || !isNull(anyOf.at(-1))) return field
  return { ...rest, anyOf: anyOf.slice(0, -1) }
}

const withoutAbsent = (schema: Json): Json => {
  if (!isObject(schema["properties"]) || !Array.isArray(schema["required"])) return schema
  const required = new Set(schema["required"])
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema["properties"]).map((
        [name, field]
      ) => [name, required.has(name) ? field : withoutLastNull(field as Json)])
    )
  }
}

/** Writes `X or null` as one schema where X is a plain scalar. */
const nullable = (members: ReadonlyArray<Json>): Json | undefined => {
  const [first, second] = members
  if (members.length !== 2 || first === undefined || !isNull(second)) return undefined
  const { type } = first
  return type === "string" || type === "number" || type === "integer" || type === "boolean"
    ? "enum" in first || "const" in first ? undefined : { ...first, type: [type, "null"] }
    : undefined
}

/** Merges a union into its schema: one member is the schema itself. */
const merged = ({ anyOf, ...rest }: Json): Json => {
  const members = alternatives(anyOf as ReadonlyArray<unknown>)
  const [only] = members
  if (members.length === 1) return { ...rest, ...only }
  return { ...rest, ...(nullable(members) ?? { anyOf: members }) }
}

/**
 * Writes an integer without the bounds of JavaScript's safe ones, one accepted value as a constant, whose type is its
 * own, and the items of every array.
 */
const plain = (schema: Json): Json => {
  const { enum: values, maximum, minimum, ...rest } = schema
  const bounds = {
    ...(rest["type"] === "array" && rest["items"] === undefined ? { items: {} } : {}),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
  }
  if (Array.isArray(values) && values.length === 1) {
    const { type: _, ...untyped } = rest
    return { ...untyped, ...bounds, const: values[0] }
  }
  return { ...rest, ...bounds, ...(values === undefined ? {} : { enum: values }) }
}

/** Moves a reference to a definition to the document's components. */
const reference = (text: string): string => text.replace("#/$defs/", "#/components/schemas/")

/**
 * Returns the schema as a document has it. Objects may have members that it does not name: an endpoint may return more
 * later.
 */
export const clean = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(clean)
  if (!isObject(schema)) return schema
  const { $ref } = schema
  if (typeof $ref === "string") return { ...schema, $ref: reference($ref) }
  const { additionalProperties: _, properties, ...rest } = withoutAbsent(schema)
  const mapped: Json = {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, name === "enum" ? value : clean(value)])
    ),
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, clean(value)])) }
      : {})
  }
  return plain(Array.isArray(mapped["anyOf"]) ? merged(mapped) : mapped)
}

interface Success {
  /** The alternatives of a success: one object, or for writes the outcome, `pending` and the dry run. */
  readonly members: ReadonlyArray<Json>
  /** Schemas with a name, which the members refer to. */
  readonly shared: Readonly<Record<string, Json>>
}

/** Returns the schemas of a success without boxes. */
export const successOf = (success: Schema.Codec<unknown, unknown>): Success => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(success)
  const whole = clean(schema) as Json
  return {
    members: Array.isArray(whole["anyOf"]) ? whole["anyOf"] as ReadonlyArray<Json> : [whole],
    shared: Object.fromEntries(Object.entries(definitions).map(([name, each]) => [name, clean(each) as Json]))
  }
}

/** Returns the schema of a success without boxes and without references. */
export const inlineSuccessOf = (success: Schema.Codec<unknown, unknown>): Json =>
  clean(Schema.toJsonSchemaDocument(success, { referencePolicy: () => undefined }).schema) as Json
