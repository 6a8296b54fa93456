/** Holds that the console's texts are messages, and that each catalogue has all of them. */
import { assert, describe, it } from "@effect/vitest"
import { compileMessage as compileFully } from "@lingui/message-utils/compileMessage"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { compileMessage } from "../../src/text/Message.ts"
import { locales as formats } from "../../src/text/Text.ts"
import { catalogueOf, locales, missingOf } from "./Catalogues.ts"
import { folder, initialSources, messagesOf, sources, textsOutside, walk } from "./SourceTexts.ts"
import ts from "typescript"

const { messages, unreadable } = messagesOf(sources)
const texts = [...new Set(messages.map(({ text }) => text))]

const at = ({ file, line, text }: { readonly file: string; readonly line: number; readonly text: string }) =>
  `${file}:${line} ${text}`

/** Lists a message's placeholders and tags. A plural may have other cases in another language. */
const marksOf = (message: string): ReadonlyArray<string> =>
  [
    ...compileFully(message).map((part) => typeof part === "string" ? "" : `${part[0]} ${String(part[1] ?? "")}`),
    ...[...message.matchAll(/<\/?\d+>/g)].map(([tag]) => tag)
  ].filter((mark) => mark !== "").sort()

describe("the console's texts", () => {
  it("are messages, except names and what programs read", () => {
    assert.deepStrictEqual(textsOutside(sources).map(at), [])
    assert.deepStrictEqual(unreadable.map(at), [])
    assert.isAbove(texts.length, 1500)
  })

  it("are understood by the console's compiler as by Lingui's", () => {
    const withoutOffset = (message: string) => JSON.parse(JSON.stringify(compileFully(message))) as unknown
    for (const message of [...texts, ...locales.flatMap((locale) => Object.values(catalogueOf(locale)))]) {
      assert.deepStrictEqual(JSON.parse(JSON.stringify(compileMessage(message))), withoutOffset(message), message)
    }
  })

  it("show figures as fields take them, with a decimal point, in each language", () => {
    assert.deepStrictEqual(Object.keys(formats).sort(), ["en", ...locales].sort())
    for (const format of Object.values(formats)) {
      assert.match((1234.5).toLocaleString(format), /^1[^.]?234\.5$/, format)
    }
  })

  it("are not read before the catalogue is loaded", () => {
    const early: Array<string> = []
    for (const file of initialSources()) {
      const source = ts.createSourceFile(
        file,
        Fs.readFileSync(Path.join(folder, file), "utf8"),
        ts.ScriptTarget.Latest,
        true
      )
      walk(source, (node) => {
        if (!ts.isCallExpression(node) || node.expression.getText() !== "t") return
        let parent: ts.Node | undefined = node
        while (parent !== undefined && !ts.isFunctionLike(parent)) parent = parent.parent
        if (parent === undefined) early.push(`${file}: ${node.getText()}`)
      })
    }
    assert.deepStrictEqual(early, [])
    assert.isAbove(initialSources().length, 10)
  })

  it.each(locales)("are all in the catalogue of %s, which has no others", (locale) => {
    const catalogue = catalogueOf(locale)
    assert.deepStrictEqual(missingOf(locale, texts), [], "The README of the package says how to list them.")
    assert.deepStrictEqual(Object.keys(catalogue).filter((message) => !texts.includes(message)), [])
  })

  it.each(locales)("have the same placeholders and tags in %s", (locale) => {
    for (const [message, translation] of Object.entries(catalogueOf(locale))) {
      assert.deepStrictEqual(marksOf(translation), marksOf(message), `${message} -> ${translation}`)
      assert.notStrictEqual(translation.trim(), "", message)
    }
  })
})
