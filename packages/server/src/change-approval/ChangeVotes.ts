/** Records the votes of approvers whose signatures were verified, and shows requests with their votes. */
import * as CanonicalJson from "@vault-trader/core/audit/CanonicalJson"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import type { ChangeRequestView } from "@vault-trader/core/change-approval/ChangeApprovalApi"
import { type ChangeRequest, proposalOf, sentenceOf } from "@vault-trader/core/change-approval/ChangeRequest"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { tally, type Verdict } from "@vault-trader/core/change-approval/ChangeVote"
import { differencesOf, digestOf, summaryOf } from "@vault-trader/core/change-approval/ProposedChange"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Origin } from "../wire/Origin.ts"

/** A vote whose signature was verified. */
export interface CastVote {
  readonly approver: Address
  readonly verdict: Verdict
  readonly request: string
  /** The sentence that was signed. */
  readonly change: string
  readonly signature: Redacted.Redacted<string>
}

/** The result of a vote. */
export interface Voted {
  readonly request: string
  readonly state: ChangeRequest["status"]
  readonly approvals: number
  readonly needed: number
  readonly message: string
}

const refuse = (message: string) => new ValidationFailure({ code: "1010", message })

/** Counts the votes of a request by its rows, for display. The signing process verifies each signature before it counts. */
const tallyOf = (policy: ApprovalPolicy, { createdAt, votes }: ChangeRequest, now: number) =>
  tally(policy, DateTime.toEpochMillis(createdAt), votes.filter(({ refused }) => refused === null), now)

const isoOf = (millis: number) => new Date(millis).toISOString()

const viewOf = (policy: ApprovalPolicy, request: ChangeRequest, now: number): ChangeRequestView => {
  const { approvedBy, takesEffectAt } = tallyOf(policy, request, now)
  return {
    request: request.id,
    kind: request.kind,
    wallet: request.wallet,
    network: request.network,
    change: sentenceOf(request),
    differences: Option.match(proposalOf(request), { onNone: () => [], onSome: ({ change }) => differencesOf(change) }),
    proposer: request.proposer,
    state: request.status,
    note: request.note,
    created_at: DateTime.formatIso(request.createdAt),
    expires_at: DateTime.formatIso(request.expiresAt),
    decided_at: request.decidedAt === null ? null : DateTime.formatIso(request.decidedAt),
    takes_effect_at: request.status !== "open" || takesEffectAt === null ? null : isoOf(takesEffectAt),
    approvals: approvedBy.length,
    votes: request.votes.map(({ approver, at, refused, verdict }) => ({
      approver,
      verdict,
      at: DateTime.formatIso(at),
      refused
    }))
  }
}

/** Returns true if the row's summary and digest are those of its change, so that approvers sign what they read. */
const isConsistent = (request: ChangeRequest): Effect.Effect<boolean> =>
  Effect.map(
    digestOf(request.change),
    (digest) =>
      digest === request.digest &&
      Option.exists(proposalOf(request), ({ change }) => summaryOf(change) === request.summary)
  )

const messageOf = (state: "recorded" | "repeated", { needed, verdict }: {
  readonly needed: number
  readonly verdict: Verdict
}, approvals: number): string => {
  if (verdict === "veto") return "Vetoed: nothing is changed."
  const first = state === "repeated" ? "Approved before" : "Recorded"
  return approvals >= needed
    ? `${first}: the change has its ${needed} approvals and takes effect within seconds.`
    : `${first}: ${approvals} of ${needed} approvals.`
}

export class ChangeVotes extends Context.Service<ChangeVotes, {
  readonly policy: ApprovalPolicy
  /** Returns the open request that this sentence is about; fails where it is another's, or its row was changed. */
  readonly find: (id: string, change?: string) => Effect.Effect<ChangeRequest, Failure>
  /** Records a vote. Fails for an account that is not an approver, and for a request that is not open. */
  readonly cast: (vote: CastVote) => Effect.Effect<Voted, Failure>
  readonly view: (requests: ReadonlyArray<ChangeRequest>) => Effect.Effect<ReadonlyArray<ChangeRequestView>>
}>()("vault-trader/server/change-approval/ChangeVotes") {
  static readonly layer: Layer.Layer<ChangeVotes, never, ChangeRequestStore | Directory | Origin> = Layer.effect(
    ChangeVotes,
    Effect.gen(function*() {
      const policy = yield* ApprovalPolicy
      const store = yield* ChangeRequestStore
      const { defaultNetwork } = yield* Directory
      const { salt } = yield* Origin

      const known = (id: string) =>
        Effect.flatMap(
          query(store.find(id)),
          (found): Effect.Effect<ChangeRequest, ValidationFailure> =>
            Option.isSome(found) ? Effect.succeed(found.value) : refuse(`request: there is no request ${id}`)
        )

      const find = (id: string, change?: string) =>
        Effect.gen(function*() {
          const request = yield* known(id)
          if (request.status !== "open") {
            return yield* refuse(`request: it has ended (${request.status}); nothing was recorded`)
          }
          if (!(yield* isConsistent(request))) {
            return yield* refuse(
              "request: its row does not describe its change: it was written by another version, or by hand. " +
                "Nothing was recorded; request the change again"
            )
          }
          if (change !== undefined && change !== sentenceOf(request)) {
            return yield* refuse(
              "change: is not the change of this request, as getApprovals returns it; nothing was recorded"
            )
          }
          return request
        })

      return {
        policy,
        find,
        view: (requests) =>
          Effect.map(Clock.currentTimeMillis, (now) => requests.map((request) => viewOf(policy, request, now))),
        cast: ({ approver, change, request: id, signature, verdict }) =>
          Effect.gen(function*() {
            if (!policy.approvers.includes(approver)) {
              return yield* refuse(`manager: ${approver} is not one of the service's approvers; nothing was recorded`)
            }
            yield* find(id, change)
            const parsed = ManagerSignature.parse(signature)
            if (Option.isNone(parsed)) return yield* refuse(`signature: must be ${ManagerSignature.format}`)
            const { issuedAt, nonce, signature: bytes } = parsed.value
            const hex = Redacted.value(bytes)
            const signatureDigest: Hash = `0x${yield* CanonicalJson.sha256(hex.toLowerCase())}`
            const chainId = ManagerSignature.chainIdOf(undefined, defaultNetwork)
            const state = yield* query(
              store.vote({
                request: id,
                approver,
                verdict,
                chainId,
                issuedAt,
                nonce,
                salt,
                signature: hex,
                signatureDigest
              })
            )
            const now = yield* known(id)
            if (state === "ended") {
              return yield* refuse(`request: it has ended (${now.status}); nothing was recorded`)
            }
            const approvals = tallyOf(policy, now, yield* Clock.currentTimeMillis).approvedBy.length
            const { needed } = policy
            return {
              request: id,
              state: now.status,
              approvals,
              needed,
              message: messageOf(state, { needed, verdict }, approvals)
            }
          })
      }
    })
  )
}

export const ChangeVotesLive = Layer.provide(ChangeVotes.layer, ChangeRequestStore.layer)
