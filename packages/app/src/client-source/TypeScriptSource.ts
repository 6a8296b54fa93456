/** Writes packages/client/src/generated/Endpoints.ts: types of requests and responses, and the methods. */
import { type ClientMethod, clientMethods, type JsonSchema, pascalCase } from "./ClientMethod.ts"

export const typeScriptFile = "packages/client/src/generated/Endpoints.ts"

/** Members of the client's class that are no endpoints. */
const ownMembers = ["constructor", "call", "callWrite", "followIntent", "toString", "toJSON"]

const literal = (value: unknown): string => JSON.stringify(value)

const property = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)

/** Joins the members of a union, each on a line of its own where they are many. */
const union = (members: ReadonlyArray<string>, indent: string): string => {
  const line = members.join(" | ")
  return line.length <= 80 || line.includes("\n") ? line : members.map((each) => `\n${indent}  | ${each}`).join("")
}

/** Returns the type of a JSON schema; members of objects are indented by `indent` and two spaces. */
const typeOf = (schema: JsonSchema, indent = ""): string => {
  const { anyOf, const: constant, enum: values, type } = schema
  if (constant !== undefined) return literal(constant)
  if (Array.isArray(values)) return union(values.map(literal), indent)
  if (Array.isArray(anyOf)) return union(anyOf.map((each) => typeOf(each as JsonSchema, indent)), indent)
  if (Array.isArray(type)) return type.map((each: unknown) => typeOf({ ...schema, type: each }, indent)).join(" | ")
  if (type === "integer" || type === "number") return "number"
  if (type === "string" || type === "boolean" || type === "null") return type
  if (type === "array") return `ReadonlyArray<${typeOf((schema["items"] ?? {}) as JsonSchema, indent)}>`
  if (type === "object") return objectOf(schema, indent)
  return "unknown"
}

const objectOf = (schema: JsonSchema, indent: string): string => {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>)
  if (properties.length === 0) return "Readonly<Record<string, unknown>>"
  const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
  const lines = properties.map(([name, each]) => {
    const type = typeOf(each, `${indent}  `)
    return required.has(name)
      ? `${indent}  readonly ${property(name)}: ${type}`
      : `${indent}  readonly ${property(name)}?: ${type} | undefined`
  })
  return `{\n${lines.join("\n")}\n${indent}}`
}

/** Returns a comment, broken into lines of at most 110 columns. */
const comment = (text: string, indent: string): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.replaceAll("*/", "* /").split(/\s+/)) {
    if (line !== "" && line.length + word.length > 105) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.length === 1
    ? `${indent}/** ${line} */`
    : [`${indent}/**`, ...lines.map((each) => `${indent} * ${each}`), `${indent} */`].join("\n")
}

const requestOf = ({ name, params }: ClientMethod): string =>
  [
    `export interface ${pascalCase(name)}Request {`,
    ...params.flatMap(({ description, name: param, required, schema }) => [
      comment(description, "  "),
      `  readonly ${property(param)}${required ? "" : "?"}: ${typeOf(schema, "  ")}${required ? "" : " | undefined"}`
    ]),
    "}"
  ].join("\n")

/** Returns the types of a method. An endpoint without parameters has no request type. */
const typesOf = (method: ClientMethod): string => {
  const { dryRun, endpoint, name, params, success } = method
  const type = pascalCase(name)
  const alias = (suffix: string, of: string, schema: JsonSchema) =>
    `${comment(`The fields of ${of}.`, "")}\nexport type ${type}${suffix} = ${typeOf(schema)}`
  return [
    ...(params.length === 0 ? [] : [`${comment(`The parameters of ${endpoint}.`, "")}\n${requestOf(method)}`]),
    alias("Result", `a success of ${endpoint}`, success),
    ...(dryRun === undefined ? [] : [alias("DryRun", `a dry run of ${endpoint}`, dryRun)])
  ].join("\n\n")
}

const methodOf = ({ dryRun, endpoint, key, kind, name, params, path, summary }: ClientMethod): string => {
  const type = pascalCase(name)
  const facts = `{ name: ${literal(endpoint)}, path: ${literal(path)}, kind: ${literal(kind)}, key: ${literal(key)} }`
  const isOptional = params.every(({ required }) => !required)
  const result = kind === "write" ? `Write<${type}Result>` : `${type}Result`
  const call = kind === "write" ? "callWrite" : "call"
  const signature = (request: string, answer: string) => {
    const options = "options?: CallOptions"
    if (params.length === 0) return `  ${name}(${options}): Promise<${answer}>`
    const optional = isOptional && request === `${type}Request` ? "?" : ""
    const line = `  ${name}(request${optional}: ${request}, ${options}): Promise<${answer}>`
    return line.length <= 120
      ? line
      : `  ${name}(\n    request${optional}: ${request},\n    ${options}\n  ): Promise<${answer}>`
  }
  const either = `${type}DryRun | ${result}`
  const overloads = dryRun === undefined ? [] : [
    signature(`${type}Request & { readonly dryRun: true }`, `${type}DryRun`),
    signature(`${type}Request & { readonly dryRun?: false | undefined }`, result),
    signature(`${type}Request & { readonly dryRun?: boolean | undefined }`, either)
  ]
  const request = params.length === 0 ? "{}" : isOptional ? "request ?? {}" : "request"
  return [
    comment(summary, "  "),
    ...overloads,
    `${signature(`${type}Request`, dryRun === undefined ? result : either)} {`,
    `    return this.${call}(`,
    `      ${facts},`,
    `      ${request},`,
    "      options",
    "    )",
    "  }"
  ].join("\n")
}

/** The file's content. */
export const typeScriptSource: string = (() => {
  const taken = clientMethods.find(({ name }) => ownMembers.includes(name))
  if (taken !== undefined) throw new Error(`the endpoint ${taken.endpoint} has the name of a member of the client`)
  return [
    "/** The endpoints of the service, written by `npm run docs` from its catalogue. Do not edit. */",
    "import type { CallOptions, Endpoint } from \"../Endpoint.ts\"",
    "import type { Write } from \"../Write.ts\"",
    "",
    clientMethods.map(typesOf).join("\n\n"),
    "",
    "/** One method for each endpoint. Methods of writes return a handle, whose `outcome()` waits for the result. */",
    "export abstract class Endpoints {",
    "  protected abstract call(endpoint: Endpoint, request: object, options?: CallOptions): Promise<never>",
    "",
    "  protected abstract callWrite(endpoint: Endpoint, request: object, options?: CallOptions): Promise<never>",
    "",
    clientMethods.map(methodOf).join("\n\n"),
    "}",
    ""
  ].join("\n")
})()
