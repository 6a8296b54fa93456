/**
 * `vault-trader approvals list|show|payload|approve|veto`: changes that wait for approvals, on the service's database. A
 * vote is a signature of an approver's account, made anywhere: with a hardware wallet, or `cast wallet sign --data`.
 * The running service verifies it again and carries the change out.
 */
import * as CanonicalJson from "@vault-trader/core/audit/CanonicalJson"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { type ChangeRequest, proposalOf, sentenceOf } from "@vault-trader/core/change-approval/ChangeRequest"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { statementOf, tally, type Verdict } from "@vault-trader/core/change-approval/ChangeVote"
import { differencesOf, digestOf, summaryOf } from "@vault-trader/core/change-approval/ProposedChange"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import { fallbackNetwork } from "@vault-trader/server/ServerSettings"
import { Origin } from "@vault-trader/server/wire/Origin"
import { isSigned } from "@vault-trader/workers/change-approval/VoteCheck"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { configuration } from "../Configuration.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import { CannotStart } from "../StartupFailure.ts"
import * as ParsedParam from "./ParsedParam.ts"

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const parseId = (text: string) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined

const request = ParsedParam.argument("request", "the id of a request", parseId)
const approver = ParsedParam.addressFlag("approver").pipe(Flag.withDescription("The account of APPROVERS that votes"))

/** Most requests that a list shows. */
const pageSize = 200

const findRequest = (id: string) =>
  Effect.flatMap(
    Effect.flatMap(ChangeRequestStore, ({ find }) => find(id)),
    Option.match({
      onNone: () => Effect.fail(new CannotStart({ message: `There is no request ${id} here.` })),
      onSome: Effect.succeed
    })
  )

/** Finds an open request whose summary and digest are those of its change. */
const findOpen = (id: string) =>
  Effect.gen(function*() {
    const found = yield* findRequest(id)
    if (found.status !== "open") {
      return yield* new CannotStart({ message: `Request ${id} has ended (${found.status}). Nothing was recorded.` })
    }
    const isWhole = (yield* digestOf(found.change)) === found.digest &&
      Option.exists(proposalOf(found), ({ change }) => summaryOf(change) === found.summary)
    if (isWhole) return found
    return yield* new CannotStart({
      message:
        `The row of request ${id} does not describe its change: it was written by another version, or by hand. ` +
        "Nothing was recorded. Request the change again."
    })
  })

const votesOf = (found: ChangeRequest) =>
  Effect.gen(function*() {
    const { approvals } = yield* configuration
    const counted: Array<ChangeRequest["votes"][number]> = []
    const lines: Array<string> = []
    for (const vote of found.votes) {
      const isApprover = approvals.approvers.includes(vote.approver)
      const counts = isApprover && (yield* isSigned(found, vote))
      if (counts) counted.push(vote)
      const reason = counts ? "" : isApprover ? " (does not count: not signed)" : " (does not count: not an approver)"
      lines.push(`  ${vote.verdict} by ${vote.approver} at ${DateTime.formatIso(vote.at)}${reason}`)
    }
    const now = yield* Clock.currentTimeMillis
    const { approvedBy, takesEffectAt } = tally(approvals, DateTime.toEpochMillis(found.createdAt), counted, now)
    const lock = takesEffectAt === null ? "" : `, or at ${new Date(takesEffectAt).toISOString()} without a veto`
    return [`  ${approvedBy.length} of ${approvals.needed} approvals${found.status === "open" ? lock : ""}`, ...lines]
  })

const list = Command.make(
  "list",
  { all: ParsedParam.toggle("all").pipe(Flag.withDescription("Also list requests that have ended")) },
  Effect.fnUntraced(function*({ all }) {
    const found = yield* (yield* ChangeRequestStore).list({ onlyOpen: !all, limit: pageSize })
    if (found.length === 0) return yield* say(all ? "There are no requests." : "No change waits for approvals.")
    yield* Effect.forEach(found, ({ id, status, summary }) => say(`${id} ${status}: ${summary}`), { discard: true })
  })
).pipe(Command.withDescription("Lists the changes that wait for approvals, newest first."))

