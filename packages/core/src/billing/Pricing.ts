/** The Pricing actor's protocol: what tokens of one network are worth. Entity id: the network. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Failure } from "../failure/Failure.ts"
import { Reading, Readings } from "./Price.ts"

export const Pricing = Entity.make("Pricing", [
  /** What the network's sources say of a token now; of the native one where none is named. */
  Rpc.make("readings", { payload: { token: Schema.NullOr(Schema.String) }, success: Readings, error: Failure }),
  /** What a charge would be booked at now; null while no source has a price, or they contradict each other. */
  Rpc.make("chargePrice", { success: Schema.NullOr(Reading), error: Failure })
])
