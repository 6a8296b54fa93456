/** The parameters of chart alerts that name a side. */
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as SideWords from "../signal/SideWords.ts"
import { sides } from "../threshold-bot/ThresholdBot.ts"

const meaning = "long, buy and open mean long; sell, close, flat, exit and neutral mean neutral; short means short"

const make = (description: string, example: string) =>
  Param.make(Schema.Literals(sides), {
    code: "1008",
    accepts: SideWords.accepted,
    description: `${description}: ${meaning}; hold does nothing.`,
    example,
    jsonSchema: { type: "string", enum: SideWords.sideWords },
    read: SideWords.read,
    show: (value) => value,
    explain: SideWords.explainPlaceholder
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

/** The body of an alert that is a text instead of JSON. */
export const AlertText = Param.make(Schema.String, {
  code: "1008",
  accepts: SideWords.accepted,
  description: "A body that is plain text: a word for a side, alone or with a percentage, a price and a ticker, or " +
    "TradingView's text of a strategy's order; read where no other parameter names a side.",
  example: "long",
  text: true,
  jsonSchema: { type: "string" },
  read: (text) => text,
  show: (value) => value
})
