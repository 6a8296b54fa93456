/** Holds that the console's texts are messages, and that each catalogue has all of them. */
import { assert, describe, it } from "@effect/vitest"
import { compileMessage as compileFully } from "@lingui/message-utils/compileMessage"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { compileMessage } from "../../src/text/Message.ts"
import { locales as formats } from "../../src/text/Text.ts"
import { catalogueOf, type Locale, locales, missingOf } from "./Catalogues.ts"
import { folder, initialSources, joinedTexts, messagesOf, sources, textsOutside, walk } from "./SourceTexts.ts"
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

/** Words that stand for a term of the README's table in place of its own. */
const otherWords: Readonly<Record<Locale, RegExp>> = {
  de: /Orakel|Rebalancing|Testnetzwerk|Leit-Vault|Chart-Signal|Notierung(?!s)|prägen|API Linked/,
  es: /claves? API|código API|plataforma del vault|pausado|señal del gráfico|periodo/i
}

describe("the console's texts", () => {
  it("are messages, except names and what programs read", () => {
    assert.deepStrictEqual(textsOutside(sources).map(at), [])
    assert.deepStrictEqual(unreadable.map(at), [])
    assert.isAbove(texts.length, 1500)
  })

  it("are whole: none is a conjunction, begins with a mark between parts, or has a place for a part without a space", () => {
    const piece = /^(and|or|then|with|at|by)$|^[\s,;:·.)(]|\s$|\}\{|\p{L}\{\w+\}/u
    assert.deepStrictEqual(
      messages.filter(({ text }) => piece.test(text.replace(/\{\w+, plural,(?: \w+ \{[^{}]*\})+\}/g, "{count}"))).map(
        at
      ),
      []
    )
    assert.deepStrictEqual(joinedTexts(sources).map(at), [])
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

  it.each(locales)(
    "have their figures in %s as fields take them, and the words that fields take in English",
    (locale) => {
      // Words before a colon that says what they mean, and those of the fields of strategies and followers.
      const words = /(?<=^|[.;] )(auto|best|custom|hold|long|neutral|none|off|short|trend)(?=: )/g
      const typed: Readonly<Record<string, ReadonlyArray<string>>> = {
        "none, or 10m": ["none"],
        "on or off": ["on", "off"]
      }
      for (const [message, translation] of Object.entries(catalogueOf(locale))) {
        const taken = typed[message] ?? [...message.matchAll(words)].map(([word]) => word)
        for (const word of taken) assert.include(translation.split(/[^\w]+/), word, message)
        // A decimal comma, or a point between thousands.
        assert.notMatch(translation, /\d,\d(?!\d\d)|\d\.\d{3}(?!\d)/, message)
      }
    }
  )

  it.each(Object.entries(otherWords))("use one word for each term in %s", (locale, words) => {
    for (const [message, translation] of Object.entries(catalogueOf(locale as Locale))) {
      assert.notMatch(translation, words, message)
    }
  })

  it.each(locales)("have the same placeholders and tags in %s", (locale) => {
    for (const [message, translation] of Object.entries(catalogueOf(locale))) {
      assert.deepStrictEqual(marksOf(translation), marksOf(message), `${message} -> ${translation}`)
      assert.notStrictEqual(translation.trim(), "", message)
    }
  })
})
