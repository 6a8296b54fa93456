/**
 * The Lenders actor's protocol: the lending markets of one network and the vaults' positions in them. Entity id: the
 * network.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { LendingAccount } from "./LendingAccount.ts"
import { EstimatedYield, TotalYield, Yield } from "./Yields.ts"

const payload = { pool: Address }

export const Lenders = Entity.make("Lenders", [
  /** Reads a vault's account with lenderA; fails with 2015 when the network has no lenderA. */
  Rpc.make("account", { payload, success: LendingAccount, error: Failure }),
  /** Reads the rates of every asset of every lender. */
  Rpc.make("yields", { success: Schema.Array(Yield), error: Failure }),
  Rpc.make("estimatedYield", { payload, success: EstimatedYield, error: Failure }),
  /** Computes the vault's total yield; takes its first snapshot when there is none yet. */
  Rpc.make("totalYield", { payload, success: TotalYield, error: Failure })
])
