/** The health factor shown for a vault without debt, which cannot be liquidated. */
export const noDebt = "infinity"
