/** Creates, changes and tests channels: checks where they send to, and encrypts their secrets. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  type ChannelChange,
  type ChannelKind,
  Channels,
  type ChannelSecrets,
  type ChannelSettings,
  defaultRules,
  maxChannels,
  noSettings
} from "@vault-trader/core/notification/Channel"
import { type Channel, ChannelStore, type NotStored } from "@vault-trader/core/notification/ChannelStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { eventTypes, type Owner } from "@vault-trader/core/webhook/Webhook"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { SqlError } from "effect/sql/SqlError"
import type { Kek } from "../gas-wallet/Envelope.ts"
import * as WebhookUrl from "../webhook/WebhookUrl.ts"
import * as ChatCode from "./ChatCode.ts"
import * as Email from "./Email.ts"
import * as Ntfy from "./Ntfy.ts"
import * as Push from "./Push.ts"
import * as Receiver from "./Receiver.ts"
import { receivers } from "./Receivers.ts"
import * as SealedChannel from "./SealedChannel.ts"
import * as Telegram from "./Telegram.ts"

/** How long a one-time code binds a chat, in seconds. */
const bindSeconds = 1800

const invalid = (message: string) => new ValidationFailure({ code: "1010", message })

/** The parameter's name on the wire. */
const wireNames = {
  ...{ url: "url", token: "access_token", password: "smtp_password", host: "smtp_host", port: "smtp_port" },
  ...{ user: "smtp_user", from: "from", to: "to", subscription: "subscription" }
} as const
type Place = keyof typeof wireNames

const places = Object.keys(wireNames) as ReadonlyArray<Place>

/** Where a channel sends to: its settings and secrets. */
interface Sending {
  readonly settings: ChannelSettings
  readonly secrets: ChannelSecrets
}

/** Applies a change to where a channel sends to; fails for what the kind does not have or still lacks. */
const sendingOf = (kind: ChannelKind, before: Sending, change: ChannelChange) =>
  Effect.gen(function*() {
    const { optional, required } = receivers[kind]
    const extra = places.find((place) =>
      change[place] !== undefined && !required.some((each) => each === place) &&
      !optional.some((each) => each === place)
    )
    if (extra !== undefined) return yield* invalid(`${wireNames[extra]}: a channel of ${kind} has none`)
    const { from, host, password, port, subscription = before.secrets.subscription, to, token, url, user } = change
    const settings: ChannelSettings = {
      host: host ?? before.settings.host,
      port: port ?? before.settings.port ?? (kind === "email" ? 587 : null),
      user: user ?? before.settings.user,
      from: from ?? before.settings.from,
      to: to ?? before.settings.to,
      bot: before.settings.bot
    }
    const secrets: ChannelSecrets = {
      url: url ?? before.secrets.url,
      token: token ?? before.secrets.token,
      password: password ?? before.secrets.password,
      ...(subscription === undefined ? {} : { subscription })
    }
    const all = { ...settings, ...secrets }
    const missing = required.find((place) => all[place] === null || all[place] === undefined)
    if (missing !== undefined) return yield* invalid(`${wireNames[missing]}: is required for a channel of ${kind}`)
    return { settings, secrets }
  })

/** Checks a URL and returns the host that is shown for it. */
const hostOf = (kind: ChannelKind, secret: Redacted.Redacted<string>, loopback: boolean) =>
  Effect.gen(function*() {
    const { url } = yield* Effect.mapError(
      WebhookUrl.resolve(Redacted.value(secret), loopback),
      ({ message }) => invalid(`url: ${message}`)
    )
    if (kind === "ntfy" && Ntfy.topicOf(url) === undefined) {
      return yield* invalid("url: must be the URL of a topic, such as https://ntfy.sh/my-topic")
    }
    return url.host
  })

/** Asks Telegram for the bot's name, which also proves the token. */
const botOf = (token: Redacted.Redacted<string>) =>
  Telegram.isToken(Redacted.value(token))
    ? Effect.catchTags(Telegram.userName(token), {
      TelegramRefused: ({ message }) => Effect.fail(invalid(`access_token: ${message}`)),
      NotAnswered: ({ message }) =>
        Effect.fail(invalid(`access_token: Telegram could not be asked about it: ${message}`))
    })
    : Effect.fail(invalid("access_token: must be a bot's token as @BotFather gives it, such as 123456:ABC…"))

