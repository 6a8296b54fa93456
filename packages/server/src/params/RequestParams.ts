/** Reads the parameters of a request: their sources, their decoding, and which failure is reported first. */
import type { ParamDescription } from "@vault-trader/core/endpoint/Param"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ValidationFailure, type ValidationCode } from "@vault-trader/core/failure/Failure"

/** The parts of a request that carry parameters. */
interface Sources {
  /** Values of the path's segments, by parameter name. */
  readonly path?: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  /** The body's members, when it is a JSON object or a form. */
  readonly body: ReadonlyMap<string, unknown>
  /** The body, when it is other text. */
  readonly text?: string | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The value given for one parameter: missing, present, or contradictory. */
export type ParamValue =
  | { readonly _tag: "missing" }
  | { readonly _tag: "value"; readonly value: unknown }
  | { readonly _tag: "unusable"; readonly message: string; readonly code: "own" | "1010" }

const absent = new Set(["", "null", "na", "undefined"])
const missing: ParamValue = { _tag: "missing" }
const unusable = (message: string, code: "own" | "1010" = "1010"): ParamValue => ({ _tag: "unusable", message, code })

const isPresent = (value: unknown): boolean =>
  value !== null && value !== undefined && !(typeof value === "string" && absent.has(value.trim().toLowerCase()))

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Returns true for the same text (symbols in any case), or texts that the parameter decodes to the same value. */
const isSameValue = ({ decode, info }: ParamDescription, left: unknown, right: unknown): boolean => {
  if (!isScalar(left) || !isScalar(right)) return JSON.stringify(left) === JSON.stringify(right)
  const [one, other] = [String(left).trim(), String(right).trim()]
  if (one === other || (info.asset && one.toLowerCase() === other.toLowerCase())) return true
  const read = decode(left)
  return Option.isSome(read) && Equal.equals(read, decode(right))
}

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Parses JSON text; returns any other text unchanged. */
const parsed = (text: string): unknown => /^\s*[[{]/.test(text) ? Option.getOrElse(readJson(text), () => text) : text

const listOf = (value: unknown): unknown => {
  if (typeof value !== "string") return isScalar(value) ? [value] : value
  const inner = parsed(value)
  return Array.isArray(inner) ? inner : value.split(",").map((item) => item.trim()).filter((item) => item !== "")
}

/** Returns a parameter's values in the headers. */
const fromHeaders = (name: string, headers: Sources["headers"]): ReadonlyArray<ParamValue> => {
  const values = name === "apiKey" || name === "gas_wallet_api_key"
    ? [/^bearer\s+(\S+)\s*$/i.exec(headers["authorization"] ?? "")?.[1], headers["x-api-key"]]
    : name === "idempotency_key"
    ? [headers["idempotency-key"]]
    : []
  return values.filter(isPresent).map((value) => ({ _tag: "value", value }))
}

const fromPath = ({ name }: ParamDescription, path: NonNullable<Sources["path"]>): ParamValue =>
  isPresent(path[name]) ? { _tag: "value", value: path[name] } : missing

const fromQuery = (param: ParamDescription, query: URLSearchParams): ParamValue => {
  const { info, name } = param
  const values = query.getAll(name).filter(isPresent)
  const [first] = values
  if (first === undefined) return missing
  if (info.kind === "list") return { _tag: "value", value: values.length > 1 ? values : listOf(first) }
  if (values.some((value) => !isSameValue(param, value, first))) {
    return unusable("is given more than once with different values")
  }
  return { _tag: "value", value: info.kind === "json" ? parsed(first) : first }
}

const fromBody = ({ name, info }: ParamDescription, { body, text }: Sources): ParamValue => {
  const value = body.get(name) ?? (info.text ? text : undefined)
  if (!isPresent(value)) return missing
  if (info.kind === "json") return { _tag: "value", value: typeof value === "string" ? parsed(value) : value }
  if (info.kind === "list") return { _tag: "value", value: listOf(value) }
  return isScalar(value)
    ? { _tag: "value", value }
    : unusable(`must be ${info.accepts}, not ${Array.isArray(value) ? "a list" : "an object"}`, "own")
}

/** Alternative names of parameters. Exchange endpoints use another name for the API key. */
const otherNames: Readonly<Record<string, string>> = { apiKey: "gas_wallet_api_key" }

/** Returns the value given for a parameter under its own name, or else under its alternative name. */
export const paramValue = (
  facts: Pick<EndpointFacts, "class">,
  param: ParamDescription,
  sources: Sources
): ParamValue => {
  const found = valueUnder(facts, param, sources)
  const other = otherNames[param.name]
  return found._tag === "missing" && other !== undefined ? valueUnder(facts, { ...param, name: other }, sources) : found
}

const valueUnder = (facts: Pick<EndpointFacts, "class">, param: ParamDescription, sources: Sources): ParamValue => {
  const path = fromPath(param, sources.path ?? {})
  const query = fromQuery(param, sources.query)
  const body = fromBody(param, sources)
  if (param.info.bodyOnly && query._tag !== "missing") {
    return unusable("must be sent in the request body, never in the URL")
  }
  // For reads the path wins, then the query. For changes, contradictory values are refused.
  if (facts.class === "readOnly") {
    const given = [path, query, body].find(({ _tag }) => _tag !== "missing")
    return given ?? fromHeaders(param.name, sources.headers)[0] ?? missing
  }
  const found = [path, query, body, ...fromHeaders(param.name, sources.headers)].filter((candidate) =>
    candidate._tag !== "missing"
  )
  const [first] = found
  if (first === undefined) return missing
  const values = found.flatMap((candidate) => candidate._tag === "value" ? [candidate.value] : [])
  return found.find((candidate) => candidate._tag === "unusable") ??
    (values.some((value) => !isSameValue(param, value, values[0]))
      ? unusable("is given in two places with different values")
      : first)
}

export interface Refusal {
  readonly code: ValidationCode
  /** The parameter. A missing one is reported before all other errors. */
  readonly name: string
  readonly missing: boolean
  readonly message: string
}

/** Ranks of the key lookup's and the vault check's errors; both checks run between the others in this order. */
export const rankOfKey = 3
export const rankOfVault = 5
const order: ReadonlyArray<ValidationCode> = [
  "1000",
  "1001",
  "1002",
  "1003",
  "1004",
  "1005",
  "1007",
  "1008",
  "1009",
  "1010",
  "1006"
]

/** Returns a refusal's rank: missing parameters first, then by code in the wire's order. */
export const rank = ({ code, missing }: Pick<Refusal, "code" | "missing">): number =>
  missing ? 0 : order.indexOf(code) + 1

/** The error of a request that is reported. */
interface Reported {
  readonly code: ValidationCode
  readonly message: string
  /** True when it is about missing parameters; the message then names all of them at once. */
  readonly missing: boolean
}

/** Returns the refusal up to rank `limit` that is reported. */
export const reported = (refusals: ReadonlyArray<Refusal>, limit: number): Reported | undefined => {
  const eligible = refusals.filter((refusal) => rank(refusal) <= limit).sort((a, b) => rank(a) - rank(b))
  const [first] = eligible
  if (first === undefined) return undefined
  if (!first.missing) return { code: first.code, message: `${first.name}: ${first.message}`, missing: false }
  const names = eligible.filter(({ missing }) => missing).map(({ name }) => name)
  return {
    code: "1010",
    message: `Missing required parameter${names.length > 1 ? "s" : ""}: ${names.join(", ")}`,
    missing: true
  }
}

/** Returns the first refusal up to rank `limit` as a failure. It names all missing parameters at once. */
export const firstUpTo = (refusals: ReadonlyArray<Refusal>, limit: number): ValidationFailure | undefined => {
  const first = reported(refusals, limit)
  return first === undefined ? undefined : new ValidationFailure({ code: first.code, message: first.message })
}

interface Decoded {
  /** The parameters that could be read. */
  readonly params: Readonly<Record<string, unknown>>
  readonly refusals: ReadonlyArray<Refusal>
}

/** Reads every declared parameter. Undeclared names are ignored, because webhook senders add some. */
export const decode = (facts: EndpointFacts, sources: Sources): Decoded => {
  const params: Record<string, unknown> = {}
  const refusals: Array<Refusal> = []
  for (const param of facts.params) {
    const { name, info } = param
    const found = paramValue(facts, param, sources)
    if (found._tag === "missing") {
      if (param.required) refusals.push({ code: "1010", name, missing: true, message: "is missing" })
    } else if (found._tag === "unusable") {
      refusals.push({ code: found.code === "own" ? info.code : "1010", name, missing: false, message: found.message })
    } else {
      const value = param.decode(found.value)
      if (Option.isSome(value)) params[name] = value.value
      else {refusals.push({
          code: info.code,
          name,
          missing: false,
          message: info.explain?.(found.value) ?? `must be ${info.accepts}`
        })}
    }
  }
  return { params, refusals }
}
