/**
 * Telegram's Bot API. Texts are sent without a parse mode, so that nothing in them is markup. The token is part of every
 * URL: no error contains one.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as CheckedRequest from "../webhook/CheckedRequest.ts"
import * as Receiver from "./Receiver.ts"

/** Maximum length of a message. */
const maxText = 4096

/** Seconds that a request for updates waits for one. */
const pollSeconds = 25

const maxBytes = 1_048_576

/** Telegram refused a request. `status`: its error code. */
export class TelegramRefused extends Data.TaggedError("TelegramRefused")<{
  readonly status: number
  readonly message: string
}> {}

const Answer = Schema.Struct({
  ok: Schema.Boolean,
  result: Schema.optional(Schema.Unknown),
  description: Schema.optional(Schema.String),
  parameters: Schema.optional(Schema.Struct({
    retry_after: Schema.optional(Schema.Number),
    migrate_to_chat_id: Schema.optional(Schema.Number)
  }))
})

const Person = Schema.Struct({ id: Schema.Number, is_bot: Schema.optional(Schema.Boolean) })

/** A message of an update, as far as it matters. */
const ChatMessage = Schema.Struct({
  chat: Schema.Struct({ id: Schema.Number }),
  from: Schema.optional(Person),
  text: Schema.optional(Schema.String),
  forward_origin: Schema.optional(Schema.Unknown),
  sender_chat: Schema.optional(Schema.Unknown),
  via_bot: Schema.optional(Schema.Unknown)
})
export type ChatMessage = typeof ChatMessage.Type

const Update = Schema.Struct({ update_id: Schema.Int, message: Schema.optional(Schema.Unknown) })

/** An update; `message` is undefined where it has none that can be read. */
export interface Update {
  readonly id: number
  readonly message: ChatMessage | undefined
}

const Me = Schema.Struct({ username: Schema.String, is_bot: Schema.Boolean })

/** Returns the digest under which a bot's updates are stored. Tokens are long and random. */
export const digestOf = (token: Redacted.Redacted<string>): string =>
  Crypto.createHash("sha256").update(`telegram/${Redacted.value(token)}`).digest("hex")

/** Checks the form of a token, which becomes a part of a path. */
export const isToken = (token: string): boolean => /^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(token)

/** Calls a method. The operator configures the host, so its address is not checked. */
const call = (token: Redacted.Redacted<string>, method: string, body: unknown, timeoutMillis: number) =>
  Effect.gen(function*() {
    const url = new URL(`/bot${Redacted.value(token)}/${method}`, yield* Receiver.TelegramUrl)
    const response = yield* CheckedRequest.send({ url }, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "vault-trader-notifications/1" },
      body: JSON.stringify(body),
      maxBytes,
      timeoutMillis
    })
    const answer = Option.flatMap(
      Option.liftThrowable(() => JSON.parse(response.text) as unknown)(),
      Schema.decodeUnknownOption(Answer)
    )
    return { response, answer: Option.getOrUndefined(answer) }
  })

const result = <A, I>(
  token: Redacted.Redacted<string>,
  method: string,
  body: unknown,
  timeout: number,
  schema: Schema.Codec<A, I>
) =>
  Effect.gen(function*() {
    const { answer, response } = yield* call(token, method, body, timeout)
    const value = answer?.ok === true ? Schema.decodeUnknownOption(schema)(answer.result) : Option.none()
    if (Option.isSome(value)) return value.value
    return yield* new TelegramRefused({
      status: response.status,
      message: answer?.ok === false
        ? meaning(response.status)
        : `HTTP ${response.status}: not a response of the Bot API`
    })
  })

const meaning = (status: number) =>
  status === 401 || status === 404
    ? "the bot's token is not accepted; it may have been revoked"
    : status === 403
    ? "the bot was blocked, or removed from the chat"
    : status === 409
    ? "another program reads this bot's updates"
    : `Telegram refused with ${status}`

/** Returns the user name of the bot. */
export const userName = (token: Redacted.Redacted<string>) =>
  Effect.map(result(token, "getMe", {}, 10_000, Me), ({ username }) => username)

/** Waits for updates from an id on. Those before it are forgotten by Telegram. */
export const updates = (
  token: Redacted.Redacted<string>,
  offset: number,
  seconds = pollSeconds
) =>
  Effect.map(
    result(
      token,
      "getUpdates",
      { offset, timeout: seconds, limit: 100, allowed_updates: ["message"] },
      (seconds + 10) * 1000,
      Schema.Array(Update)
    ),
    (all) =>
      all.map(({ message, update_id: id }): Update => ({
        id,
        message: Option.getOrUndefined(Schema.decodeUnknownOption(ChatMessage)(message))
      }))
  )

/** Sends a message to the bound chat. */
export const send: Receiver.Send = ({ chatId, secrets }, message) =>
  Receiver.outcome(Effect.gen(function*() {
    if (chatId === null) return { _tag: "refused", error: "no chat is bound" } as const
    const { answer, response } = yield* call(secrets.token ?? Redacted.make(""), "sendMessage", {
      chat_id: chatId,
      text: Receiver.textOf(message, maxText),
      link_preview_options: { is_disabled: true },
      disable_notification: !message.urgent
    }, yield* Receiver.RequestTimeout)
    if (answer?.ok === true) return { _tag: "accepted" } as const
    const moved = answer?.parameters?.migrate_to_chat_id
    if (moved !== undefined) {
      return { _tag: "refused", error: "the chat was moved", chatId: String(moved) } as const
    }
    if (answer === undefined && response.status < 300) {
      return { _tag: "refused", error: `HTTP ${response.status}: not a response of the Bot API` } as const
    }
    const general = Receiver.byStatus(response)
    // 400 is also the answer for a chat that does not exist: the owner binds another one.
    if (general._tag === "rejected") {
      return /chat not found/i.test(answer?.description ?? "")
        ? { _tag: "refused", error: "the chat no longer exists" } as const
        : general
    }
    return general._tag === "refused" ? { _tag: "refused", error: meaning(response.status) } as const : general
  }))
