/** Files that hold one secret of 32 bytes as hex, readable by their owner only. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { CannotStart } from "./StartupFailure.ts"

/** Fails when accounts other than the owner can read the file. */
export const refuseShared = (file: string, what: string): Effect.Effect<void, CannotStart> =>
  Effect.suspend(() => {
    const mode = process.platform === "win32" ? 0 : Fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    return (mode & 0o077) === 0
      ? Effect.void
      : new CannotStart({
        message: `The file ${file} of the ${what} is open to other accounts of this machine (mode ${
          (mode & 0o777).toString(8)
        }): run chmod 600 ${file}.`
      })
  })

/** Creates the file when it is absent and `mayCreate`. */
export const ensure = (
  { file, what, mayCreate }: { readonly file: string; readonly what: string; readonly mayCreate: boolean }
): Effect.Effect<void, CannotStart> =>
  Effect.gen(function*() {
    if (Fs.existsSync(file)) return yield* refuseShared(file, what)
    if (!mayCreate) {
      return yield* new CannotStart({
        message:
          `The file ${file} of the ${what} is missing, but the database holds wallets that need it: put the file back.`
      })
    }
    yield* Effect.catch(create(file, what), (failure) => Fs.existsSync(file) ? Effect.void : Effect.fail(failure))
  })

/** Reads the secret. */
export const read = (
  { file, what }: { readonly file: string; readonly what: string }
): Effect.Effect<Redacted.Redacted<string>, CannotStart> =>
  Effect.gen(function*() {
    const text = yield* Effect.try({
      try: () => Fs.readFileSync(file, "utf8").trim(),
      catch: () => new CannotStart({ message: `The file ${file} of the ${what} cannot be read.` })
    })
    if (!/^[0-9a-f]{64}$/.test(text)) {
      return yield* new CannotStart({
        message: `The file ${file} does not hold a ${what} (64 lower-case hex characters).`
      })
    }
    return Redacted.make(text)
  })

/** Writes a temporary file and links it into place, so that a crash leaves the whole file or none. */
const create = (file: string, what: string) =>
  Effect.try({
    try: () => {
      const draft = `${file}.${process.pid}`
      Fs.mkdirSync(Path.dirname(file), { recursive: true, mode: 0o700 })
      const handle = Fs.openSync(draft, "w", 0o600)
      Fs.writeSync(handle, `${Crypto.randomBytes(32).toString("hex")}\n`)
      Fs.fsyncSync(handle)
      Fs.closeSync(handle)
      // The first process creates it: a server and a runner may start at the same time.
      if (!Fs.existsSync(file)) Fs.linkSync(draft, file)
      Fs.unlinkSync(draft)
    },
    catch: () => new CannotStart({ message: `The file ${file} of the ${what} cannot be written.` })
  })
