/**
 * The messages of channels. One runner sends for a channel at a time, and a channel has one message in progress. An
 * attempt is committed before it is made: after a crash it is known that the message may have arrived.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Uuid from "../storage/Uuid.ts"
import type { ChannelKind, ChannelRules, ChannelSettings, Templates } from "./Channel.ts"
import type { Content, Names, StoredEvent } from "./MessageText.ts"
import * as MessageText from "./MessageText.ts"
import * as MessagePlan from "./MessagePlan.ts"

/** A channel that a runner has claimed, and what it needs to send. */
export interface Claimed {
  readonly id: string
  readonly claim: string
  readonly owner: string
  readonly kind: ChannelKind
  readonly settings: ChannelSettings
  readonly rules: ChannelRules
  readonly templates: Templates
  readonly ciphertext: string
  readonly chatId: string | null
}

/** A message whose attempt is committed. */
export interface Attempt extends Content {
  readonly id: string
  /** Attempts that were refused or not answered before this one. */
  readonly attempts: number
  /** True if an earlier attempt may have arrived. */
  readonly uncertain: boolean
  /** Seconds since the message was composed. */
  readonly age: number
}

/**
 * The result of an attempt. `uncertain`: it may have arrived. `retrySeconds`: until the next one; null after the last.
 * `limited`: the receiver asked to wait, which is no failure.
 */
export type AttemptResult =
  | { readonly _tag: "sent"; readonly chatId?: string | undefined }
  | {
    readonly _tag: "refused"
    readonly error: string
    readonly uncertain: boolean
    readonly limited: boolean
    readonly retrySeconds: number | null
    /** The chat's new id, where Telegram has moved it. */
    readonly chatId?: string | undefined
  }

/** Labels of wallets and names of vaults, for texts. */
export type NamesOf = (owner: string, events: ReadonlyArray<StoredEvent>) => Effect.Effect<Names>

/** Seconds for which a channel is claimed; longer than any attempt takes. */
const claimSeconds = 60

/** Maximum number of waiting events that are read for one message. */
const pageSize = 500

/** Takes the channel's open message for an attempt, if its time has come. */
const openMessage = (sql: SqlClient.SqlClient, channel: string) =>
  Effect.gen(function*() {
    const [open] = yield* sql<Attempt & { readonly due: boolean; readonly state: string }>`
      select m.id, m.title, m.body, m.link, m.urgent, m.attempts, m.state, m.next_attempt_at <= now() as due,
        m.uncertain or m.state = 'sending' as uncertain,
        extract(epoch from now() - m.created_at)::float8 as age
      from channel_messages m where m.channel = ${channel}::uuid and m.state in ('pending', 'sending')
      order by m.kind = 'events', m.created_at, m.id limit 1`
    return open
  })

const sending = (sql: SqlClient.SqlClient, { id, uncertain }: { readonly id: string; readonly uncertain: boolean }) =>
  sql`update channel_messages set state = 'sending', uncertain = ${uncertain}, next_attempt_at = now()
    where id = ${id}::uuid`

/** Reads the events of a channel that are in no message. */
const waitingEvents = (sql: SqlClient.SqlClient, channel: string) =>
  sql<StoredEvent>`select e.id, e.type, e.wallet, e.data, e.created_at as at from channel_deliveries d
    join webhook_events e on e.id = d.event where d.channel = ${channel}::uuid and d.message is null
    order by e.created_at, e.id limit ${pageSize}`

const insertMessage = (
  sql: SqlClient.SqlClient,
  channel: string,
  content: Content,
  events: ReadonlyArray<string>,
  dropped: string | null
) =>
  Effect.gen(function*() {
    const id = yield* Uuid.v7
    yield* sql`insert into channel_messages ${
      sql.insert({
        id,
        channel,
        kind: "events",
        title: content.title,
        body: content.body,
        link: content.link,
        urgent: content.urgent,
        state: dropped === null ? "sending" : "dropped",
        last_error: dropped,
        ended_at: dropped === null ? null : new Date(yield* Clock.currentTimeMillis)
      })
    }`
    yield* sql`update channel_deliveries set message = ${id}::uuid where channel = ${channel}::uuid
      and message is null and event in (select jsonb_array_elements_text(${JSON.stringify(events)}::jsonb)::uuid)`
    return id
  })

/** Composes the channel's next message of its waiting events, if one is due; drops and holds events as planned. */
const compose = (sql: SqlClient.SqlClient, { id: channel, owner, rules, templates }: Claimed, namesOf: NamesOf) =>
  Effect.gen(function*() {
    const waiting = yield* waitingEvents(sql, channel)
    if (waiting.length === 0) return Option.none<Attempt>()
    const now = yield* Clock.currentTimeMillis
    const sent = yield* sql<{ readonly at: Date }>`select created_at as at from channel_messages
      where channel = ${channel}::uuid and kind = 'events' and state <> 'dropped'
        and created_at > now() - interval '1 hour' order by created_at desc limit ${rules.perHour}`
    const { expired, hold, send } = MessagePlan.plan(
      waiting.map(({ at, id, type }) => ({ event: id, at: at.getTime(), urgent: MessageText.isUrgent(type) })),
      rules,
      sent.map(({ at }) => at.getTime()).reverse(),
      now
    )
    const chosen = (ids: ReadonlyArray<string>) => waiting.filter(({ id }) => ids.includes(id))
    const names = yield* namesOf(owner, chosen([...expired, ...send]))
    if (expired.length > 0) {
      const content = MessageText.compose(chosen(expired), templates, names)
      yield* insertMessage(sql, channel, content, expired, "they waited for more than a day")
    }
    if (hold.length > 0) {
      yield* sql`update channel_deliveries d set not_before = to_timestamp(h.until / 1000.0)
        from jsonb_to_recordset(${JSON.stringify(hold)}::jsonb) as h(event uuid, until float8)
        where d.channel = ${channel}::uuid and d.event = h.event`
    }
    if (send.length === 0) return Option.none<Attempt>()
    const content = MessageText.compose(chosen(send), templates, names)
    const id = yield* insertMessage(sql, channel, content, send, null)
    return Option.some<Attempt>({ ...content, id, attempts: 0, uncertain: false, age: 0 })
  })