/** Checks where a channel sends to, and completes its settings with what is shown. */
const checked = (kind: ChannelKind, { secrets, settings }: Sending, loopback: boolean) =>
  Effect.gen(function*() {
    if (kind === "telegram") {
      const bot = yield* botOf(secrets.token ?? Redacted.make(""))
      return { ...settings, bot, host: new URL(yield* Receiver.TelegramUrl).host }
    }
    if (kind === "push" && secrets.subscription !== undefined) {
      const host = Push.hostOf(Redacted.value(secrets.subscription), loopback)
      return { ...settings, host: yield* Effect.mapError(host, ({ message }) => invalid(`subscription: ${message}`)) }
    }
    if (kind !== "email") {
      return { ...settings, host: yield* hostOf(kind, secrets.url ?? Redacted.make(""), loopback) }
    }
    const { host, port } = settings
    const fault = Email.portFault(port ?? 0, loopback)
    if (fault !== undefined) return yield* invalid(`smtp_port: ${fault}`)
    yield* Effect.mapError(
      WebhookUrl.resolveServer(host ?? "", loopback),
      ({ message }) => invalid(`smtp_host: ${message}`)
    )
    return settings
  })

const refusalOf = ({ reason }: NotStored): ValidationFailure => {
  switch (reason) {
    case "key revoked":
      return new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })
    case "name taken":
      return invalid("name: another channel has it; choose a new name")
    case "too many":
      return invalid(`name: there are already ${maxChannels} channels, the maximum; delete one first`)
    case "unknown":
      return unknown
  }
}

const unknown = invalid("channel_id: there is no such channel; /getChannels lists yours")

const stored = (effect: Effect.Effect<void, NotStored | SqlError>) =>
  Effect.catchTags(effect, {
    NotStored: (failure) => Effect.fail(refusalOf(failure)),
    SqlError: Effect.die
  })

/** Refuses resume for a channel that an API key sets while a manager has the wallet, as /resumeWallet does. */
const checkCommands = (owner: Owner, level: string) =>
  Effect.gen(function*() {
    if (level !== "resume" || owner._tag === "manager") return
    if (yield* Effect.orDie((yield* ManagerStore).isManaged(owner.wallet))) {
      return yield* invalid(
        `commands: ${owner.wallet} has a manager, so its API key cannot let a chat resume it; create the channel as ` +
          "the manager (manager and signature)"
      )
    }
  })

const withoutSecrets: ChannelSecrets = { url: null, token: null, password: null }

/** Applies a change to a channel's row. */
const changed = (
  kek: Kek,
  loopback: boolean,
  owner: Owner,
  before: Channel,
  secrets: ChannelSecrets,
  change: ChannelChange
) =>
  Effect.gen(function*() {
    const { kind, rules } = before
    const sending = yield* sendingOf(kind, { settings: before.settings, secrets }, change)
    const next = {
      quiet: change.quiet === undefined ? rules.quiet : change.quiet,
      digestMinutes: change.digestMinutes ?? rules.digestMinutes,
      perHour: change.perHour ?? rules.perHour,
      commands: kind === "telegram" ? change.commands ?? rules.commands : "none" as const
    }
    yield* checkCommands(owner, next.commands)
    if (change.commands !== undefined && change.commands !== "none" && kind !== "telegram") {
      return yield* invalid(`commands: a channel of ${kind} takes no commands`)
    }
    const token = sending.secrets.token
    const channel: Channel = {
      ...before,
      name: change.name ?? before.name,
      settings: yield* checked(kind, sending, loopback),
      events: change.events ?? before.events,
      rules: next,
      templates: change.templates ?? before.templates,
      enabled: change.enabled ?? before.enabled,
      ciphertext: yield* SealedChannel.seal(kek, before.id, sending.secrets),
      bot: kind === "telegram" && token !== null ? Telegram.digestOf(token) : null
    }
    return channel
  })

