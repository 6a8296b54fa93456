/** The Unix socket of a signer: in a folder for its owner only, and never taken from a process that listens on it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"

/** The socket cannot be used; the message is one sentence for the operator. */
export class SocketRefused extends Schema.TaggedError<SocketRefused>()("SocketRefused", { message: Schema.String }) {}

/** Maximum length of a socket's path: the system's address has no room for more. */
const maxPath = 103

/** Returns true when a process accepts connections at the path. */
const isListening = (path: string) =>
  Effect.callback<boolean>((resume) => {
    const socket = Net.connect(path)
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.on("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => void socket.destroy())
  })

const attempt = <A>(folder: string, run: () => A) =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new SocketRefused({ message: `The folder ${folder} of the signer's socket cannot be used (${String(cause)}).` })
  })

/** Prepares the folder, and removes a socket that a signer has left behind when it was killed. */
export const prepare = (path: string): Effect.Effect<void, SocketRefused> =>
  Effect.gen(function*() {
    if (Buffer.byteLength(path) > maxPath) {
      return yield* new SocketRefused({
        message: `SIGNER_SOCKET ${path} is longer than the ${maxPath} characters that a Unix socket may have.`
      })
    }
    const folder = Path.dirname(path)
    yield* attempt(folder, () => Fs.mkdirSync(folder, { recursive: true, mode: 0o700 }))
    const { mode } = yield* attempt(folder, () => Fs.statSync(folder))
    if ((mode & 0o077) !== 0) {
      return yield* new SocketRefused({
        message: `The folder ${folder} of the signer's socket is open to other accounts of this machine (mode ${
          (mode & 0o777).toString(8)
        }): run chmod 700 ${folder}, or put SIGNER_SOCKET into a folder of its own.`
      })
    }
    const found = yield* attempt(folder, () => Fs.lstatSync(path, { throwIfNoEntry: false }))
    if (found === undefined) return
    if (!found.isSocket()) {
      return yield* new SocketRefused({ message: `SIGNER_SOCKET ${path} is a file, not a socket: remove it.` })
    }
    if (yield* isListening(path)) {
      return yield* new SocketRefused({ message: `A signer already listens on ${path}: stop it first.` })
    }
    yield* attempt(folder, () => Fs.rmSync(path, { force: true }))
  })

/** Restricts the socket to its owner; until then the folder does. */
export const restrict = (path: string): Effect.Effect<void, SocketRefused> =>
  attempt(Path.dirname(path), () => Fs.chmodSync(path, 0o600))
