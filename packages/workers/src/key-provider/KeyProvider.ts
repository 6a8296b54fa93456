/**
 * A key provider signs with the private keys of gas wallets. Its signatures are not trusted: the signer completes them
 * and compares the address they lead to with the wallet's.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A message to sign. web3signer receives the bytes and hashes them itself; every other provider signs the digest. */
export interface Message {
  readonly bytes: Uint8Array
  /** keccak-256 of the bytes. */
  readonly digest: Uint8Array
}

/** A signature as a provider returned it: 32 bytes each; s may be in the upper half of the curve's order. */
export interface Signature {
  readonly r: Uint8Array
  readonly s: Uint8Array
}

/** A wallet, and the place of its key: what its row says, which is a ciphertext or a provider's own name of the key. */
export interface WalletKey {
  readonly wallet: Address
  readonly reference: string
}

/** A provider does not sign at present. The same digest may be sent again, and may be signed then. */
export class KeyUnavailable extends Schema.TaggedError<KeyUnavailable>()("KeyUnavailable", {
  reason: Schema.Literals(["throttled", "denied", "disabled", "unreachable"]),
  message: Schema.String
}) {}

/** A provider will not sign with this key: it is gone, of another kind, or answers with something else. */
export class KeyUnusable extends Schema.TaggedError<KeyUnusable>()("KeyUnusable", { message: Schema.String }) {}

export type KeyFailure = KeyUnavailable | KeyUnusable

/** A provider whose private keys never enter this process. Messages of failures name neither keys nor credentials. */
export interface RemoteKeyProvider {
  /** The provider's name in sentences. */
  readonly title: string
  /** Signs messages in order. Signing the same message again is harmless: it is the same transaction. */
  readonly sign: (
    key: WalletKey,
    messages: ReadonlyArray<Message>
  ) => Effect.Effect<ReadonlyArray<Signature>, KeyFailure>
  /** Returns the public key: 64 bytes, x and y. */
  readonly publicKey: (reference: string) => Effect.Effect<Uint8Array, KeyFailure>
}