const show = Command.make(
  "show",
  { request },
  Effect.fnUntraced(function*({ request: id }) {
    const found = yield* findRequest(id)
    const note = found.note === null ? "" : ` (${found.note})`
    const differences = Option.match(proposalOf(found), {
      onNone: () => ["  Its row does not describe a change."],
      onSome: ({ change }) =>
        differencesOf(change).map(({ after, before, field }) => `  ${field}: ${before} -> ${after}`)
    })
    const lines = [
      `${found.id} ${found.status}${note}: ${found.summary}`,
      ...differences,
      `  requested by ${found.proposer} at ${DateTime.formatIso(found.createdAt)}, expires ${
        DateTime.formatIso(found.expiresAt)
      }`,
      `  digest ${found.digest}`,
      ...(yield* votesOf(found))
    ]
    yield* Effect.forEach(lines, say, { discard: true })
  })
).pipe(Command.withDescription("Shows a request with its change and its votes, whose signatures are verified."))

/** Returns the parts of statements that are the service's. */
const serviceFields = Effect.gen(function*() {
  const { server } = yield* configuration
  const { salt } = yield* Effect.provide(Origin, Origin.layer(server.publicUrls))
  return { chainId: ManagerSignature.chainIdOf(undefined, server.defaultNetwork ?? fallbackNetwork), salt }
})

const payload = Command.make(
  "payload",
  { request, approver, veto: ParsedParam.toggle("veto").pipe(Flag.withDescription("For a veto, not an approval")) },
  Effect.fnUntraced(function*({ approver, request: id, veto }) {
    const found = yield* findOpen(id)
    const issuedAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const statement = yield* statementOf({ id, sentence: sentenceOf(found) }, {
      ...(yield* serviceFields),
      approver,
      issuedAt,
      nonce: crypto.randomUUID().replaceAll("-", ""),
      verdict: veto ? "veto" : "approve"
    })
    yield* say(JSON.stringify(
      { prefix: ManagerSignature.prefixOf(statement), typed_data: ManagerSignature.typedData(statement) },
      null,
      2
    ))
  })
).pipe(
  Command.withDescription(
    "Prints the typed data (EIP-712) to sign, and the prefix that makes the signature a --signature."
  )
)

const parseSignature = (text: string) => Option.getOrUndefined(ManagerSignature.parse(Redacted.make(text)))

const record = (verdict: Verdict, id: string, approver: Address, parsed: ManagerSignature.Parsed) =>
  Effect.gen(function*() {
    const { approvals } = yield* configuration
    if (!approvals.approvers.includes(approver)) {
      return yield* new CannotStart({ message: `${approver} is not one of APPROVERS. Nothing was recorded.` })
    }
    const found = yield* findOpen(id)
    const signature = Redacted.value(parsed.signature)
    const { issuedAt, nonce } = parsed
    const vote = { ...(yield* serviceFields), approver, verdict, issuedAt, nonce, signature }
    if (issuedAt * 1000 > (yield* Clock.currentTimeMillis) + ManagerSignature.skewSeconds * 1000) {
      return yield* new CannotStart({ message: "The signature is dated in the future. Nothing was recorded." })
    }
    if (!(yield* isSigned(found, vote))) {
      return yield* new CannotStart({
        message: `The signature is not ${approver}'s over the ${verdict === "veto" ? "veto" : "approval"} of this ` +
          "request. Nothing was recorded. `vault-trader approvals payload` prints what to sign."
      })
    }
    const signatureDigest: Hash = `0x${yield* CanonicalJson.sha256(signature.toLowerCase())}`
    const state = yield* (yield* ChangeRequestStore).vote({ ...vote, request: id, signatureDigest })
    yield* state === "ended"
      ? new CannotStart({ message: `Request ${id} has ended. Nothing was recorded.` })
      : say(state === "repeated" ? `${approver} had voted before.` : `Recorded: ${verdict} by ${approver}.`)
    yield* Effect.forEach(yield* votesOf(yield* findRequest(id)), say, { discard: true })
  })

const vote = (verdict: Verdict) =>
  Command.make(
    verdict,
    {
      request,
      approver,
      signature: ParsedParam.flag("signature", "v2.…", ManagerSignature.format, parseSignature).pipe(
        Flag.withDescription("The prefix of `payload`, followed by the account's signature of its typed data")
      )
    },
    ({ approver, request: id, signature }) => record(verdict, id, approver, signature)
  )

export const approvals = Command.make("approvals").pipe(
  Command.withDescription("Shows, approves and vetoes changes that need more than one person."),
  Command.withSubcommands([
    list,
    show,
    payload,
    vote("approve").pipe(Command.withDescription("Records an approver's approval.")),
    vote("veto").pipe(Command.withDescription("Records an approver's veto, which ends the request."))
  ]),
  Command.provide(ChangeRequestStore.layer.pipe(Layer.provideMerge(RunningDatabase)))
)
