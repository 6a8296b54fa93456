/**
 * The Vault actor's protocol: it executes all actions that move one vault's funds, one at a time. Entity id:
 * `network/pool`.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure, ValidationFailure } from "../failure/Failure.ts"
import { IntentRequest, Outcome, Plan } from "../intent/Intent.ts"
import * as Effect from "effect/Effect"

/** The parties that may move a vault's funds; while it is `paused`, neither may. */
export const VaultFacts = Schema.Struct({
  pool: Address,
  managerLogic: Address,
  manager: Address,
  trader: Schema.NullOr(Address),
  paused: Schema.Boolean,
  /** True if the vault lets its trader change its assets; absent while that cannot be read. */
  traderChangesAssets: Schema.optional(Schema.Boolean)
}).annotate({ identifier: "VaultFacts" })
export type VaultFacts = typeof VaultFacts.Type

/** A position token (NFT) of concentrated liquidity. Prices are `token1` per `token0` in human units. */
export const PositionToken = Schema.Struct({
  token_id: Schema.String,
  /** Such as `Uniswap V3 position #123 WETH/USDC 0.05 %`. */
  label: Schema.String,
  token0: Address,
  token1: Address,
  /** Percent; null where pools are distinguished by their tick spacing. */
  fee: Schema.NullOr(Schema.Number),
  tick_spacing: Schema.NullOr(Schema.Int),
  tick_lower: Schema.Int,
  tick_upper: Schema.Int,
  /** Null at an open end, and where a token's decimals are unknown. */
  lower_price: Schema.NullOr(Schema.Number),
  upper_price: Schema.NullOr(Schema.Number),
  liquidity: Schema.String,
  /** True while the token is with a gauge or another staking contract. */
  staked: Schema.Boolean
}).annotate({ identifier: "PositionToken" })
export type PositionToken = typeof PositionToken.Type

/**
 * A line of a vault's holdings. `amount` is in human units, `price` in USD per unit; a value that the vault platform
 * does not provide is null, never 0.
 */
export const Holding = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  assetPair: Schema.String,
  isDeposit: Schema.Boolean,
  amount: Schema.NullOr(Schema.String),
  price: Schema.NullOr(Schema.Number),
  value_usd: Schema.NullOr(Schema.Number),
  kind: Schema.Literals(["token", "position"]),
  /** Reason for a null value; null when all values are known. */
  reason: Schema.NullOr(Schema.String),
  /** The asset's type in the vault platform's AssetHandler; null while the platform does not return it. */
  asset_type: Schema.NullOr(Schema.Int),
  /** Names the line: a token's symbol, a market, or a position with its pair and fee. */
  label: Schema.String,
  /** The position tokens behind the line; empty for every other line. */
  positions: Schema.Array(PositionToken)
}).annotate({ identifier: "Holding" })
export type Holding = typeof Holding.Type

/** A vault's composition at one block. The total is null when the value of any line is null. */
export const Composition = Schema.Struct({
  holdings: Schema.Array(Holding),
  totalValueUsd: Schema.NullOr(Schema.Number),
  block: Schema.Int
}).annotate({ identifier: "Composition" })
export type Composition = typeof Composition.Type

/** The vault's facts, and the tokens named by the given symbols or addresses. */
export const VaultDescription = Schema.Struct({
  facts: VaultFacts,
  tokens: Schema.Array(Token)
}).annotate({ identifier: "Described" })
export type VaultDescription = typeof VaultDescription.Type

export const Vault = Entity.make("Vault", [
  /**
   * Returns the facts, and the tokens of symbols or addresses; 1004 when there is no such vault, 1010 for an unknown
   * asset. `confirmed`: for a decision about rights; two of the network's endpoints must agree, where it has so many.
   */
  Rpc.make("describe", {
    payload: { assets: Schema.Array(Schema.String), confirmed: Schema.optional(Schema.Boolean) },
    success: VaultDescription,
    error: Failure
  }),
  Rpc.make("composition", { success: Composition, error: Failure }),
  /** Plans the request, within the bounds of the sub-key that asks, if one does; signs and sends nothing. */
  Rpc.make("preview", {
    payload: { wallet: Address, request: IntentRequest, subKeyId: Schema.optional(Schema.String) },
    success: Plan,
    error: Failure
  }),
  /** Executes an accepted intent, or waits for its outcome. Safe to repeat. */
  Rpc.make("execute", { payload: { intentId: Schema.String }, success: Outcome, error: Failure })
])

/** Returns the entity id of a vault. */
export const idOf = (network: Network, pool: Address): string => `${network}/${pool}`

/** Parses an entity id into its network and pool. */
export const parseId = (id: string) => {
  const [network, pool] = id.split("/")
  return decodeId({ network, pool })
}

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ network: Network, pool: Address }))

/** Fails with 1006 unless the wallet is the vault's trader or manager. */
export const mayTrade = (facts: VaultFacts, wallet: Address): Effect.Effect<void, ValidationFailure> =>
  facts.trader === wallet || facts.manager === wallet
    ? Effect.void
    : new ValidationFailure({
      code: "1006",
      message: `apiKey: its wallet ${wallet} is not the trader of vault ${facts.pool} (the trader is ${
        facts.trader ?? "not set"
      })`
    })
