/** The vault platform's rules on a network. */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"
import { Token } from "./Token.ts"

/** The vault platform on a network, with what a manager needs to know to create a vault. */
export const Platform = Schema.Struct({
  chainId: Schema.Int,
  /** The contract that creates vaults. */
  factory: Address,
  /** No vault can be created while the platform is paused. */
  paused: Schema.Boolean,
  /** The maximum fees a vault may charge, in parts of `denominator`. */
  maximumFee: Schema.Struct({
    performance: Schema.Int,
    management: Schema.Int,
    entry: Schema.Int,
    exit: Schema.Int,
    denominator: Schema.Int
  }),
  /** The maximum number of assets a vault may hold. */
  mostAssets: Schema.Int,
  /** The tokens of the network's list that a vault may hold. */
  assets: Schema.Array(Token)
}).annotate({ identifier: "Platform" })
export type Platform = typeof Platform.Type
