/** An approver's vote on a request: the statement that is signed, and the tally of votes that were verified. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address, Hash, Hex } from "../chain/Address.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import * as RequestDigest from "../manager/RequestDigest.ts"
import { Statement } from "../signature/ManagerSignature.ts"
import type { ApprovalPolicy } from "./ApprovalSettings.ts"

export const Verdict = Schema.Literals(["approve", "veto"])
export type Verdict = typeof Verdict.Type

/** The endpoint whose request a vote signs. */
export const actionOf = (verdict: Verdict): string => verdict === "approve" ? "approveChange" : "vetoChange"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const RequestId = Param.make(Schema.String, {
  accepts: "the UUID that getApprovals returns as request",
  description: "Id of the request, from getApprovals.",
  example: "01936f5a-0000-7000-8000-000000000000",
  jsonSchema: { type: "string", format: "uuid" },
  read: (text) => uuid.test(text.toLowerCase()) ? text.toLowerCase() : undefined,
  show: (value) => value
})

const ChangeText = Param.make(Schema.String, {
  accepts: "the text that getApprovals returns as change",
  description: "The change in words with its digest, exactly as getApprovals returns it as `change`; the signature's " +
    "subject.",
  example: `Raise the limits of wallet 0x${"5c".repeat(20)}: max_usd_per_trade from 250 to 1000 [0x${"5d".repeat(32)}]`,
  jsonSchema: { type: "string", minLength: 1, maxLength: 4000 },
  read: (text) => /^[\x20-\x7e]{1,4000}$/.test(text) ? text : undefined,
  show: (value) => value
})

/** The parameters of a vote; the signature covers them. */
export const voteParams = { request: RequestId, change: ChangeText, ...Params.managerParams }
const described = Param.describe(voteParams)

/** A stored vote with its whole statement. */
export const ChangeVote = Schema.Struct({
  approver: Address,
  verdict: Verdict,
  chainId: Schema.Int,
  /** Unix seconds. */
  issuedAt: Schema.Int,
  nonce: Schema.String,
  salt: Schema.NullOr(Hash),
  signature: Hex,
  at: Schema.DateTimeUtcFromDate,
  /** Why the vote does not count; null as long as no process has found a reason. */
  refused: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ChangeVote" })
export type ChangeVote = typeof ChangeVote.Type

/** Builds the statement that an approver signs about a request with this sentence. */
export const statementOf = (
  request: { readonly id: string; readonly sentence: string },
  { approver, chainId, issuedAt, nonce, salt, verdict }: Pick<
    ChangeVote,
    "approver" | "chainId" | "issuedAt" | "nonce" | "salt" | "verdict"
  >
): Effect.Effect<Statement> =>
  Effect.map(
    RequestDigest.of(described, { request: request.id, change: request.sentence, manager: approver }),
    (params) =>
      Statement.make({
        action: actionOf(verdict),
        manager: approver,
        subject: request.sentence,
        params,
        chainId,
        issuedAt,
        nonce,
        salt
      })
  )

/** The state of a request by its votes. */
export interface Tally {
  readonly approvedBy: ReadonlyArray<Address>
  readonly isVetoed: boolean
  /** When the change takes effect without further approvals, unix milliseconds; null: not without them. */
  readonly takesEffectAt: number | null
  readonly isComplete: boolean
}

/**
 * Counts votes of configured approvers, each once. The time lock begins at the first approval's signed time, which
 * cannot be set back without the approver's key, and not before the request's creation.
 */
export const tally = (
  { approvers, delayHours, needed }: ApprovalPolicy,
  createdAt: number,
  votes: ReadonlyArray<Pick<ChangeVote, "approver" | "verdict" | "issuedAt">>,
  now: number
): Tally => {
  const known = votes.filter(({ approver }) => approvers.includes(approver))
  const approvals = known.filter(({ verdict }) => verdict === "approve")
  const approvedBy = [...new Set(approvals.map(({ approver }) => approver))]
  const isVetoed = known.some(({ verdict }) => verdict === "veto")
  const first = Math.min(...approvals.map(({ issuedAt }) => issuedAt * 1000))
  const takesEffectAt = delayHours === 0 || approvals.length === 0 || isVetoed
    ? null
    : Math.max(createdAt, first) + delayHours * 3_600_000
  return {
    approvedBy,
    isVetoed,
    takesEffectAt,
    isComplete: needed > 0 && !isVetoed &&
      (approvedBy.length >= needed || (takesEffectAt !== null && now >= takesEffectAt))
  }
}
