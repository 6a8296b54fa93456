/** Stores notification channels. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import { EventType, type Owner } from "../webhook/Webhook.ts"
import { ChannelKind, ChannelRules, ChannelSettings, maxChannels, Templates } from "./Channel.ts"

/** A channel's row without its secrets. */
export const Channel = Schema.Struct({
  id: Schema.String,
  kind: ChannelKind,
  name: Schema.String,
  settings: ChannelSettings,
  events: Schema.Array(EventType),
  rules: ChannelRules,
  templates: Templates,
  enabled: Schema.Boolean,
  ciphertext: Schema.String,
  /** The digest of a Telegram bot's token. */
  bot: Schema.NullOr(Schema.String),
  chatId: Schema.NullOr(Schema.String),
  createdAt: Schema.Date
}).annotate({ identifier: "NotificationChannel" })
export type Channel = typeof Channel.Type

const Rows = Schema.decodeUnknownEffect(Schema.Array(Channel))

/** A message in the owner's list. */
interface MessageRow {
  readonly id: string
  readonly channel: string
  readonly kind: "events" | "answer"
  readonly title: string
  readonly events: number
  readonly state: "pending" | "sending" | "sent" | "dropped"
  readonly attempts: number
  readonly uncertain: boolean
  readonly lastError: string | null
  readonly createdAt: Date
  readonly nextAttemptAt: Date
}

/** A channel is not stored: the requesting key has been revoked, the owner has too many, or one of that name. */
export class NotStored extends Data.TaggedError("NotStored")<{
  readonly reason: "key revoked" | "too many" | "name taken" | "unknown"
}> {}

const isOf = (sql: SqlClient.SqlClient, owner: Owner) =>
  owner._tag === "wallet" ? sql`c.wallet = ${owner.wallet}` : sql`c.manager = ${owner.manager}`

/** Returns the audit entry of a change. A manager's channel belongs to no wallet: its subject is the manager. */
const changeOf = (
  action: "channel.set" | "channel.deleted",
  owner: Owner,
  id: string,
  details: Audit.Change["details"] = {}
): Audit.Change =>
  owner._tag === "wallet"
    ? { action, subject: id, wallet: owner.wallet, details }
    : { action, subject: owner.manager, wallet: null, details: { ...details, channel: id } }

/** Locks the owner, and checks that the requesting key still counts and that the name is free. */
const permitted = (
  sql: SqlClient.SqlClient,
  owner: Owner,
  keyId: string | undefined,
  { id, name }: { readonly id: string; readonly name: string }
) =>
  Effect.gen(function*() {
    const holder = owner._tag === "wallet" ? owner.wallet : owner.manager
    yield* sql`select pg_advisory_xact_lock(hashtextextended(${`channels/${holder}`}, 0))`
    if (owner._tag === "wallet" && keyId !== undefined) {
      // The lock on the wallet's row serializes this with rotations of its key.
      yield* sql`select address from gas_wallets where address = ${owner.wallet} for no key update`
      const active = yield* sql`select 1 from api_keys where id = ${keyId}::uuid and revoked_at is null`
      if (active.length === 0) return yield* new NotStored({ reason: "key revoked" })
    }
    if (owner._tag === "manager") {
      yield* sql`insert into managers (address) values (${owner.manager}) on conflict do nothing`
    }
    const named = yield* sql`select 1 from notification_channels c where ${
      isOf(sql, owner)
    } and c.name = ${name} and c.id <> ${id}::uuid`
    if (named.length > 0) return yield* new NotStored({ reason: "name taken" })
  })

const detailsOf = ({ enabled, events, kind, name, rules, settings }: Channel): Audit.Change["details"] => ({
  ...{ kind, name, host: settings.host ?? undefined, bot: settings.bot ?? undefined, events, enabled },
  commands: rules.commands
})

const columnsOf = ({ bot, ciphertext, enabled, events, name, rules, settings, templates }: Channel) => ({
  ...{ name, ciphertext, bot, enabled },
  settings: JSON.stringify(settings),
  events: JSON.stringify(events),
  rules: JSON.stringify(rules),
  templates: JSON.stringify(templates)
})

