/**
 * The Keyring actor's protocol: creates and imports wallets, issues API keys. Entity id: any; rows decide, not the
 * actor.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Actor } from "../audit/AuditEntry.ts"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { Ended } from "./Ended.ts"

/** A new wallet's secrets. They exist in plaintext only in this response. */
const NewWallet = Schema.Struct({
  address: Address,
  privateKey: Schema.RedactedFromValue(Schema.String),
  apiKey: Schema.RedactedFromValue(Schema.String)
}).annotate({ identifier: "NewWallet" })
type NewWallet = typeof NewWallet.Type

const IssuedKey = Schema.Struct({
  address: Address,
  apiKey: Schema.RedactedFromValue(Schema.String),
  /** True if this revoked an earlier key. */
  revoked: Schema.Boolean,
  ended: Ended
}).annotate({ identifier: "IssuedKey" })
type IssuedKey = typeof IssuedKey.Type

/** The actor of the change, for the audit log; without it the service itself. */
const actor = Schema.optional(Actor)

/** Volatile on purpose: a persisted message would store its payload in plaintext. */
export const Keyring = Entity.make("Keyring", [
  Rpc.make("create", { payload: { actor }, success: NewWallet, error: Failure }),
  /**
   * Issues a new key for a wallet of the manager's list; its old key is revoked at once. For callers who are proven to
   * be the manager.
   */
  Rpc.make("rotate", { payload: { wallet: Address, manager: Address, actor }, success: IssuedKey, error: Failure }),
  /**
   * Issues a new key for the wallet of a private key, importing it if unknown. Ends every other way to act for the
   * wallet unless `keep`.
   */
  Rpc.make("issue", {
    payload: { privateKey: Schema.RedactedFromValue(Schema.String), keep: Schema.Boolean, actor },
    success: IssuedKey,
    error: Failure
  }),
  /** Returns the address of a private key; 1010 when it is invalid. Stores nothing. */
  Rpc.make("addressOf", {
    payload: { privateKey: Schema.RedactedFromValue(Schema.String) },
    success: Address,
    error: Failure
  })
])
