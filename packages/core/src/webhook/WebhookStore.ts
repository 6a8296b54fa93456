/** Stores webhooks and their outbox. Database triggers fill the outbox, in the transactions that cause the events. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import { type EventType, maxWebhooks, type Owner } from "./Webhook.ts"

interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<EventType>
  readonly createdAt: Date
}

/** The state of a delivery. */
interface Delivery {
  readonly id: string
  readonly webhook: string
  readonly event: string
  readonly type: string
  readonly status: "pending" | "delivered" | "failed"
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: Date
  readonly nextAttemptAt: Date
}

/** A due delivery, taken by a runner for an attempt. */
export interface Due {
  readonly id: string
  readonly attempts: number
  /** Seconds since the event. */
  readonly age: number
  readonly webhook: string
  /** The wallet or manager that owns the webhook. */
  readonly owner: string
  /** The host and port of the URL. */
  readonly host: string
  readonly url: string
  readonly ciphertext: string
  /** The event's id, the same at every attempt and for every webhook. */
  readonly event: string
  readonly type: string
  readonly data: unknown
  readonly at: Date
}

/** The attempts that a runner has in progress, so that no owner and no host gets more than its share. */
export interface InProgress {
  /** Maximum number of concurrent attempts of one owner and to one host. */
  readonly perOwner: number
  readonly perHost: number
  /** Number of attempts in progress by owner and by host. */
  readonly owners: ReadonlyMap<string, number>
  readonly hosts: ReadonlyMap<string, number>
  /** Hosts that currently get no deliveries. */
  readonly closed: ReadonlyArray<string>
}

/** The result of an attempt. `again`: seconds until the next one; null after the last. */
export type Attempted =
  | { readonly _tag: "delivered"; readonly status: number }
  | { readonly _tag: "refused"; readonly status: number | null; readonly error: string; readonly again: number | null }

/** The requesting key was revoked before the webhook was stored: nothing was stored. */
class KeyRevoked extends Data.TaggedError("KeyRevoked") {}

/** Builds the condition on the owner of a webhook. */
const isOf = (sql: SqlClient.SqlClient, owner: Owner) =>
  owner._tag === "wallet" ? sql`w.wallet = ${owner.wallet}` : sql`w.manager = ${owner.manager}`

/** Encodes the numbers of attempts in progress. */
const counts = (of: ReadonlyMap<string, number> = new Map()) => JSON.stringify(Object.fromEntries(of))

/** Returns the host of a URL. Its path and query may contain secrets. */
const hostOf = (url: string) => URL.canParse(url) ? new URL(url).host : ""

/** Returns the audit entry of a change of a webhook. A manager's belongs to no wallet: its subject is the manager. */
const changeOf = (
  action: "webhook.set" | "webhook.deleted",
  owner: Owner,
  id: string,
  details: Audit.Change["details"] = {}
): Audit.Change =>
  owner._tag === "wallet"
    ? { action, subject: id, wallet: owner.wallet, details }
    : { action, subject: owner.manager, wallet: null, details: { ...details, webhook: id } }

const webhookRows = (sql: SqlClient.SqlClient): Pick<WebhookStore["Service"], "at" | "put" | "remove" | "of"> => ({
  at: (owner, url) =>
    Effect.map(
      sql<{ readonly id: string }>`select id from webhooks w where ${isOf(sql, owner)} and url = ${url}`,
      ([row]) => Option.map(Option.fromNullishOr(row), ({ id }) => id)
    ),
  put: ({ ciphertext, events, id, keyId, owner, url }) =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const who = owner._tag === "wallet" ? owner.wallet : owner.manager
        yield* sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks/${who}`}, 0))`
        if (owner._tag === "wallet" && keyId !== undefined) {
          // The lock on the wallet's row serializes this with rotations of its key.
          yield* sql`select address from gas_wallets where address = ${owner.wallet} for no key update`
          const active = yield* sql`select 1 from api_keys where id = ${keyId}::uuid and revoked_at is null`
          if (active.length === 0) return yield* new KeyRevoked()
        }
        if (
          owner._tag === "manager"
        ) yield* sql`insert into managers (address) values (${owner.manager}) on conflict do nothing`
        const known = yield* sql`update webhooks w set ciphertext = ${ciphertext}, events = ${
          JSON.stringify(events)
        }::jsonb where w.id = ${id} and ${isOf(sql, owner)} returning id`
        const change = changeOf("webhook.set", owner, id, { host: hostOf(url), events, replaces: known.length > 0 })
        if (known.length > 0) {
          yield* Audit.append(sql, change)
          return true
        }
        const [row] = yield* sql<
          { readonly full: boolean }
        >`select count(*) >= ${maxWebhooks} as full from webhooks w where ${isOf(sql, owner)}`
        if (row?.full === true) return false
        yield* sql`insert into webhooks (id, wallet, manager, url, events, ciphertext) values (${id}::uuid,
        ${owner._tag === "wallet" ? owner.wallet : null}, ${owner._tag === "manager" ? owner.manager : null}, ${url}, ${
          JSON.stringify(events)
        }::jsonb, ${ciphertext})`
        yield* Audit.append(sql, change)
        return true
      })
    ),
  remove: (owner, id) =>
    Effect.map(
      Audit.recorded(
        sql,
        sql`delete from webhooks w where ${isOf(sql, owner)} and w.id = ${id}::uuid returning id`,
        (rows) => rows.map(() => changeOf("webhook.deleted", owner, id))
      ),
      (rows) => rows.length > 0
    ),
  of: (owner) =>
    sql<Webhook>`select id, url, events, created_at as "createdAt" from webhooks w where ${
      isOf(sql, owner)
    } order by id`
})

