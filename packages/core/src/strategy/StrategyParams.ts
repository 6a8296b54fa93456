/** The parameters of the endpoints of strategy bots. */
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { readInterval, Usd } from "../index-bot/IndexBotApi.ts"
import { Percent } from "../vault-order/OrderParams.ts"
import { defaults, StrategyMode, strategyModes } from "./StrategyBot.ts"
import { CandleLength } from "./StrategyCandle.ts"
import { readInputs } from "./StrategyInputs.ts"

export const StrategyName = Param.make(Schema.String, {
  accepts: "the name of a strategy: lower case letters, digits and dashes",
  description: "A strategy by the name of its file; getStrategies lists them.",
  example: "ema-cross",
  jsonSchema: { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,63}$" },
  read: (text) => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text) ? text : undefined,
  show: (value) => value
})

const readLength = (text: string): CandleLength | undefined => {
  const [, blocks] = /^(\d{1,6})blocks?$/.exec(text.toLowerCase()) ?? []
  if (blocks !== undefined) return Number(blocks) > 0 ? { unit: "blocks", size: Number(blocks) } : undefined
  const seconds = readInterval(text)
  return seconds === undefined ? undefined : { unit: "seconds", size: seconds }
}

const Interval = Param.make(CandleLength, {
  accepts: "a time from 60 seconds to a year, as 900, 15m, 6h, 1d, or a number of blocks, as 20blocks",
  description:
    "Length of a candle; the strategy decides each time that one closes. A time as `15m`, `6h`, `1d`, or `20blocks`.",
  example: "1h",
  jsonSchema: { type: "string", pattern: "^[0-9]{1,9}([smhd]?|blocks?)$" },
  read: readLength,
  show: ({ size, unit }) => unit === "blocks" ? `${size}blocks` : String(size)
})

const Inputs = Param.make(Schema.Record(Schema.String, Schema.String), {
  accepts: "a list of values by name, as fast=12,slow=26",
  description: "Values of the strategy's inputs, as `fast=12,slow=26`; defaults for those that are not named.",
  example: "fast=12,slow=26",
  jsonSchema: { type: "string" },
  read: readInputs,
  show: (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`).join(",")
})

const Mode = Param.make(StrategyMode, {
  accepts: "paper or live",
  description: "`paper`, the default, records decisions and the fills that it would have had; `live` trades.",
  example: "paper",
  jsonSchema: { type: "string", enum: [...strategyModes], default: "paper" },
  read: (text) => strategyModes.find((mode) => mode === text.toLowerCase()),
  show: (value) => value
})

/** The terms of a bot that is set. */
export const terms = {
  assets: Param.list(Params.AssetName, {
    accepts: "a list of up to 20 tokens by symbol or address, each once, without the quote",
    description: "The tokens that the strategy trades.",
    example: ["WETH"],
    jsonSchema: { type: "array", items: { type: "string", maxLength: 64 }, minItems: 1, maxItems: 20 },
    fault: (assets) =>
      assets.length > 0 && assets.length <= 20 && new Set(assets).size === assets.length
        ? undefined
        : "must be 1 to 20 different tokens"
  }),
  interval: Interval,
  max_usd: Usd("The most in US dollars that one decision trades, sells and buys together.", "1000"),
  inputs: Schema.optional(Inputs),
  quote: Schema.optional(Params.Asset("Asset that trades go through")),
  tolerance: Schema.optional(
    Percent(`Points that a weight may be off its target before it is traded, default ${defaults.tolerance}.`, 100, 1)
  ),
  slippage: Schema.optional(Params.Slippage),
  max_impact: Schema.optional(
    Percent(
      "Percent that a trade may lose to its pool by the vault's oracle; only that part is made. Default as for setBot.",
      50,
      0.5
    )
  ),
  min_trade_usd: Schema.optional(Usd("Minimum value of a trade in US dollars, default 1.", "1")),
  platform: Schema.optional(Params.Platform),
  mode: Schema.optional(Mode)
}
