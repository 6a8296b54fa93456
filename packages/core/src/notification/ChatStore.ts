/**
 * Stores the messages that chats send: updates of Telegram's bots, each handled once, the binding of chats to channels,
 * and confirmations of commands.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import * as Uuid from "../storage/Uuid.ts"
import type { CommandLevel } from "./Channel.ts"

/** A bot whose updates are read, and a channel that has its token. */
export interface Bot {
  readonly digest: string
  readonly channel: string
  readonly ciphertext: string
  /** The bot's user name. */
  readonly name: string | null
}

/** The sender of a message. */
export interface Sender {
  readonly bot: string
  readonly chatId: string
  readonly userId: string
}

/** A channel that the sender's chat is bound to. */
export interface BoundChannel {
  readonly id: string
  readonly commands: CommandLevel
  readonly isManagers: boolean
}

/** A wallet of a channel. */
export interface ChatWallet {
  readonly channel: string
  readonly wallet: Address
  readonly label: string | null
  /** True if the chat may resume it: a manager's channel, or no manager has the wallet. */
  readonly mayResume: boolean
}

/** The state of a wallet, as `/status` shows it. */
export interface WalletState {
  readonly wallet: Address
  readonly stops: ReadonlyArray<{ readonly scope: string; readonly reason: string; readonly by: string }>
  readonly quarantines: ReadonlyArray<string>
  readonly lowGas: ReadonlyArray<string>
  readonly bots: number
  readonly pausedBots: number
  readonly open: number
  readonly succeeded: number
  readonly failed: number
}

/** A confirmed command. */
export interface Confirmed {
  readonly channel: string
  readonly command: "pause" | "resume"
  readonly wallets: ReadonlyArray<Address>
}

/** How long a confirmation is valid, in seconds, and how often its code may be wrong. */
export const confirmSeconds = 120
const maxWrong = 5

/** Answers to one chat in a minute; commands beyond it are ignored. */
const maxAnswers = 20

const updateRows = (
  sql: SqlClient.SqlClient
): Pick<ChatStore["Service"], "bots" | "hold" | "letGo" | "fail" | "once"> => ({
  bots: Effect.gen(function*() {
    yield* sql`insert into telegram_bots (digest) select distinct bot from notification_channels
      where bot is not null and enabled on conflict do nothing`
    return yield* sql<Bot>`select distinct on (c.bot) c.bot as digest, c.id as channel, c.ciphertext,
      c.settings ->> 'bot' as name from notification_channels c where c.bot is not null and c.enabled
      order by c.bot, c.created_at desc`
  }),
  hold: (digest, holder, seconds) =>
    Effect.map(
      sql<{ readonly next: string }>`update telegram_bots set holder = ${holder}::uuid,
        held_until = now() + make_interval(secs => ${seconds})
        where digest = ${digest} and (held_until is null or held_until < now() or holder = ${holder}::uuid)
        returning next_update::text as next`,
      ([row]) => Option.map(Option.fromNullishOr(row), ({ next }) => Number(next))
    ),
  letGo: (digest, holder) =>
    Effect.asVoid(sql`update telegram_bots set holder = null, held_until = null where digest = ${digest}
      and holder = ${holder}::uuid`),
  fail: (digest, error) =>
    Effect.asVoid(sql`update telegram_bots set last_error = ${error} where digest = ${digest}
      and last_error is distinct from ${error}`),
  once: (digest, update, handle) =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const taken = yield* sql`update telegram_bots set next_update = ${update + 1} where digest = ${digest}
          and next_update <= ${update} returning digest`
        if (taken.length === 0) return false
        yield* handle
        return true
      })
    )
})

