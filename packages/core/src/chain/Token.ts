/** An ERC-20 as the chain describes it. */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"

export const Token = Schema.Struct({
  address: Address,
  symbol: Schema.String,
  decimals: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 255 })))
}).annotate({ identifier: "Token" })
export type Token = typeof Token.Type

/** Names that callers use for tokens, mapped to their symbols. Applies to every asset parameter and pair leg. */
const symbolAliases: Readonly<Record<string, string>> = {
  BTC: "WBTC",
  ETH: "WETH",
  USD: "USDC",
  MATIC: "WMATIC",
  POL: "WMATIC"
}

/** Returns the upper-case symbol that a text names, after resolving aliases. */
export const symbolOf = (text: string): string => symbolAliases[text.toUpperCase()] ?? text.toUpperCase()
