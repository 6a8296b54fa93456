/** The Lenders actor's protocol: the lending markets of one network, and what vaults have there. Entity id: the network. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { LendingAccount } from "./LendingAccount.ts"
import { EstimatedYield, TotalYield, Yield } from "./Yields.ts"

const payload = { pool: Address }

export const Lenders = Entity.make("Lenders", [
  /** A vault's account with lenderA; 2015 where there is no lenderA. */
  Rpc.make("account", { payload, success: LendingAccount, error: Failure }),
  /** The rates of every asset of every lender. */
  Rpc.make("yields", { success: Schema.Array(Yield), error: Failure }),
  Rpc.make("estimatedYield", { payload, success: EstimatedYield, error: Failure }),
  /** Takes the vault's first snapshot when there is none yet. */
  Rpc.make("totalYield", { payload, success: TotalYield, error: Failure })
])
