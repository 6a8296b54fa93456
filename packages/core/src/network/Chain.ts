/** The Chain actor's protocol: facts of one network that belong to no vault and no wallet. Entity id: the network. */
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
  /** When it was made, unix seconds. */
  time: Schema.Number
}).annotate({ identifier: "Head" })
export type Head = typeof Head.Type

export const Chain = Entity.make("Chain", [
  /** The ERC-20 at an address; 1005 when there is none. */
  Rpc.make("token", { payload: { address: Address }, success: Token, error: Failure }),
  /** The token of the network's list that a symbol names; 1010 when none or several. */
  Rpc.make("symbol", { payload: { symbol: Schema.String }, success: Token, error: Failure }),
  /** The head as a node tells it. */
  Rpc.make("head", { success: Head, error: Failure }),
  /** What the vault platform allows here. */
  Rpc.make("platform", { success: Platform, error: Failure }),
  /** The vaults that an address manages here. */
  Rpc.make("managedBy", { payload: { manager: Address }, success: Schema.Array(ManagedVault), error: Failure }),
  /** Which of these addresses are vaults of the platform, in the order given. */
  Rpc.make("vaultsAmong", { payload: { addresses: Schema.Array(Address) }, success: Schema.Array(Address), error: Failure }),
  /** Who signed a manager's statement: the manager's own key, or, as far as this network can tell, the manager's contract wallet. */
  Rpc.make("signedBy", { payload: { statement: Statement, signature: Schema.RedactedFromValue(Hex) }, success: Signed, error: Failure }),
  /** The same of a text that a wallet has signed as such (EIP-191), for signing in. */
  Rpc.make("textSignedBy", { payload: { manager: Address, text: Schema.String, signature: Schema.RedactedFromValue(Hex) }, success: Signed, error: Failure })
])
