/** Endpoints about changes that wait for approvals. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { ChangeKind } from "./ChangeKind.ts"
import { RequestState } from "./ChangeRequest.ts"
import { Verdict, voteParams } from "./ChangeVote.ts"

const approver = `0x${"5c".repeat(20)}` as const
const change = `Raise the limits of wallet ${approver}: max_usd_per_trade from 250 to 1000 [0x${"5d".repeat(32)}]`
const id = "01936f5a-0000-7000-8000-000000000000"

/** A request for a change, as callers see it. */
export const ChangeRequestView = Schema.Struct({
  request: Schema.String,
  kind: ChangeKind,
  wallet: Schema.NullOr(Address),
  network: Schema.NullOr(Network),
  /** The sentence that approvers sign. */
  change: Schema.String,
  differences: Schema.Array(Schema.Struct({ field: Schema.String, before: Schema.String, after: Schema.String })),
  proposer: Schema.String,
  state: RequestState,
  note: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  expires_at: Schema.String,
  decided_at: Schema.NullOr(Schema.String),
  /** When the change takes effect without further approvals; null: not without them. */
  takes_effect_at: Schema.NullOr(Schema.String),
  approvals: Schema.Int,
  votes: Schema.Array(
    Schema.Struct({ approver: Address, verdict: Verdict, at: Schema.String, refused: Schema.NullOr(Schema.String) })
  )
})
export type ChangeRequestView = typeof ChangeRequestView.Type

const voted = {
  success: {
    request: Schema.String,
    state: RequestState,
    approvals: Schema.Int,
    needed: Schema.Int,
    message: Schema.String
  },
  exampleRequest: { change }
}

export class ChangeApprovalApi extends RpcGroup.make(
  Endpoint.make("getApprovals", {
    class: "readOnly",
    access: "apiKeyOrManager",
    summary: "Changes that wait for approvals, newest first: an approver sees all of them, others those about their " +
      "wallets. `all` adds those that ended.",
    params: {
      ...Params.keyOrManagerOn,
      all: Schema.optional(Params.Flag("Also return requests that are no longer open.")),
      limit: Schema.optional(Params.Limit(100, 50))
    },
    success: { needed: Schema.Int, is_approver: Schema.Boolean, requests: Schema.Array(ChangeRequestView) },
    example: {
      needed: 2,
      is_approver: true,
      requests: [{
        request: id,
        kind: "limits",
        wallet: approver,
        network: null,
        change,
        differences: [{ field: "max_usd_per_trade", before: "250", after: "1000" }],
        proposer: approver,
        state: "open",
        note: null,
        created_at: "2026-11-20T10:00:00.000Z",
        expires_at: "2026-12-04T10:00:00.000Z",
        decided_at: null,
        takes_effect_at: null,
        approvals: 1,
        votes: [{ approver, verdict: "approve", at: "2026-11-20T10:05:00.000Z", refused: null }]
      }]
    }
  }),
  Endpoint.make("approveChange", {
    class: "changesConfig",
    access: "manager",
    subject: "change",
    method: "POST",
    summary:
      "Approve a change as one of the service's approvers; the signature's subject is the change with its digest.",
    params: voteParams,
    ...voted,
    example: { request: id, state: "open", approvals: 1, needed: 2, message: "Recorded: 1 of 2 approvals." }
  }),
  Endpoint.make("vetoChange", {
    class: "changesConfig",
    access: "manager",
    subject: "change",
    method: "POST",
    summary: "Veto a change as one of the service's approvers, which ends its request; nothing is changed.",
    params: voteParams,
    ...voted,
    example: { request: id, state: "vetoed", approvals: 1, needed: 2, message: "Vetoed: nothing is changed." }
  })
) {}
