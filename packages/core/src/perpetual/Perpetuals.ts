/**
 * The Perpetuals actor's protocol: reads vaults' accounts and the markets of one network's HyperCore. Entity id: the
 * network.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { ListedMarket, PerpetualAccount, RestingOrder } from "./PerpetualAccount.ts"

const payload = { pool: Address }

/**
 * All calls fail with 2015 when the network has no perpetual contracts, and with 2030 while HyperCore's info API does
 * not answer.
 */
export const Perpetuals = Entity.make("Perpetuals", [
  Rpc.make("account", { payload, success: PerpetualAccount, error: Failure }),
  /** Lists resting orders, newest first. */
  Rpc.make("orders", { payload, success: Schema.Array(RestingOrder), error: Failure }),
  /** Lists the contracts. */
  Rpc.make("markets", { success: Schema.Array(ListedMarket), error: Failure })
])
