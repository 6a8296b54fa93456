/** The work of a kind of channel on a message: one attempt, and its outcome in words that contain no secret. */
import type { ChannelSecrets, ChannelSettings } from "@vault-trader/core/notification/Channel"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as CheckedRequest from "../webhook/CheckedRequest.ts"
import * as WebhookUrl from "../webhook/WebhookUrl.ts"

/** Where a message goes. */
export interface Destination {
  readonly settings: ChannelSettings
  readonly secrets: ChannelSecrets
  readonly chatId: string | null
  /** Permits this machine itself, also by plain http: for tests. */
  readonly loopback: boolean
}

/** A message as it is sent. */
export interface Message {
  /** The same at every attempt. */
  readonly id: string
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly urgent: boolean
  /** True if an earlier attempt may have arrived: receivers that cannot recognise a repeat get a text that says so. */
  readonly repeats: boolean
}

/**
 * The outcome of an attempt. `limited`: the receiver asked to wait. `rejected`: this message will never be accepted.
 * `refused`: it was not accepted now. `unanswered`: there was no response; `sent` if it may have arrived.
 */
export type Outcome =
  | { readonly _tag: "accepted"; readonly chatId?: string }
  | { readonly _tag: "limited"; readonly seconds: number }
  | { readonly _tag: "rejected"; readonly error: string }
  | { readonly _tag: "refused"; readonly error: string; readonly chatId?: string }
  | { readonly _tag: "unanswered"; readonly error: string; readonly sent: boolean }

export type Send = (destination: Destination, message: Message) => Effect.Effect<Outcome>

/** The URL of Telegram's Bot API, as the operator configured it. */
export const TelegramUrl = Context.Reference<string>("vault-trader/workers/notification/TelegramUrl", {
  defaultValue: () => "https://api.telegram.org"
})

/** Bytes of a response that are read. */
const maxBytes = 262_144

/** Timeout of a request, in milliseconds. */
export const RequestTimeout = Context.Reference<number>("vault-trader/workers/notification/RequestTimeout", {
  defaultValue: () => 10_000
})

/** Returns the plain text of a message. `mark` says that it may be a repeat. */
export const textOf = ({ body, link, repeats, title }: Message, maximum: number): string => {
  const head = [repeats ? "(This may repeat an earlier message.)" : "", title].filter((each) => each !== "")
  const tail = link === null ? "" : `\n${link}`
  const text = [...head, body].join("\n")
  return text.length + tail.length <= maximum ? text + tail : `${text.slice(0, maximum - tail.length - 1)}…${tail}`
}

/** Returns the secret of a name, or an empty text. */
export const secretOf = (secret: Redacted.Redacted<string> | null): string =>
  secret === null ? "" : Redacted.value(secret)

/** Posts JSON to a checked target, and reads the response. */
export const post = (target: WebhookUrl.Target, headers: Readonly<Record<string, string>>, body: unknown) =>
  Effect.flatMap(RequestTimeout, (timeoutMillis) =>
    CheckedRequest.send(target, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "user-agent": "vault-trader-notifications/1" },
      body: JSON.stringify(body),
      maxBytes,
      timeoutMillis
    }))

/** Runs an attempt whose failures are outcomes. */
export const outcome = (
  attempt: Effect.Effect<Outcome, CheckedRequest.NotAnswered | WebhookUrl.NotPermitted>
): Effect.Effect<Outcome> =>
  Effect.catchTags(attempt, {
    NotAnswered: ({ message, sent }) => Effect.succeed<Outcome>({ _tag: "unanswered", error: message, sent }),
    NotPermitted: ({ message }) => Effect.succeed<Outcome>({ _tag: "unanswered", error: message, sent: false })
  })

/** Longest wait that a receiver may ask for, in seconds. */
const maxWait = 3600

const RetryAfter = Schema.Struct({
  retry_after: Schema.optional(Schema.Number),
  parameters: Schema.optional(Schema.Struct({ retry_after: Schema.optional(Schema.Number) }))
})

/** Returns how long a receiver asks to wait: in its JSON, or in the header `Retry-After`. */
const waitOf = ({ headers, text }: CheckedRequest.Response): number => {
  const parsed = Option.flatMap(
    Option.liftThrowable(() => JSON.parse(text) as unknown)(),
    Schema.decodeUnknownOption(RetryAfter)
  )
  const named = Option.getOrUndefined(Option.map(parsed, (body) => body.parameters?.retry_after ?? body.retry_after))
  const seconds = named ?? Number(headers["retry-after"] ?? "")
  return Math.min(maxWait, Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 30)
}

/**
 * Reads a response by its status. 400, 413 and 422 concern the message; 401, 403, 404 and others the receiver, which its
 * owner may repair.
 */
export const byStatus = (response: CheckedRequest.Response): Outcome => {
  const { status } = response
  if (status >= 200 && status < 300) return { _tag: "accepted" }
  if (status === 429) return { _tag: "limited", seconds: waitOf(response) }
  if (status >= 300 && status < 400) return { _tag: "refused", error: `HTTP ${status}: redirects are not followed` }
  if ([400, 413, 422].includes(status)) return { _tag: "rejected", error: `HTTP ${status}: the message was rejected` }
  if (status === 401 || status === 403) {
    return { _tag: "refused", error: `HTTP ${status}: the token or URL is not accepted` }
  }
  if (status === 404 || status === 410) return { _tag: "refused", error: `HTTP ${status}: there is no such receiver` }
  return { _tag: "refused", error: `HTTP ${status}` }
}

/** Resolves the channel's URL again for each attempt: its address may have changed. */
export const urlTarget = ({ loopback, secrets }: Destination) =>
  secrets.url === null
    ? Effect.fail(new WebhookUrl.NotPermitted({ message: "the channel has no URL" }))
    : WebhookUrl.resolve(secretOf(secrets.url), loopback)
