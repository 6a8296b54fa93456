/**
 * A fake of Telegram's Bot API for tests: `getMe`, `getUpdates` with long polling and offsets, `sendMessage`. Its bots
 * and chats exist only here.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FakeServer from "./FakeServer.ts"

/** A message that a chat shows. */
export interface Shown {
  readonly chat: string
  readonly text: string
}

/** A message that a user writes in a chat. `extra`: further members of the message, such as `forward_origin`. */
interface Said {
  readonly chat: number
  readonly user: number
  readonly text: string
  readonly extra?: Readonly<Record<string, unknown>>
}

const Offset = Schema.Struct({
  offset: Schema.optional(Schema.Number),
  timeout: Schema.optional(Schema.Number)
})
const Sent = Schema.Struct({
  chat_id: Schema.Union([Schema.String, Schema.Number]),
  text: Schema.String,
  parse_mode: Schema.optional(Schema.String)
})

const refusal = (status: number, description: string, parameters?: object): FakeServer.Reply => ({
  status,
  body: { ok: false, error_code: status, description, ...(parameters === undefined ? {} : { parameters }) }
})

/** The parts of the fake's state that its methods share. */
interface State {
  readonly updates: Array<{ readonly update_id: number; readonly message: object }>
  readonly shown: Array<Shown>
  /** Answers of the next `sendMessage` calls, in order. */
  readonly next: Array<FakeServer.Answer | "show and break">
  nextUpdate: number
  waiting: ((reply: FakeServer.Reply) => void) | undefined
  revoked: boolean
}

const take = (state: State) => ({ status: 200, body: { ok: true, result: state.updates.slice(0, 100) } })

/** Answers with the updates from an offset on, and waits for one where there is none. A second caller ends the first. */
const getUpdates = (state: State, body: unknown): Promise<FakeServer.Reply> => {
  const { offset = 0, timeout = 0 } = Schema.decodeUnknownSync(Offset)(body)
  while (state.updates[0] !== undefined && state.updates[0].update_id < offset) state.updates.shift()
  state.waiting?.(refusal(409, "Conflict: terminated by other getUpdates request"))
  state.waiting = undefined
  if (state.updates.length > 0 || timeout === 0) return Promise.resolve(take(state))
  return new Promise((resolve) => {
    const timer = setTimeout(() => answer(take(state)), timeout * 1000)
    const answer = (reply: FakeServer.Reply) => {
      clearTimeout(timer)
      if (state.waiting === answer) state.waiting = undefined
      resolve(reply)
    }
    state.waiting = answer
  })
}

const sendMessage = (state: State, body: unknown): FakeServer.Answer => {
  const { chat_id: chat, parse_mode: mode, text } = Schema.decodeUnknownSync(Sent)(body)
  const fault = state.next.shift()
  if (fault !== undefined && fault !== "show and break") return fault
  if (text === "") return refusal(400, "Bad Request: message text is empty")
  // A parse mode would make markup of a text that contains a name of unknown origin.
  if (mode !== undefined) return refusal(400, "Bad Request: the fake takes no parse mode")
  state.shown.push({ chat: String(chat), text })
  return fault === "show and break"
    ? "break"
    : { status: 200, body: { ok: true, result: { message_id: state.shown.length } } }
}

/** Serves a bot with this token until the scope ends. */
export const make = (token: string, username = "fake_vault_bot") =>
  Effect.gen(function*() {
    const state: State = { updates: [], shown: [], next: [], nextUpdate: 1000, waiting: undefined, revoked: false }
    const requests: Array<string> = []
    const url = yield* FakeServer.serve(({ body, path }) => {
      const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
      requests.push(method ?? "")
      if (given !== token || state.revoked) return refusal(401, "Unauthorized")
      const parsed: unknown = JSON.parse(body)
      switch (method) {
        case "getMe":
          return { status: 200, body: { ok: true, result: { id: 1, is_bot: true, username } } }
        case "getUpdates":
          return getUpdates(state, parsed)
        case "sendMessage":
          return sendMessage(state, parsed)
        default:
          return refusal(404, "Not Found")
      }
    })
    const put = (message: object) => {
      state.updates.push({ update_id: state.nextUpdate++, message })
      state.waiting?.(take(state))
    }
    return {
      url,
      token,
      requests,
      /** The messages that chats show, in order. */
      shown: state.shown,
      /** Writes a message in a chat. */
      say: ({ chat, extra = {}, text, user }: Said) =>
        Effect.sync(() =>
          put({
            message_id: state.nextUpdate,
            date: 1,
            chat: { id: chat },
            from: { id: user, is_bot: false },
            text,
            ...extra
          })
        ),
      /** Answers the next calls of `sendMessage` so; `show and break` shows the message and gives no answer. */
      answerNext: (...answers: ReadonlyArray<FakeServer.Answer | "show and break">) =>
        Effect.sync(() => {
          state.next.push(...answers)
        }),
      /** Answers as to too many requests. */
      tooMany: (seconds: number): FakeServer.Reply =>
        refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
      /** Revokes the token, or restores it. */
      revoke: (revoked: boolean) =>
        Effect.sync(() => {
          state.revoked = revoked
        })
    }
  })
