/** Labels of the actions. */
const labels: Readonly<Record<string, string>> = {
  vaultTrade: "Trade",
  approve: "Approval",
  enableAsset: "Asset enabled",
  disableAsset: "Asset disabled",
  setBot: "Bot decision",
  rebalancePool: "Index rebalance",
  placeOrder: "Order slice",
  setGuardian: "Guardian action",
  setFollower: "Copied trade",
  setStrategyBot: "Strategy trade",
  setCEXSide: "Exchange bot decision",
  addLiquidity: "Liquidity added",
  removeLiquidity: "Liquidity removed",
  collectFees: "Liquidity fees collected",
  stakeLiquidity: "Liquidity staked",
  unstakeLiquidity: "Liquidity unstaked",
  claimRewards: "Liquidity rewards claimed",
  "lenderAV3/lend": "Supply to lenderA",
  "lenderAV3/unlend": "Withdraw from lenderA",
  "lenderAV3/borrow": "Borrow from lenderA",
  "lenderAV3/repay": "Repay lenderA",
  "lenderBV3/lend": "Supply to lenderB",
  "lenderBV3/unlend": "Withdraw from lenderB",
  "lenderC/lend": "Supply to lenderC",
  "lenderC/unlend": "Withdraw from lenderC",
  mintManagerFee: "Manager fee",
  mintManagerFeeBatch: "Manager fees",
  mintAllFeesByManager: "Manager fees of all vaults"
}

export const actions: ReadonlyArray<{ readonly value: string; readonly label: string }> = Object.entries(labels).map((
  [value, label]
) => ({ value, label }))

/** Returns an action's label, or its endpoint's name if it has none. */
export const actionLabelOf = (action: string): string => labels[action] ?? action
