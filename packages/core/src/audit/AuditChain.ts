/** Checks that entries form a chain: each follows the one before it, and its contents have its digest. */
import * as Effect from "effect/Effect"
import { type AuditEntry, digestOf, genesis } from "./AuditEntry.ts"

/** The end of a chain: the `seq` and digest of its last entry. */
export interface ChainEnd {
  readonly seq: number
  readonly digest: string
}

/** The end of the chain that has no entry yet. */
export const start: ChainEnd = { seq: 0, digest: genesis }

/** Returns the end of the chain with this entry, or a sentence that says why it does not fit. */
export const follow = (end: ChainEnd, entry: AuditEntry): Effect.Effect<ChainEnd | string> => {
  if (entry.seq !== end.seq + 1) {
    return Effect.succeed(
      entry.seq > end.seq
        ? `entry ${end.seq + 1} is missing: entry ${entry.seq} comes after entry ${end.seq}`
        : `entry ${entry.seq} is out of order: it comes after entry ${end.seq}`
    )
  }
  if (entry.previous !== end.digest) {
    return Effect.succeed(
      `entry ${entry.seq} does not follow entry ${end.seq}: it names another digest of the entry before it`
    )
  }
  return Effect.map(digestOf(entry), (digest) =>
    digest === entry.digest
      ? { seq: entry.seq, digest }
      : `entry ${entry.seq} was changed: its contents do not have its digest`)
}

/** Follows entries until one does not fit. */
export const followAll = (end: ChainEnd, entries: ReadonlyArray<AuditEntry>): Effect.Effect<ChainEnd | string> =>
  Effect.gen(function*() {
    let last = end
    for (const entry of entries) {
      const next = yield* follow(last, entry)
      if (typeof next === "string") return next
      last = next
    }
    return last
  })

/** Returns the text that names the end of a chain, for an operator to keep elsewhere. */
export const endText = ({ digest, seq }: ChainEnd): string => `${seq}:${digest}`

/** Parses the text of `endText`. */
export const parseEnd = (text: string): ChainEnd | undefined => {
  const [, seq, digest] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim().toLowerCase()) ?? []
  return seq === undefined || digest === undefined ? undefined : { seq: Number(seq), digest }
}
