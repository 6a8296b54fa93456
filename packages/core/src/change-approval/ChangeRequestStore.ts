/** Stores requests for changes and the votes on them. Rows alone never decide: see `VoteCheck` of the workers. */
import * as Audit from "../audit/Audit.ts"
import * as CanonicalJson from "../audit/CanonicalJson.ts"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Address, Hash } from "../chain/Address.ts"
import * as Uuid from "../storage/Uuid.ts"
import type { ChangeKind } from "./ChangeKind.ts"
import { ChangeRequest, proposalOf, type RequestState } from "./ChangeRequest.ts"
import type { ChangeVote } from "./ChangeVote.ts"
import * as ProposedChange from "./ProposedChange.ts"

/** How long a request waits for approvals; a time lock is added to it. */
export const openDays = 14

/** Identifies this service in the digests of changes: SHA-256 of the stored check value of its pepper. */
export const serviceMark = (pepperCheck: string): Effect.Effect<Hash> =>
  Effect.map(CanonicalJson.sha256(`vault-trader/change-approval/${pepperCheck}`), (hex): Hash => `0x${hex}`)

/** The name of the stored check value of the pepper. */
const pepperCheck = "pepper"

/** Selects requests. */
export interface Selection {
  /** Only requests about these wallets; undefined: all requests. */
  readonly wallets?: ReadonlyArray<Address> | undefined
  readonly onlyOpen: boolean
  readonly limit: number
}

type Vote = Omit<ChangeVote, "at" | "refused"> & { readonly request: string; readonly signatureDigest: Hash }

export class ChangeRequestStore extends Context.Service<ChangeRequestStore, {
  /**
   * Opens a request; an open request for the same change is returned instead, and one about the same subject is
   * replaced. Joins the caller's transaction.
   */
  readonly propose: (
    change: ProposedChange.ProposedChange,
    by: { readonly proposer: string; readonly delayHours: number }
  ) => Effect.Effect<ChangeRequest, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<ChangeRequest>, SqlError>
  /** Lists requests, newest first. */
  readonly list: (selection: Selection) => Effect.Effect<ReadonlyArray<ChangeRequest>, SqlError>
  /** Returns the change of this kind that took effect last. */
  readonly lastApplied: (kind: ChangeKind) => Effect.Effect<Option.Option<ChangeRequest>, SqlError>
  /**
   * Records a vote on an open request. An approver may veto after an approval, not the reverse: `repeated`. A veto ends
   * the request. `ended`: the request is no longer open.
   */
  readonly vote: (vote: Vote) => Effect.Effect<"recorded" | "repeated" | "ended", SqlError>
  /** Marks a vote as not counted, with the reason. */
  readonly refuseVote: (request: string, approver: Address, reason: string) => Effect.Effect<void, SqlError>
  /** Ends an open request; returns false when it is no longer open. Locks it until the transaction ends. */
  readonly end: (
    id: string,
    status: Exclude<RequestState, "open">,
    note: string | null
  ) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/change-approval/ChangeRequestStore") {
  static readonly layer = Layer.effect(
    ChangeRequestStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const reads = requestReads(sql)
      const { find, lastApplied, list } = reads
      const end = endings(sql)
      return { find, lastApplied, list, end, propose: proposals(sql, reads, end), ...votes(sql, end) }
    })
  )
}
type Store = ChangeRequestStore["Service"]

const Rows = Schema.decodeUnknownEffect(Schema.Array(ChangeRequest))

const requestReads = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(
    `r.id::text as id, r.kind, r.wallet, r.network, r.change, r.digest, r.summary, r.proposer, r.status,
    r.created_at as "createdAt", r.expires_at as "expiresAt", r.decided_at as "decidedAt", r.note`
  )
  /** Adds the votes to rows of requests. A row that does not decode is left out: it was not written by this service. */
  const withVotes = (rows: ReadonlyArray<{ readonly id: string }>) =>
    Effect.gen(function*() {
      if (rows.length === 0) return []
      const ids = JSON.stringify(rows.map(({ id }) => id))
      const found = yield* sql<{ readonly request: string }>`select request::text as request, approver, verdict,
          chain_id::float8 as "chainId", issued_at::float8 as "issuedAt", nonce, salt, signature, at, refused
        from approval_votes where request in (select jsonb_array_elements_text(${ids}::jsonb)::uuid)
        order by at, approver`
      const decoded = yield* Effect.forEach(rows, (row) =>
        Effect.option(Rows([{
          ...row,
          votes: found.filter(({ request }) => request === row.id).map(({ request: _, ...vote }) => vote)
        }])))
      return decoded.flatMap(Option.getOrElse((): ReadonlyArray<ChangeRequest> => []))
    })
  const select = (rows: Effect.Effect<ReadonlyArray<{ readonly id: string }>, SqlError>) =>
    Effect.flatMap(rows, withVotes)
  const first = (rows: Effect.Effect<ReadonlyArray<{ readonly id: string }>, SqlError>) =>
    Effect.map(select(rows), ([row]) => Option.fromNullishOr(row))
  return {
    /** Finds the open request about a subject. */
    findOpen: (kind: ChangeKind, wallet: Address | null, network: string | null) =>
      first(sql`select ${columns} from approval_requests r where r.status = 'open' and r.kind = ${kind}
        and r.wallet is not distinct from ${wallet} and r.network is not distinct from ${network}`),
    find: (id: string) => first(sql`select ${columns} from approval_requests r where r.id = ${id}::uuid`),
    list: ({ limit, onlyOpen, wallets }: Selection) => {
      const mine = wallets === undefined
        ? sql`true`
        : sql`r.wallet in (select jsonb_array_elements_text(${JSON.stringify(wallets)}::jsonb))`
      return select(sql`select ${columns} from approval_requests r
        where ${mine} and (not ${onlyOpen}::boolean or r.status = 'open') order by r.id desc limit ${limit}`)
    },
    lastApplied: (kind: ChangeKind) =>
      first(sql`select ${columns} from approval_requests r where r.kind = ${kind} and r.status = 'applied'
        order by r.decided_at desc, r.id desc limit 1`)
  }
}

