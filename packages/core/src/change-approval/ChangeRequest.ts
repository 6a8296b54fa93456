/** A request for a change that waits for approvals, as its row has it. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ChangeKind } from "./ChangeKind.ts"
import { ChangeVote } from "./ChangeVote.ts"
import * as ProposedChange from "./ProposedChange.ts"

/**
 * `applied`: the change took effect. `cancelled`: its subject changed since, or a newer request replaced it. All but
 * `open` are final.
 */
export const requestStates = ["open", "applied", "vetoed", "cancelled", "expired"] as const
export const RequestState = Schema.Literals(requestStates)
export type RequestState = typeof RequestState.Type

export const ChangeRequest = Schema.Struct({
  id: Schema.String,
  kind: ChangeKind,
  wallet: Schema.NullOr(Address),
  network: Schema.NullOr(Network),
  /** The proposal as canonical JSON. */
  change: Schema.String,
  digest: Hash,
  summary: Schema.String,
  /** A manager's address, `operator` or `service`. */
  proposer: Schema.String,
  status: RequestState,
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.DateTimeUtcFromDate,
  decidedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  note: Schema.NullOr(Schema.String),
  votes: Schema.Array(ChangeVote)
}).annotate({ identifier: "ChangeRequest" })
export type ChangeRequest = typeof ChangeRequest.Type

/** Returns the sentence that approvers of a request sign. */
export const sentenceOf = ({ digest, summary }: Pick<ChangeRequest, "digest" | "summary">): string =>
  ProposedChange.sentenceOf(summary, digest)

/** Returns the proposal of a request; none when its row was changed so that its parts contradict each other. */
export const proposalOf = (
  { change, id, kind, network, wallet }: Pick<ChangeRequest, "change" | "id" | "kind" | "network" | "wallet">
): Option.Option<ProposedChange.Proposal> =>
  Option.filter(ProposedChange.decode(change), (proposal) => {
    const subject = ProposedChange.placeOf(proposal.change)
    return proposal.id === id && proposal.change._tag === kind && subject.wallet === wallet &&
      subject.network === network && ProposedChange.textOf(proposal) === change
  })
