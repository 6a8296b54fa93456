/** The description of a strategy by itself, and the values of its inputs. It is untrusted until it was decoded here. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Input } from "./Strategy.ts"

/** Candles that a strategy gets when it does not say how many. */
export const defaultHistory = 200
export const maxHistory = 1_000
const maxInputs = 32

const text = Schema.String.pipe(Schema.check(Schema.isMaxLength(500)))
const described = { description: Schema.optionalKey(text) }

const InputSchema = Schema.Union([
  Schema.Struct({
    type: Schema.Literals(["number", "integer"]),
    default: Schema.Finite,
    minimum: Schema.optionalKey(Schema.Finite),
    maximum: Schema.optionalKey(Schema.Finite),
    ...described
  }),
  Schema.Struct({ type: Schema.Literal("boolean"), default: Schema.Boolean, ...described }),
  Schema.Struct({ type: Schema.Literal("choice"), default: text, choices: Schema.Array(text), ...described })
])

const nameOf = /^[a-z][A-Za-z0-9_]{0,31}$/

/** A strategy as its module describes it. */
export const StrategyDescription = Schema.Struct({
  description: text,
  history: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxHistory }))),
  inputs: Schema.Record(Schema.String, InputSchema)
}).annotate({ identifier: "StrategyDescription" })
export type StrategyDescription = typeof StrategyDescription.Type

/** The value of an input. */
export const InputValue = Schema.Union([Schema.Finite, Schema.Boolean, Schema.String])
export type InputValue = typeof InputValue.Type
export const InputValues = Schema.Record(Schema.String, InputValue)
export type InputValues = typeof InputValues.Type

const acceptedOf = (input: Input): string => {
  switch (input.type) {
    case "boolean":
      return "true or false"
    case "choice":
      return `one of ${input.choices.join(", ")}`
    default: {
      const kind = input.type === "integer" ? "a whole number" : "a number"
      const { maximum, minimum } = input
      return minimum === undefined
        ? maximum === undefined ? kind : `${kind} of at most ${maximum}`
        : maximum === undefined
        ? `${kind} of at least ${minimum}`
        : `${kind} from ${minimum} to ${maximum}`
    }
  }
}

const isAccepted = (input: Input, value: InputValue): boolean => {
  if (input.type === "boolean") return typeof value === "boolean"
  if (input.type === "choice") return typeof value === "string" && input.choices.includes(value)
  return typeof value === "number" && Number.isFinite(value) && (input.type === "number" || Number.isInteger(value)) &&
    value >= (input.minimum ?? -Infinity) && value <= (input.maximum ?? Infinity)
}

/** Reads an input's value as text gives it; undefined when the input does not accept it. */
const readValue = (input: Input, given: string): InputValue | undefined => {
  const value = input.type === "boolean"
    ? given === "true" ? true : given === "false" ? false : undefined
    : input.type === "choice"
    ? given
    : /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(given)
    ? Number(given)
    : undefined
  return value !== undefined && isAccepted(input, value) ? value : undefined
}

/** Returns what is wrong with a description that decodes; undefined when nothing is. */
export const faultOf = ({ inputs }: StrategyDescription): string | undefined => {
  const entries = Object.entries(inputs)
  if (entries.length > maxInputs) return `inputs: ${entries.length} are declared; at most ${maxInputs} are accepted`
  for (const [name, input] of entries) {
    if (!nameOf.test(name)) {
      return `inputs: '${name}' is no name; accepted is a lower case letter, then letters and digits`
    }
    if (!isAccepted(input, input.default)) {
      return `inputs: the default of '${name}' is ${JSON.stringify(input.default)}; accepted is ${acceptedOf(input)}`
    }
  }
  return undefined
}

/** Returns the values of all inputs: those given, as text, and defaults. Fails with what is wrong. */
export const resolve = (
  { inputs }: StrategyDescription,
  given: Readonly<Record<string, string>>
): Result.Result<InputValues, string> => {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(inputs, name))
  if (unknown !== undefined) {
    const names = Object.keys(inputs)
    return Result.fail(
      `the strategy has no input '${unknown}'; ${names.length === 0 ? "it has none" : `it has ${names.join(", ")}`}`
    )
  }
  const values: Record<string, InputValue> = {}
  for (const [name, input] of Object.entries(inputs)) {
    const text = given[name]
    const value = text === undefined ? input.default : readValue(input, text)
    if (value === undefined) return Result.fail(`${name} is '${text}'; accepted is ${acceptedOf(input)}`)
    values[name] = value
  }
  return Result.succeed(values)
}

/** Parses `fast=12,slow=26`; undefined when it is not of this form or a name is given twice. */
export const readInputs = (text: string): Readonly<Record<string, string>> | undefined => {
  const values: Record<string, string> = {}
  for (const word of text.split(",").map((each) => each.trim()).filter((each) => each !== "")) {
    const [, name, value] = /^([a-z][A-Za-z0-9_]{0,31})\s*=\s*(.{1,100})$/.exec(word) ?? []
    if (name === undefined || value === undefined || Object.hasOwn(values, name)) return undefined
    values[name] = value
  }
  return values
}
