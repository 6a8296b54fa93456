/** The GasWallet actor's protocol: a hot wallet on one network. Entity id: `network/address`. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ExecutionFailure } from "../failure/Failure.ts"
import { Settled } from "./Submission.ts"

/** Native balance in smallest units; USD (18 decimals) when it was asked for and a price is known. */
export const Balance = Schema.Struct({
  wei: Schema.BigIntFromString,
  usd18: Schema.NullOr(Schema.BigIntFromString)
}).annotate({ identifier: "Balance" })
export type Balance = typeof Balance.Type

/** How much a lane has to do. */
export const Depth = Schema.Struct({
  /** Signed submissions whose fate is open. */
  inFlight: Schema.Int,
  queued: Schema.Int
}).annotate({ identifier: "Depth" })
export type Depth = typeof Depth.Type

/** Transactions of one wallet share one nonce sequence; each submission executes at most once. */
export const GasWallet = Entity.make("GasWallet", [
  Rpc.make("balance", { payload: { usd: Schema.Boolean }, success: Balance, error: ExecutionFailure }),
  /** Opens the lane if it is not open, so that what it has in flight is followed to finality. */
  Rpc.make("watch", { success: Depth, error: ExecutionFailure }),
  /** Checks whether a deep reorg has removed what counts as mined or final: the chain counts fewer transactions than the rows. */
  Rpc.make("recheck", { error: ExecutionFailure }),
  /** Carries the stored submission to its end, or waits for it. Safe to repeat: the row decides, not the message. */
  Rpc.make("submit", { payload: { key: Schema.String }, success: Settled, error: ExecutionFailure })
])

/** The entity id of a wallet on a network. */
export const idOf = (network: Network, wallet: Address): string => `${network}/${wallet}`

/** The network and wallet an entity id names. */
export const parseId = (id: string) => {
  const [network, wallet] = id.split("/")
  return decodeId({ network, wallet })
}

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ network: Network, wallet: Address }))
