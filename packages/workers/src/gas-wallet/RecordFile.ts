/**
 * The newest file of a signing record: appends lines at its end and begins another file when a day or its size is over.
 * After a failed append the file is cut back to the last durable line before anything else is written.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { constants } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as RecordFolder from "./RecordFolder.ts"
import * as RecordLine from "./RecordLine.ts"

/** Nothing was appended. */
export class AppendFailed extends Data.TaggedError("AppendFailed")<{ readonly message: string }> {}

/** The two calls that make bytes durable. */
export interface Disk {
  /** Writes all bytes at a position. */
  readonly write: (file: Fs.FileHandle, bytes: Uint8Array, position: number) => Promise<void>
  /** Returns once everything that was written is durable. */
  readonly sync: (file: Fs.FileHandle) => Promise<void>
}

const writeAll = async (file: Fs.FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

export const disk: Disk = { write: writeAll, sync: (file) => file.datasync() }

export interface Options {
  readonly folder: string
  readonly disk: Disk
  /** A file of at least this size is followed by another one. */
  readonly maxBytes: number
  /** The record as it was read. */
  readonly contents: RecordFolder.Contents
  /** Called after another file has begun. */
  readonly rotated: (now: number) => void
}

export interface RecordFile {
  /** Appends a line and returns once it is durable. One caller at a time. */
  readonly append: (payload: RecordLine.Payload) => Effect.Effect<void, AppendFailed>
}

/** The open file. `size`: up to the end of its last durable line. */
interface Current {
  readonly handle: Fs.FileHandle
  readonly path: string
  readonly inode: number
  readonly number: number
  readonly day: string
  readonly size: number
}

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

const io = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, AppendFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new AppendFailed({
        message: `The signing record ${path} cannot be written (${RecordFolder.codeOf(cause)}): nothing is signed ` +
          "until it can."
      })
  })

/** Fails when the file is no longer the one at its path: bytes written to a removed file are lost. */
const expectUntouched = async ({ inode, path, size }: Current): Promise<void> => {
  const found = await Fs.stat(path)
  if (found.ino !== inode || found.size !== size) {
    throw Object.assign(new Error(path), { code: "another program has changed it" })
  }
}

/** Makes the creation of a file in this folder durable. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await Fs.open(folder, constants.O_RDONLY)
  // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for what it returns.
  await handle.sync().finally(() => handle.close())
}

/** Removes the line that a crash has left incomplete, with its file where that has no other. */
const repair = (folder: string, torn: NonNullable<RecordFolder.Contents["torn"]>) => {
  const path = Path.join(folder, torn.name)
  return Effect.andThen(
    io(path, () => torn.size === 0 ? Fs.rm(path) : Fs.truncate(path, torn.size)),
    Effect.logWarning(
      "cut an incomplete line off the signing record: the process ended during an append, nothing of it was broadcast"
    ).pipe(Effect.annotateLogs({ file: path, bytes: torn.bytes }))
  )
}

const reopened = (folder: string, file: RecordFolder.RecordedFile) => {
  const path = Path.join(folder, file.name)
  return Effect.map(
    io(path, async () => {
      const handle = await Fs.open(path, "r+")
      return { handle, inode: (await handle.stat()).ino }
    }),
    (opened): Current => ({ ...opened, path, number: file.number, day: file.day, size: file.size })
  )
}

/** Opens the newest file, or begins the first one. */
export const open = (
  { contents, disk, folder, maxBytes, rotated }: Options
): Effect.Effect<RecordFile, AppendFailed, Scope> =>
  Effect.gen(function*() {
    const { files, index, torn } = contents
    if (torn !== undefined) yield* repair(folder, torn)
    const last = files.at(-1)
    let current = last === undefined ? undefined : yield* reopened(folder, last)
    let link = contents.link
    let isClean = true
    yield* Effect.addFinalizer(() => Effect.promise(async () => current?.handle.close()))

    const begin = (now: number) =>
      Effect.gen(function*() {
        const [number, day] = [(current?.number ?? 0) + 1, dayOf(now)]
        const path = Path.join(folder, RecordFolder.nameOf(number, day))
        const first = RecordLine.write(link, RecordLine.header(now, link.digest, index.marks))
        const bytes = Buffer.from(first.text)
        const handle = yield* io(path, async () => {
          // A failed beginning may have left the file.
          const opened = await Fs.open(path, "w", 0o600)
          await disk.write(opened, bytes, 0).then(() => disk.sync(opened)).then(() => syncFolder(folder)).catch(
            async (cause: unknown) => {
              await opened.close()
              await Fs.rm(path, { force: true })
              throw cause
            }
          )
          return opened
        })
        const before = current
        const inode = yield* io(path, async () => (await handle.stat()).ino)
        current = { handle, path, inode, number, day, size: bytes.length }
        link = first.link
        if (before !== undefined) yield* Effect.promise(() => before.handle.close())
        rotated(now)
        return current
      })

    const append = (payload: RecordLine.Payload) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (current !== undefined && !isClean) {
          const { handle, path, size } = current
          yield* io(path, () => handle.truncate(size))
          isClean = true
        }
        const isOver = current === undefined || current.day < dayOf(now) || current.size >= maxBytes
        const file = isOver || current === undefined ? yield* begin(now) : current
        const line = RecordLine.write(link, payload)
        const bytes = Buffer.from(line.text)
        isClean = false
        yield* io(file.path, async () => {
          await expectUntouched(file)
          await disk.write(file.handle, bytes, file.size)
          await disk.sync(file.handle)
        })
        isClean = true
        current = { ...file, size: file.size + bytes.length }
        link = line.link
      })

    if (current === undefined) yield* begin(yield* Clock.currentTimeMillis)
    return { append }
  })
