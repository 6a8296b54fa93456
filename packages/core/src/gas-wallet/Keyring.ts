/** The Keyring actor's protocol: makes and imports wallets, issues API keys. Entity id: any; rows decide, not the actor. */
import * as Entity from "@effect/cluster/Entity"
import * as Rpc from "@effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../endpoint/Failure.ts"

/** A new wallet's secrets. They exist in this answer and nowhere else in clear. */
export class NewWallet extends Schema.Class<NewWallet>("NewWallet")({
  address: Address,
  privateKey: Schema.Redacted(Schema.String),
  apiKey: Schema.Redacted(Schema.String)
}) {}

export class IssuedKey extends Schema.Class<IssuedKey>("IssuedKey")({
  address: Address,
  apiKey: Schema.Redacted(Schema.String),
  /** Whether an earlier key was revoked by this. */
  revoked: Schema.Boolean
}) {}

/** Volatile on purpose: a persisted message would keep its payload in clear. */
export const Keyring = Entity.make("Keyring", [
  Rpc.make("create", { success: NewWallet, error: Failure }),
  /** A new key for a wallet that is here; the one it had is revoked at once. For callers whose authority over the wallet is proven. */
  Rpc.make("rotate", { payload: { wallet: Address }, success: IssuedKey, error: Failure }),
  Rpc.make("issue", { payload: { privateKey: Schema.Redacted(Schema.String) }, success: IssuedKey, error: Failure })
])
