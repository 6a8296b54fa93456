/** The Chain actor's protocol: reads of one network that belong to no vault and no wallet. Entity id: the network. */
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address, Hex } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { Signed, Statement } from "../signature/ManagerSignature.ts"
import { Token } from "../chain/Token.ts"
import { Capabilities } from "./Capabilities.ts"

/** The newest block of a network. */
export const Head = Schema.Struct({
  chainId: Schema.Int,
  block: Schema.BigIntFromString,
  /** The block's timestamp, unix seconds. */
  time: Schema.Number,
  /** The network's endpoints have contradicted each other in the last minutes. */
  disputed: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false)))
}).annotate({ identifier: "Head" })
export type Head = typeof Head.Type

/** A vault that belongs to a manager. */
export const ManagedVault = Schema.Struct({
  pool: Address,
  /** The name of its token. */
  name: Schema.String,
  /** The address that may trade it; null when no trader is set yet. */
  trader: Schema.NullOr(Address)
}).annotate({ identifier: "ManagedVault" })
export type ManagedVault = typeof ManagedVault.Type

/** The vault platform on a network, with what a manager needs to know to create a vault. */
export const Platform = Schema.Struct({
  chainId: Schema.Int,
  /** The contract that creates vaults. */
  factory: Address,
  /** No vault can be created while the platform is paused. */
  paused: Schema.Boolean,
  /** The maximum fees a vault may charge, in parts of `denominator`. */
  maximumFee: Schema.Struct({
    performance: Schema.Int,
    management: Schema.Int,
    entry: Schema.Int,
    exit: Schema.Int,
    denominator: Schema.Int
  }),
  /** The maximum number of assets a vault may hold. */
  mostAssets: Schema.Int,
  /** The tokens of the network's list that a vault may hold. */
  assets: Schema.Array(Token)
}).annotate({ identifier: "Platform" })
export type Platform = typeof Platform.Type

export const Chain = Entity.make("Chain", [
  /** Reads the ERC-20 at an address; fails with 1005 when there is none. */
  Rpc.make("token", { payload: { address: Address }, success: Token, error: Failure }),
  /** Finds the token of the network's list with a symbol; fails with 1010 when there is none or more than one. */
  Rpc.make("symbol", { payload: { symbol: Schema.String }, success: Token, error: Failure }),
  /** Reads the newest block from a node; fails with 2015 where the vault platform's factory has no code. */
  Rpc.make("head", { success: Head, error: Failure }),
  /** Reads the code at an address; `0x` without any. */
  Rpc.make("codeAt", { payload: { address: Address }, success: Hex, error: Failure }),
  /** Reads the vault platform's rules on this network. */
  Rpc.make("platform", { success: Platform, error: Failure }),
  /** Reads what vaults, and one vault, can do on this network. */
  Rpc.make("capabilities", { payload: { pool: Schema.NullOr(Address) }, success: Capabilities, error: Failure }),
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
