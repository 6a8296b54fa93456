/** The responses of the OpenAPI document: each success with boxes and without, and the failures that all share. */
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../failure/Failure.ts"
import { boxed as boxedType, unboxed as unboxedType } from "./MediaType.ts"
import * as Components from "./OpenApiComponents.ts"
import { type Json, successOf } from "./ResponseSchema.ts"

/** The answers that a document describes: both media types, or one, for generators that read only one. */
export type Answers = typeof kindsOfAnswers[number]
export const kindsOfAnswers = ["both", "boxed", "unboxed"] as const

export const isAnswers = (text: string): text is Answers => kindsOfAnswers.some((kind) => kind === text)

const text = { type: "string" }
const nullableText = { type: ["string", "null"] }

const validationFailure: Json = {
  type: "object",
  description: "Refused before anything happened. Check `status`, not the HTTP status.",
  required: ["status", "status_code", "message"],
  properties: {
    status: { const: "fail" },
    status_code: { type: "string", enum: Object.keys(validationCodes) },
    message: text
  }
}

const executionFailure: Json = {
  type: "object",
  description: "An admitted request that could not be executed. Final: none of its transactions can still be mined.",
  required: ["status", "status_code", "error_type", "message", "intent_id"],
  properties: {
    status: { const: "fail" },
    status_code: { type: "string", enum: Object.values(executionCodes) },
    error_type: { type: "string", enum: Object.keys(executionCodes) },
    message: text,
    intent_id: nullableText,
    tx_hash: text
  }
}

const serviceError: Json = {
  type: "object",
  description:
    "An error outside of any endpoint's rules. `unknown`: a write may have been accepted; repeat it with the same " +
    "idempotency key.",
  required: ["status", "message"],
  properties: {
    status: { type: "string", enum: ["fail", "unknown"] },
    message: text,
    intent_id: nullableText
  }
}

/** The schemas that every operation's failures refer to. */
export const failures = { ExecutionFailure: executionFailure, ServiceError: serviceError }

const failed = { schema: Components.schemaRef("ExecutionFailure") }

/** Returns the responses that every operation has besides its own. */
export const sharedResponses = (answers: Answers): Json => ({
  Failed: {
    description: "The request was admitted and failed. Flat with both media types.",
    content: {
      ...(answers === "unboxed" ? {} : { [boxedType]: failed }),
      ...(answers === "boxed" ? {} : { [unboxedType]: failed })
    }
  },
  Down: {
    description:
      "HTML: throttled. JSON: the service cannot answer at the moment, and `status` says whether a write may have been " +
      "accepted. Back off and repeat.",
    headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } },
    content: {
      "text/html": { schema: text },
      "application/json": { schema: Components.schemaRef("ServiceError") }
    }
  }
})

type Fields = Readonly<Record<string, Json>>
const fieldsOf = (schema: Json): Fields => schema["properties"] as Fields
const requiredOf = (schema: Json) => (schema["required"] ?? []) as ReadonlyArray<string>

const isPending = (member: Json): boolean => fieldsOf(member)["status"]?.["const"] === "pending"
const isDryRun = (member: Json): boolean => fieldsOf(member)["dryRun"]?.["const"] === true

/** Returns the name of one alternative of an endpoint's success. A dry run of six fields has no field of its own. */
const memberName = (name: string, member: Json): string =>
  isPending(member)
    ? "Pending"
    : !isDryRun(member)
    ? name
    : Object.keys(fieldsOf(member)).length === 6
    ? "DryRun"
    : `${name}DryRun`

/** The fields of every executed intent, in the order of answers. */
const executedFields = ["status", "intent_id", "tx_hash", "message", "gas_used", "gas_cost", "charge_usd"]

/** Splits an executed intent's schema into the fields that all have and its own; undefined where some are other ones. */
const executedParts = (schema: Json): readonly [shared: Json, own: Json] | undefined => {
  const required = requiredOf(schema)
  const fields = fieldsOf(schema)
  if (executedFields.some((name) => !required.includes(name) || "anyOf" in fields["status"]!)) return undefined
  const part = (keep: (name: string) => boolean): Json => ({
    type: "object",
    properties: Object.fromEntries(Object.entries(fields).filter(([name]) => keep(name))),
    required: required.filter(keep)
  })
  return [part((name) => executedFields.includes(name)), part((name) => !executedFields.includes(name))]
}