const channelRows = (sql: SqlClient.SqlClient): Omit<ChannelStore["Service"], "messages" | "claimTest"> => {
  const columns = sql.literal(
    `c.id, c.kind, c.name, c.settings, c.events, c.rules, c.templates, c.enabled, c.ciphertext,
    c.bot, c.chat_id as "chatId", c.created_at as "createdAt"`
  )
  return {
    create: (owner, keyId, channel) =>
      Audit.transaction(
        sql,
        Effect.gen(function*() {
          yield* permitted(sql, owner, keyId, channel)
          const [row] = yield* sql<{ readonly full: boolean }>`select count(*) >= ${maxChannels} as full
            from notification_channels c where ${isOf(sql, owner)}`
          if (row?.full === true) return yield* new NotStored({ reason: "too many" })
          yield* sql`insert into notification_channels ${
            sql.insert({
              id: channel.id,
              kind: channel.kind,
              wallet: owner._tag === "wallet" ? owner.wallet : null,
              manager: owner._tag === "manager" ? owner.manager : null,
              ...columnsOf(channel)
            })
          }`
          yield* Audit.append(sql, changeOf("channel.set", owner, channel.id, detailsOf(channel)))
        })
      ),
    update: (owner, keyId, channel) =>
      Audit.transaction(
        sql,
        Effect.gen(function*() {
          yield* permitted(sql, owner, keyId, channel)
          // Another bot knows nothing of the chat. What waits is attempted at once with the new settings.
          const changed = yield* sql`update notification_channels c set ${sql.update(columnsOf(channel))},
            chat_id = case when c.bot is not distinct from ${channel.bot} then c.chat_id end,
            user_id = case when c.bot is not distinct from ${channel.bot} then c.user_id end
            where ${isOf(sql, owner)} and c.id = ${channel.id}::uuid returning c.id`
          if (changed.length === 0) return yield* new NotStored({ reason: "unknown" })
          yield* sql`update channel_messages set next_attempt_at = now() where channel = ${channel.id}::uuid
            and state = 'pending'`
          yield* Audit.append(sql, changeOf("channel.set", owner, channel.id, detailsOf(channel)))
        })
      ),
    binding: (id, digest, seconds) =>
      Effect.asVoid(sql`update notification_channels set bind_digest = ${digest},
        bind_expires_at = now() + make_interval(secs => ${seconds}) where id = ${id}::uuid and kind = 'telegram'`),
    remove: (owner, id) =>
      Effect.map(
        Audit.recorded(
          sql,
          sql`delete from notification_channels c where ${isOf(sql, owner)} and c.id = ${id}::uuid returning c.id`,
          (rows) => rows.map(() => changeOf("channel.deleted", owner, id))
        ),
        (rows) => rows.length > 0
      ),
    of: (owner) =>
      Effect.flatMap(
        sql`select ${columns} from notification_channels c where ${isOf(sql, owner)} order by c.id`,
        (rows) => Effect.orDie(Rows(rows))
      ),
    find: (owner, id) =>
      Effect.flatMap(
        sql`select ${columns} from notification_channels c where ${isOf(sql, owner)} and c.id = ${id}::uuid`,
        (rows) => Effect.map(Effect.orDie(Rows(rows)), ([row]) => Option.fromNullishOr(row))
      )
  }
}

export class ChannelStore extends Context.Service<ChannelStore, {
  readonly create: (
    owner: Owner,
    keyId: string | undefined,
    channel: Channel
  ) => Effect.Effect<void, SqlError | NotStored>
  /** Replaces a channel. With another bot the chat has to be bound again. */
  readonly update: (
    owner: Owner,
    keyId: string | undefined,
    channel: Channel
  ) => Effect.Effect<void, SqlError | NotStored>
  /** Stores the digest of a new one-time code in place of an earlier one. */
  readonly binding: (id: string, digest: string, seconds: number) => Effect.Effect<void, SqlError>
  /** Deletes a channel with what it was still to receive; `false` when the owner has no such channel. */
  readonly remove: (owner: Owner, id: string) => Effect.Effect<boolean, SqlError>
  readonly of: (owner: Owner) => Effect.Effect<ReadonlyArray<Channel>, SqlError>
  readonly find: (owner: Owner, id: string) => Effect.Effect<Option.Option<Channel>, SqlError>
  /** Lists the newest messages of the owner's channels, or of one of them. */
  readonly messages: (
    owner: Owner,
    channel: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<MessageRow>, SqlError>
  /** Claims a test of a channel; `false` within ten seconds of the last one. */
  readonly claimTest: (id: string) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/notification/ChannelStore") {
  static readonly layer = Layer.effect(
    ChannelStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      ...channelRows(sql),
      messages: (owner, channel, limit) =>
        sql<MessageRow>`select m.id, m.channel, m.kind, m.title, m.state, m.attempts, m.uncertain,
          (select count(*) from channel_deliveries d where d.message = m.id)::int as events,
          m.last_error as "lastError", m.created_at as "createdAt", m.next_attempt_at as "nextAttemptAt"
          from notification_channels c join channel_messages m on m.channel = c.id
          where ${isOf(sql, owner)} and ${channel === null ? sql`true` : sql`c.id = ${channel}::uuid`}
          order by m.created_at desc, m.id limit ${limit}`,
      claimTest: (id) =>
        Effect.map(
          sql`update notification_channels set tested_at = now() where id = ${id}::uuid
            and (tested_at is null or tested_at < now() - interval '10 seconds') returning id`,
          (rows) => rows.length > 0
        )
    }))
  )
}
