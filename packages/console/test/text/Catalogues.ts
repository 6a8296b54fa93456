/** The catalogues of translations. Run with a locale, prints the messages that its catalogue lacks, as JSON. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { folder, messagesOf, sources } from "./SourceTexts.ts"

export const locales = ["de", "es"] as const

export type Locale = typeof locales[number]

export const catalogueOf = (locale: Locale): Readonly<Record<string, string>> =>
  JSON.parse(Fs.readFileSync(Path.join(folder, "text", `${locale}.json`), "utf8")) as Record<string, string>

export const missingOf = (locale: Locale, messages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const catalogue = catalogueOf(locale)
  return messages.filter((message) => catalogue[message] === undefined)
}

if (import.meta.main) {
  const locale = locales.find((each) => each === process.argv[2])
  if (locale === undefined) throw new Error(`Name a locale: ${locales.join(" or ")}.`)
  const messages = [...new Set(messagesOf(sources).messages.map(({ text }) => text))].sort()
  console.log(JSON.stringify(missingOf(locale, messages), null, 2))
}