const bindingRows = (sql: SqlClient.SqlClient): Pick<ChatStore["Service"], "bind" | "channels" | "wallets"> => ({
  bind: ({ bot, chatId, userId }, digest) =>
    Effect.gen(function*() {
      const [row] = yield* sql<
        {
          readonly id: string
          readonly wallet: Address | null
          readonly manager: Address | null
          readonly name: string
        }
      >`update notification_channels set chat_id = ${chatId}, user_id = ${userId}, bound_at = now(),
        bind_digest = null, bind_expires_at = null
        where bot = ${bot} and bind_digest = ${digest} and bind_expires_at > now() and enabled
        returning id, wallet, manager, name`
      if (row === undefined) return Option.none()
      yield* Audit.append(sql, {
        action: "channel.bound",
        subject: row.wallet === null ? row.manager ?? row.id : row.id,
        wallet: row.wallet,
        details: { channel: row.id, chat: chatId, user: userId }
      })
      return Option.some({ id: row.id, name: row.name })
    }),
  channels: ({ bot, chatId, userId }) =>
    sql<BoundChannel>`select id, rules ->> 'commands' as commands, manager is not null as "isManagers"
      from notification_channels where bot = ${bot} and chat_id = ${chatId} and user_id = ${userId} and enabled
      order by created_at, id`,
  wallets: (channels) =>
    channels.length === 0 ? Effect.succeed([]) : sql<ChatWallet>`
      select c.id as channel, c.wallet, (select m.label from manager_wallets m where m.wallet = c.wallet
          and m.label is not null order by m.created_at limit 1) as label,
        not exists (select 1 from manager_wallets m where m.wallet = c.wallet) as "mayResume"
        from notification_channels c where c.id in ${sql.in(channels)} and c.wallet is not null
      union all select c.id, m.wallet, m.label, true from notification_channels c
        join manager_wallets m on m.manager = c.manager and m.network = 'any'
        where c.id in ${sql.in(channels)} order by 2`
})

const statesOf = (sql: SqlClient.SqlClient): ChatStore["Service"]["states"] => (wallets) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (wallets.length === 0) return Effect.succeed([])
    const dayAgo = Uuid.firstAt(now - 86_400_000)
    return sql<WalletState>`
    with mine as (select jsonb_array_elements_text(${JSON.stringify(wallets)}::jsonb) as wallet),
    b as (select wallet, network, pool, paused_reason is not null as paused, active and side <> 'hold' as on
        from threshold_bots where wallet in (select wallet from mine)
      union all select wallet, network, pool, paused_reason is not null, enabled from index_bots
        where wallet in (select wallet from mine))
    select m.wallet,
      coalesce((select jsonb_agg(jsonb_build_object('scope', k.scope, 'reason', k.reason, 'by', k.set_by)
        order by k.scope) from kill_switches k where k.scope in ('service', 'wallet/' || m.wallet)
        or array_to_string((string_to_array(k.scope, '/'))[1:3], '/')
          in (select 'bot/' || b.network || '/' || b.pool from b where b.wallet = m.wallet)), '[]') as stops,
      coalesce((select jsonb_agg(distinct q.network) from lane_quarantines q where q.wallet = m.wallet
        and q.released_at is null), '[]') as quarantines,
      coalesce((select jsonb_agg(distinct g.network) from gas_levels g where g.wallet = m.wallet and g.low), '[]')
        as "lowGas",
      (select count(*) from b where b.wallet = m.wallet and (b.on or b.paused))::int as bots,
      (select count(*) from b where b.wallet = m.wallet and b.paused)::int as "pausedBots",
      (select count(*) from intents i where i.wallet = m.wallet and i.status in ('accepted', 'submitted'))::int as open,
      (select count(*) from intents i where i.wallet = m.wallet and i.status = 'succeeded'
        and i.id >= ${dayAgo}::uuid)::int as succeeded,
      (select count(*) from intents i where i.wallet = m.wallet and i.status = 'failed'
        and i.id >= ${dayAgo}::uuid)::int as failed
    from mine m order by m.wallet`
  })

const confirmationRows = (
  sql: SqlClient.SqlClient
): Pick<ChatStore["Service"], "ask" | "confirm"> => ({
  ask: ({ chatId, userId }, { channel, codeDigest, command, id, wallets }) =>
    Effect.gen(function*() {
      // A newer command takes the place of one that was not confirmed.
      yield* sql`delete from chat_confirmations where chat_id = ${chatId} and user_id = ${userId}
        and used_at is null and channel in (select id from notification_channels where chat_id = ${chatId})`
      yield* sql`insert into chat_confirmations (id, channel, chat_id, user_id, code_digest, command, wallets, expires_at)
        values (${id}::uuid, ${channel}::uuid, ${chatId}, ${userId}, ${codeDigest}, ${command},
        ${JSON.stringify(wallets)}::jsonb, now() + make_interval(secs => ${confirmSeconds}))`
    }),
  confirm: ({ bot, chatId, userId }, digestOf) =>
    Effect.gen(function*() {
      const [open] = yield* sql<Confirmed & { readonly id: string; readonly digest: string }>`
        select a.id, a.channel, a.command, a.wallets, a.code_digest as digest from chat_confirmations a
        join notification_channels c on c.id = a.channel and c.bot = ${bot} and c.chat_id = ${chatId}
          and c.user_id = ${userId} and c.enabled
        where a.chat_id = ${chatId} and a.user_id = ${userId} and a.used_at is null and a.expires_at > now()
          and a.wrong < ${maxWrong} order by a.expires_at desc limit 1 for update of a`
      if (open === undefined) return Option.none()
      if (open.digest !== digestOf(open.id)) {
        yield* sql`update chat_confirmations set wrong = wrong + 1 where id = ${open.id}::uuid`
        return Option.none()
      }
      yield* sql`update chat_confirmations set used_at = now() where id = ${open.id}::uuid`
      return Option.some({ channel: open.channel, command: open.command, wallets: open.wallets })
    })
})

