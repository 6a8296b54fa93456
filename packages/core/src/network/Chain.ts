/** The Chain actor's protocol: reads of one network that belong to no vault and no wallet. Entity id: the network. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address, Hex } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { Signed, Statement } from "../signature/ManagerSignature.ts"
import { ManagedVault } from "../chain/ManagedVault.ts"
import { Platform } from "../chain/Platform.ts"
import { Token } from "../chain/Token.ts"

/** The newest block of a network. */
export const Head = Schema.Struct({
  chainId: Schema.Int,
  block: Schema.BigIntFromString,
  /** The block's timestamp, unix seconds. */
  time: Schema.Number
}).annotate({ identifier: "Head" })
export type Head = typeof Head.Type

export const Chain = Entity.make("Chain", [
  /** Reads the ERC-20 at an address; fails with 1005 when there is none. */
  Rpc.make("token", { payload: { address: Address }, success: Token, error: Failure }),
  /** Finds the token of the network's list with a symbol; fails with 1010 when there is none or more than one. */
  Rpc.make("symbol", { payload: { symbol: Schema.String }, success: Token, error: Failure }),
  /** Reads the newest block from a node. */
  Rpc.make("head", { success: Head, error: Failure }),
  /** Reads the vault platform's rules on this network. */
  Rpc.make("platform", { success: Platform, error: Failure }),
  /** Lists the vaults that an address manages on this network. */
  Rpc.make("managedBy", { payload: { manager: Address }, success: Schema.Array(ManagedVault), error: Failure }),
  /** Returns those of the addresses that are vaults of the platform, in the given order. */
  Rpc.make("vaultsAmong", {
    payload: { addresses: Schema.Array(Address) },
    success: Schema.Array(Address),
    error: Failure
  }),
  /**
   * Verifies the signature of a manager's statement, made by the manager's own key or by its contract wallet on this
   * network.
   */
  Rpc.make("signedBy", {
    payload: { statement: Statement, signature: Schema.RedactedFromValue(Hex) },
    success: Signed,
    error: Failure
  }),
  /** Verifies the signature of a plain text (EIP-191), used for sign-in. */
  Rpc.make("textSignedBy", {
    payload: { manager: Address, text: Schema.String, signature: Schema.RedactedFromValue(Hex) },
    success: Signed,
    error: Failure
  })
])
