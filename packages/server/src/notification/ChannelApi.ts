/** Handlers of notification channels. An actor checks and encrypts what they send with: the gate holds no key. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { Principal } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type ChannelChange, Channels } from "@vault-trader/core/notification/Channel"
import { ChannelApi, type ChannelView } from "@vault-trader/core/notification/ChannelApi"
import { type Channel, ChannelStore } from "@vault-trader/core/notification/ChannelStore"
import { type QuietHours, showQuiet } from "@vault-trader/core/signal/SignalRules"
import type { EventType, Owner } from "@vault-trader/core/webhook/Webhook"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Handlers from "../wire/Handlers.ts"
import { query, write } from "../gate/ActorCall.ts"

const owner = Effect.map(
  Principal,
  (principal): Owner =>
    principal._tag === "key"
      ? { _tag: "wallet", wallet: principal.caller.wallet }
      : { _tag: "manager", manager: principal.manager }
)

/** The owner, the requesting key and the actor of a change. */
const by = Effect.gen(function*() {
  const principal = yield* Principal
  return {
    owner: yield* owner,
    keyId: principal._tag === "key" ? principal.caller.keyId : undefined,
    actor: yield* Audit.Actor
  }
})

/** The parameters of a change, as they were given. */
interface Given {
  readonly name?: string | undefined
  readonly events?: ReadonlyArray<EventType> | undefined
  readonly url?: Redacted.Redacted<string> | undefined
  readonly access_token?: Redacted.Redacted<string> | undefined
  readonly subscription?: ChannelChange["subscription"]
  readonly smtp_password?: Redacted.Redacted<string> | undefined
  readonly smtp_host?: string | undefined
  readonly smtp_port?: number | undefined
  readonly smtp_user?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly quiet_hours?: unknown
  readonly digest_minutes?: number | undefined
  readonly max_per_hour?: number | undefined
  readonly commands?: ChannelChange["commands"]
  readonly templates?: ChannelChange["templates"]
  readonly enabled?: boolean | undefined
}

const changeOf = (given: Given): ChannelChange => {
  const { access_token: token, commands, enabled, events, from, name, subscription, templates, to, url } = given
  return {
    ...{ name, from, to, url, token, subscription, commands, templates, enabled },
    events: events === undefined ? undefined : [...new Set(events)],
    password: given.smtp_password,
    host: given.smtp_host,
    port: given.smtp_port,
    user: given.smtp_user,
    quiet: given.quiet_hours === undefined
      ? undefined
      : (given.quiet_hours as { readonly hours: QuietHours | null }).hours,
    digestMinutes: given.digest_minutes,
    perHour: given.max_per_hour
  }
}

const viewOf = (channel: Channel): ChannelView => {
  const { chatId, createdAt, enabled, events, id, kind, name, rules, settings, templates } = channel
  return {
    ...{ channel_id: id, kind, name, enabled, host: settings.host, smtp_port: settings.port },
    ...{ from: settings.from, to: settings.to, bot: settings.bot, bound: chatId !== null, events },
    quiet_hours: rules.quiet === null ? null : showQuiet(rules.quiet),
    digest_minutes: rules.digestMinutes,
    max_per_hour: rules.perHour,
    commands: rules.commands,
    templates,
    created_at: createdAt.toISOString()
  }
}

/** The actor's response for a channel that was stored. */
interface Put {
  readonly id: string
  readonly bot: string | null
  readonly binding: { readonly code: Redacted.Redacted<string>; readonly expiresAt: string } | null
}

const bindingOf = ({ binding, bot }: Put) =>
  binding === null
    ? { bind_code: null, bind_url: null, bind_expires_at: null }
    : {
      bind_code: binding.code,
      bind_url: Redacted.make(`https://t.me/${bot ?? ""}?start=${Redacted.value(binding.code)}`),
      bind_expires_at: binding.expiresAt
    }

const bindMessage = "Send /start and the code to the bot within 30 minutes; the code is shown only in this response."

const unknown = new ValidationFailure({
  code: "1010",
  message: "channel_id: there is no such channel; /getChannels lists yours"
})

const needsSignature = new ValidationFailure({
  code: "1010",
  message: "commands: a chat that may resume is set with a manager's signature or a gas wallet's API key, not by a " +
    "console session; accepted here are none, status and pause. Nothing was changed."
})

/**
 * Refuses a change by a console session of a channel whose chat may resume: what the owner has stopped, a session alone
 * does not resume, so it binds no chat that does. It may lower what the chat may command.
 */
const checkCommands = (before: ChannelChange["commands"], given: Given & { readonly bind?: boolean | undefined }) =>
  Effect.gen(function*() {
    const { kind } = yield* Audit.Actor
    if (kind !== "session" || (given.commands ?? before) !== "resume") return
    if (given.commands === "resume" || given.bind === true || given.access_token !== undefined) {
      return yield* needsSignature
    }
  })

export const ChannelApiLive = Handlers.layer(
  ChannelApi,
  Effect.gen(function*() {
    const store = yield* ChannelStore
    const channels = yield* Channels.client
    const actor = () => channels(crypto.randomUUID().slice(0, 2))

    const answer = (put: Put, message: string) =>
      Effect.gen(function*() {
        const found = yield* query(store.find(yield* owner, put.id))
        if (Option.isNone(found)) return yield* unknown
        return {
          channel: viewOf(found.value),
          ...bindingOf(put),
          message: put.binding === null ? message : bindMessage
        }
      })

    return {
      createChannel: ({ kind, ...given }) =>
        Effect.gen(function*() {
          yield* checkCommands(undefined, given)
          const put = yield* write(actor().create({ ...(yield* by), kind, change: changeOf(given) }))
          return yield* answer(put, "The channel receives events from now on; testChannel sends a test.")
        }),
      updateChannel: ({ bind = false, channel_id: id, ...given }) =>
        Effect.gen(function*() {
          const before = yield* query(store.find(yield* owner, id))
          yield* checkCommands(Option.getOrUndefined(before)?.rules.commands, { ...given, bind })
          const put = yield* write(actor().update({ ...(yield* by), id, binds: bind, change: changeOf(given) }))
          return yield* answer(put, "The channel is changed.")
        }),
      deleteChannel: ({ channel_id }) =>
        Effect.gen(function*() {
          if (!(yield* query(store.remove(yield* owner, channel_id)))) return yield* unknown
          return { message: "The channel is deleted." }
        }),
      testChannel: ({ channel_id: id }) =>
        Effect.gen(function*() {
          const { delivered, detail } = yield* write(actor().test({ ...(yield* by), id }))
          return { delivered, message: detail }
        }),
      getChannels: () =>
        Effect.gen(function*() {
          return { channels: (yield* query(store.of(yield* owner))).map(viewOf) }
        }),
      getChannelMessages: ({ channel_id, limit = 20 }) =>
        Effect.gen(function*() {
          const found = yield* query(store.messages(yield* owner, channel_id ?? null, limit))
          return {
            messages: found.map((row) => ({
              ...{ message_id: row.id, channel_id: row.channel, kind: row.kind, title: row.title, events: row.events },
              ...{ state: row.state, attempts: row.attempts, may_repeat: row.uncertain, last_error: row.lastError },
              created_at: row.createdAt.toISOString(),
              next_attempt_at: row.state === "pending" ? row.nextAttemptAt.toISOString() : null
            }))
          }
        })
    }
  })
).pipe(
  Layer.provide([ChannelStore.layer])
)