const deliveryRows = (
  sql: SqlClient.SqlClient
): Pick<WebhookStore["Service"], "deliveries" | "take" | "recordAttempt"> => ({
  deliveries: (owner, webhook, limit) =>
    sql<
      Delivery
    >`select d.id, d.webhook, d.event, e.type, d.status, d.attempts, d.last_status as "lastStatus",
    d.last_error as "lastError",
        d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt"
      from webhooks w join webhook_deliveries d on d.webhook = w.id join webhook_events e on e.id = d.event
      where ${isOf(sql, owner)} and ${
      webhook === null ? sql`true` : sql`w.id = ${webhook}::uuid`
    } order by d.created_at desc, d.id limit ${limit}`,
  take: (limit, { closed = [], hosts, owners, perHost = limit, perOwner = limit }: Partial<InProgress> = {}) =>
    // Finds the webhooks with pending deliveries by skipping through the index, so that a long queue of one does
    // not slow the others.
    sql<Due>`with recursive pending (webhook) as (
        (select webhook from webhook_deliveries where status = 'pending' order by webhook limit 1)
        union all
        select (select d.webhook from webhook_deliveries d
        where d.status = 'pending' and d.webhook > pending.webhook order by d.webhook limit 1)
        from pending where pending.webhook is not null),
      line as (select w.id, coalesce(w.wallet, w.manager)::text as owner, substring(lower(w.url)
      from '^https?://(?:[^/?#]*@)?([^/?#@]+)') as host
        from pending join webhooks w on w.id = pending.webhook),
      due as materialized (select d.id, d.next_attempt_at, line.owner, line.host from line cross join lateral (
        select id, next_attempt_at from webhook_deliveries
        where webhook = line.id and status = 'pending' and next_attempt_at <= now()
        order by next_attempt_at limit ${perOwner} for update skip locked) d
        where line.host not in (select jsonb_array_elements_text(${JSON.stringify(closed)}::jsonb))),
      turn as (select *, coalesce((${counts(owners)}::jsonb ->> owner)::int, 0)
          + row_number() over (partition by owner order by next_attempt_at, id) as of_owner from due),
      chosen as (select * from (select *, coalesce((${counts(hosts)}::jsonb ->> host)::int, 0)
          + row_number() over (partition by host order by of_owner, next_attempt_at, id) as of_host from turn
          where of_owner <= ${perOwner}) among
        where of_host <= ${perHost} order by of_owner, next_attempt_at, id limit ${limit}),
      taken as (update webhook_deliveries d
      set next_attempt_at = now() + interval '1 minute', attempts = attempts + 1, updated_at = now()
        from chosen where d.id = chosen.id
        returning d.id, d.webhook, d.event, d.attempts, chosen.owner, chosen.host)
      select t.id, t.attempts, extract(epoch
      from now() - e.created_at)::float8 as age, t.webhook, t.owner, t.host, w.url, w.ciphertext,
        t.event, e.type, e.data, e.created_at as at
      from taken t join webhooks w on w.id = t.webhook join webhook_events e on e.id = t.event`,
  recordAttempt: (id, how) =>
    Effect.asVoid(
      how._tag === "delivered"
        ? sql`update webhook_deliveries
          set status = 'delivered', last_status = ${how.status}, last_error = null, updated_at = now()
          where id = ${id}::uuid`
        : sql`update webhook_deliveries set status = ${
          how.again === null ? "failed" : "pending"
        }, last_status = ${how.status}, last_error = ${how.error},
            next_attempt_at = now() + make_interval(secs => ${
          how.again ?? 0
        }), updated_at = now() where id = ${id}::uuid and status = 'pending'`
    )
})

export class WebhookStore extends Context.Service<WebhookStore, {
  /**
   * Stores a webhook with this id, or replaces the secret and events of the owner's webhook with it; `false` when there
   * are too many. Fails when the requesting key has been revoked since, because the rotation that ended the wallet's
   * webhooks could not see this one.
   */
  readonly put: (webhook: {
    readonly owner: Owner
    /** The requesting key, if there is one. */
    readonly keyId?: string | undefined
    readonly url: string
    readonly events: ReadonlyArray<EventType>
    readonly id: string
    readonly ciphertext: string
  }) => Effect.Effect<boolean, SqlError | KeyRevoked>
  /** Returns the id of the owner's webhook at this URL. */
  readonly at: (owner: Owner, url: string) => Effect.Effect<Option.Option<string>, SqlError>
  /** Deletes a webhook and its pending deliveries; `false` when the owner has no such webhook. */
  readonly remove: (owner: Owner, id: string) => Effect.Effect<boolean, SqlError>
  readonly of: (owner: Owner) => Effect.Effect<ReadonlyArray<Webhook>, SqlError>
  /** Lists the owner's newest deliveries, of one webhook or all. */
  readonly deliveries: (
    owner: Owner,
    webhook: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Delivery>, SqlError>
  /**
   * Takes due deliveries for a minute: no other runner attempts them in that time, and after a crash another one does.
   * Owners take turns: the second delivery of one comes after the first of every other.
   */
  readonly take: (limit: number, inProgress?: InProgress) => Effect.Effect<ReadonlyArray<Due>, SqlError>
  readonly recordAttempt: (id: string, how: Attempted) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/webhook/WebhookStore") {
  static readonly layer = Layer.effect(
    WebhookStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({ ...webhookRows(sql), ...deliveryRows(sql) }))
  )
}
