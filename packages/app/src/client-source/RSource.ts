/** Writes clients/r/R/endpoints.R: one function for each endpoint, with the names of the wire. */
import { type ClientMethod, clientMethods } from "./ClientMethod.ts"

export const rFile = "clients/r/R/endpoints.R"

/** Names that R's grammar reserves, and those of the client's own members. */
const taken = new Set([
  ...["if", "else", "repeat", "while", "function", "for", "in", "next", "break", "TRUE", "FALSE", "NULL", "Inf", "NaN"],
  ...["NA", "call", "follow_intent", "options"]
])

const checked = (name: string): string => {
  if (taken.has(name) || !/^[A-Za-z]\w*$/.test(name)) throw new Error(`${name} cannot be a name in R`)
  return name
}

const literal = (text: string): string => JSON.stringify(text)

const methodOf = ({ dryRun, endpoint, key, kind, name, params, path, summary }: ClientMethod): string => {
  const names = [...params.map(({ name: param }) => checked(param)), ...(dryRun === undefined ? [] : ["dryRun"])]
  const args = [
    ...params.map(({ name: param, required }) => required ? param : `${param} = NULL`),
    ...(dryRun === undefined ? [] : ["dryRun = NULL"]),
    "options = list()"
  ]
  const facts = `vt_endpoint(${[endpoint, path, kind, key].map(literal).join(", ")})`
  const list = (open: string, members: ReadonlyArray<string>) => {
    const line = `${open}(${members.join(", ")})`
    return line.length <= 100 ? line : `${open}(\n        ${members.join(",\n        ")}\n      )`
  }
  return [
    ...wrap(summary).map((line) => `    # ${line}`),
    `    ${list(`${checked(name)} = function`, args)} {`,
    `      request <- ${list("list", names.map((param) => `${param} = ${param}`))}`,
    `      call(${facts}, request, options)`,
    "    }"
  ].join("\n")
}

/** Breaks a text into lines of at most 110 columns. */
const wrap = (text: string): ReadonlyArray<string> =>
  text.split(/\s+/).reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + word.length > 108
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])

/** The file's content. */
export const rSource: string = [
  "# The endpoints of the service, written by `npm run docs` from its catalogue. Do not edit.",
  "",
  "vt_methods <- function(call) {",
  "  list(",
  clientMethods.map(methodOf).join(",\n"),
  "  )",
  "}",
  ""
].join("\n")
