/** The Vault actor's protocol: everything that moves one vault's funds goes through it, one at a time. Entity id: `network/pool`. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import { IntentRequest, Outcome, Plan } from "../intent/Intent.ts"

/** Who may move a vault's funds, and whether anyone may now. */
export const VaultFacts = Schema.Struct({
  pool: Address,
  managerLogic: Address,
  manager: Address,
  trader: Schema.NullOr(Address),
  paused: Schema.Boolean
}).annotate({ identifier: "VaultFacts" })
export type VaultFacts = typeof VaultFacts.Type

/** A line of a vault's holdings. `amount` is in human units, `price` in USD per unit; a figure the vault platform does not give is null, never 0. */
export const Holding = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  assetPair: Schema.String,
  isDeposit: Schema.Boolean,
  amount: Schema.NullOr(Schema.String),
  price: Schema.NullOr(Schema.Number),
  value_usd: Schema.NullOr(Schema.Number),
  kind: Schema.Literals(["token", "position"]),
  /** Why a figure is null; null when none is. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Holding" })
export type Holding = typeof Holding.Type

/** A vault's composition at one block. The total is null while the value of one line is. */
export const Composition = Schema.Struct({
  holdings: Schema.Array(Holding),
  totalValueUsd: Schema.NullOr(Schema.Number),
  block: Schema.Int
}).annotate({ identifier: "Composition" })
export type Composition = typeof Composition.Type

/** The vault's facts, and the tokens that the given texts name for it. */
export const Described = Schema.Struct({
  facts: VaultFacts,
  tokens: Schema.Array(Token)
}).annotate({ identifier: "Described" })
export type Described = typeof Described.Type

export const Vault = Entity.make("Vault", [
  /** Facts, and what symbols or addresses mean here; 1004 when there is no such vault, 1010 for an asset nobody knows. */
  Rpc.make("describe", { payload: { assets: Schema.Array(Schema.String) }, success: Described, error: Failure }),
  Rpc.make("composition", { success: Composition, error: Failure }),
  /** What carrying out the request would do; signs and sends nothing. */
  Rpc.make("preview", { payload: { wallet: Address, request: IntentRequest }, success: Plan, error: Failure }),
  /** Carries out an accepted intent, or waits for it; its outcome is the same however often it is asked. */
  Rpc.make("execute", { payload: { intentId: Schema.String }, success: Outcome, error: Failure })
])

/** The entity id of a vault. */
export const idOf = (network: Network, pool: Address): string => `${network}/${pool}`

/** The network and pool an entity id names. */
export const parseId = (id: string) => {
  const [network, pool] = id.split("/")
  return decodeId({ network, pool })
}

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ network: Network, pool: Address }))
