/** Limits of a key as responses show them. */
import { format } from "@vault-trader/core/chain/Quantity"
import type { KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"

/** Returns limits with their wire names and decimal amounts. */
export const keyLimitsView = ({ maxUsd18PerDay, maxUsd18PerTrade, readOnly, vaults }: KeyLimits) => ({
  vaults,
  max_usd_per_trade: maxUsd18PerTrade === null ? null : format(maxUsd18PerTrade, 18),
  max_usd_per_day: maxUsd18PerDay === null ? null : format(maxUsd18PerDay, 18),
  read_only: readOnly
})
