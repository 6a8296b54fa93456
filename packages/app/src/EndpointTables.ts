/** Renders the tables of docs/api.md from the declarations of the endpoints. */
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { executionCodes } from "@vault-trader/core/failure/Failure"

const begin = "<!-- endpoints:begin (npm run docs writes between these lines) -->"
const end = "<!-- endpoints:end -->"

/** Parameters and fields of every write; the text above the tables names them. */
const sharedByWrites = {
  params: ["dryRun", "idempotency_key"],
  fields: ["intent_id", "tx_hash", "message", "gas_used", "gas_cost", "charge_usd"]
}

const code = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(" ")

const nameCell = ({ name, paths }: EndpointFacts): string => {
  const others = paths.filter((path) => path !== `/${name}`)
  return others.length === 0 ? code([name]) : `${code([name])} (${code(others)})`
}

const row = (facts: EndpointFacts): string => {
  const isWrite = facts.class === "movesFunds"
  const params = facts.params.filter(({ name }) =>
    name !== "protocol" && !(isWrite && sharedByWrites.params.includes(name))
  )
  const fields = Object.keys(facts.example).filter((name) => !(isWrite && sharedByWrites.fields.includes(name)))
  const cells = [
    nameCell(facts),
    code(params.map(({ name, required }) => required ? name : `${name}?`)),
    code(fields),
    facts.failsWith.map((errorType) => executionCodes[errorType]).sort().join(" ")
  ]
  return `|${cells.map((cell) => cell === "" ? " " : ` ${cell} `).join("|")}|`
}

const table = (title: string, endpoints: ReadonlyArray<EndpointFacts>): string =>
  [`| ${title} | Takes | Returns | Fails with |`, "|---|---|---|---|", ...endpoints.map(row)].join("\n")

/** The tables, one for each group of the catalogue. */
export const endpointTables = Object.entries(endpointsByTitle)
  .map(([title, endpoints]) => table(title, endpoints)).join("\n\n")

/** Returns the document with the tables between its two markers. Throws when it has no markers. */
export const withEndpointTables = (document: string): string => {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/api.md needs the lines ${begin} and ${end}, in this order`)
  return `${document.slice(0, from + begin.length)}\n\n${endpointTables}\n\n${document.slice(to)}`
}
