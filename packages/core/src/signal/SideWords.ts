/** The words for a side in the texts that people and charts send. */
import type { Side } from "../threshold-bot/ThresholdBot.ts"

/** Single words, as the documents list them. */
const words: Readonly<Record<string, Side>> = {
  ...{ long: "long", buy: "long", short: "short", open: "long" },
  ...{ neutral: "neutral", flat: "neutral", sell: "neutral", close: "neutral", exit: "neutral" },
  hold: "hold"
}

const phrasesOf = (side: Side, phrases: ReadonlyArray<string>) =>
  Object.fromEntries(phrases.map((phrase) => [phrase, side] as const))

/** Words that only together have a meaning of their own; the longest counts. */
const phrases: Readonly<Record<string, Side>> = {
  ...phrasesOf("long", ["enter long", "go long", "open long", "start long", "buy long", "long entry", "entry long"]),
  ...phrasesOf("short", ["enter short", "go short", "open short", "start short", "sell short", "short entry"]),
  ...phrasesOf("short", ["entry short"]),
  ...phrasesOf("neutral", ["exit long", "close long", "sell long", "long exit", "exit short", "close short"]),
  ...phrasesOf("neutral", ["short exit", "buy to cover", "close all", "exit all", "close position", "exit position"]),
  ...phrasesOf("neutral", ["close at market price", "close at market price all"])
}

/** The most words that a phrase has. */
const longest = 5

export const sideWords = Object.keys(words)

/** The accepted words, completing the sentence "<name> must be …". */
export const accepted = `one of ${sideWords.join(", ")}`

const normalized = (text: string) => text.trim().toLowerCase().replaceAll(/[\s_-]+/g, " ")

/** Returns the side that a word or a phrase means; undefined if it means none. */
export const read = (text: string): Side | undefined => {
  const name = normalized(text)
  return Object.hasOwn(words, name) ? words[name] : Object.hasOwn(phrases, name) ? phrases[name] : undefined
}

/** Returns the side that the first words of a list mean, the most words first, and how many words those are. */
export const readFirst = (
  list: ReadonlyArray<string>
): { readonly side: Side; readonly count: number; readonly words: string } | undefined => {
  for (let count = Math.min(longest, list.length); count > 0; count--) {
    const text = list.slice(0, count).join(" ")
    const side = read(text)
    if (side !== undefined) return { side, count, words: text.toLowerCase() }
  }
  return undefined
}

/** Explains a value that still has a placeholder of the chart's, by its name. */
export const explainPlaceholder = (value: unknown): string | undefined => {
  const [found] = placeholdersOf(String(value))
  return found === undefined
    ? undefined
    : `has the placeholder {{${found}}}, which the chart did not replace; use it where the chart replaces it, or send ` +
      "the word itself. Nothing was done"
}

/** Lists the placeholders that a chart did not replace, each once. */
export const placeholdersOf = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(/\{\{\s*([\w.() -]{1,60}?)\s*\}\}/g), ([, name]) => name ?? ""))
]

/** Explains a text that means no side. */
export const explainText = (text: string): string => explainPlaceholder(text) ?? `must be ${accepted}`
