/**
 * The texts of the console in the user's language. The English text is the key, so English needs no catalogue; the
 * translations of another language are one file, loaded before the first page is drawn.
 */
import { setupI18n } from "@lingui/core"
import { type Compiled, compileMessage } from "./Message.ts"

export const languages = { en: "English", de: "Deutsch", es: "Español" } as const

export type Language = keyof typeof languages

/** Values of a message's placeholders. Nothing is shown for null and undefined. */
export type TextValues = Readonly<Record<string, string | number | null | undefined>>

const stored = "vault-trader/language"

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text)

/** Returns the chosen language; without a choice, the first of the browser's languages that the console has. */
const chosenLanguage = (): Language => {
  if (typeof document === "undefined") return "en"
  const chosen = localStorage.getItem(stored)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en"
}

/** The language of the page. It changes only when the page is loaded again, so constants may hold texts. */
export const language: Language = chosenLanguage()

/** The locale of each language, with a decimal point. */
export const locales: Readonly<Record<Language, string>> = { en: "en", de: "de-CH", es: "es-MX" }

/**
 * The locale of numbers, dates and money. Fields and the API take decimals with a point, so every language shows them
 * with one: a thousand that is shown as 1.000 would be typed as one.
 */
export const locale: string = locales[language]

const compiled = new Map<string, Compiled>()

/** Compiles a message once. */
const compile = (message: string): Compiled => {
  const found = compiled.get(message)
  if (found !== undefined) return found
  const made = compileMessage(message)
  compiled.set(message, made)
  return made
}

const i18n = setupI18n({ locale: language, locales: [locale], messages: { [language]: {} } }).setMessagesCompiler(
  compile
)

/** The translations by their English message; empty in English. */
let translations: Readonly<Record<string, string>> = {}

/** Loads the translations. If that fails, the page is in English. */
export const loadTexts = async (): Promise<void> => {
  if (language === "en") return
  document.documentElement.lang = language
  await (language === "de" ? import("./de.json") : import("./es.json")).then(
    ({ default: texts }) => {
      translations = texts
      i18n.load(language, texts)
    },
    () => {
      document.documentElement.lang = "en"
    }
  )
}

/** Stores the choice of a language, and loads the page again in it. */
export const chooseLanguage = (chosen: string): void => {
  if (!isLanguage(chosen)) return
  localStorage.setItem(stored, chosen)
  location.reload()
}

/**
 * Returns an English message in the user's language, with its placeholders filled in: `{name}`, and plurals as
 * `{count, plural, one {# bot} other {# bots}}`.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const t = (message: string, values?: TextValues): string => {
  const text = translations[message] ?? message
  // Most messages have no placeholder, and the formatter would compile each of them while the page is loaded.
  return text.includes("{") ? i18n._(message, values) : text
}