export class ChatStore extends Context.Service<ChatStore, {
  /** Lists the bots of channels, each with the newest channel that has its token. */
  readonly bots: Effect.Effect<ReadonlyArray<Bot>, SqlError>
  /**
   * Makes this runner the only reader of a bot's updates for some seconds; returns the id of the first update that was
   * not handled. None while another runner reads them.
   */
  readonly hold: (
    digest: string,
    holder: string,
    seconds: number
  ) => Effect.Effect<Option.Option<number>, SqlError>
  readonly letGo: (digest: string, holder: string) => Effect.Effect<void, SqlError>
  /** Stores why a bot's updates cannot be read; null when they can. */
  readonly fail: (digest: string, error: string | null) => Effect.Effect<void, SqlError>
  /** Handles an update in the transaction that marks it as handled; `false` when it was handled before. */
  readonly once: <E, R>(
    digest: string,
    update: number,
    handle: Effect.Effect<void, E, R>
  ) => Effect.Effect<boolean, E | SqlError, R>
  /** Binds the sender's chat to the channel whose one-time code this is. */
  readonly bind: (
    sender: Sender,
    codeDigest: string
  ) => Effect.Effect<Option.Option<{ readonly id: string; readonly name: string }>, SqlError>
  /** Lists the channels that this user has bound this chat to. */
  readonly channels: (sender: Sender) => Effect.Effect<ReadonlyArray<BoundChannel>, SqlError>
  readonly wallets: (channels: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ChatWallet>, SqlError>
  readonly states: (wallets: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<WalletState>, SqlError>
  /** Stores a command that waits for its confirmation. */
  readonly ask: (
    sender: Sender,
    command: {
      readonly id: string
      readonly channel: string
      readonly codeDigest: string
      readonly command: "pause" | "resume"
      readonly wallets: ReadonlyArray<Address>
    }
  ) => Effect.Effect<void, SqlError>
  /** Uses the sender's open confirmation; none for a wrong, used or expired code, or of another chat or user. */
  readonly confirm: (
    sender: Sender,
    digestOf: (id: string) => string
  ) => Effect.Effect<Option.Option<Confirmed>, SqlError>
  /** Writes an answer into the channel's messages; `false` when the chat had too many in the last minute. */
  readonly answer: (channel: string, text: string) => Effect.Effect<boolean, SqlError>
  /** Returns whether the chat may be answered now. */
  readonly mayAnswer: (channel: string) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/notification/ChatStore") {
  static readonly layer = Layer.effect(
    ChatStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const mayAnswer = (channel: string) =>
        Effect.map(
          sql<{ readonly full: boolean }>`select count(*) >= ${maxAnswers} as full from channel_messages
            where channel = ${channel}::uuid and kind = 'answer' and created_at > now() - interval '1 minute'`,
          ([row]) => row?.full !== true
        )
      return {
        ...updateRows(sql),
        ...bindingRows(sql),
        ...confirmationRows(sql),
        states: statesOf(sql),
        mayAnswer,
        answer: (channel, text) =>
          Effect.gen(function*() {
            if (!(yield* mayAnswer(channel))) return false
            yield* sql`insert into channel_messages ${
              sql.insert({
                id: yield* Uuid.v7,
                channel,
                kind: "answer",
                title: "",
                body: text,
                link: null,
                urgent: true
              })
            }`
            return true
          })
      }
    })
  )
}
