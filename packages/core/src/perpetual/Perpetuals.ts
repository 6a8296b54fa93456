/** The Perpetuals actor's protocol: what the core of one network says of vaults and of its markets. Entity id: the network. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { ListedMarket, PerpetualAccount, RestingOrder } from "./PerpetualAccount.ts"

const payload = { pool: Address }

/** All of them: 2015 where the network has no perpetual contracts, 2030 while the core's info API does not answer. */
export const Perpetuals = Entity.make("Perpetuals", [
  Rpc.make("account", { payload, success: PerpetualAccount, error: Failure }),
  /** Orders that rest, newest first. */
  Rpc.make("orders", { payload, success: Schema.Array(RestingOrder), error: Failure }),
  /** The contracts that are traded. */
  Rpc.make("markets", { success: Schema.Array(ListedMarket), error: Failure })
])