/** Examples of responses are shorter than this, in characters; `/llmIntrospect` has all of them. */
const maxExample = 300

/** Returns the example of a response, if it is short. */
const exampleOf = ({ example }: EndpointFacts, isBoxed: boolean): Json => {
  const whole = Object.entries({ status: "success", ...example })
  const shown = Object.fromEntries(whole.map(([name, value]) => [name, isBoxed ? [value] : value]))
  return JSON.stringify(shown).length < maxExample ? { example: shown } : {}
}

/** Adds one alternative to the components, boxed or not, and returns a reference to it. */
type Add = (name: string, schema: Json) => Json

const adder = (components: Components.Components, isBoxed: boolean): Add => (name, schema) =>
  components.add(isBoxed ? `${name}Boxed` : name, isBoxed ? Components.boxFields(components, schema) : schema)

/** Adds an endpoint's own success; an executed intent refers to the fields that all of them have. */
const addOwn = (components: Components.Components, isBoxed: boolean, name: string, schema: Json): Json => {
  const parts = executedParts(schema)
  if (parts === undefined) return adder(components, isBoxed)(name, schema)
  const [shared, own] = parts
  const allOf = [
    adder(components, isBoxed)("Executed", shared),
    isBoxed ? Components.boxFields(components, own) : own
  ]
  return components.add(isBoxed ? `${name}Boxed` : name, { allOf })
}

/** Returns the union of everything that an endpoint answers with HTTP 200. */
const union = (
  components: Components.Components,
  isBoxed: boolean,
  name: string,
  members: ReadonlyArray<Json>
): Json => {
  const add = adder(components, isBoxed)
  const refs = members.map((member) => ({ member, own: memberName(name, member) })).map(({ member, own }) => {
    const schema = Components.hoistInside(components, member, own)
    return own === name ? addOwn(components, isBoxed, name, schema) : add(own, schema)
  })
  const refused = add("Refused", validationFailure)
  const [first, ...others] = refs
  // The dry run of most writes has no field of its own: they share one union of everything but the success.
  const isPlainWrite = members.length === 3 && members.some((member) => memberName(name, member) === "DryRun")
  return isPlainWrite
    ? { oneOf: [first, components.add(isBoxed ? "UnexecutedBoxed" : "Unexecuted", { oneOf: [...others, refused] })] }
    : { oneOf: [...refs, refused] }
}

const anyBox = (items: Json): Json => ({ type: "array", minItems: 1, maxItems: 1, items })

/**
 * Returns the answers with boxes, of a document that describes both media types: the fields of those without boxes, each
 * in a one-element array. JSON Schema cannot refer to the one from the other, and would repeat every field.
 */
const anyBoxed = (components: Components.Components): Json =>
  components.add("Boxed", {
    oneOf: [
      components.add("DoneBoxed", {
        type: "object",
        description: `The fields of \`${unboxedType}\`, each in an array of one; \`?answers=boxed\` names them.`,
        required: ["status"],
        properties: { status: anyBox({ type: "string", enum: ["success", "pending"] }) },
        additionalProperties: anyBox({})
      }),
      components.add("RefusedBoxed", Components.boxFields(components, validationFailure))
    ]
  })

/** Returns the responses of an endpoint and adds their schemas to the components. */
export const responsesOf = (components: Components.Components, answers: Answers, facts: EndpointFacts): Json => {
  const { members, shared } = successOf(facts.success)
  for (const [name, schema] of Object.entries(shared)) components.add(name, schema)
  const name = Components.pascal(facts.name)
  const schemaOf = (isBoxed: boolean) => ({ schema: union(components, isBoxed, name, members) })
  const content = {
    both: () => ({ [boxedType]: { schema: anyBoxed(components) }, [unboxedType]: schemaOf(false) }),
    boxed: () => ({ [boxedType]: { ...schemaOf(true), ...exampleOf(facts, true) } }),
    unboxed: () => ({ [unboxedType]: { ...schemaOf(false), ...exampleOf(facts, false) } })
  }
  return {
    "200": { description: "OK.", content: content[answers]() },
    "400": { $ref: "#/components/responses/Failed" },
    "503": { $ref: "#/components/responses/Down" }
  }
}
