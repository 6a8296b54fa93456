/** The capabilities of vaults on a network, as the vault platform allows them now. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"

/** A contract that a capability goes through, and whether it can be used. */
const usable = {
  /** The vault platform lets vaults call it. */
  allowed: Schema.Boolean,
  /** It is enabled in the vault as an asset, where it has to be; null without a vault, and where it need not be. */
  enabled: Schema.NullOr(Schema.Boolean)
}

export const CapableVenue = Schema.Struct({ platform: Schema.String, router: Address, allowed: Schema.Boolean })

/** `lender`: the market's name as a parameter. */
export const CapableLender = Schema.Struct({ lender: Schema.String, market: Address, ...usable })

/** `protocol`: the exchange's name as the parameter `dex`. */
export const CapableLiquidity = Schema.Struct({
  protocol: Schema.String,
  position_manager: Address,
  ...usable,
  /** The contracts that the platform lets vaults stake positions in: gauges, or MasterChefV3. */
  staking: Schema.Array(Address)
})

/** The contract that redeems a token in two steps; it must be enabled in the vault, too. */
const Redeemer = Schema.Struct({ contract: Address, ...usable })

/** A token that rises when an asset falls: `side=short` of a bot holds it. */
export const CapableShort = Schema.Struct({
  asset: Schema.String,
  token: Address,
  ...usable,
  /** Null for a token that is sold by a swap. */
  redeemed_by: Schema.NullOr(Redeemer)
})

/** A leveraged vault token, bought and redeemed with `platform=toros`. `leverage`: 3 gains three percent for one. */
export const CapableLeverage = Schema.Struct({
  asset: Schema.String,
  leverage: Schema.Number,
  symbol: Schema.String,
  token: Address,
  ...usable,
  redeemed_by: Redeemer
})

export const CapablePerpetuals = Schema.Struct({ target: Address, ...usable })

export const Capabilities = Schema.Struct({
  network: Network,
  /** The vault whose enabled assets were read; null without one. */
  pool: Schema.NullOr(Address),
  /** In the order in which `platform=auto` tries them, then those that have to be named. */
  venues: Schema.Array(CapableVenue),
  lenders: Schema.Array(CapableLender),
  liquidity: Schema.Array(CapableLiquidity),
  shorts: Schema.Array(CapableShort),
  /** Leveraged and inverse vault tokens, also those of `shorts`. */
  leveraged: Schema.Array(CapableLeverage),
  /** Null on networks without a perpetuals exchange. */
  perpetuals: Schema.NullOr(CapablePerpetuals)
}).annotate({ identifier: "Capabilities" })
export type Capabilities = typeof Capabilities.Type
