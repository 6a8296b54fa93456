/**
 * A proxy in front of PostgreSQL: forwards statements and answers, loses or holds back selected ones, or refuses
 * connections.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { once } from "node:events"
import * as Net from "node:net"

/** The lost or late message: a statement before it reaches the server, or the server's answer after it ran. */
type LostMessage = "question" | "answer"

export interface PgFront {
  readonly url: string
  /** Refuses connections from now on and closes the open ones. */
  readonly away: Effect.Effect<void>
  readonly back: Effect.Effect<void>
  /**
   * Cuts the connection that sends the next statement containing these words. With `andStays` the database is away from
   * then on. Returns an effect that waits until that has happened.
   */
  readonly lose: (
    what: LostMessage,
    words: string,
    options?: { readonly andStays: boolean }
  ) => Effect.Effect<Effect.Effect<void>>
  /**
   * Holds back the next statement containing these words, or its answer, and what follows on its connection, until
   * `release`.
   */
  readonly hold: (what: LostMessage, words: string) => Effect.Effect<Held>
}

/** A message that is held back. */
export interface Held {
  /** Waits until the proxy has it; an answer's statement has been executed then. */
  readonly arrived: Effect.Effect<void>
  /** Forwards it, also after its client has gone away. */
  readonly release: Effect.Effect<void>
}

interface Rule {
  readonly what: LostMessage
  readonly words: string
  readonly andStays: boolean
  readonly done: Deferred.Deferred<void>
  /** Present for a message that is late instead of lost. */
  readonly late?: Late
}

/** A late message and those after it, with the end of their wait. */
interface Late {
  readonly messages: Array<() => void>
  end: () => void
}

/** The code of a client's question for encryption, which comes in place of a version of the protocol. */
const encryptionRequest = 80_877_103

/** Returns the text up to the NUL at or after `from`, and the place behind it. */
const textAt = (message: Buffer, from: number): readonly [text: string, next: number] => {
  const end = message.indexOf(0, from)
  return [message.toString("utf8", from, end), end + 1]
}

/**
 * Builds the reader of what a client says on a connection. It returns the texts of the statements that the client
 * executes, also of those that it has sent under a name before.
 */
const statementReader = () => {
  const named = new Map<string, string>()
  let isStarted = false
  let rest = Buffer.alloc(0)
  const textOf = (message: Buffer): string | undefined => {
    const [first, next] = textAt(message, 5)
    switch (String.fromCharCode(message[0] ?? 0)) {
      case "P":
        named.set(first, textAt(message, next)[0])
        return undefined
      case "B":
        return named.get(textAt(message, next)[0])
      case "Q":
        return first
      default:
        return undefined
    }
  }
  return (said: Buffer): ReadonlyArray<string> => {
    rest = Buffer.concat([rest, said])
    const texts: Array<string> = []
    // The first message has no letter before its length.
    for (let letter = isStarted ? 1 : 0; rest.length >= letter + 4; letter = isStarted ? 1 : 0) {
      const length = letter + rest.readUInt32BE(letter)
      if (rest.length < length) break
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const text = isStarted ? textOf(message) : undefined
      isStarted ||= message.readUInt32BE(4) !== encryptionRequest
      if (text !== undefined) texts.push(text)
    }
    return texts
  }
}

/** The last bytes of every answer of the server: ready for the next statement, in no transaction. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** The front's connections, and the message that it waits for. */
interface Front {
  isOpen: boolean
  rule: Rule | undefined
  readonly inside: Set<Net.Socket>
}

const leave = (front: Front) => {
  front.isOpen = false
  front.inside.forEach((client) => client.destroy())
}

/** Builds the forwarding of a connection, which holds a late message back with those that follow it. */
const makeForwarding = (client: Net.Socket, server: Net.Socket) => {
  let held: { readonly what: LostMessage; readonly late: Late } | undefined
  return {
    isHeld: (what: LostMessage) => held?.what === what,
    /** Forwards a message, now or with the release of the one before it. */
    forward: (what: LostMessage, message: Buffer, to: Net.Socket) => {
      if (held?.what === what) held.late.messages.push(() => to.write(message))
      else to.write(message)
    },
    holdBack: (what: LostMessage, late: Late, done: Rule["done"]) => {
      held = { what, late }
      late.end = () => {
        held = undefined
        if (client.destroyed) server.end()
      }
      Deferred.doneUnsafe(done, Effect.void)
    }
  }
}

const serve = (front: Front, socket: string) => (client: Net.Socket): void => {
  if (!front.isOpen) return void client.destroy()
  const server = Net.connect(socket)
  const statementsOf = statementReader()
  const { forward, holdBack, isHeld } = makeForwarding(client, server)
  let waitsFor: Rule | undefined
  front.inside.add(client)
  const end = () => {
    front.inside.delete(client)
    client.destroy()
    // A server executes what a client has sent before it went away.
    if (!isHeld("question")) server.destroy()
  }
  const happen = ({ andStays, done }: Rule) => {
    front.rule = undefined
    end()
    if (andStays) leave(front)
    Deferred.doneUnsafe(done, Effect.void)
  }
  for (const side of [client, server]) side.on("error", end).on("close", end)
  client.on("data", (said) => {
    const statements = statementsOf(said)
    const met = front.rule
    if (met !== undefined && statements.some((text) => text.includes(met.words))) {
      front.rule = undefined
      if (met.what === "answer") waitsFor = met
      else if (met.late === undefined) return happen(met)
      else holdBack("question", met.late, met.done)
    }
    forward("question", said, server)
  })
  server.on("data", (answered) => {
    const met = waitsFor
    if (met === undefined) return forward("answer", answered, client)
    met.late?.messages.push(() => client.write(answered))
    if (!answered.subarray(-readyForQuery.length).equals(readyForQuery)) return
    waitsFor = undefined
    if (met.late === undefined) happen(met)
    else holdBack("answer", met.late, met.done)
  })
}

/** Listens in front of the server on this unix socket, until the scope closes. */
export const listen = (socket: string, user: string, database: string): Effect.Effect<PgFront, never, Scope.Scope> =>
  Effect.gen(function*() {
    const front: Front = { isOpen: true, rule: undefined, inside: new Set() }
    const listening = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const made = Net.createServer(serve(front, socket)).listen(0, "127.0.0.1")
        await once(made, "listening")
        return made
      }),
      (made) =>
        Effect.callback<void>((resume) => {
          made.close(() => resume(Effect.void))
          leave(front)
        })
    )
    const { port } = listening.address() as Net.AddressInfo

    return {
      url: `postgres://${user}@127.0.0.1:${port}/${database}`,
      away: Effect.sync(() => leave(front)),
      back: Effect.sync(() => {
        front.isOpen = true
      }),
      hold: (what, words) =>
        Effect.map(Deferred.make<void>(), (done) => {
          const late: Late = { messages: [], end: () => undefined }
          front.rule = { what, words, done, late, andStays: false }
          return {
            arrived: Deferred.await(done),
            release: Effect.sync(() => {
              for (const forward of late.messages.splice(0)) forward()
              late.end()
            })
          }
        }),
      lose: (what, words, { andStays } = { andStays: false }) =>
        Effect.map(Deferred.make<void>(), (done) => {
          front.rule = { what, words, andStays, done }
          return Deferred.await(done)
        })
    }
  })
