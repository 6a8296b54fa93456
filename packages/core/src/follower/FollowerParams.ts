/** The parameters of the endpoints of followers. */
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Usd } from "../index-bot/IndexBotApi.ts"
import { Percent, Time } from "../vault-order/OrderParams.ts"
import { defaults } from "./Follower.ts"

const Assets = (description: string) =>
  Param.list(Params.AssetName, {
    accepts: "a list of 1 to 20 different tokens by symbol or address",
    description,
    example: ["WETH", "WBTC"],
    jsonSchema: { type: "array", items: { type: "string", maxLength: 64 }, minItems: 1, maxItems: 20 },
    fault: (assets) =>
      assets.length > 0 && assets.length <= 20 && new Set(assets).size === assets.length
        ? undefined
        : "must be 1 to 20 different tokens"
  })

export const terms = {
  leader: Params.AddressOf("leader: another vault of the platform, of any manager, or any other address"),
  base: Schema.optional(
    Params.Asset(
      "Asset that trades go through, and that has the weight of everything that is not followed; USDC without it"
    )
  ),
  ratio: Schema.optional(
    Percent(
      `Percent of the leader's weights that are copied, default ${defaults.ratio}; the rest stays in base.`,
      100,
      50
    )
  ),
  threshold: Schema.optional(
    Percent(
      `Percentage points that a weight may be off its target, default ${defaults.threshold}.`,
      50,
      defaults.threshold
    )
  ),
  max_weight: Schema.optional(Percent("Most that one asset other than base may weigh, percent.", 100, 40)),
  max_usd: Usd("Most that one trade moves, US dollars.", "1000"),
  max_usd_interval: Schema.optional(Usd("Most that all trades of an interval move, US dollars.", "5000")),
  interval: Schema.optional(Time("The interval of max_usd_interval; default 1d.", "1d")),
  assets: Schema.optional(Assets("The only assets that are traded; all that the vault may hold without it.")),
  without: Schema.optional(Assets("Assets that are never traded.")),
  delay: Schema.optional(
    Time("Time for which a difference must have lasted before the first trade; none without it.", "10m")
  ),
  slippage: Schema.optional(Params.Slippage),
  max_impact: Schema.optional(Percent(
    `Percent that a trade may lose to the pool, compared with the vault's oracle, default ${defaults.maxImpact}; a trade ` +
      "is as large as the pool bears.",
    50,
    defaults.maxImpact
  ))
}
