/** Moves a signing record to another machine: one file with the marks of all lanes and the entries in memory. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Fs from "node:fs/promises"
import * as RecordFolder from "./RecordFolder.ts"
import type { Known } from "./RecordIndex.ts"
import * as RecordLine from "./RecordLine.ts"
import { RecordRefused } from "./RecordRefused.ts"
import * as RecordWriter from "./RecordWriter.ts"
import type { SigningEntry } from "./SigningEntry.ts"

/** Number of lanes and entries that were exported or imported. */
export interface Counts {
  readonly lanes: number
  readonly entries: number
}

/** Number of entries in one line of an export. */
const lineSize = 128

const dayMillis = 86_400_000

/** Groups entries into lines. Those of a line have the same time, which an import keeps. */
const grouped = (all: Iterable<Known>): ReadonlyArray<ReadonlyArray<Known>> => {
  const groups: Array<Array<Known>> = []
  for (const known of all) {
    const last = groups.at(-1)
    if (last === undefined || last.length >= lineSize || last[0]?.recordedAt !== known.recordedAt) groups.push([known])
    else last.push(known)
  }
  return groups
}

const unwritable = (file: string) => (cause: unknown) =>
  new RecordRefused({ message: `The export ${file} cannot be written (${RecordFolder.codeOf(cause)}).` })

/** Writes the export of a folder's record. The process that owns the folder may run: its later entries are missing. */
export const write = (folder: string, file: string, days: number): Effect.Effect<Counts, RecordRefused> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const { files, index } = yield* RecordFolder.read(folder, now - days * dayMillis)
    if (files.length === 0) return yield* new RecordRefused({ message: `There is no signing record in ${folder}.` })
    let line = RecordLine.write(RecordLine.origin, RecordLine.header(now, RecordLine.origin.digest, index.marks))
    const texts = [line.text]
    const add = (payload: RecordLine.Payload) => {
      line = RecordLine.write(line.link, payload)
      texts.push(line.text)
    }
    for (const group of grouped(index.all)) {
      add(yield* RecordLine.entries(group[0]?.recordedAt ?? now, group.map((known) => known.read())))
    }
    add(RecordLine.end(now, index.size))
    yield* Effect.tryPromise({
      try: () => Fs.writeFile(file, texts.join(""), { mode: 0o600, flag: "wx" }),
      catch: unwritable(file)
    })
    return { lanes: index.marks.length, entries: index.size }
  })

/**
 * Merges an export into a folder's record, which no process may use meanwhile. Nothing is merged where one contradicts
 * the other.
 */
export const merge = (
  folder: string,
  file: string,
  options: Partial<RecordWriter.Options>
): Effect.Effect<Counts, RecordRefused, Scope> =>
  Effect.gen(function*() {
    const other = yield* RecordFolder.readExport(file)
    const { append, appendMarks, index } = yield* RecordWriter.open(folder, options)
    // The floors of this record refuse the others already.
    const fresh: ReadonlyArray<SigningEntry> = [...other.all].filter((known) =>
      !index.has(known) && !index.isForgotten(known)
    ).map((known) => known.read())
    const contradiction = index.contradiction(fresh)
    if (contradiction !== undefined) {
      return yield* new RecordRefused({
        message: `Nothing was imported, because the two records contradict each other: ${contradiction.message}`
      })
    }
    for (let start = 0; start < fresh.length; start += lineSize) {
      yield* append(fresh.slice(start, start + lineSize))
    }
    yield* appendMarks(other.marks)
    return { lanes: other.marks.length, entries: fresh.length }
  }).pipe(
    Effect.mapError((failure) =>
      failure._tag === "RecordRefused" ? failure : new RecordRefused({ message: failure.message })
    )
  )
