/** The parameter that names a pair of assets. */
import * as Schema from "effect/Schema"
import { pairPattern } from "../chain/PairText.ts"
import * as Param from "./Param.ts"

export const Pair = Param.make(Schema.String, {
  code: "1003",
  accepts: "BASE-QUOTE (also BASE/QUOTE or BASE_QUOTE), two different assets by symbol or address",
  description: "Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address.",
  example: "WETH-USDC",
  jsonSchema: { type: "string", pattern: pairPattern.source },
  read: (text) => pairPattern.test(text) ? text : undefined,
  show: (value) => value
})
