/** What the vault platform allows on a network. */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"
import { Token } from "./Token.ts"

/** The vault platform on a network, as who wants a vault there has to know it. */
export const Platform = Schema.Struct({
  chainId: Schema.Int,
  /** Where vaults are made. */
  factory: Address,
  /** While it is paused nobody makes a vault. */
  paused: Schema.Boolean,
  /** The most a vault may take, in parts of `denominator`. */
  maximumFee: Schema.Struct({ performance: Schema.Int, management: Schema.Int, entry: Schema.Int, exit: Schema.Int, denominator: Schema.Int }),
  /** How many assets a vault may hold. */
  mostAssets: Schema.Int,
  /** The tokens of the network's list that a vault may hold. */
  assets: Schema.Array(Token)
}).annotate({ identifier: "Platform" })
export type Platform = typeof Platform.Type
