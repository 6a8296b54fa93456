/** The console's actions for which the session cookie is not enough: the manager's wallet signs each of them. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Params from "../endpoint/Params.ts"
import { Pair } from "../endpoint/Pair.ts"

/** An action to be signed, with all its parameters. */
export const ToSign = Schema.Union([
  Schema.Struct({ action: Schema.Literals(["rotateKey", "resumeWallet"]), wallet: Address }),
  Schema.Struct({
    action: Schema.Literal("resumeBot"),
    wallet: Address,
    network: Network,
    pool: Address,
    pair: Schema.optional(Pair)
  }),
  /** `params`: the call's other parameters. */
  Schema.Struct({
    action: Schema.Literals(["createSubKey", "setKeyLimits"]),
    wallet: Address,
    params: Schema.Record(Schema.String, Schema.Unknown)
  }),
  Schema.Struct({
    action: Schema.Literal("associateWallet"),
    apiKey: Schema.RedactedFromValue(Schema.String),
    privateKey: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
    label: Schema.NullOr(Params.Label)
  })
])
export type SignedAction = typeof ToSign.Type
