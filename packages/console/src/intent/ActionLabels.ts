/** Actions as people call them. */
const words: Readonly<Record<string, string>> = {
  vaultTrade: "Trade",
  approve: "Approval",
  setBot: "Bot’s turn",
  rebalancePool: "Index rebalance",
  setCEXSide: "Exchange bot’s turn",
  addLiquidity: "Liquidity added",
  removeLiquidity: "Liquidity removed",
  "lenderAV3/lend": "Supply to lenderA",
  "lenderAV3/unlend": "Take back from lenderA",
  "lenderAV3/borrow": "Borrow from lenderA",
  "lenderAV3/repay": "Repay lenderA",
  "lenderBV3/lend": "Supply to lenderB",
  "lenderBV3/unlend": "Take back from lenderB",
  "lenderC/lend": "Supply to lenderC",
  "lenderC/unlend": "Take back from lenderC",
  mintManagerFee: "Manager fee",
  mintManagerFeeBatch: "Manager fees",
  mintAllFeesByManager: "Manager fees of all vaults"
}

export const actions: ReadonlyArray<{ readonly value: string; readonly label: string }> = Object.entries(words).map(([value, label]) => ({ value, label }))

/** An action without a word of its own goes by its endpoint's name. */
export const wordOf = (action: string): string => words[action] ?? action
