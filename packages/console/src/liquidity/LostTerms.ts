/** The terms of a deposit whose answer was lost, for the form that opens again. */
import { dexes } from "@vault-trader/core/liquidity/Dex"
import { unansweredOf } from "../connection/RpcConnection.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import type { AddTerms } from "./AddTerms.ts"

/**
 * Finds the deposit of a vault whose answer was lost, as terms. Its range has to stay: around the present price it would
 * be another deposit.
 */
export const lostTermsOf = ({ network, pool, wallet }: VaultRef): AddTerms | undefined => {
  const lost = unansweredOf("addLiquidity", { network, pool, wallet })
  return lost && {
    ...{ first: lost["asset1"] ?? "", second: lost["asset2"] ?? "", input: lost["input_asset"] ?? "" },
    dex: dexes.find((dex) => dex === lost["dex"]) ?? "auto",
    pool: lost["fee_tier"] ?? lost["tick_spacing"] ?? "",
    ...{ amount: lost["amount"] ?? "", slippage: lost["slippage"] ?? "", platform: lost["platform"] ?? "auto" },
    ...{ lower: lost["lower_price"] ?? "", upper: lost["upper_price"] ?? "" }
  }
}
