/** The words for a side in the texts that charts send. */
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import { type Side, sides } from "../threshold-bot/ThresholdBot.ts"

const words: Readonly<Record<string, Side>> = {
  ...{ long: "long", buy: "long", short: "short" },
  ...{ neutral: "neutral", flat: "neutral", sell: "neutral", close: "neutral", exit: "neutral" },
  hold: "hold"
}
const accepted = `one of ${Object.keys(words).join(", ")}`

/** Returns the side that a word means; undefined if it means none. */
export const read = (text: string): Side | undefined =>
  Object.hasOwn(words, text.trim().toLowerCase()) ? words[text.trim().toLowerCase()] : undefined

/** Explains a value that still has a placeholder of the chart's, by its name. */
export const explainPlaceholder = (value: unknown): string | undefined => {
  const found = /\{\{\s*([\w.() -]{1,60}?)\s*\}\}/.exec(String(value))?.[1]
  return found === undefined
    ? undefined
    : `has the placeholder {{${found}}}, which the chart did not replace; use it where the chart replaces it, or send ` +
      "the word itself. Nothing was done"
}

/** Explains a text that means no side. */
export const explainText = (text: string): string => explainPlaceholder(text) ?? `must be ${accepted}`

const meaning = "long and buy mean long; sell, close, flat, exit and neutral mean neutral; short means short"

const make = (description: string, example: string) =>
  Param.make(Schema.Literals(sides), {
    code: "1008",
    accepts: accepted,
    description: `${description}: ${meaning}; hold does nothing.`,
    example,
    jsonSchema: { type: "string", enum: Object.keys(words) },
    read,
    show: (value) => value,
    explain: explainPlaceholder
  })

export const AlertSide = make("The side", "long")
export const AlertAction = make(
  "The order in the chart's terms (TradingView's {{strategy.order.action}}), read where neither `side` nor " +
    "`market_position` is given",
  "buy"
)
export const MarketPosition = make(
  "The position after the order in the chart's terms (TradingView's {{strategy.market_position}})",
  "flat"
)

/** The body of an alert that is one word instead of JSON. */
export const AlertText = Param.make(Schema.String, {
  code: "1008",
  accepts: accepted,
  description: "A body that is plain text, for alerts that are one word; read where no other parameter names a side.",
  example: "long",
  text: true,
  jsonSchema: { type: "string" },
  read: (text) => text,
  show: (value) => value
})
