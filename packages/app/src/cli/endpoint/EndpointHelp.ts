/** The help of an endpoint's command. */
import type { CommandOption, EndpointCommand, EndpointOption } from "../CommandTable.ts"
import { connectionOptions, writeOptions } from "./OwnOptions.ts"
import * as Secret from "./Secret.ts"

const width = 100

/** Breaks a text into lines; all but the first are indented. */
const wrapped = (text: string, indent: string): string => {
  const found: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    if (line !== "" && indent.length + line.length + word.length >= width) {
      found.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...found, line].join(`\n${indent}`)
}

const placeholders = { text: " <text>", number: " <number>", integer: " <integer>", list: " <a,b,…>", json: " <json>" }

const nameOf = ({ name, type }: CommandOption): string => `--${name}${type === "flag" ? "" : placeholders[type]}`

const flagOf = (option: EndpointOption): string =>
  option.secret === true ? `--${Secret.optionOf(option.name)} <file>` : nameOf(option)

/** Says what a secret is read from. */
const secretText = ({ name, required }: EndpointOption): string =>
  `A file of mode 0600, - for standard input, or env for ${Secret.variableOf(name)}` +
  `${required ? ", which is also read without this option" : ""}.`

const ended = (text: string): string => /[.!?]$/.test(text) ? text : `${text}.`

const textOf = (option: EndpointOption): string =>
  [
    option.required ? "Required." : "",
    ended(option.description),
    option.secret === true ? secretText(option) : "",
    // A list of values is in many descriptions already.
    option.values !== undefined && option.values.some((value) => !option.description.includes(value))
      ? `One of ${option.values.join(", ")}.`
      : "",
    option.type === "list" ? "Separated by commas, or given several times." : "",
    option.type === "json" ? "JSON, or @file." : "",
    option.fromProfile === true ? "Default: the profile's." : "",
    option.fallback !== undefined && option.fallback !== "false" && !option.description.includes("default")
      ? `Default: ${option.fallback}.`
      : ""
  ].filter((each) => each !== "").join(" ")

const section = (title: string, rows: ReadonlyArray<readonly [string, string]>): string => {
  if (rows.length === 0) return ""
  const column = Math.min(28, Math.max(...rows.map(([name]) => name.length)))
  const indent = " ".repeat(column + 4)
  return `\n${title}\n${
    rows.map(([name, text]) =>
      name.length > column
        ? `  ${name}\n${indent}${wrapped(text, indent)}\n`
        : `  ${name.padEnd(column)}  ${wrapped(text, indent)}\n`
    ).join("")
  }`
}

const quote = (text: string): string => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const wordsOf = (option: EndpointOption, value: unknown): string =>
  option.type === "flag"
    ? value === false ? `--no-${option.name}` : `--${option.name}`
    : `--${option.name} ${
      quote(
        typeof value === "string"
          ? value
          : Array.isArray(value) && option.type === "list"
          ? value.join(",")
          : JSON.stringify(value)
      )
    }`

/** Returns the example: a typical request, as a dry run where there is one. */
const exampleOf = ({ aliases, example, name, options }: EndpointCommand): string => {
  const words = options.flatMap((option) =>
    option.secret === true
      ? option.required ? [`--${Secret.optionOf(option.name)} FILE`] : []
      : example[option.param] === undefined
      ? option.required ? [`--${option.name} "$${option.name.replaceAll("-", "_").toUpperCase()}"`] : []
      : [wordsOf(option, example[option.param])]
  )
  const dryRun = options.some(({ param }) => param === "dryRun") && example["dryRun"] === undefined ? ["--dry-run"] : []
  return ["vault-trader", aliases[0] ?? name, ...words, ...dryRun].join(" ")
}

/** Returns the same request as curl sends it. The key comes from the environment. */
const httpOf = ({ endpoint, example, key, options, path }: EndpointCommand): string => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "")
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = example[name]
    return typeof value === "string" ? encodeURIComponent(value) : `<${name}>`
  })
  const body: Readonly<Record<string, unknown>> = Object.fromEntries<unknown>([
    ...Object.entries(example).filter(([name]) => !inPath.includes(name)),
    ...options.filter(({ param, required }) => required && example[param] === undefined && !inPath.includes(param))
      .map(({ param }) => [param, `<${param}>`] as const)
  ])
  return [
    `curl -s "$VAULT_TRADER_URL${url === "" ? `/${endpoint}` : url}"`,
    ...(key === "none" ? [] : [`-H "X-API-Key: $VAULT_TRADER_API_KEY"`]),
    ...(Object.keys(body).length === 0 ? [] : [`--json ${quote(JSON.stringify(body))}`])
  ].join(" \\\n    ")
}

/** Returns the help. */
export const helpOf = (command: EndpointCommand): string => {
  const { aliases, endpoint, key, kind, name, options, summary } = command
  const required = options.filter((option) => option.required).map(flagOf)
  const common = [...(kind === "write" ? writeOptions : []), ...connectionOptions]
  return [
    `${wrapped(summary, "")}\n`,
    `\nUSAGE\n  ${wrapped(["vault-trader", name, ...required, "[options]"].join(" "), "    ")}\n`,
    aliases.length === 0 ? "" : `  Also: ${aliases.map((each) => `vault-trader ${each}`).join(", ")}\n`,
    section("OPTIONS", options.map((option) => [flagOf(option), textOf(option)] as const)),
    section(
      "COMMON OPTIONS",
      common.filter((option) => key !== "none" || option.name !== "api-key-file")
        .map((option) => [nameOf(option), option.description] as const)
    ),
    `\nEXAMPLE\n  ${exampleOf(command)}\n`,
    `\nHTTP\n  ${httpOf(command)}\n`,
    "\nEXIT CODES\n  0 success, 1 refused or failed for good, 2 unusable command line, 3 pending or not known,\n" +
    `  4 service not reached, 130 Ctrl-C. The endpoint is ${endpoint}: docs/api.md, docs/cli.md.\n`
  ].join("")
}
