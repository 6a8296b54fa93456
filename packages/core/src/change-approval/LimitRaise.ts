/** Raises of limits that need approvals: what is lowered takes effect at once, what is raised becomes a request. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import { isRaise, type KeyLimits } from "../gas-wallet/KeyLimits.ts"
import { KeyLimitStore, type LimitedBy } from "../gas-wallet/KeyLimitStore.ts"
import type { ApprovalPolicy } from "./ApprovalSettings.ts"
import type { ChangeRequest } from "./ChangeRequest.ts"
import { ChangeRequestStore } from "./ChangeRequestStore.ts"
import { LimitsChange } from "./ProposedChange.ts"

/** The limits in effect, and the request for those that are not. */
interface Proposed {
  readonly limits: KeyLimits
  readonly request: Option.Option<ChangeRequest>
}

/** Builds the lowering of limits that requests the rest, in one transaction; none when there is no such wallet. */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const store = yield* KeyLimitStore
  const requests = yield* ChangeRequestStore
  return (
    { delayHours }: Pick<ApprovalPolicy, "delayHours">,
    wallet: Address,
    caller: LimitedBy,
    by: (now: KeyLimits) => KeyLimits
  ): Effect.Effect<Option.Option<Proposed>, SqlError> =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const lowered = yield* store.lower(wallet, caller, by)
        if (Option.isNone(lowered)) return Option.none()
        const { limits, wanted } = lowered.value
        if (!isRaise(limits, wanted)) return Option.some({ limits, request: Option.none() })
        const manager = caller === "operator" ? null : caller
        const request = yield* requests.propose(
          LimitsChange.make({ wallet, before: limits, after: wanted, manager }),
          { proposer: caller ?? "key", delayHours }
        )
        return Option.some({ limits, request: Option.some(request) })
      })
    )
})
