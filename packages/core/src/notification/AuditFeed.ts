/**
 * Writes events about entries of the audit log: changes of authority, kill switches, and lanes that were released.
 * Entries are read in order after their commit, so that no change waits for a receiver.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type AuditAction, auditActions } from "../audit/AuditAction.ts"
import type { EventType } from "../webhook/EventTable.ts"

/** Maximum number of entries of one round. */
const pageSize = 200

/** The actions that cause an event; the others cause none. */
const eventOf: { readonly [K in AuditAction]?: EventType } = {
  "key.issued": "authority.changed",
  "key.revoked": "authority.changed",
  "wallet.associated": "authority.changed",
  "wallet.removed": "authority.changed",
  "limits.lowered": "authority.changed",
  "limits.raised": "authority.changed",
  "token.created": "authority.changed",
  "token.set": "authority.changed",
  "token.revoked": "authority.changed",
  "webhook.set": "authority.changed",
  "webhook.deleted": "authority.changed",
  "channel.set": "authority.changed",
  "channel.bound": "authority.changed",
  "channel.deleted": "authority.changed",
  "exchange.registered": "authority.changed",
  "exchange.deleted": "authority.changed",
  "vault.linked": "authority.changed",
  "vault.unlinked": "authority.changed",
  "switch.on": "signing.stopped",
  "switch.off": "signing.resumed",
  "lane.released": "lane.released"
}

interface Entry {
  readonly seq: number
  readonly action: string
  readonly actorKind: string
  readonly subject: string
  readonly wallet: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** Describes the actor without the operator's name. */
const actorText: Readonly<Record<string, string>> = {
  key: "an API key",
  manager: "a manager",
  session: "a manager at the console",
  operator: "the operator",
  owner: "the holder of the private key",
  chat: "a bound chat",
  webhookToken: "a webhook token",
  service: "the service",
  stranger: "a caller without a credential"
}

const scopeText = (subject: string) =>
  subject === "service" ? "the whole service" : subject.startsWith("wallet/") ? "the wallet" : "the bots of a vault"

const dataOf = ({ action, actorKind, details, seq, subject, wallet }: Entry) => {
  const actor = actorText[actorKind] ?? actorKind
  const about = { gasWallet: wallet, actor, seq }
  const [, network = null, pool = null] = subject.startsWith("bot/") ? subject.split("/") : []
  switch (action) {
    case "switch.on":
    case "switch.off":
      return {
        ...about,
        scope: scopeText(subject),
        network,
        pool,
        by: details["set_by"] === "owner" ? "owner" : "operator",
        reason: details["reason"] ?? null
      }
    case "lane.released":
      return { ...about, network: details["network"] ?? null }
    default:
      return { ...about, action, subject, message: auditActions[action as AuditAction] }
  }
}

/** Returns the wallets that an entry's event is about: of the service's switch, all that have a receiver. */
const walletsOf = (sql: SqlClient.SqlClient, { subject, wallet }: Entry) =>
  wallet !== null
    ? Effect.succeed([wallet])
    : subject !== "service"
    ? Effect.succeed([])
    : Effect.map(
      sql<{ readonly wallet: string }>`select wallet from webhooks where wallet is not null
        union select wallet from notification_channels where wallet is not null
        union select m.wallet from manager_wallets m where m.manager in (select manager from webhooks
          union select manager from notification_channels)`,
      (rows) => rows.map((row) => row.wallet)
    )

/** Writes the events of the next entries; returns the number of entries that were read. */
export const round: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.withTransaction(Effect.gen(function*() {
      const [feed] = yield* sql<{ readonly seq: string }>`select seq::text as seq from audit_feed for update`
      const entries = yield* sql<Entry>`select seq::float8 as seq, action, actor_kind as "actorKind", subject, wallet,
        details from audit_entries where seq > ${feed?.seq ?? "0"}::bigint order by seq limit ${pageSize}`
      const last = entries.at(-1)
      if (last === undefined) return 0
      for (const entry of entries) {
        const type = eventOf[entry.action as AuditAction]
        if (type === undefined) continue
        const data = dataOf(entry)
        for (const wallet of yield* walletsOf(sql, entry)) {
          yield* sql`select webhook_tell(${type}, ${wallet}, ${JSON.stringify({ ...data, gasWallet: wallet })}::jsonb)`
        }
      }
      yield* sql`update audit_feed set seq = ${last.seq}`
      return entries.length
    }))
)
