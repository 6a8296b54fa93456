import { assert, describe, it } from "@effect/vitest"
import { endpoints, endpointsByTitle } from "../../src/Catalogue.ts"
import * as Llms from "../../src/introspection/Llms.ts"

const documents = [{ name: "api.md", text: "# The API\n\nThe reference is [here](x.md). More.\n\n## Rules\nNone.\n" }]
const index = Llms.index(endpointsByTitle, { version: "1.2.3" }, documents)
const full = Llms.full(endpointsByTitle, { version: "1.2.3" }, documents)
const lines = index.split("\n")

describe("llms.txt", () => {
  it("has a title, a summary as a quotation, and lists of links under headings, as llmstxt.org describes", () => {
    assert.deepStrictEqual(lines.filter((line) => line.startsWith("# ")), ["# Vault Trader"])
    assert.match(index, /^# Vault Trader\n\n> /)
    const [, ...sections] = index.split(/^## /m)
    assert.deepStrictEqual(sections.map((section) => section.split("\n")[0]), [
      "Reference",
      "Documents",
      "Endpoints",
      "Optional"
    ])
    for (const line of sections.flatMap((section) => section.split("\n").slice(1)).filter((each) => each !== "")) {
      assert.match(line, /^- \[[^\]]+\]\(\/[^)]+\): .+$/)
    }
  })

  it("links to each document with its first sentence, and to each group of endpoints", () => {
    assert.include(lines, "- [The API](/docs/api.md): The reference is here.")
    assert.include(lines, "- [Tokens](/llmIntrospect?category=tokens): getSymbol, getContract")
  })

  it("has no section of documents where a build has none", () => {
    assert.notInclude(Llms.index(endpointsByTitle, { version: "1" }, []), "## Documents")
  })
})

describe("llms-full.txt", () => {
  it("has every listed endpoint with its parameters, and the documents", () => {
    for (const { listed, params, paths } of endpoints) {
      if (!listed) continue
      const text = full.split(`### ${paths[0]}\n`)[1]?.split("\n### ")[0] ?? ""
      for (const { name } of params) assert.include(text, `- \`${name}\``)
    }
    assert.include(full, "## Rules\nNone.")
    assert.include(full, "- 2003: no_route")
  })

  it("has no endpoint that the reference does not list", () => {
    assert.notInclude(full, "### /createGasWallet")
  })
})