/** Stores a new one-time code of a Telegram channel, and returns it. */
const bindingOf = ({ id, kind }: Channel) =>
  Effect.gen(function*() {
    if (kind !== "telegram") return null
    const code = yield* ChatCode.fresh
    yield* Effect.orDie((yield* ChannelStore).binding(id, ChatCode.digestOf(Redacted.value(code)), bindSeconds))
    const expires = (yield* Clock.currentTimeMillis) + bindSeconds * 1000
    return { code, expiresAt: new Date(expires).toISOString() }
  })

const detailOf = (outcome: Receiver.Outcome): { readonly delivered: boolean; readonly detail: string } => {
  switch (outcome._tag) {
    case "accepted":
      return { delivered: true, detail: "The test message was accepted." }
    case "limited":
      return { delivered: false, detail: `The receiver asks to wait ${outcome.seconds} s; nothing was sent.` }
    case "unanswered":
      return {
        delivered: false,
        detail: outcome.sent
          ? `There was no response; the message may have arrived: ${outcome.error}.`
          : `Nothing was sent: ${outcome.error}.`
      }
    default:
      return { delivered: false, detail: `The receiver did not accept the test message: ${outcome.error}.` }
  }
}

const testMessage = (id: string, name: string): Receiver.Message => ({
  id,
  title: "Test",
  body: `This is a test of the channel ${name}.`,
  link: null,
  urgent: true,
  repeats: false
})

/** Finds the owner's channel. */
const found = (owner: Owner, id: string) =>
  Effect.gen(function*() {
    const channel = yield* Effect.orDie((yield* ChannelStore).find(owner, id))
    return Option.isNone(channel) ? yield* unknown : channel.value
  })

export const ChannelLive = ({ kek, loopback }: { readonly kek: Kek; readonly loopback: boolean }) =>
  Channels.toLayer(
    Effect.gen(function*() {
      const services = yield* Effect.context<ChannelStore | ManagerStore>()
      const store = yield* ChannelStore
      const telegramUrl = yield* Receiver.TelegramUrl
      const provided = <A, E>(effect: Effect.Effect<A, E, ChannelStore | ManagerStore>) =>
        Effect.provideService(Effect.provide(effect, services), Receiver.TelegramUrl, telegramUrl)
      return {
        create: ({ payload: { actor, change, keyId, kind, owner } }) =>
          provided(Effect.gen(function*() {
            const id = yield* Uuid.v7
            const fresh: Channel = {
              ...{ id, kind, name: kind, settings: noSettings, events: eventTypes, rules: defaultRules },
              ...{ templates: {}, enabled: true, ciphertext: "", bot: null, chatId: null },
              createdAt: new Date(yield* Clock.currentTimeMillis)
            }
            const channel = yield* changed(kek, loopback, owner, fresh, withoutSecrets, change)
            yield* stored(store.create(owner, keyId, channel))
            return { id, bot: channel.settings.bot, binding: yield* bindingOf(channel) }
          })).pipe(Audit.by(actor)),
        update: ({ payload: { actor, binds, change, id, keyId, owner } }) =>
          provided(Effect.gen(function*() {
            const before = yield* found(owner, id)
            const secrets = yield* Effect.orDie(SealedChannel.open(kek, id, before.ciphertext))
            const channel = yield* changed(kek, loopback, owner, before, secrets, change)
            yield* stored(store.update(owner, keyId, channel))
            const binding = binds || channel.bot !== before.bot ? yield* bindingOf(channel) : null
            return { id, bot: channel.settings.bot, binding }
          })).pipe(Audit.by(actor)),
        test: ({ payload: { id, owner } }) =>
          provided(Effect.gen(function*() {
            const { chatId, ciphertext, kind, name, settings } = yield* found(owner, id)
            if (!(yield* Effect.orDie(store.claimTest(id)))) {
              return yield* invalid("channel_id: was tested within the last ten seconds; wait and repeat")
            }
            const secrets = yield* Effect.orDie(SealedChannel.open(kek, id, ciphertext))
            const message = testMessage(yield* Uuid.v7, name)
            return detailOf(yield* receivers[kind].send({ settings, secrets, chatId, loopback }, message))
          }))
      }
    }),
    { concurrency: "unbounded", disableFatalDefects: true }
  )
