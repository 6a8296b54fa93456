/** Reasons why the signer signs nothing for now: what was to be signed waits, and is not refused. */
import * as Schema from "effect/Schema"

/** The wallet's gas of the day would exceed its cap. `room`: native smallest units that are left of it. */
export class GasCapReached extends Schema.TaggedError<GasCapReached>()("GasCapReached", {
  room: Schema.BigInt,
  message: Schema.String
}) {}

/** The process that signs does not answer, or has forgotten its review of a call since it was restarted. */
export class SignerAway extends Schema.TaggedError<SignerAway>()("SignerAway", { message: Schema.String }) {}
