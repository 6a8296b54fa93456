/** The kinds of changes that may need approvals. */
import * as Schema from "effect/Schema"

/**
 * `limits`: the limits of a wallet's key are raised. `treasury`: payments go to other addresses. `policy`: other
 * transfers are signed. `lanes`: a quarantined lane is released.
 */
export const changeKinds = ["limits", "treasury", "policy", "lanes"] as const
export const ChangeKind = Schema.Literals(changeKinds)
export type ChangeKind = typeof ChangeKind.Type
