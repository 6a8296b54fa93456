/** The cost of a mined transaction. */
import type { Receipt } from "./Submission.ts"

/** Returns the gas and the L1 data fee that a transaction paid, native smallest units. */
export const paidFor = ({ effectiveGasPrice, gasUsed, l1Fee }: Receipt): bigint =>
  gasUsed * effectiveGasPrice + (l1Fee ?? 0n)
