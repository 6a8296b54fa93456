/**
 * Fakes of Discord's and Slack's webhooks, of an ntfy server and of a plain receiver, for tests. They check what the
 * real ones check, and answer as those do.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FakeServer from "./FakeServer.ts"

export type Kind = "discord" | "slack" | "ntfy" | "http"

const Discord = Schema.Struct({
  content: Schema.String,
  allowed_mentions: Schema.Struct({ parse: Schema.Array(Schema.String) })
})
const Slack = Schema.Struct({ text: Schema.String })
const Ntfy = Schema.Struct({
  topic: Schema.String,
  message: Schema.String,
  sequence_id: Schema.optional(Schema.String)
})

/** A notification as its reader sees it. */
export interface Shown {
  readonly id: string
  readonly text: string
}

const ok: Readonly<Record<Kind, FakeServer.Reply>> = {
  discord: { status: 204 },
  slack: { status: 200, body: "ok" },
  ntfy: { status: 200, body: { event: "message" } },
  http: { status: 200, body: {} }
}

/** Answers as to too many requests: Discord in its body, the others in a header. */
export const tooMany = (kind: Kind, seconds: number): FakeServer.Reply =>
  kind === "discord"
    ? { status: 429, body: { message: "You are being rate limited.", retry_after: seconds, global: false } }
    : { status: 429, headers: { "retry-after": String(seconds) }, body: {} }

/** Reads a request as the real receiver does; `undefined` for one that it rejects. */
const read = (kind: Kind, { body, headers }: FakeServer.Arrived, count: number): Shown | undefined => {
  const parsed: unknown = JSON.parse(body)
  switch (kind) {
    case "discord": {
      const { allowed_mentions: { parse }, content } = Schema.decodeUnknownSync(Discord)(parsed)
      return content.length > 2000 || parse.length > 0 ? undefined : { id: String(count), text: content }
    }
    case "slack":
      return { id: String(count), text: Schema.decodeUnknownSync(Slack)(parsed).text }
    case "ntfy": {
      const { message, sequence_id: id = String(count) } = Schema.decodeUnknownSync(Ntfy)(parsed)
      return { id, text: message }
    }
    case "http":
      return { id: headers["idempotency-key"] ?? "", text: body }
  }
}

/** Serves one receiver until the scope ends. ntfy and the plain one replace a notification by a repeat of its id. */
export const make = (kind: Kind) =>
  Effect.gen(function*() {
    const shown = new Map<string, Shown>()
    const arrived: Array<FakeServer.Arrived> = []
    const next: Array<FakeServer.Answer> = []
    const base = yield* FakeServer.serve((request) => {
      arrived.push(request)
      const fault = next.shift()
      if (fault !== undefined) return fault
      const notification = read(kind, request, arrived.length)
      if (notification === undefined) return { status: 400, body: { message: "Invalid Form Body" } }
      shown.set(notification.id, notification)
      return ok[kind]
    })
    const paths: Readonly<Record<Kind, string>> = {
      discord: "/api/webhooks/1/discord-secret-in-the-path",
      slack: "/services/T0/B0/slack-secret-in-the-path",
      ntfy: "/secret-topic",
      http: "/hook?key=http-secret-in-the-query"
    }
    return {
      url: `${base}${paths[kind]}`,
      arrived,
      shown: Effect.sync(() => [...shown.values()]),
      answerNext: (...answers: ReadonlyArray<FakeServer.Answer>) =>
        Effect.sync(() => {
          next.push(...answers)
        })
    }
  })
