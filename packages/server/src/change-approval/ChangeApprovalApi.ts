/** Handlers of the endpoints about changes that wait for approvals. */
import { ChangeApprovalApi } from "@vault-trader/core/change-approval/ChangeApprovalApi"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import type { Verdict } from "@vault-trader/core/change-approval/ChangeVote"
import { Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { query } from "../gate/ActorCall.ts"
import * as Handlers from "../wire/Handlers.ts"
import { ChangeVotes } from "./ChangeVotes.ts"

/** Rows of a page by default. */
const pageSize = 50

interface VoteRequest {
  readonly request: string
  readonly change: string
  readonly signature: Redacted.Redacted<string>
}

export const ChangeApprovalApiLive = Handlers.layer(
  ChangeApprovalApi,
  Effect.gen(function*() {
    const { cast, policy, view } = yield* ChangeVotes
    const requests = yield* ChangeRequestStore
    const managers = yield* ManagerStore

    const vote = (verdict: Verdict) => ({ change, request, signature }: VoteRequest) =>
      Effect.flatMap(Manager, (approver) => cast({ approver, verdict, request, change, signature }))

    return {
      approveChange: vote("approve"),
      vetoChange: vote("veto"),
      getApprovals: ({ all = false, limit = pageSize, network }) =>
        Effect.gen(function*() {
          const principal = yield* Principal
          const isApprover = principal._tag === "manager" && network === undefined &&
            policy.approvers.includes(principal.manager)
          const wallets = isApprover
            ? undefined
            : principal._tag === "key"
            ? [principal.caller.wallet]
            : (yield* query(managers.walletsOf({ manager: principal.manager, network: network ?? null }))).map((
              { wallet }
            ) => wallet)
          const found = yield* query(requests.list({ wallets, onlyOpen: !all, limit }))
          return { needed: policy.needed, is_approver: isApprover, requests: yield* view(found) }
        })
    }
  })
).pipe(Layer.provide([ChangeRequestStore.layer, ManagerStore.layer]))
