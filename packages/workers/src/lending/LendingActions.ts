/** The lending actions by request. */
import { Borrow } from "./Borrow.ts"
import { Lend } from "./Lend.ts"
import { Repay } from "./Repay.ts"
import { Unlend } from "./Unlend.ts"

/** Builds the actions. `floor` is the health factor (18 decimals) that borrowing and unlending may not go below. */
export const lendingActions = (floor: bigint) => ({ Lend, Unlend: Unlend(floor), Borrow: Borrow(floor), Repay })
