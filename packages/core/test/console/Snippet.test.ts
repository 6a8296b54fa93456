import { assert, describe, it } from "@effect/vitest"
import { languages, snippetOf } from "../../src/console/Snippet.ts"

/** A text that would end strings, lines, arguments and commands in one language or another. */
const nasty = "a\"b'c\\d\ne\tf$(touch g)`h`%{i}\u2028#é😀\0end"
const call = {
  baseUrl: "https://trade.example",
  endpoint: "setBot",
  apiKey: "YOUR_API_KEY",
  params: { pair: "WETH-USDC", threshold: 1.5, lending: true, label: nasty }
}

/** Parses the text between double quotes by the rules of R's manual (?Quotes): escapes, and no other quote inside. */
const readR = (literal: string): string => {
  assert.match(literal, /^"(?:[^"\\]|\\["\\]|\\U\{[0-9a-f]{1,8}\})*"$/)
  return literal.slice(1, -1).replace(
    /\\U\{([0-9a-f]+)\}|\\(.)/g,
    (_, code: string | undefined, plain: string) =>
      code === undefined ? plain : String.fromCodePoint(Number.parseInt(code, 16))
  )
}

describe("a snippet", () => {
  it("for a webhook carries every parameter unchanged in the URL", () => {
    const url = new URL(snippetOf("Webhook URL", call))
    assert.strictEqual(`${url.origin}${url.pathname}`, "https://trade.example/setBot")
    assert.deepStrictEqual(Object.fromEntries(url.searchParams), {
      apiKey: "YOUR_API_KEY",
      pair: "WETH-USDC",
      threshold: "1.5",
      lending: "true",
      label: nasty
    })
  })

  it("in R is quoted by R's rules (checked with a parser in this file, because R may not be installed)", () => {
    const text = snippetOf("R", call)
    const literal = /label = (".*")$/m.exec(text)?.[1] ?? ""
    assert.strictEqual(readR(literal), nasty.replace("\0", ""))
    assert.include(text, "lending = TRUE")
    assert.include(text, "threshold = 1.5")
  })

  it("writes a list of objects in the syntax of each language", () => {
    const targets = {
      ...call,
      params: { targets: [{ asset: nasty, weight: 60 }, { asset: "USDC", weight: 40, tolerance: 2.5 }] }
    }
    const query = new URL(snippetOf("Webhook URL", targets)).searchParams
    assert.deepStrictEqual(JSON.parse(query.get("targets") ?? ""), targets.params.targets)
    const [, literal = ""] = /^        list\(asset = (".*"), weight = 60\),$/m.exec(snippetOf("R", targets)) ?? []
    assert.strictEqual(readR(literal), nasty.replace("\0", ""))
    assert.include(snippetOf("R", targets), "targets = list(\n")
    assert.include(snippetOf("R", targets), `        list(asset = "USDC", weight = 40, tolerance = 2.5)\n    )`)
  })

  it("contains the key exactly once", () => {
    for (const language of languages) {
      assert.strictEqual(snippetOf(language, call).split("YOUR_API_KEY").length, 2, language)
    }
  })
})
