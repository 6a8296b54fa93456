/**
 * Encodes answers that are plain JSON already: it picks the declared members and leaves out all others, without checking
 * the values, which the handlers' types guarantee. The schema's own encoder does the same ten times slower.
 */
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** Returns the encoded form of a value. */
type Encode = (value: unknown) => unknown

const same: Encode = (value) => value

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const leaves = new Set<SchemaAST.AST["_tag"]>([
  "Null",
  "Undefined",
  "String",
  "Number",
  "Boolean",
  "Literal",
  "TemplateLiteral",
  "Unknown"
])

const ofArrays = ({ elements, rest }: SchemaAST.Arrays): Encode | undefined => {
  const [item] = rest
  const encode = elements.length > 0 || rest.length !== 1 || item === undefined ? undefined : compileAst(item)
  return encode === undefined || encode === same ? encode : (value) => (value as ReadonlyArray<unknown>).map(encode)
}

const ofRecord = (values: SchemaAST.AST): Encode | undefined => {
  const encode = compileAst(values)
  return encode === undefined
    ? undefined
    : (record) => Object.fromEntries(Object.entries(record as object).map(([name, value]) => [name, encode(value)]))
}

const ofObjects = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Encode | undefined => {
  const [index] = indexSignatures
  if (index !== undefined) {
    return propertySignatures.length > 0 || indexSignatures.length > 1 || index.parameter._tag !== "String"
      ? undefined
      : ofRecord(index.type)
  }
  const members: Array<{ readonly name: string; readonly encode: Encode }> = []
  for (const { name, type } of propertySignatures) {
    const encode = compileAst(type)
    if (encode === undefined || typeof name !== "string" || name === "__proto__") return undefined
    members.push({ name, encode })
  }
  // A schema without members accepts any value, and keeps all of it.
  if (members.length === 0) return undefined
  return (given) => {
    const record = given as Readonly<Record<string, unknown>>
    const encoded: Record<string, unknown> = {}
    for (const { encode, name } of members) if (Object.hasOwn(record, name)) encoded[name] = encode(record[name])
    return encoded
  }
}

/** A union of one structure and plain values, such as null. */
const ofUnion = ({ types }: SchemaAST.Union): Encode | undefined => {
  const encoders = types.map(compileAst)
  if (encoders.some((encode) => encode === undefined)) return undefined
  const structures = types.flatMap(({ _tag }, position) => leaves.has(_tag) ? [] : [encoders[position] ?? same])
  const [encode] = structures
  if (encode === undefined) return same
  // Only the schema can distinguish several structures by their values.
  return structures.length > 1 || types.some(({ _tag }) => _tag === "Unknown" || _tag === "Union")
    ? undefined
    : (value) => isRecord(value) ? encode(value) : value
}

const compileAst = (ast: SchemaAST.AST): Encode | undefined => {
  if (ast.encoding !== undefined) return undefined
  if (leaves.has(ast._tag)) return same
  switch (ast._tag) {
    case "Arrays":
      return ofArrays(ast)
    case "Objects":
      return ofObjects(ast)
    case "Union":
      return ofUnion(ast)
    default:
      return undefined
  }
}

/** Returns the encoder of a schema whose encoded form is its decoded one; undefined for every other schema. */
export const compile = (schema: Schema.Codec<unknown, unknown>): Encode | undefined => compileAst(schema.ast)
