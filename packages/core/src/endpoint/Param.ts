/** One request parameter: how its text is read, which code its misuse answers with, and how documents show it. */
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { ValidationCode } from "../failure/Failure.ts"

/** How a parameter travels: one value, a list (repeated key, comma list or JSON array), or a JSON structure. */
export type Kind = "scalar" | "list" | "json"

export interface Info {
  /** The code a value that cannot be used answers with. */
  readonly code: ValidationCode
  /** What is accepted, as the end of the sentence "<name> must be …". */
  readonly accepts: string
  readonly kind: Kind
  /** Secrets are read from the body only, never from a URL. */
  readonly bodyOnly: boolean
  /** Never shown in documents' examples nor kept in an intent. */
  readonly secret: boolean
  /** Names a token; where there is a vault, admission resolves it there. */
  readonly asset: boolean
  readonly jsonSchema: object
  readonly example: unknown
  /** Whether an object with other members than those that are named is refused. */
  readonly exact: boolean
  /** What exactly is wrong with a value that cannot be used, where more can be said than what is accepted. */
  readonly explain?: (given: unknown) => string | undefined
}

const InfoId = "vault-trader/core/endpoint/Param/Info"

export interface Options<A> {
  readonly code?: ValidationCode
  readonly accepts: string
  readonly description: string
  readonly example: unknown
  readonly jsonSchema: object
  readonly bodyOnly?: boolean
  readonly secret?: boolean
  readonly asset?: boolean
  readonly kind?: Kind
  /** The value the text means; `undefined` when it means none. */
  readonly read: (text: string) => A | undefined
  /** The text that reads back as the value. */
  readonly show: (value: A) => string
}

const Text = Schema.Union([Schema.String, Schema.Number, Schema.Boolean]).pipe(Schema.decodeTo(Schema.String, SchemaTransformation.transform({
  decode: (value) => String(value).trim(),
  encode: (text) => text
})))

const annotated = <A, I>(
  schema: Schema.Codec<A, I>,
  options: Omit<Options<A>, "read" | "show"> & Pick<Info, "explain"> & Partial<Pick<Info, "exact">>
): Schema.Codec<A, I> =>
  schema.annotate({
    description: options.description,
    jsonSchema: options.jsonSchema,
    [InfoId]: {
      code: options.code ?? "1010",
      accepts: options.accepts,
      kind: options.kind ?? "scalar",
      bodyOnly: options.bodyOnly ?? false,
      secret: options.secret ?? false,
      asset: options.asset ?? false,
      exact: options.exact ?? false,
      jsonSchema: options.jsonSchema,
      example: options.example,
      ...(options.explain === undefined ? {} : { explain: options.explain })
    } satisfies Info
  })

/** A parameter that is one value; `target` says what it becomes. */
export const make = <A, I>(target: Schema.Codec<A, I>, options: Options<A>): Schema.Codec<A, string | number | boolean> =>
  annotated(
    Text.pipe(Schema.decodeTo(Schema.toType(target), SchemaTransformation.transformEffect({
      decode: (text: string) =>
        Option.match(Option.fromNullishOr(options.read(text)), {
          onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: `must be ${options.accepts}` }, text)),
          onSome: Effect.succeed
        }),
      encode: (value: A) => Effect.succeed(options.show(value))
    }))),
    options
  )

/** A parameter that is a list of `item`s. `fault` says why a list of usable items cannot be used itself. */
export const list = <A>(
  item: Schema.Codec<A, string | number | boolean>,
  { fault = () => undefined, ...options }: Omit<Options<ReadonlyArray<A>>, "read" | "show" | "kind"> & {
    readonly fault?: (items: ReadonlyArray<A>) => string | undefined
  }
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<string | number | boolean>> => {
  const read = Schema.decodeUnknownOption(item)
  const explain = (given: unknown) => {
    if (!Array.isArray(given)) return undefined
    const places = given.flatMap((each, index) => Option.isNone(read(each)) ? [index + 1] : [])
    return places.length === 0 ? fault(given.flatMap((each) => Option.toArray(read(each)))) : `has unusable members, in place ${listed(places)}`
  }
  return annotated(Schema.Array(item).pipe(Schema.check(Schema.makeFilter((items) => fault(items) === undefined))), { ...options, kind: "list", explain })
}

/** The first few places. The members themselves are not repeated: they come from outside. */
const listed = (places: ReadonlyArray<number>) => places.slice(0, 5).join(", ") + (places.length > 5 ? ` and ${places.length - 5} more` : "")

/** A parameter that is a JSON structure (only in JSON bodies, or as JSON text). */
export const json = <A, I>(
  schema: Schema.Codec<A, I>,
  options: Omit<Options<A>, "read" | "show" | "kind"> & Pick<Info, "explain"> & Partial<Pick<Info, "exact">>
): Schema.Codec<A, I> => annotated(schema, { ...options, kind: "json" })

/** Fields of an endpoint: required parameters as they are, optional ones through `Schema.optional`. */
export type Fields = Record<string, Schema.Codec<unknown, unknown> | Schema.optional<Schema.Codec<unknown, unknown>>>

export interface Described {
  readonly name: string
  readonly required: boolean
  readonly info: Info
  readonly description: string
  readonly decode: (value: unknown) => Option.Option<unknown>
  /** The value as it travels: what `decode` reads back as the same. None for a value of another parameter. */
  readonly encode: (value: unknown) => Option.Option<unknown>
}

const isOptional = (
  field: Fields[string]
): field is Schema.optional<Schema.Codec<unknown, unknown>> => SchemaAST.isOptional(field.ast)

/** Reads the parameters of an endpoint out of its fields; dies when one was not made by this module. */
export const describe = (fields: Fields): ReadonlyArray<Described> =>
  Object.entries(fields).map(([name, field]) => {
    const schema = isOptional(field) ? Schema.required(field) : field
    const info = SchemaAST.resolveAt<Info>(InfoId)(schema.ast)
    if (info === undefined) throw new Error(`parameter '${name}' was not made by Param`)
    return {
      name,
      required: !isOptional(field),
      info,
      description: SchemaAST.resolveDescription(schema.ast) ?? "",
      decode: Schema.decodeUnknownOption(schema, info.exact ? { onExcessProperty: "error" } : {}),
      encode: Schema.encodeUnknownOption(schema)
    }
  })
