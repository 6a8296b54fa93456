/** A request parameter: how its text is parsed, the code of the refusal when it is invalid, and its documentation. */
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { ValidationCode } from "../failure/Failure.ts"

/**
 * The form of a parameter on the wire: one value, a list (repeated key, comma list or JSON array), or a JSON structure.
 */
type Kind = "scalar" | "list" | "json"

interface Info {
  /** The validation code for an invalid value. */
  readonly code: ValidationCode
  /** The accepted values, completing the sentence "<name> must be …". */
  readonly accepts: string
  readonly kind: Kind
  /** True for secrets, which are read from the body only and never from a URL. */
  readonly bodyOnly: boolean
  /** True for a value that is never shown in documents' examples and never stored with an intent. */
  readonly secret: boolean
  /** True when the value names a token; admission resolves it against the request's vault, if there is one. */
  readonly asset: boolean
  /** Values of an `asset` that name no token. */
  readonly words: ReadonlyArray<string>
  /** True when a body that is plain text is the value. */
  readonly text: boolean
  readonly jsonSchema: object
  readonly example: unknown
  /** True when an object with unknown members is refused. */
  readonly exact: boolean
  /** Returns a more specific reason why a value is invalid, where there is one. */
  readonly explain?: (value: unknown) => string | undefined
}

const InfoId = "vault-trader/core/endpoint/Param/Info"

interface Options<A> {
  readonly code?: ValidationCode
  readonly accepts: string
  readonly description: string
  readonly example: unknown
  readonly jsonSchema: object
  readonly bodyOnly?: boolean
  readonly secret?: boolean
  readonly asset?: boolean
  readonly words?: ReadonlyArray<string>
  readonly text?: boolean
  readonly kind?: Kind
  /** Parses the text; `undefined` when it is invalid. */
  readonly read: (text: string) => A | undefined
  /** Formats the value as a text that `read` parses back to it. */
  readonly show: (value: A) => string
  /** Returns a more specific reason why a value is invalid, where there is one. */
  readonly explain?: (value: unknown) => string | undefined
}

const Text = Schema.Union([Schema.String, Schema.Number, Schema.Boolean]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (value) => String(value).trim(),
      encode: (text) => text
    })
  )
)

const annotate = <A, I>(
  schema: Schema.Codec<A, I>,
  options: Omit<Options<A>, "read" | "show"> & Partial<Pick<Info, "exact">>
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
      words: options.words ?? [],
      text: options.text ?? false,
      exact: options.exact ?? false,
      jsonSchema: options.jsonSchema,
      example: options.example,
      ...(options.explain === undefined ? {} : { explain: options.explain })
    } satisfies Info
  })

/**
 * Declares a parameter with a single value; `target` is the schema of the parsed value.
 *
 * @example
 * ```ts
 * import * as Param from "@vault-trader/core/endpoint/Param"
 * import * as Schema from "effect/Schema"
 *
 * export const Decimals = Param.make(Schema.Number, {
 *   accepts: "a whole number from 0 to 18",
 *   description: "Digits after the decimal point.",
 *   example: 6,
 *   jsonSchema: { type: "integer", minimum: 0, maximum: 18 },
 *   read: (text) => /^\d{1,2}$/.test(text) && Number(text) <= 18 ? Number(text) : undefined,
 *   show: String
 * })
 * ```
 */
export const make = <A, I>(
  target: Schema.Codec<A, I>,
  options: Options<A>
): Schema.Codec<A, string | number | boolean> =>
  annotate(
    Text.pipe(Schema.decodeTo(
      Schema.toType(target),
      SchemaTransformation.transformEffect({
        decode: (text: string) =>
          Option.match(Option.fromNullishOr(options.read(text)), {
            onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: `must be ${options.accepts}` }, text)),
            onSome: Effect.succeed
          }),
        encode: (value: A) => Effect.succeed(options.show(value))
      })
    )),
    options
  )

/**
 * Declares a parameter that is a list of `item`s. `fault` returns the reason why a list of valid items is invalid as a
 * whole.
 */
export const list = <A>(
  item: Schema.Codec<A, string | number | boolean>,
  { fault = () => undefined, ...options }: Omit<Options<ReadonlyArray<A>>, "read" | "show" | "kind" | "explain"> & {
    readonly fault?: (items: ReadonlyArray<A>) => string | undefined
  }
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<string | number | boolean>> => {
  const read = Schema.decodeUnknownOption(item)
  const explain = (value: unknown) => {
    if (!Array.isArray(value)) return undefined
    const positions = value.flatMap((each, index) => Option.isNone(read(each)) ? [index + 1] : [])
    return positions.length === 0
      ? fault(value.flatMap((each) => Option.toArray(read(each))))
      : `has invalid items at ${formatPositions(positions)}`
  }
  return annotate(Schema.Array(item).pipe(Schema.check(Schema.makeFilter((items) => fault(items) === undefined))), {
    ...options,
    kind: "list",
    explain
  })
}

/** Lists the first five positions. The items themselves are not repeated, because they are untrusted input. */
const formatPositions = (positions: ReadonlyArray<number>) =>
  (positions.length === 1 ? "position " : "positions ") + positions.slice(0, 5).join(", ") +
  (positions.length > 5 ? ` and ${positions.length - 5} more` : "")

/** Declares a parameter that is a JSON structure (in JSON bodies, or as JSON text). */
export const json = <A, I>(
  schema: Schema.Codec<A, I>,
  options: Omit<Options<A>, "read" | "show" | "kind"> & Partial<Pick<Info, "exact">>
): Schema.Codec<A, I> => annotate(schema, { ...options, kind: "json" })

/** The fields of an endpoint: required parameters as they are, optional ones wrapped in `Schema.optional`. */
export type Fields = Record<string, Schema.Codec<unknown, unknown> | Schema.optional<Schema.Codec<unknown, unknown>>>

export interface ParamDescription {
  readonly name: string
  readonly required: boolean
  readonly info: Info
  readonly description: string
  readonly decode: (value: unknown) => Option.Option<unknown>
  /** Encodes the value to the form that `decode` reads back. None for a value of another parameter. */
  readonly encode: (value: unknown) => Option.Option<unknown>
}

const isOptional = (
  field: Fields[string]
): field is Schema.optional<Schema.Codec<unknown, unknown>> => SchemaAST.isOptional(field.ast)

/** Returns the parameters in an endpoint's fields. Throws if one was not declared with this module. */
export const describe = (fields: Fields): ReadonlyArray<ParamDescription> =>
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