const claims = (
  sql: SqlClient.SqlClient
): Pick<MessageStore["Service"], "claim" | "release"> => ({
  claim: (runner, limit, owners, perOwner, closed = []) =>
    sql<Claimed>`with due as (
        select channel from channel_messages where state in ('pending', 'sending') and next_attempt_at <= now()
        union select d.channel from channel_deliveries d where d.message is null and d.not_before <= now()
          -- One message at a time: the others wait for it without being read.
          and not exists (select 1 from channel_messages m where m.channel = d.channel
            and m.state in ('pending', 'sending'))),
      mine as materialized (select c.id, coalesce(c.wallet, c.manager)::text as owner, c.attempted_at
        from notification_channels c where c.id in (select channel from due)
          and (c.claimed_until is null or c.claimed_until < now()) and c.enabled
          and (c.settings ->> 'host' is null
            or not ${JSON.stringify(closed)}::jsonb @> to_jsonb(c.settings ->> 'host'))
        order by c.attempted_at for update skip locked),
      turn as (select *, coalesce((${JSON.stringify(Object.fromEntries(owners))}::jsonb ->> owner)::int, 0)
        + row_number() over (partition by owner order by attempted_at) as of_owner from mine),
      chosen as (select id, owner from turn where of_owner <= ${perOwner} order by attempted_at limit ${limit})
      update notification_channels c set claim = ${runner}::uuid, attempted_at = now(),
        claimed_until = now() + make_interval(secs => ${claimSeconds})
      from chosen where chosen.id = c.id
      returning c.id, c.claim, chosen.owner, c.kind, c.settings, c.rules, c.templates, c.ciphertext,
        c.chat_id as "chatId"`,
  release: ({ claim, id }) =>
    Effect.asVoid(sql`update notification_channels set claim = null, claimed_until = null
      where id = ${id}::uuid and claim = ${claim}::uuid`)
})

export class MessageStore extends Context.Service<MessageStore, {
  /**
   * Claims channels with something due for a minute. Those whose last attempt is longest ago come first, and one owner
   * has at most `perOwner` at a time, with those in `owners`. Channels of the hosts in `closed` wait.
   */
  readonly claim: (
    runner: string,
    limit: number,
    owners: ReadonlyMap<string, number>,
    perOwner: number,
    closed?: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Claimed>, SqlError>
  readonly release: (channel: Claimed) => Effect.Effect<void, SqlError>
  /**
   * Commits the next attempt of a claimed channel: of its open message, or of a new one of the events that wait. None
   * when nothing is due, or the claim has passed to another runner.
   */
  readonly begin: (channel: Claimed, namesOf: NamesOf) => Effect.Effect<Option.Option<Attempt>, SqlError>
  readonly record: (channel: Claimed, message: string, result: AttemptResult) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/notification/MessageStore") {
  static readonly layer = Layer.effect(
    MessageStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      ...claims(sql),
      begin: (channel, namesOf) =>
        sql.withTransaction(Effect.gen(function*() {
          const held = yield* sql`select 1 from notification_channels where id = ${channel.id}::uuid
            and claim = ${channel.claim}::uuid for no key update`
          if (held.length === 0) return Option.none<Attempt>()
          const open = yield* openMessage(sql, channel.id)
          if (open === undefined) return yield* compose(sql, channel, namesOf)
          if (!open.due && open.state === "pending") return Option.none<Attempt>()
          yield* sending(sql, open)
          return Option.some<Attempt>(open)
        })),
      record: ({ claim, id: channel }, id, result) =>
        sql.withTransaction(Effect.gen(function*() {
          const held = yield* sql`select 1 from notification_channels where id = ${channel}::uuid
            and claim = ${claim}::uuid for no key update`
          // Another runner sends for the channel by now, and records its own outcome.
          if (held.length === 0) return
          if (result.chatId !== undefined) {
            yield* sql`update notification_channels set chat_id = ${result.chatId} where id = ${channel}::uuid`
          }
          if (result._tag === "sent") {
            yield* sql`update channel_messages set state = 'sent', ended_at = now(), last_error = null,
              attempts = attempts + 1 where id = ${id}::uuid and state = 'sending'`
            return
          }
          const { error, limited, retrySeconds, uncertain } = result
          yield* sql`update channel_messages set state = ${retrySeconds === null ? "dropped" : "pending"},
            ended_at = ${retrySeconds === null ? sql`now()` : sql`null`}, last_error = ${error},
            attempts = attempts + ${limited ? 0 : 1}, uncertain = uncertain or ${uncertain},
            next_attempt_at = now() + make_interval(secs => ${retrySeconds ?? 0})
            where id = ${id}::uuid and state = 'sending'`
        }))
    }))
  )
}
