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

/** Writes a new secret to a file, durably, and returns it. */
const write = (file: string): string => {
  const secret = Crypto.randomBytes(32).toString("hex")
  Fs.mkdirSync(Path.dirname(file), { recursive: true, mode: 0o700 })
  Fs.rmSync(file, { force: true })
  const handle = Fs.openSync(file, "wx", 0o600)
  Fs.writeSync(handle, `${secret}\n`)
  Fs.fsyncSync(handle)
  Fs.closeSync(handle)
  return secret
}

/** Replaces the content of a file by a new secret, and returns it. */
export const replace = (file: string, what: string): Effect.Effect<Redacted.Redacted<string>, CannotStart> =>
  Effect.try({
    try: () => Redacted.make(write(file)),
    catch: () => new CannotStart({ message: `The file ${file} of the ${what} cannot be written.` })
  })

/** Renames a draft into place. Another process may do the same at the same time. */
export const publish = (draft: string, file: string, what: string): Effect.Effect<void, CannotStart> =>
  Effect.try({
    try: () => Fs.renameSync(draft, file),
    catch: () => new CannotStart({ message: `The file ${file} of the ${what} cannot be written.` })
  }).pipe(Effect.catch((failure) => Fs.existsSync(file) ? Effect.void : Effect.fail(failure)))

/** Writes a temporary file and links it into place, so that a crash leaves the whole file or none. */
const create = (file: string, what: string) =>
  Effect.try({
    try: () => {
      const draft = `${file}.${process.pid}`
      write(draft)
      // The first process creates it: a server and a runner may start at the same time.
      if (!Fs.existsSync(file)) Fs.linkSync(draft, file)
      Fs.unlinkSync(draft)
    },
    catch: () => new CannotStart({ message: `The file ${file} of the ${what} cannot be written.` })
  })