const endings = (sql: SqlClient.SqlClient): Store["end"] => (id, status, note) =>
  Effect.gen(function*() {
    const at = new Date(yield* Clock.currentTimeMillis)
    const rows = yield* Audit.recorded(
      sql,
      sql<{ readonly digest: string; readonly kind: string; readonly wallet: Address | null }>`update approval_requests
        set status = ${status}, note = ${note}, decided_at = ${at}
        where id = ${id}::uuid and status = 'open' returning digest, kind, wallet`,
      (ended) =>
        ended.map(({ digest, kind, wallet }) => ({
          action: "approval.decided" as const,
          subject: id,
          wallet,
          details: { state: status, note, kind, digest }
        }))
    )
    return rows.length > 0
  })

const proposals = (
  sql: SqlClient.SqlClient,
  { find, findOpen }: ReturnType<typeof requestReads>,
  end: Store["end"]
): Store["propose"] =>
(change, { delayHours, proposer }) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const { network, wallet } = ProposedChange.placeOf(change)
      const subject = `approval/${change._tag}/${wallet ?? ""}/${network ?? ""}`
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`
      const open = yield* findOpen(change._tag, wallet, network)
      const id = yield* Uuid.v7
      if (Option.isSome(open)) {
        const isSame = Option.exists(
          proposalOf(open.value),
          (proposal) => ProposedChange.isSame(proposal.change, change)
        )
        if (isSame) return open.value
        yield* end(open.value.id, "cancelled", `replaced by request ${id}`)
      }
      const [check] = yield* sql<
        { readonly value: string }
      >`select value from secret_checks where name = ${pepperCheck}`
      const service = yield* serviceMark(check?.value ?? "")
      const text = ProposedChange.textOf({ id, service, change })
      const now = yield* Clock.currentTimeMillis
      const expiresAt = now + openDays * 86_400_000 + delayHours * 3_600_000
      const [summary, digest] = [ProposedChange.summaryOf(change), yield* ProposedChange.digestOf(text)]
      yield* sql`insert into approval_requests
        (id, kind, wallet, network, change, digest, summary, proposer, created_at, expires_at)
      values (${id}::uuid, ${change._tag}, ${wallet}, ${network}, ${text}, ${digest}, ${summary}, ${proposer}, ${new Date(
        now
      )}, ${new Date(expiresAt)})`
      const details = { kind: change._tag, digest, change: summary, proposer }
      yield* Audit.append(sql, { action: "approval.requested", subject: id, wallet, details })
      return yield* Effect.flatMap(find(id), (row) => Effect.orDie(Effect.fromOption(row)))
    })
  )

const votes = (sql: SqlClient.SqlClient, end: Store["end"]): Pick<Store, "refuseVote" | "vote"> => ({
  vote: ({ approver, chainId, issuedAt, nonce, request, salt, signature, signatureDigest, verdict }) =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const [open] = yield* sql<
          { readonly wallet: Address | null }
        >`select wallet from approval_requests where id = ${request}::uuid and status = 'open' for update`
        if (open === undefined) return "ended" as const
        const at = new Date(yield* Clock.currentTimeMillis)
        const recorded = yield* sql`insert into approval_votes
          (request, approver, verdict, chain_id, issued_at, nonce, salt, signature, signature_digest, at)
        values (${request}::uuid, ${approver}, ${verdict}, ${chainId}, ${issuedAt}, ${nonce}, ${salt}, ${signature},
          ${signatureDigest}, ${at})
        on conflict (request, approver) do update set verdict = excluded.verdict, chain_id = excluded.chain_id,
          issued_at = excluded.issued_at, nonce = excluded.nonce, salt = excluded.salt, signature = excluded.signature,
          signature_digest = excluded.signature_digest, at = excluded.at, refused = null
        where approval_votes.refused is not null or (approval_votes.verdict = 'approve' and excluded.verdict = 'veto')
        returning request`
        if (recorded.length === 0) return "repeated" as const
        const details = { approver, verdict, signature: signatureDigest }
        yield* Audit.append(sql, { action: "approval.voted", subject: request, wallet: open.wallet, details })
        if (verdict === "veto") yield* end(request, "vetoed", `vetoed by ${approver}`)
        return "recorded" as const
      })
    ),
  refuseVote: (request, approver, reason) =>
    Effect.asVoid(sql`update approval_votes set refused = ${reason}
      where request = ${request}::uuid and approver = ${approver} and refused is distinct from ${reason}`)
})
