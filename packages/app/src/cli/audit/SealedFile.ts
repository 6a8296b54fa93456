/** Files of sealed audit entries: one entry a line, as canonical JSON. They are written once and never changed. */
import * as AuditChain from "@vault-trader/core/audit/AuditChain"
import { AuditEntry } from "@vault-trader/core/audit/AuditEntry"
import * as CanonicalJson from "@vault-trader/core/audit/CanonicalJson"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Readline from "node:readline"
import { CannotStart } from "../../StartupFailure.ts"

/** The outcome of reading a file: its end and digest, or a sentence that says what is wrong. */
export interface SealedRange {
  readonly end: AuditChain.ChainEnd
  readonly entries: number
  readonly fileDigest: string
  readonly problem: string | undefined
}

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(AuditEntry))

/** Returns the line of an entry. */
export const lineOf = (entry: AuditEntry): string => `${CanonicalJson.textOf(entry)}\n`

/** Writes to a new file, readable only, and returns when its contents and its name are on the disk. */
export const write = <E, R>(
  path: string,
  mode: number,
  contents: (append: (text: string) => Effect.Effect<void>) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | CannotStart, R> =>
  Effect.scoped(Effect.gen(function*() {
    const handle = yield* Effect.acquireRelease(
      Effect.try({
        try: () => Fs.openSync(path, "wx", mode),
        catch: () => new CannotStart({ message: `The file ${path} cannot be created. Nothing was changed.` })
      }),
      (descriptor) => Effect.sync(() => Fs.closeSync(descriptor))
    )
    yield* contents((text) => Effect.sync(() => Fs.writeFileSync(handle, text)))
    yield* Effect.sync(() => Fs.fsyncSync(handle))
    yield* syncFolder(Path.dirname(path))
  }))

/** The same under another name first, so that a file of this name is never half written. */
export const writeWhole = <E, R>(
  path: string,
  mode: number,
  contents: (append: (text: string) => Effect.Effect<void>) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | CannotStart, R> =>
  Effect.gen(function*() {
    const draft = `${path}.part`
    yield* Effect.sync(() => Fs.rmSync(draft, { force: true }))
    yield* write(draft, mode, contents)
    yield* Effect.sync(() => Fs.renameSync(draft, path))
    yield* syncFolder(Path.dirname(path))
  })

/** Makes the names in a folder durable. */
const syncFolder = (folder: string) =>
  Effect.sync(() => {
    const handle = Fs.openSync(folder, "r")
    Fs.fsyncSync(handle)
    Fs.closeSync(handle)
  })

/**
 * Reads a file and follows its entries from the end of the chain before it. `onEntry` gets each entry that fits. A file
 * that cannot be read is a problem, not a failure.
 */
export const read = (
  path: string,
  from: AuditChain.ChainEnd,
  onEntry: (entry: AuditEntry) => void = () => undefined
): Effect.Effect<SealedRange> =>
  Effect.gen(function*() {
    const name = Path.basename(path)
    const failed = (problem: string): SealedRange => ({ end: from, entries: 0, fileDigest: "", problem })
    const bytes = Crypto.createHash("sha256")
    const lines = yield* Effect.option(Effect.tryPromise(() => openLines(path, bytes)))
    if (Option.isNone(lines)) return failed(`the sealed file ${name} cannot be read`)
    let end = from
    let entries = 0
    let problem: string | undefined
    for (;;) {
      const next = yield* Effect.option(Effect.tryPromise(() => lines.value.next()))
      if (Option.isNone(next)) return failed(`the sealed file ${name} cannot be read`)
      if (next.value.done === true) break
      if (problem !== undefined) continue
      const entry = decodeLine(next.value.value)
      if (Option.isNone(entry)) {
        problem = `line ${entries + 1} of the sealed file ${name} is not an entry`
        continue
      }
      const followed = yield* AuditChain.follow(end, entry.value)
      if (typeof followed === "string") problem = `${followed} (in the sealed file ${name})`
      else {
        onEntry(entry.value)
        end = followed
        entries += 1
      }
    }
    return { end, entries, fileDigest: bytes.digest("hex"), problem }
  })

/** Opens a file for reading by lines; its bytes also go into the hash. Lines before the iterator would be lost. */
const openLines = async (path: string, hash: Crypto.Hash) => {
  await Fs.promises.access(path, Fs.constants.R_OK)
  const stream = Fs.createReadStream(path)
  stream.on("data", (chunk) => hash.update(chunk))
  return Readline.createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
}
