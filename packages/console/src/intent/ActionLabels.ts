/** Labels of the actions. */
import { t } from "../text/Text.ts"
const labels: Readonly<Record<string, string>> = {
  vaultTrade: t("Trade"),
  approve: t("Approval"),
  enableAsset: t("Asset enabled"),
  disableAsset: t("Asset disabled"),
  setBot: t("Bot decision"),
  rebalancePool: t("Index rebalance"),
  placeOrder: t("Order slice"),
  setGuardian: t("Guardian action"),
  setFollower: t("Copied trade"),
  setStrategyBot: t("Strategy trade"),
  setCEXSide: t("Exchange bot decision"),
  addLiquidity: t("Liquidity added"),
  removeLiquidity: t("Liquidity removed"),
  collectFees: t("Liquidity fees collected"),
  stakeLiquidity: t("Liquidity staked"),
  unstakeLiquidity: t("Liquidity unstaked"),
  claimRewards: t("Liquidity rewards claimed"),
  lend: t("Supply to a lender"),
  unlend: t("Withdrawal from a lender"),
  borrow: t("Loan"),
  repay: t("Repayment"),
  "lenderAV3/lend": t("Supply to lenderA"),
  "lenderAV3/unlend": t("Withdraw from lenderA"),
  "lenderAV3/borrow": t("Borrow from lenderA"),
  "lenderAV3/repay": t("Repay lenderA"),
  "lenderBV3/lend": t("Supply to lenderB"),
  "lenderBV3/unlend": t("Withdraw from lenderB"),
  "lenderC/lend": t("Supply to lenderC"),
  "lenderC/unlend": t("Withdraw from lenderC"),
  depositToPerpetuals: t("Deposit for perpetuals"),
  withdrawFromPerpetuals: t("Withdrawal from perpetuals"),
  placePerpetualOrder: t("Perpetual order"),
  cancelPerpetualOrder: t("Perpetual order cancelled"),
  mintManagerFee: t("Manager fee"),
  mintManagerFeeBatch: t("Manager fees"),
  mintAllFeesByManager: t("Manager fees of all vaults")
}

export const actions: ReadonlyArray<{ readonly value: string; readonly label: string }> = Object.entries(labels).map((
  [value, label]
) => ({ value, label }))

/** Returns an action's label, or its endpoint's name if it has none. */
export const actionLabelOf = (action: string): string => labels[action] ?? action
