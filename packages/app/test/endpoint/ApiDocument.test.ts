import { assert, describe, it } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { executionCodes } from "@vault-trader/core/failure/Failure"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { withEndpointTables } from "../../src/EndpointTables.ts"

const document = Fs.readFileSync(Path.join(import.meta.dirname, "../../../../docs/api.md"), "utf8")

const quoted = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? "")

/** The tables' lines: an endpoint, its parameters, its response and its failures. */
const lines = document.split("\n").flatMap((line) => {
  const cells = line.split("|").map((cell) => cell.trim())
  const [, names = "", takes = "", answers = "", fails = ""] = cells
  return cells.length === 6 && names.startsWith("`")
    ? quoted(names).filter((name) => endpoints.some((each) => each.name === name)).map((name) => ({
      name,
      takes: quoted(takes),
      answers: quoted(answers),
      fails
    }))
    : []
})

const ofWrites = {
  takes: ["dryRun?", "idempotency_key?"],
  answers: ["intent_id", "tx_hash", "message", "gas_used", "gas_cost", "charge_usd"]
}

const takes = ({ class: kind, params }: EndpointFacts) =>
  params.map(({ name, required }) => required ? name : `${name}?`)
    .filter((name) => name !== "protocol?" && !(kind === "movesFunds" && ofWrites.takes.includes(name)))

const answers = ({ class: kind, example }: EndpointFacts) =>
  Object.keys(example).filter((name) => !(kind === "movesFunds" && ofWrites.answers.includes(name)))

describe("docs/api.md", () => {
  it("contains the tables that `npm run docs` writes", () => {
    assert.strictEqual(document, withEndpointTables(document), "docs/api.md is outdated: run `npm run docs`")
  })

  it("has one line for each endpoint, and no other", () => {
    assert.deepStrictEqual(lines.map(({ name }) => name).sort(), endpoints.map(({ name }) => name).sort())
  })

  for (const facts of endpoints) {
    it(`lists the parameters, fields and failures of ${facts.name}`, () => {
      const line = lines.find(({ name }) => name === facts.name)
      assert.sameMembers([...line?.takes ?? []], takes(facts))
      assert.sameMembers([...line?.answers ?? []], answers(facts))
      assert.sameMembers(
        Array.from(line?.fails.matchAll(/\b\d{4}\b/g) ?? [], ([code]) => code),
        facts.failsWith.map((errorType) => executionCodes[errorType])
      )
    })
  }

  it("names every path besides", () => {
    for (const { name, paths } of endpoints) {
      for (const path of paths.filter((each) => each !== `/${name}`)) assert.include(document, path.slice(1))
    }
  })
})
