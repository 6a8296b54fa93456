/**
 * Verifies votes by their signatures whenever they are counted: a row of a vote proves nothing. Who approves is in the
 * configuration, what is approved is in the signed digest.
 */
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import { type ChangeRequest, proposalOf, sentenceOf } from "@vault-trader/core/change-approval/ChangeRequest"
import { ChangeRequestStore, serviceMark } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { type ChangeVote, statementOf, type Tally, tally } from "@vault-trader/core/change-approval/ChangeVote"
import { digestOf, type ProposedChange } from "@vault-trader/core/change-approval/ProposedChange"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { pepperCheckText } from "@vault-trader/core/gas-wallet/PepperCheckText"
import { typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { hashTypedData, recoverAddress } from "viem"

/** Returns this service's mark, from its pepper. */
const ownMark = Effect.flatMap(
  ApiKeyDigest,
  ({ digest }) => Effect.flatMap(digest(pepperCheckText), serviceMark)
)

/** Returns true when the approver's key signed this vote on exactly this request. */
export const isSigned = (
  request: Pick<ChangeRequest, "digest" | "id" | "summary">,
  vote: Pick<ChangeVote, "approver" | "chainId" | "issuedAt" | "nonce" | "salt" | "signature" | "verdict">
): Effect.Effect<boolean> =>
  Effect.gen(function*() {
    const statement = yield* statementOf({ id: request.id, sentence: sentenceOf(request) }, vote)
    const hash = hashTypedData(typedData(statement))
    const signer = yield* Effect.option(Effect.tryPromise(() => recoverAddress({ hash, signature: vote.signature })))
    return Option.exists(signer, (address) => address.toLowerCase() === vote.approver)
  })

const notApprover = "its account is not one of APPROVERS"
const notSigned = "its signature is not its approver's over this change"

/** Returns why a vote does not count. */
const refusalOf = (
  { approvers }: ApprovalPolicy,
  request: ChangeRequest,
  vote: ChangeVote
): Effect.Effect<string | undefined> =>
  approvers.includes(vote.approver)
    ? Effect.map(isSigned(request, vote), (signed) => signed ? undefined : notSigned)
    : Effect.succeed(notApprover)

/** A request whose content and votes were verified. */
export interface Verified {
  readonly change: ProposedChange
  readonly tally: Tally
}

/**
 * Verifies a request with its votes now, and marks the votes that do not count. None for a request that is not a
 * proposal of this service.
 */
export const verify = (
  request: ChangeRequest
): Effect.Effect<Option.Option<Verified>, SqlError, ApiKeyDigest | ChangeRequestStore> =>
  Effect.gen(function*() {
    const policy = yield* ApprovalPolicy
    const proposal = proposalOf(request)
    const isWhole = (yield* digestOf(request.change)) === request.digest
    if (Option.isNone(proposal) || !isWhole || proposal.value.service !== (yield* ownMark)) return Option.none()
    const counted: Array<ChangeVote> = []
    for (const vote of request.votes) {
      const refusal = yield* refusalOf(policy, request, vote)
      if (refusal === undefined) counted.push(vote)
      else if (vote.refused !== refusal) {
        yield* Effect.logWarning("a vote on a change does not count").pipe(
          Effect.annotateLogs({ request: request.id, approver: vote.approver, reason: refusal })
        )
        yield* (yield* ChangeRequestStore).refuseVote(request.id, vote.approver, refusal)
      }
    }
    const now = yield* Clock.currentTimeMillis
    return Option.some({
      change: proposal.value.change,
      tally: tally(policy, DateTime.toEpochMillis(request.createdAt), counted, now)
    })
  })
