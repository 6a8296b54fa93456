/** Writes clients/python/vault_trader/_endpoints.py: types of responses, and the methods, also for asyncio. */
import { type ClientMethod, clientMethods, type JsonSchema, pascalCase, snakeCase } from "./ClientMethod.ts"

export const pythonFile = "clients/python/vault_trader/_endpoints.py"

const keywords = new Set([
  ...["False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del"],
  ...["elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal"],
  ...["not", "or", "pass", "raise", "return", "try", "while", "with", "yield"]
])

/** Members of the clients that are no endpoints, and arguments that are no parameters. */
const ownMembers = ["follow_intent"]
const ownArguments = ["self", "options"]

/** Returns a parameter's name as a keyword argument: `from` becomes `from_`. */
const argumentOf = (name: string): string => {
  const snake = snakeCase(name)
  if (ownArguments.includes(snake)) throw new Error(`the parameter ${name} has the name of a client's own argument`)
  return keywords.has(snake) ? `${snake}_` : snake
}

const literal = (value: unknown): string =>
  value === true ? "True" : value === false ? "False" : value === null ? "None" : JSON.stringify(value)

/** Returns the type of some values, on several lines where they are many. */
const literals = (values: ReadonlyArray<unknown>): string => {
  const line = values.map(literal).join(", ")
  return line.length <= 70
    ? `Literal[${line}]`
    : `Literal[${values.map((value) => `\n            ${literal(value)}`).join(",")},\n        ]`
}

const isPlain = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

/** Collects the classes that annotations name; those of members come before those of their owners. */
const annotations = (list: "list" | "Sequence") => {
  const classes: Array<string> = []

  const classOf = (schema: JsonSchema, name: string): string => {
    const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
    const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>)
      .map(([field, each]) => {
        const type = annotationOf(
          each,
          name + pascalCase(field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
        )
        return [field, required.has(field) ? type : `NotRequired[${type}]`] as const
      })
    if (fields.length === 0) return "dict[str, Any]"
    classes.push(
      fields.every(([field]) => isPlain(field))
        ? [`class ${name}(TypedDict):`, ...fields.map(([field, type]) => `    ${field}: ${type}`)].join("\n")
        : [
          `${name} = TypedDict(`,
          `    ${literal(name)},`,
          "    {",
          ...fields.map(([field, type]) => `        ${literal(field)}: ${type},`),
          "    },",
          ")"
        ].join("\n")
    )
    return name
  }

  const union = (members: ReadonlyArray<string>): string => [...new Set(members)].join(" | ")

  const annotationOf = (schema: JsonSchema, name: string): string => {
    const { anyOf, const: constant, enum: values, type } = schema
    if (constant !== undefined) return `Literal[${literal(constant)}]`
    if (Array.isArray(values)) return literals(values)
    if (Array.isArray(anyOf)) return union(anyOf.map((each) => annotationOf(each as JsonSchema, name)))
    if (Array.isArray(type)) return union(type.map((each: unknown) => annotationOf({ ...schema, type: each }, name)))
    if (type === "array") return `${list}[${annotationOf((schema["items"] ?? {}) as JsonSchema, `${name}Item`)}]`
    if (type === "object") return classOf(schema, name)
    const plain: Readonly<Record<string, string>> = {
      string: "str",
      boolean: "bool",
      integer: "int",
      number: "float",
      null: "None"
    }
    return plain[String(type)] ?? "Any"
  }

  return { classes, annotationOf, classOf }
}

/** The types of a method: its classes, the annotations of its arguments, and the names of its results. */
const typesOf = ({ dryRun, name, params, success }: ClientMethod) => {
  const type = pascalCase(name)
  const results = annotations("list")
  const requests = annotations("Sequence")
  const result = results.classOf(success, `${type}Result`)
  const plan = dryRun === undefined ? undefined : results.classOf(dryRun, `${type}DryRun`)
  const args = params.map(({ name: param, required, schema }) => {
    const annotation = requests.annotationOf(schema, type + pascalCase(param))
    const argument = argumentOf(param)
    return `        ${argument}: ${required ? annotation : `${annotation} | None = None`},`
  })
  return { classes: [...results.classes, ...requests.classes], result, plan, args }
}

