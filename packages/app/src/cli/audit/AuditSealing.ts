/**
 * Seals the entries before a time: writes them to a file, reads the file back, and only then moves the range out of the
 * table. After an interruption the command can be repeated; it uses the file that is already there if that is complete.
 */
import type * as AuditChain from "@vault-trader/core/audit/AuditChain"
import { start } from "@vault-trader/core/audit/AuditChain"
import * as AuditSeal from "@vault-trader/core/audit/AuditSeal"
import { AuditStore, type Seal } from "@vault-trader/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { CannotStart } from "../../StartupFailure.ts"
import * as SealedFile from "./SealedFile.ts"

/** Maximum number of rows that one statement reads. */
const pageSize = 1000

const refuse = (message: string) => new CannotStart({ message })

/** Appends the entries from one `seq` to another. */
const appendRange = (first: number, last: number) => (append: (text: string) => Effect.Effect<void>) =>
  Effect.gen(function*() {
    const store = yield* AuditStore
    let after = first - 1
    while (after < last) {
      const page = yield* store.after(after, Math.min(pageSize, last - after))
      const end = page.at(-1)
      if (end === undefined) return
      yield* append(page.map(SealedFile.lineOf).join(""))
      after = end.seq
    }
  })

/** Reads a file back and returns its seal; fails when it is not the whole range. */
const sealOf = (path: string, before: AuditChain.ChainEnd, last: number) =>
  Effect.gen(function*() {
    const { end, entries, fileDigest, problem } = yield* SealedFile.read(path, before)
    if (problem !== undefined) return yield* refuse(`The range cannot be sealed: ${problem}. Nothing was removed.`)
    const [row] = yield* (yield* AuditStore).after(last - 1, 1)
    if (end.seq !== last || row?.digest !== end.digest) {
      return yield* refuse(
        `${path} is not the range ${before.seq + 1}-${last} of the log. Nothing was removed. Move the file away ` +
          "and run the command again."
      )
    }
    const seal: Seal = {
      entries,
      fileDigest,
      firstSeq: before.seq + 1,
      lastSeq: last,
      previous: before.digest,
      lastDigest: end.digest,
      file: Path.basename(path)
    }
    return seal
  })

/** Seals all entries before a time into a folder; undefined when there are none. */
export const seal = ({ before, to }: { readonly before: Date; readonly to: string }) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* AuditStore
    const newest = (yield* store.seals).at(-1)
    const end = newest === undefined ? start : { seq: newest.lastSeq, digest: newest.lastDigest }
    const last = yield* store.lastBefore(before)
    if (last <= end.seq) return undefined
    yield* Effect.try({
      try: () => Fs.mkdirSync(to, { recursive: true, mode: 0o700 }),
      catch: () => refuse(`The folder ${to} cannot be created. Nothing was changed.`)
    })
    const path = Path.join(to, `audit-${end.seq + 1}-${last}.jsonl`)
    if (!Fs.existsSync(path)) yield* SealedFile.writeWhole(path, 0o400, appendRange(end.seq + 1, last))
    const sealed = yield* sealOf(path, end, last)
    yield* AuditSeal.remove(sql, sealed)
    return { ...sealed, path }
  })
