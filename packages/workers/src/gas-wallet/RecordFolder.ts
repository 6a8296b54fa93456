/** Reads the files of a signing record's folder, and verifies their chain of lines. Changes nothing. */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { RecordIndex } from "./RecordIndex.ts"
import * as RecordLine from "./RecordLine.ts"
import { RecordRefused } from "./RecordRefused.ts"

/** A file of the record, and its length up to the end of its last complete line. */
export interface RecordedFile {
  readonly name: string
  readonly number: number
  /** First day of the file (UTC), YYYY-MM-DD. */
  readonly day: string
  readonly size: number
}

export interface Contents {
  readonly index: RecordIndex
  /** The files that were read, oldest first. */
  readonly files: ReadonlyArray<RecordedFile>
  /** The last line. */
  readonly link: RecordLine.Link
  readonly lines: number
  /** The line that a crash left incomplete at the end of the newest file, which may have no other. */
  readonly torn: { readonly name: string; readonly size: number; readonly bytes: number } | undefined
}

const dayMillis = 86_400_000

/** Returns a file's name. */
export const nameOf = (number: number, day: string): string => `${String(number).padStart(8, "0")}-${day}.record`

const parseName = (name: string) => {
  const [, number, day] = /^(\d{8})-(\d{4}-\d{2}-\d{2})\.record$/.exec(name) ?? []
  return number === undefined || day === undefined ? [] : [{ name, number: Number(number), day }]
}

const advice = "Put the file back from a copy, or move the folder away and import the newest export " +
  "(docs/deploy.md, \"The signing record\")."

const refused = (sentence: string) => new RecordRefused({ message: `${sentence} ${advice}` })

const unreadable = (path: string) => (cause: unknown) =>
  new RecordRefused({ message: `The signing record ${path} cannot be read (${codeOf(cause)}).` })

/** Returns an error's code, as ENOSPC. */
export const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause)

const listed = (folder: string) =>
  Effect.try({
    try: () =>
      Fs.existsSync(folder)
        ? Fs.readdirSync(folder).flatMap(parseName).sort((a, b) => a.number - b.number)
        : [],
    catch: unreadable(folder)
  })

/** Lines of a file, read so far. */
interface Progress {
  readonly link: RecordLine.Link | undefined
  readonly lines: number
  readonly size: number
  readonly bytesTorn: number
}

/**
 * Reads the lines of a file into the index. With `mayBeTorn` its last line may be incomplete: without a newline, or
 * with pages that were never written and read as zeros.
 */
const readLines = (
  path: string,
  before: RecordLine.Link | undefined,
  mayBeTorn: boolean,
  accept: (payload: RecordLine.Payload) => void
): Effect.Effect<Progress, RecordRefused> =>
  Effect.gen(function*() {
    const bytes = yield* Effect.try({ try: () => Fs.readFileSync(path), catch: unreadable(path) })
    let link = before
    let [start, lines] = [0, 0]
    while (start < bytes.length) {
      const newline = bytes.indexOf(10, start)
      if (newline === -1 && mayBeTorn) break
      const stop = newline === -1 ? bytes.length : newline
      const line = RecordLine.read(bytes.toString("utf8", start, stop), link)
      if ("fault" in line) {
        if (mayBeTorn && stop + 1 >= bytes.length && bytes.subarray(start, stop).includes(0)) break
        return yield* refused(`The signing record is damaged: line ${lines + 1} of ${path} ${line.fault}.`)
      }
      accept(line.payload)
      link = line.link
      start = stop + 1
      lines++
    }
    return { link, lines, size: start, bytesTorn: bytes.length - start }
  })

/** Drops the files that ended before a time: the next one began, on its day, before that. */
const since = <F extends { readonly day: string }>(files: ReadonlyArray<F>, from: number): ReadonlyArray<F> =>
  files.filter((_, index) => {
    const next = files[index + 1]
    return next === undefined || Date.parse(next.day) + dayMillis > from
  })

/**
 * Reads the record: all of it, or the files with lines since `from` (unix milliseconds). The marks of older files are
 * in the header of the first file that is read.
 */
export const read = (folder: string, from = 0): Effect.Effect<Contents, RecordRefused> =>
  Effect.gen(function*() {
    const all = since(yield* listed(folder), from)
    const index = new RecordIndex()
    const files: Array<RecordedFile> = []
    let link: RecordLine.Link | undefined
    let torn: Contents["torn"]
    let lines = 0
    for (const [position, file] of all.entries()) {
      const isLast = position === all.length - 1
      const previous = all[position - 1]
      if (previous !== undefined && file.number !== previous.number + 1) {
        return yield* refused(
          `The signing record is damaged: the files between ${previous.name} and ${file.name} in ${folder} are missing.`
        )
      }
      const path = Path.join(folder, file.name)
      const found = yield* readLines(path, link, isLast, (payload) => {
        const isFirst = position === 0 && "signingRecord" in payload
        for (const mark of RecordLine.marksOf(payload)) index.mark(isFirst ? { ...mark, floor: mark.next } : mark)
        for (const known of RecordLine.knownOf(payload)) index.add(known)
      })
      if (found.lines === 0 && !isLast) return yield* refused(`The signing record is damaged: ${path} is empty.`)
      if (found.lines > 0) files.push({ ...file, size: found.size })
      if (isLast && (found.bytesTorn > 0 || found.lines === 0)) {
        torn = { name: file.name, size: found.size, bytes: found.bytesTorn }
      }
      link = found.link
      lines += found.lines
    }
    return { index, files, link: link ?? RecordLine.origin, lines, torn }
  })

/** Reads an export: one file of the same lines, closed by the number of its entries. */
export const readExport = (path: string): Effect.Effect<RecordIndex, RecordRefused> =>
  Effect.gen(function*() {
    const index = new RecordIndex()
    let closed: number | undefined
    yield* readLines(path, undefined, false, (payload) => {
      closed = "end" in payload ? payload.end : undefined
      for (const mark of RecordLine.marksOf(payload)) index.mark(mark)
      for (const known of RecordLine.knownOf(payload)) index.add(known)
    })
    if (closed === index.size) return index
    return yield* new RecordRefused({
      message: `${path} is not a complete export of a signing record; export it again, and copy the whole file.`
    })
  })
