/**
 * The lines of the signing record's files: `<sequence> <JSON> <digest>`. A digest covers its line and the digest before
 * it, so a line that was changed, removed or moved is found. One line is one append: a crash tears the last one only.
 */
import { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import { callOf, type Known, type Mark } from "./RecordIndex.ts"
import type { SigningEntry } from "./SigningEntry.ts"

/** The position in the chain of lines: the number of the last line, and its digest. */
export interface Link {
  readonly sequence: number
  readonly digest: string
}

/** The link before the first line of a new record. */
export const origin: Link = { sequence: 0, digest: "0".repeat(64) }

/** Chain id, wallet, next nonce, floor. */
const MarkRow = Schema.Tuple([Schema.Int, Address, Schema.BigIntFromString, Schema.BigIntFromString])
/** Chain id, wallet, nonce, transaction's hash, submission's key, kind, digest of the call. */
const EntryRow = Schema.Tuple([
  Schema.Int,
  Address,
  Schema.BigIntFromString,
  Hash,
  Schema.String,
  Schema.Literals(["call", "cancel"]),
  Schema.String
])
const at = Schema.Number

/** First line of a file: the digest before it, and the marks of all lanes at that time. */
const Header = Schema.Struct({
  signingRecord: Schema.Literal(1),
  at,
  previous: Schema.String,
  marks: Schema.Array(MarkRow)
})
/**
 * Transactions. `calls`: `to`, data, value and plan of each, as JSON, compressed (raw deflate, base64). `until`: the ends of
 * their lifetimes, absent where none has one.
 */
const Entries = Schema.Struct({
  at,
  entries: Schema.Array(EntryRow),
  calls: Schema.String,
  until: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.Number)))
})
/** Marks that another machine's record had. */
const Imported = Schema.Struct({ at, imported: Schema.Array(MarkRow) })
/** Last line of an export: the number of its entries. */
const End = Schema.Struct({ at, end: Schema.Int })

const Payload = Schema.fromJsonString(Schema.Union([Header, Entries, Imported, End]))
export type Payload = typeof Payload.Type

const decodePayload = Schema.decodeUnknownOption(Payload)
const encodePayload = Schema.encodeSync(Payload)

const Calls = Schema.fromJsonString(
  Schema.Array(Schema.Tuple([Address, Hex, Schema.BigIntFromString, Schema.Unknown, Hex]))
)
const decodeCalls = Schema.decodeUnknownSync(Calls)

const rowOf = ({ chainId, floor, next, wallet }: Mark) => [chainId, wallet, next, floor] as const

export const header = (time: number, previous: string, marks: ReadonlyArray<Mark>): Payload => ({
  signingRecord: 1,
  at: time,
  previous,
  marks: marks.map(rowOf)
})
export const imported = (time: number, marks: ReadonlyArray<Mark>): Payload => ({
  at: time,
  imported: marks.map(rowOf)
})
export const end = (time: number, count: number): Payload => ({ at: time, end: count })

const deflateLater = promisify(Zlib.deflateRaw)
/** Up to this many characters a text is compressed at once, in less time than another thread needs to begin. */
const maxCharactersAtOnce = 16_384

const deflate = (text: string): Effect.Effect<Buffer> =>
  text.length <= maxCharactersAtOnce
    ? Effect.sync(() => Zlib.deflateRawSync(text, { level: 1 }))
    : Effect.promise(() => deflateLater(text, { level: 1 }))

/** Compresses entries to one line's payload; many of them outside the event loop. */
export const entries = (time: number, all: ReadonlyArray<SigningEntry>): Effect.Effect<Payload> =>
  Effect.map(
    deflate(JSON.stringify(all.map(({ data, plan, raw, to, value }) => [to, data, String(value), plan ?? null, raw]))),
    (calls) => ({
      at: time,
      entries: all.map((entry) => {
        const { chainId, hash, key, kind, nonce, wallet } = entry
        return [chainId, wallet, nonce, hash, key, kind, callOf(entry)] as const
      }),
      calls: calls.toString("base64"),
      ...(all.every(({ validUntil }) => validUntil === null) ? {} : { until: all.map(({ validUntil }) => validUntil) })
    })
  )

/** Returns the marks of a header or of an import. */
export const marksOf = (payload: Payload): ReadonlyArray<Mark> => {
  const rows = "marks" in payload ? payload.marks : "imported" in payload ? payload.imported : []
  return rows.map(([chainId, wallet, next, floor]) => ({ chainId, wallet, next, floor }))
}

/** Returns a line's entries for the index. The calls stay compressed until one of them is read. */
export const knownOf = (payload: Payload): ReadonlyArray<Known> => {
  if (!("entries" in payload)) return []
  // The functions below must not keep the payload in memory.
  const { at: recordedAt, entries, until } = payload
  const calls = Buffer.from(payload.calls, "base64")
  return entries.map(([chainId, wallet, nonce, hash, key, kind, call], index) => ({
    ...{ chainId, wallet, nonce, hash, key, kind, call, recordedAt },
    read: () => {
      const [to, data, value, plan, raw] = decodeCalls(Zlib.inflateRawSync(calls).toString())[index] ?? missing
      const validUntil = until?.[index] ?? null
      return { chainId, wallet, nonce, hash, key, kind, to, data, value, plan, raw, validUntil }
    }
  }))
}

const missing = [`0x${"0".repeat(40)}`, "0x", 0n, null, "0x"] as const

const digestOf = (before: Link, body: string): string =>
  Crypto.createHash("sha256").update(`${before.digest}\n${body}`).digest("hex")

/** Writes the line that follows a link. */
export const write = (before: Link, payload: Payload): { readonly text: string; readonly link: Link } => {
  const sequence = before.sequence + 1
  const body = `${sequence} ${encodePayload(payload)}`
  const digest = digestOf(before, body)
  return { text: `${body} ${digest}\n`, link: { sequence, digest } }
}

/**
 * Reads a line without its newline. Without `before` the line must be a header, which says what it follows. Returns the
 * fault where it is not the line that was written.
 */
export const read = (
  text: string,
  before: Link | undefined
): { readonly payload: Payload; readonly link: Link } | { readonly fault: string } => {
  const [, number = "", json = "", digest = ""] = /^(\d{1,15}) (.*) ([0-9a-f]{64})$/.exec(text) ?? []
  const payload = decodePayload(json)
  if (number === "" || payload._tag === "None") return { fault: "is not a line of a signing record" }
  const isHeader = "signingRecord" in payload.value
  if (before === undefined && !isHeader) return { fault: "is not the header of a file" }
  const sequence = Number(number)
  const previous = before ?? {
    sequence: sequence - 1,
    digest: "signingRecord" in payload.value ? payload.value.previous : ""
  }
  if (sequence !== previous.sequence + 1) return { fault: `is number ${sequence}, not ${previous.sequence + 1}` }
  if (digestOf(previous, `${number} ${json}`) !== digest) return { fault: "does not match its checksum" }
  return { payload: payload.value, link: { sequence, digest } }
}
