/**
 * Commands of chats. A message counts only if it is a user's own, in a chat that this user has bound to a channel; to all
 * others nothing is answered. Pause and resume are carried out after the same user has confirmed them in the same chat.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Actor } from "@vault-trader/core/audit/AuditEntry"
import type { Address } from "@vault-trader/core/chain/Address"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { allows, type CommandLevel } from "@vault-trader/core/notification/Channel"
import {
  type BoundChannel,
  ChatStore,
  type ChatWallet,
  confirmSeconds,
  type Sender,
  type WalletState
} from "@vault-trader/core/notification/ChatStore"
import { clean, short } from "@vault-trader/core/notification/MessageText"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as ChatCode from "./ChatCode.ts"
import type { ChatMessage } from "./Telegram.ts"

/** A command as it was written. */
interface Command {
  readonly name: string
  readonly argument: string
}

/** Parses `/name@bot argument`; `undefined` for other texts and for another bot's commands. */
export const parse = (text: string, bot: string | null): Command | undefined => {
  const [, name = "", addressee, argument = ""] =
    /^\/([a-z]{1,20})(?:@(\w{1,64}))?(?:\s+(\S{1,128}))?\s*$/i.exec(text) ?? []
  const isOther = addressee !== undefined && addressee.toLowerCase() !== bot?.toLowerCase()
  return name === "" || isOther ? undefined : { name: name.toLowerCase(), argument }
}

/** Returns the sender of a message that a user wrote; `undefined` for bots, channels and forwarded messages. */
const senderOf = (bot: string, message: ChatMessage): Sender | undefined => {
  const { chat, forward_origin: forwarded, from, sender_chat: channel, via_bot: via } = message
  return from === undefined || from.is_bot === true || forwarded !== undefined || channel !== undefined ||
      via !== undefined
    ? undefined
    : { bot, chatId: String(chat.id), userId: String(from.id) }
}

const actorOf = ({ userId }: Sender, channel: string): Actor => ({
  kind: "chat",
  id: `telegram:${userId}`,
  from: null,
  credential: `channel ${channel}`
})

/** Everything that the handling of one command needs. */
interface Chat {
  readonly sender: Sender
  readonly channels: ReadonlyArray<BoundChannel>
}

const record = (chat: Chat, channel: string, command: string, wallet: Address | null, outcome: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Audit.append(sql, { action: "channel.command", subject: channel, wallet, details: { command, outcome } })
  }).pipe(Audit.by(actorOf(chat.sender, channel)))

/** Returns the channels that allow a command, and their wallets. */
const reach = ({ channels }: Chat, level: CommandLevel, argument: string) =>
  Effect.gen(function*() {
    const allowed = channels.filter(({ commands }) => allows(commands, level)).map(({ id }) => id)
    const all = yield* (yield* ChatStore).wallets(allowed)
    const isNamed = ({ label, wallet }: ChatWallet) =>
      argument === "" || wallet === argument.toLowerCase() || label?.toLowerCase() === argument.toLowerCase()
    // A wallet may be in several channels of the chat.
    const wallets = new Map<Address, ChatWallet>()
    for (const each of all) {
      if (isNamed(each) && (level !== "resume" || each.mayResume)) wallets.set(each.wallet, each)
    }
    return { allowed, wallets: [...wallets.values()], named: all.filter(isNamed).length }
  })

const nameOf = ({ label, wallet }: Pick<ChatWallet, "label" | "wallet">) =>
  label === null ? short(wallet) : `${clean(label)} (${short(wallet)})`

const stateText = (state: WalletState, name: string) => {
  const stops = state.stops.map(({ by, reason, scope }) =>
    `${
      scope === "service" ? "The service" : scope.startsWith("wallet/") ? "Signing" : "The bots of a vault"
    } stopped ` +
    `by its ${by}: ${clean(reason)}`
  )
  const troubles = [
    ...stops,
    ...state.quarantines.map((network) => `Quarantined on ${network}`),
    ...state.lowGas.map((network) => `Gas is low on ${network}`)
  ]
  const bots = state.bots === 0
    ? "no bots"
    : `${state.bots} bots${state.pausedBots > 0 ? `, ${state.pausedBots} paused` : ""}`
  return [
    `${name}: ${troubles.length === 0 ? "running" : "needs attention"}`,
    ...troubles.map((each) => `  ${each}`),
    `  ${bots}; ${state.open} requests open; last 24 hours: ${state.succeeded} done, ${state.failed} failed`
  ].join("\n")
}

/** Maximum number of wallets in a status. */
const maxShown = 20

const status = (chat: Chat, argument: string) =>
  Effect.gen(function*() {
    const { wallets } = yield* reach(chat, "status", argument)
    if (wallets.length === 0) return "No wallet of this chat matches."
    const shown = wallets.slice(0, maxShown)
    const states = yield* (yield* ChatStore).states(shown.map(({ wallet }) => wallet))
    const lines = states.map((state) =>
      stateText(
        state,
        nameOf(shown.find(({ wallet }) => wallet === state.wallet) ?? { wallet: state.wallet, label: null })
      )
    )
    return [...lines, ...(wallets.length > maxShown ? [`… and ${wallets.length - maxShown} more.`] : [])].join("\n")
  })

