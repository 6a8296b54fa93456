/**
 * A fake of a mail server for tests: EHLO, STARTTLS, AUTH, MAIL, RCPT and DATA. Mail goes nowhere; replies can be
 * replaced.
 */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import * as Net from "node:net"
import * as Tls from "node:tls"

export interface Mail {
  readonly from: string
  readonly to: string
  readonly content: string
  readonly encrypted: boolean
  readonly user: string | null
}

interface Options {
  readonly user: string
  readonly password: string
  /** For STARTTLS; without one the server offers none. */
  readonly certificate?: { readonly key: string; readonly cert: string } | undefined
}

/** The commands whose reply can be replaced; `END` is the one after the content. */
export type Step = "GREETING" | "EHLO" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "END"

/** A reply in place of the usual one: a line, none at all, or the end of the connection. */
export type Replacement = { readonly line: string } | "hang" | "break"

/** One connection. */
interface Session {
  socket: Net.Socket
  encrypted: boolean
  user: string | null
  from: string
  to: string
  /** True between DATA and the end of the content. */
  readsContent: boolean
  buffer: string
}

/** The server's state. */
interface State extends Options {
  readonly mails: Array<Mail>
  readonly replaced: Map<Step, Array<Replacement>>
}

const fromBase64 = (text: string) => Buffer.from(text, "base64").toString("utf8")

/** Writes a reply, or what replaces it; returns whether the client may go on. */
const reply = ({ replaced }: State, { socket }: Session, step: Step | undefined, line: string): boolean => {
  const other = step === undefined ? undefined : replaced.get(step)?.shift()
  if (other === "hang") return false
  if (other === "break") {
    socket.destroy()
    return false
  }
  const written = other?.line ?? line
  socket.write(`${written}\r\n`)
  return /^[23]/.test(written)
}

const authenticate = (state: State, session: Session, line: string) => {
  const [, plain = ""] = /^AUTH PLAIN (\S+)$/i.exec(line) ?? []
  const [, name = "", given] = fromBase64(plain).split("\0")
  const isRight = name === state.user && given === state.password
  const text = isRight ? "235 2.7.0 accepted" : "535 5.7.8 credentials invalid"
  if (reply(state, session, "AUTH", text)) session.user = name
}

/** Continues the connection under TLS. */
const secure = (state: State, session: Session) => {
  const { certificate } = state
  if (certificate === undefined) return void reply(state, session, undefined, "502 no TLS")
  reply(state, session, undefined, "220 ready")
  const raw = session.socket
  raw.removeAllListeners("data")
  session.socket = new Tls.TLSSocket(raw, { isServer: true, ...certificate }).on("error", () => undefined)
  session.encrypted = true
  listen(state, session)
}

const obey = (state: State, session: Session, line: string) => {
  const say = (step: Step | undefined, text: string) => reply(state, session, step, text)
  switch (line.toUpperCase().split(/[ :]/)[0]) {
    case "EHLO": {
      const tls = state.certificate !== undefined && !session.encrypted ? ["250-STARTTLS"] : []
      return void say("EHLO", ["250-fake", ...tls, "250-AUTH PLAIN", "250 8BITMIME"].join("\r\n"))
    }
    case "STARTTLS":
      return secure(state, session)
    case "AUTH":
      return authenticate(state, session, line)
    case "MAIL":
      session.from = line
      return void say("MAIL", "250 ok")
    case "RCPT":
      session.to = line
      return void say("RCPT", "250 ok")
    case "DATA":
      session.readsContent = say("DATA", "354 go on")
      return
    case "QUIT":
      say(undefined, "221 bye")
      return void session.socket.end()
    default:
      return void say(undefined, "250 ok")
  }
}

/** Takes a mail; a server that breaks after the content has taken it, too. */
const take = (state: State, session: Session, content: string) => {
  const { encrypted, from, to, user } = session
  session.readsContent = false
  const other = state.replaced.get("END")?.[0]
  if (other === undefined || other === "break") state.mails.push({ from, to, content, encrypted, user })
  reply(state, session, "END", "250 queued")
}

/** Reads lines and contents as they arrive. */
const listen = (state: State, session: Session) => {
  session.socket.on("data", (data: Buffer) => {
    session.buffer += data.toString("utf8")
    for (;;) {
      const mark = session.readsContent ? "\r\n.\r\n" : "\r\n"
      const end = session.buffer.indexOf(mark)
      if (end < 0) return
      const part = session.buffer.slice(0, end)
      session.buffer = session.buffer.slice(end + mark.length)
      if (session.readsContent) take(state, session, part)
      else obey(state, session, part)
    }
  })
}

/** Serves until the scope ends. */
export const make = (options: Options) =>
  Effect.gen(function*() {
    const state: State = { ...options, mails: [], replaced: new Map() }
    const sockets = new Set<Net.Socket>()
    const server = Net.createServer((socket) => {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket)).on("error", () => undefined)
      const session: Session = {
        ...{ socket, encrypted: false, user: null, from: "", to: "", readsContent: false, buffer: "" }
      }
      listen(state, session)
      reply(state, session, "GREETING", "220 fake ESMTP, a fake for tests")
    })
    yield* Effect.acquireRelease(
      Effect.promise(async () => {
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
      }),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    )
    return {
      port: (server.address() as Net.AddressInfo).port,
      mails: state.mails,
      /** Replaces the next reply to a command. */
      replyNext: (step: Step, replacement: Replacement) =>
        Effect.sync(() => {
          state.replaced.set(step, [...(state.replaced.get(step) ?? []), replacement])
        })
    }
  })
