/** Checks docs/authority.md against the catalogue: each endpoint and each call of the console has exactly one row. */
import { assert, describe, it } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import { ConsoleCalls, SignedCalls } from "@vault-trader/core/console/ConsoleApi"
import type * as Rpc from "effect/rpc/Rpc"
import * as Fs from "node:fs"
import * as Path from "node:path"

const document = Fs.readFileSync(Path.join(import.meta.dirname, "../../../../docs/authority.md"), "utf8")

/** Returns the cells of the rows of the table under a heading. */
const rowsUnder = (heading: string) => {
  const [, section = ""] = document.split(`\n## ${heading}\n`)
  const [own = ""] = section.split("\n## ")
  return own.split("\n").filter((line) => line.startsWith("|")).slice(2).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  )
}

const quoted = (cell = "") => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? "")

describe("docs/authority.md", () => {
  const rows = rowsUnder("Endpoints by class").map(([kind = "", access, names]) => ({
    kind,
    access: quoted(access)[0],
    names: quoted(names)
  }))

  it("has every endpoint in exactly one class", () => {
    assert.deepStrictEqual(rows.flatMap(({ names }) => names).sort(), endpoints.map(({ name }) => name).sort())
  })

  it("states the access that each endpoint is declared with", () => {
    for (const { access, kind, names } of rows) {
      for (const name of names) {
        assert.strictEqual(endpoints.find((each) => each.name === name)?.access, access, `${name} in ${kind}`)
      }
    }
  })

  it("lists as trades and settings of a vault exactly the endpoints for its trader", () => {
    const ofTrader = rows.filter(({ kind }) => /^(Trades|Settings of a vault)/.test(kind)).flatMap(({ names }) => names)
    assert.deepStrictEqual(ofTrader.sort(), endpoints.filter(({ trader }) => trader).map(({ name }) => name).sort())
  })

  it("lists as reads and public only endpoints that change nothing, except createGasWallet", () => {
    const reads = rows.filter(({ kind }) => /^(Public|Reads|Authority)/.test(kind)).flatMap(({ names }) => names)
    const changes = endpoints.filter(({ class: kind, name }) => reads.includes(name) && kind !== "readOnly")
    assert.deepStrictEqual(changes.map(({ name }) => name), ["createGasWallet"])
    const others = endpoints.filter(({ class: kind, name }) => !reads.includes(name) && kind === "readOnly")
    assert.deepStrictEqual(others.map(({ name }) => name), [])
  })

  it("has every call of the console, and says which the manager's wallet signs", () => {
    const calls = Array.from(ConsoleCalls.requests.values(), (rpc) => {
      const { payloadSchema } = rpc as unknown as Rpc.AnyWithProps
      const fields = "fields" in payloadSchema ? Object.keys(payloadSchema.fields as object) : []
      return [rpc._tag, fields.includes("signature") ? "yes" : "no"]
    })
    // The endpoints that the console calls with a signature beside their parameters.
    calls.push(...Array.from(SignedCalls.requests.keys(), (name) => [name.replace(/^signed\./, ""), "yes"]))
    assert.deepStrictEqual(
      rowsUnder("The console").map(([name, isSigned]) => [quoted(name)[0], isSigned]).sort(),
      calls.sort()
    )
  })
})