const consequence = {
  pause: "Nothing more will be signed for them, on all networks; transactions already signed continue.",
  resume: "They will sign again, except where the operator has stopped them."
} as const

/** Asks for a confirmation of pause or resume. */
const request = (chat: Chat, command: "pause" | "resume", argument: string) =>
  Effect.gen(function*() {
    const store = yield* ChatStore
    const { allowed, named, wallets } = yield* reach(chat, command, argument)
    const [channel] = allowed
    if (channel === undefined) {
      return `This chat may not ${command}. updateChannel with commands=${command} permits it.`
    }
    if (wallets.length === 0) {
      return named > 0 && command === "resume"
        ? "A manager has this wallet, so only the manager's own channel resumes it."
        : "No wallet of this chat matches."
    }
    const id = yield* Uuid.v7
    const code = yield* ChatCode.digits
    yield* store.ask(chat.sender, {
      ...{ id, channel, command, codeDigest: ChatCode.confirmationDigest(id, code) },
      wallets: wallets.map(({ wallet }) => wallet)
    })
    return [
      `${command === "pause" ? "Pause" : "Resume"} ${wallets.map(nameOf).join(", ")}?`,
      consequence[command],
      `To confirm, send within ${confirmSeconds / 60} minutes: /confirm ${code}`
    ].join("\n")
  })

const carryOut = (
  chat: Chat,
  { channel, command, wallets }: {
    readonly channel: string
    readonly command: "pause" | "resume"
    readonly wallets: ReadonlyArray<Address>
  }
) =>
  Effect.gen(function*() {
    const switches = yield* KillSwitch
    // Again: a channel may have lost its right, and a wallet may have got a manager, since the command.
    const now = yield* reach(chat, command, "")
    const may = now.wallets.filter(({ wallet }) => wallets.includes(wallet))
    const lines: Array<string> = []
    for (const each of may) {
      const scope = walletScope(each.wallet)
      if (command === "pause") {
        yield* switches.pauseAsOwner(scope, "by its owner, from a chat")
        lines.push(`Paused: ${nameOf(each)}.`)
      } else {
        const result = yield* switches.resumeAsOwner(scope)
        lines.push(
          result === "operator"
            ? `Only the operator can resume ${nameOf(each)}.`
            : result === "resumed"
            ? `Resumed: ${nameOf(each)}.`
            : `Was not paused: ${nameOf(each)}.`
        )
      }
      yield* record(chat, channel, command, each.wallet, "carried out")
    }
    return lines.length === 0 ? "Nothing was done: this chat may no longer do that." : lines.join("\n")
  }).pipe(Audit.by(actorOf(chat.sender, channel)))

const confirm = (chat: Chat, code: string) =>
  Effect.gen(function*() {
    const confirmed = yield* (yield* ChatStore).confirm(
      chat.sender,
      (id) => ChatCode.confirmationDigest(id, code)
    )
    return Option.isNone(confirmed)
      ? "This code is wrong, used or expired; nothing was done. Send the command again."
      : yield* carryOut(chat, confirmed.value)
  })

const help = "Commands: /status, /pause, /resume, each with a wallet's name or address if you like; /confirm."

const answerTo = (chat: Chat, { argument, name }: Command) => {
  switch (name) {
    case "status":
      return status(chat, argument)
    case "pause":
    case "resume":
      return request(chat, name, argument)
    case "confirm":
      return confirm(chat, argument)
    default:
      return Effect.succeed(help)
  }
}

const bind = (sender: Sender, code: string) =>
  Effect.gen(function*() {
    const store = yield* ChatStore
    const bound = yield* store.bind(sender, ChatCode.digestOf(code))
    if (Option.isNone(bound)) return
    yield* store.answer(
      bound.value.id,
      `This chat now receives the events of ${clean(bound.value.name)}. ${help} Only you can command here.`
    )
  }).pipe(Audit.by(actorOf(sender, "binding")))

/** Handles a message of a bot, in the caller's transaction. */
export const handle = (bot: string, botName: string | null, message: ChatMessage) =>
  Effect.gen(function*() {
    const sender = senderOf(bot, message)
    const command = parse(message.text ?? "", botName)
    if (sender === undefined || command === undefined) return
    if (command.name === "start" && command.argument !== "") return yield* bind(sender, command.argument)
    const store = yield* ChatStore
    const channels = (yield* store.channels(sender)).filter(({ commands }) => commands !== "none")
    const [first] = channels
    if (first === undefined || !(yield* store.mayAnswer(first.id))) return
    const chat = { sender, channels }
    const text = yield* answerTo(chat, command)
    yield* store.answer(first.id, text)
    const [wallet] = yield* store.wallets([first.id])
    yield* record(chat, first.id, command.name.slice(0, 20), wallet?.wallet ?? null, "answered")
  })