/** Breaks a text into lines of at most 110 columns, the later ones indented. */
const wrap = (text: string, indent: string, further = indent): string => {
  const lines: Array<string> = []
  let line = indent
  for (const word of text.replaceAll("\\", "\\\\").replaceAll("\"\"\"", "'''").split(/\s+/)) {
    if (line.trim() !== "" && line.length + word.length > 110) {
      lines.push(line)
      line = further + word
    } else line += line.trim() === "" ? word : ` ${word}`
  }
  return [...lines, line].join("\n")
}

const constantOf = ({ name }: ClientMethod): string => `_${snakeCase(name).toUpperCase()}`

/** Returns the methods of an endpoint: the call, and its dry run where it has one. */
const methodsOf = (method: ClientMethod, isAsync: boolean): ReadonlyArray<string> => {
  const { kind, name, params, summary } = method
  const { args, plan, result } = typesOf(method)
  const handle = kind === "write" ? `${isAsync ? "Async" : ""}Write[${result}]` : result
  const one = (suffix: string, returns: string, call: string, more: ReadonlyArray<string> = []) => {
    const fields = params.filter(({ name: param }) => suffix === "" || param !== "idempotency_key")
    const entries = [...fields.map(({ name: param }) => `${literal(param)}: ${argumentOf(param)}`), ...more]
    const used = args.filter((_, index) => fields.includes(params[index] as typeof params[number]))
    return [
      `    ${isAsync ? "async " : ""}def ${snakeCase(name)}${suffix}(`,
      "        self,",
      "        *,",
      ...used,
      "        options: CallOptions | None = None,",
      `    ) -> ${returns}:`,
      `        """${wrap(suffix === "" ? summary : `Plan only: ${summary}`, "        ").trimStart()}`,
      ...(isAsync || fields.length === 0
        ? []
        : [
          "",
          ...fields.map(({ description, name: param }) =>
            wrap(`:param ${argumentOf(param)}: ${description}`, "        ", "            ")
          )
        ]),
      "        \"\"\"",
      ...(entries.length === 0
        ? ["        _body: dict[str, Any] = {}"]
        : ["        _body: dict[str, Any] = {", ...entries.map((entry) => `            ${entry},`), "        }"]),
      "        return cast(",
      `            "${returns}", ${isAsync ? "await " : ""}self.${call}(${constantOf(method)}, _body, options)`,
      "        )"
    ].join("\n")
  }
  return [
    one("", handle, kind === "write" ? "_call_write" : "_call"),
    ...(plan === undefined ? [] : [one("_dry_run", plan, "_call", ["\"dryRun\": True"])])
  ]
}

const classOf = (isAsync: boolean): string => {
  const call = (name: string) =>
    [
      `    ${isAsync ? "async " : ""}def ${name}(`,
      "        self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None",
      "    ) -> Any:",
      "        raise NotImplementedError"
    ].join("\n")
  return [
    `class ${isAsync ? "AsyncEndpoints" : "Endpoints"}:`,
    `    """One method for each endpoint. Methods of writes return a handle, whose ${"``outcome``"} waits for the result."""`,
    "",
    [call("_call"), call("_call_write"), ...clientMethods.flatMap((method) => methodsOf(method, isAsync))].join("\n\n")
  ].join("\n")
}

/** The file's content. */
export const pythonSource: string = (() => {
  const taken = clientMethods.find(({ name }) => ownMembers.includes(snakeCase(name)))
  if (taken !== undefined) throw new Error(`the endpoint ${taken.endpoint} has the name of a member of the client`)
  return [
    "\"\"\"The endpoints of the service, written by `npm run docs` from its catalogue. Do not edit.\"\"\"",
    "",
    "from __future__ import annotations",
    "",
    "from collections.abc import Mapping, Sequence",
    "from typing import Any, Literal, NotRequired, TypedDict, cast",
    "",
    "from ._transport import CallOptions, Endpoint",
    "from ._write import AsyncWrite, Write",
    "",
    ...clientMethods.map((method) =>
      `${constantOf(method)} = Endpoint(${
        [method.endpoint, method.path, method.kind, method.key].map(literal).join(", ")
      })`
    ),
    "",
    "",
    clientMethods.flatMap((method) => typesOf(method).classes).join("\n\n\n"),
    "",
    "",
    classOf(false),
    "",
    "",
    classOf(true),
    ""
  ].join("\n")
})()
