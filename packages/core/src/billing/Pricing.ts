/** The Pricing actor's protocol: the prices of one network's tokens. Entity id: the network. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Failure } from "../failure/Failure.ts"
import { Reading, Readings } from "./Price.ts"

export const Pricing = Entity.make("Pricing", [
  /** Reads a token's price from all sources of the network; null means the native token. */
  Rpc.make("readings", { payload: { token: Schema.NullOr(Schema.String) }, success: Readings, error: Failure }),
  /** Reads the price at which a charge would be booked now; null when no source has a price or the sources disagree. */
  Rpc.make("chargePrice", { success: Schema.NullOr(Reading), error: Failure })
])
