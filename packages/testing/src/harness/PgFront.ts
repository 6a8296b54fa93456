/** A proxy in front of PostgreSQL: forwards statements and answers, loses selected ones, or refuses connections. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { once } from "node:events"
import * as Net from "node:net"

/** The lost message: a statement before it reaches the server, or the server's answer after it ran. */
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
}

interface Rule {
  readonly what: LostMessage
  readonly words: string
  readonly andStays: boolean
  readonly done: Deferred.Deferred<void>
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

/** Listens in front of the server on this unix socket, until the scope closes. */
export const listen = (socket: string, user: string, database: string): Effect.Effect<PgFront, never, Scope.Scope> =>
  Effect.gen(function*() {
    let open = true
    let rule: Rule | undefined
    const inside = new Set<Net.Socket>()
    const leave = () => {
      open = false
      inside.forEach((client) => client.destroy())
    }

    const serve = (client: Net.Socket) => {
      if (!open) return void client.destroy()
      const server = Net.connect(socket)
      const statementsOf = statementReader()
      let waitsFor: Rule | undefined
      inside.add(client)
      const end = () => {
        inside.delete(client)
        client.destroy()
        server.destroy()
      }
      const happen = ({ andStays, done }: Rule) => {
        rule = undefined
        end()
        if (andStays) leave()
        Deferred.doneUnsafe(done, Effect.void)
      }
      for (const side of [client, server]) side.on("error", end).on("close", end)
      client.on("data", (said) => {
        const statements = statementsOf(said)
        const met = rule
        if (met !== undefined && statements.some((text) => text.includes(met.words))) {
          if (met.what === "question") return happen(met)
          waitsFor = met
          rule = undefined
        }
        server.write(said)
      })
      server.on("data", (answered) => {
        if (waitsFor === undefined) return void client.write(answered)
        if (answered.subarray(-readyForQuery.length).equals(readyForQuery)) happen(waitsFor)
      })
    }

    const listening = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const made = Net.createServer(serve).listen(0, "127.0.0.1")
        await once(made, "listening")
        return made
      }),
      (made) =>
        Effect.callback<void>((resume) => {
          made.close(() => resume(Effect.void))
          leave()
        })
    )
    const { port } = listening.address() as Net.AddressInfo

    return {
      url: `postgres://${user}@127.0.0.1:${port}/${database}`,
      away: Effect.sync(leave),
      back: Effect.sync(() => {
        open = true
      }),
      lose: (what, words, { andStays } = { andStays: false }) =>
        Effect.map(Deferred.make<void>(), (done) => {
          rule = { what, words, andStays, done }
          return Deferred.await(done)
        })
    }
  })
