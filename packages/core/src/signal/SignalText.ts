/**
 * Reads a side from a text that is neither JSON nor a form. A text is understood only as a whole: a word that means
 * nothing here may negate the others, and what is not certain is not traded.
 */
import type { Side } from "../threshold-bot/ThresholdBot.ts"
import * as SideWords from "./SideWords.ts"

/** The meaning of a text. `fault`: why it is not understood, completing the sentence "alert: …". */
export interface TextMeaning {
  readonly side: Side | null
  readonly percent: number | null
  readonly price: string | null
  readonly unknown: ReadonlyArray<string>
  readonly fault: string | null
}

/** TradingView's text of a strategy's order: what counts is the position after the order. */
const strategyOrder =
  /\border (buy|sell) @ [\d.,]+ filled on [\w:./!-]+?(?:\.? New strategy position is (-?[\d.,]+?))?\.?\s*$/i

const fillers = new Set([
  ...["a", "alert", "all", "an", "at", "for", "in", "market", "my", "now", "of", "on", "order", "position", "price"],
  ...["qty", "signal", "size", "the", "usd", "with", "@"]
])

/** Upper-case words that a ticker could be and that change what a text means. */
const notTickers = new Set(["NOT", "DONT", "NEVER", "STOP", "CANCEL", "SKIP", "IGNORE", "WAIT", "WHEN", "TEST"])

const isTicker = (word: string) =>
  /^[A-Z0-9]{3,20}([:/-][A-Z0-9]{2,20})*(\.P)?$/.test(word) && /[A-Z]/.test(word) && !notTickers.has(word)

const nothing: TextMeaning = { side: null, percent: null, price: null, unknown: [], fault: null }

const ofStrategy = (text: string): TextMeaning | undefined => {
  const found = strategyOrder.exec(text)
  if (found === null) return undefined
  const [, order = "", position] = found
  const size = position === undefined ? undefined : Number(position.replaceAll(",", ""))
  if (size === undefined || Number.isNaN(size)) return { ...nothing, side: SideWords.read(order) ?? null }
  return { ...nothing, side: size > 0 ? "long" : size < 0 ? "short" : "neutral" }
}

interface Words {
  readonly sides: Map<Side, string>
  readonly percents: Set<number>
  readonly prices: Array<string>
  readonly tickers: Array<string>
  readonly unknown: Array<string>
}

/** Sorts the words of a text by what they are. */
const sorted = (words: ReadonlyArray<string>): Words => {
  const found: Words = { sides: new Map(), percents: new Set(), prices: [], tickers: [], unknown: [] }
  for (let at = 0; at < words.length;) {
    const word = words[at]!
    const side = SideWords.readFirst(words.slice(at))
    if (side !== undefined) {
      found.sides.set(side.side, side.words)
      at += side.count
      continue
    }
    if (/^\d+(\.\d+)?%$/.test(word)) found.percents.add(Number(word.slice(0, -1)))
    else if (/^[@$€]?\d[\d,]*(\.\d+)?$/.test(word)) found.prices.push(word.replaceAll(/[@$€,]/g, ""))
    else if (!fillers.has(word.toLowerCase())) (isTicker(word) ? found.tickers : found.unknown).push(word)
    at += 1
  }
  // Two names are more than a ticker: the second could be any word in upper case.
  found.unknown.push(...found.tickers.slice(1))
  return found
}

const faultOf = (text: string, { percents, sides, unknown }: Words): string | null => {
  if (sides.size === 0) return SideWords.explainText(text)
  if (sides.size > 1) {
    const all = Array.from(sides, ([side, words]) => `${side} (${words})`)
    return `names ${all.join(" and ")}; send one of them`
  }
  if (unknown.length > 0) {
    const [word = ""] = sides.values()
    return `has ${word} beside words that are not understood (${
      unknown.slice(0, 5).join(", ")
    }); send the word alone, ` +
      `or JSON such as {"side": "${word}"}`
  }
  return percents.size > 1 ? "names two percentages; send one" : null
}

/** Reads a text. Its side is null if and only if it has a fault. */
export const read = (text: string): TextMeaning => {
  const placeholder = SideWords.explainPlaceholder(text)
  if (placeholder !== undefined) return { ...nothing, fault: placeholder }
  const whole = SideWords.read(text)
  if (whole !== undefined) return { ...nothing, side: whole }
  const order = ofStrategy(text)
  if (order !== undefined) return order
  const words = sorted(
    text.split(/[\s,;|]+/).map((word) => word.replace(/^["'([]+/, "").replace(/["').!:\]]+$/, "")).filter((word) =>
      word !== ""
    )
  )
  const fault = faultOf(text, words)
  const [side = null] = words.sides.keys()
  const [percent = null] = words.percents
  return {
    side: fault === null ? side : null,
    percent,
    price: words.prices.length === 1 ? words.prices[0]! : null,
    unknown: words.unknown.slice(0, 20),
    fault
  }
}
