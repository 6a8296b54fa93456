/** The parameters of positions of concentrated liquidity. */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import * as Dex from "./Dex.ts"
import { feeTiers } from "./Liquidity.ts"

export const FeeTier = Param.make(Schema.Literals(feeTiers), {
  accepts: `one of ${feeTiers.join(", ")}`,
  description: `Fee of the pool in hundredths of a basis point: ${
    feeTiers.join(", ")
  }. Default: the pair's pool with the most liquidity. Not for velodromeCl.`,
  example: 3000,
  jsonSchema: { type: "integer", enum: [...feeTiers] },
  read: (text) => feeTiers.find((tier) => String(tier) === text),
  show: String
})

export const TickSpacing = Param.make(Schema.Int, {
  accepts: "a tick spacing of velodromeCl: a whole number from 1 to 16383",
  description: "Tick spacing of the pool, such as 1, 50, 100, 200 or 2000; only at velodromeCl, whose pools it " +
    "distinguishes. Default: the pair's pool with the most liquidity.",
  example: 100,
  jsonSchema: { type: "integer", minimum: 1, maximum: 16383 },
  read: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 16383 ? Number(text) : undefined,
  show: String
})

export const DexChoice = Param.make(Schema.Literals(Dex.dexChoices), {
  accepts: `one of ${Dex.dexChoices.join(", ")}`,
  description:
    `Exchange of the position: ${Dex.dexChoices.join(", ")} (aerodrome is velodromeCl). A named one is that ` +
    "one or a refusal; auto, the default, takes the first that the platform allows and the vault has enabled.",
  example: "auto",
  jsonSchema: { type: "string", enum: [...Dex.dexChoices], default: "auto" },
  read: Dex.parse,
  show: String
})

export const Price = (which: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "a decimal number above 0",
    description:
      `${which} end of the price range, asset2 per asset1 in human units; rounded to the nearest price of the ` +
      "pool. Without it the range is open at this end.",
    example: "2500",
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) => {
      const value = Params.readDecimal(text)
      return value !== undefined && BigDecimal.isPositive(value) ? value : undefined
    },
    show: (value) => BigDecimal.format(value)
  })

const assetOfPair = Params.Asset("Asset of the pair to receive")
const readAsset = Schema.decodeUnknownOption(assetOfPair)
export const bothAssets = "both"

export const OutputAsset = Param.make(Schema.String, {
  accepts: `${bothAssets}, or an asset of the pair: a token symbol or a contract address`,
  description:
    `Asset of the pair to receive: a token symbol or a contract address; \`${bothAssets}\`, the default, sells ` +
    "neither.",
  example: "USDC",
  asset: true,
  words: [bothAssets],
  jsonSchema: { type: "string", minLength: 1, maxLength: 42, default: bothAssets },
  read: (text) => text.toLowerCase() === bothAssets ? bothAssets : Option.getOrUndefined(readAsset(text)),
  show: String
})

export const TokenId = Param.make(Schema.BigInt, {
  accepts: "the id of a position: a whole number",
  description: "Id of the position's token, as returned by addLiquidity.",
  example: "12345",
  jsonSchema: { type: "string", pattern: "^[0-9]+$" },
  read: (text) => /^\d{1,77}$/.test(text) ? BigInt(text) : undefined,
  show: String
})

export const Percent = Param.make(Schema.Number, {
  code: "1009",
  accepts: "a percentage above 0 and at most 100",
  description: "Percent of the position to remove, default 100: all of it, which also deletes the position.",
  example: 100,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 100, default: 100 },
  read: (text) => {
    const value = Params.readDecimal(text)
    const percent = value === undefined ? 0 : BigDecimal.toNumberUnsafe(value)
    return percent > 0 && percent <= 100 ? percent : undefined
  },
  show: String
})
