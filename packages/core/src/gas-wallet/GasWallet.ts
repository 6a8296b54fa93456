/** The GasWallet actor's protocol: a hot wallet on one network. Entity id: `network/address`. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ExecutionFailure } from "../failure/Failure.ts"
import { Settled } from "./Submission.ts"

/** Native balance in smallest units; USD (18 decimals) when requested and a price is known. */
const Balance = Schema.Struct({
  wei: Schema.BigIntFromString,
  usd18: Schema.NullOr(Schema.BigIntFromString)
}).annotate({ identifier: "Balance" })
type Balance = typeof Balance.Type

/** The amount of work in a lane. */
const Depth = Schema.Struct({
  /** Signed submissions that are not settled yet. */
  inFlight: Schema.Int,
  queued: Schema.Int
}).annotate({ identifier: "Depth" })
type Depth = typeof Depth.Type

/** Transactions of one wallet share one nonce sequence; each submission executes at most once. */
export const GasWallet = Entity.make("GasWallet", [
  Rpc.make("balance", { payload: { usd: Schema.Boolean }, success: Balance, error: ExecutionFailure }),
  /** Opens the lane if it is not open, so that its transactions in flight are tracked to finality. */
  Rpc.make("watch", { success: Depth, error: ExecutionFailure }),
  /**
   * Checks for a deep reorg that has removed mined or final transactions: the chain then counts fewer transactions than
   * the rows.
   */
  Rpc.make("recheck", { error: ExecutionFailure }),
  /**
   * Explains transactions of the wallet that the rows do not: the chain counts more transactions than they explain.
   * Adopts, alerts or quarantines.
   */
  Rpc.make("reconcile", { error: ExecutionFailure }),
  /**
   * Returns true when the rows explain every transaction of the wallet. Reconciles them otherwise, so that a request is
   * not ended as unsent while its transaction may be among those that the rows have forgotten.
   */
  Rpc.make("explained", { success: Schema.Boolean, error: ExecutionFailure }),
  /**
   * Processes the stored submission until it is settled, or waits for that. Safe to repeat: the row decides, not the
   * message.
   */
  Rpc.make("submit", { payload: { key: Schema.String }, success: Settled, error: ExecutionFailure })
])

/** Returns the entity id of a wallet on a network. */
export const idOf = (network: Network, wallet: Address): string => `${network}/${wallet}`

/** Parses an entity id into its network and wallet. */
export const parseId = (id: string) => {
  const [network, wallet] = id.split("/")
  return decodeId({ network, wallet })
}

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ network: Network, wallet: Address }))
