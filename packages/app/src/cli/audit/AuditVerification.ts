/** Checks the whole audit log: sealed ranges, the chain in the table, and that every signed transaction is in it. */
import * as AuditChain from "@vault-trader/core/audit/AuditChain"
import type { AuditEntry } from "@vault-trader/core/audit/AuditEntry"
import { AuditStore, type LoggedAttempt, type Seal } from "@vault-trader/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Path from "node:path"
import { keccak256 } from "viem"
import * as SealedFile from "./SealedFile.ts"

/** The parts that are checked. */
export interface Verification {
  /** The folder of the sealed files; without it they are not read. */
  readonly sealed: string | undefined
  /** A head that was kept elsewhere: the log must still contain it. */
  readonly head: AuditChain.ChainEnd | undefined
}

/** The outcome. `problem` names the first thing that does not fit. */
export interface Verified {
  readonly end: AuditChain.ChainEnd
  readonly inTable: number
  readonly inFiles: number
  readonly sealedUnread: number
  readonly attempts: number
  readonly problem: string | undefined
}

/** Maximum number of rows that one statement reads. */
const pageSize = 1000

/** Collects what later checks need while the chain is followed. */
interface Seen {
  /** Digests of files that an entry of the chain seals. */
  readonly seals: Set<string>
  /** The transactions that sealed files list, with their entry. */
  readonly transactions: Set<string>
  /** The digest of the entry with the number of the kept head. */
  headDigest: string | undefined
}

const nameOf = (seq: number, hash: unknown) => `${seq}/${String(hash)}`

/** Returns a text of an entry's details; empty where it is none. */
const textOf = (value: unknown) => typeof value === "string" ? value : ""

const note = (seen: Seen, head: AuditChain.ChainEnd | undefined, isSealed: boolean) => (entry: AuditEntry) => {
  if (entry.action === "audit.sealed") seen.seals.add(`${entry.subject} ${textOf(entry.details["file_digest"])}`)
  if (entry.seq === head?.seq) seen.headDigest = entry.digest
  const transactions = entry.details["transactions"]
  if (!isSealed || entry.action !== "transactions.signed" || !Array.isArray(transactions)) return
  for (const each of transactions as ReadonlyArray<{ readonly hash?: unknown }>) {
    seen.transactions.add(nameOf(entry.seq, each.hash))
  }
}

/** Follows the sealed ranges, in their files if a folder is given, otherwise by their rows only. */
const followSeals = (seals: ReadonlyArray<Seal>, { head, sealed }: Verification, seen: Seen) =>
  Effect.gen(function*() {
    let end = AuditChain.start
    let inFiles = 0
    for (const seal of seals) {
      const { file, fileDigest, firstSeq, lastDigest, lastSeq, previous } = seal
      if (firstSeq !== end.seq + 1 || previous !== end.digest) {
        return { end, inFiles, problem: `the sealed range ${firstSeq}-${lastSeq} does not follow entry ${end.seq}` }
      }
      const last = { seq: lastSeq, digest: lastDigest }
      if (head?.seq === lastSeq) seen.headDigest = lastDigest
      if (sealed !== undefined) {
        const range = yield* SealedFile.read(Path.join(sealed, file), end, note(seen, head, true))
        if (range.problem !== undefined) return { end: range.end, inFiles, problem: range.problem }
        if (range.end.seq !== lastSeq || range.end.digest !== lastDigest) {
          return { end, inFiles, problem: `the sealed file ${file} does not end with entry ${lastSeq}` }
        }
        if (range.fileDigest !== fileDigest) return { end, inFiles, problem: `the sealed file ${file} was changed` }
        inFiles += range.entries
      }
      end = last
    }
    return { end, inFiles, problem: undefined }
  })

/** Follows the entries in the table. */
const followTable = (from: AuditChain.ChainEnd, { head }: Verification, seen: Seen) =>
  Effect.gen(function*() {
    const store = yield* AuditStore
    const noted = note(seen, head, false)
    let end = from
    // From the first row of the table: one that a seal should have removed does not fit.
    let after = 0
    for (;;) {
      const page = yield* store.after(after, pageSize)
      for (const entry of page) {
        const next = yield* AuditChain.follow(end, entry)
        if (typeof next === "string") return { end, problem: next }
        noted(entry)
        end = next
      }
      const last = page.at(-1)
      if (page.length < pageSize || last === undefined) return { end, problem: undefined }
      after = last.seq
    }
  })

/** Returns why a signed transaction is not in the chain as it should be. */
const attemptProblem = (
  { hash, isListed, raw, seq }: LoggedAttempt,
  sealedTo: number,
  seen: Seen | undefined
): string | undefined => {
  if (keccak256(raw) !== hash) return `the stored bytes of transaction ${hash} have another hash`
  if (seq === null) return `transaction ${hash} was signed more than a minute ago and is not in the log`
  // Its entry is in a sealed file, which was not read.
  if (seq <= sealedTo && seen === undefined) return undefined
  return isListed || seen?.transactions.has(nameOf(seq, hash)) === true
    ? undefined
    : `entry ${seq} does not list transaction ${hash}, which the ledger says it does`
}

/** Checks every signed transaction that is older than a minute. */
const checkAttempts = (sealedTo: number, seen: Seen | undefined) =>
  Effect.gen(function*() {
    const store = yield* AuditStore
    let count = 0
    let after: LoggedAttempt | undefined
    for (;;) {
      const page: ReadonlyArray<LoggedAttempt> = yield* store.attempts(after, pageSize)
      for (const attempt of page) {
        const problem = attemptProblem(attempt, sealedTo, seen)
        if (problem !== undefined) return { count, problem }
        count += 1
      }
      after = page.at(-1)
      if (page.length < pageSize || after === undefined) return { count, problem: undefined }
    }
  })

/** Returns why a head that was kept elsewhere is not part of the log. */
const headProblem = (head: AuditChain.ChainEnd | undefined, end: AuditChain.ChainEnd, seen: Seen, isRead: boolean) => {
  if (head === undefined) return undefined
  if (head.seq > end.seq) {
    return `entries are missing at the end: the kept head is entry ${head.seq}, and the log ends with entry ${end.seq}`
  }
  if (seen.headDigest === undefined) {
    return isRead ? `entry ${head.seq} of the kept head is missing` : undefined
  }
  return seen.headDigest === head.digest
    ? undefined
    : `entry ${head.seq} is not the one of the kept head: the log was replaced from there or earlier`
}

/** Verifies the log in one consistent state of the database. */
export const verify = (asked: Verification) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* AuditStore
    return yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`set transaction isolation level repeatable read, read only`
      const seals = yield* store.seals
      const seen: Seen = { seals: new Set(), transactions: new Set(), headDigest: undefined }
      const isRead = asked.sealed !== undefined
      const files = yield* followSeals(seals, asked, seen)
      const sealedTo = files.end.seq
      const base = { inFiles: files.inFiles, sealedUnread: isRead ? 0 : sealedTo }
      if (files.problem !== undefined) {
        return { ...base, end: files.end, inTable: 0, attempts: 0, problem: files.problem } satisfies Verified
      }
      const table = yield* followTable(files.end, asked, seen)
      const inTable = table.end.seq - sealedTo
      // The newest seal's entry is in the table; those of the others are in files.
      const unsealed = seals.filter((_, index) => isRead || index === seals.length - 1)
        .find((seal) => !seen.seals.has(`${seal.firstSeq}-${seal.lastSeq} ${seal.fileDigest}`))
      const problem = table.problem ??
        (unsealed === undefined
          ? undefined
          : `no entry of the chain seals the range ${unsealed.firstSeq}-${unsealed.lastSeq}`) ??
        headProblem(asked.head, table.end, seen, isRead || (asked.head?.seq ?? 0) > sealedTo)
      if (problem !== undefined) return { ...base, end: table.end, inTable, attempts: 0, problem } satisfies Verified
      const attempts = yield* checkAttempts(sealedTo, isRead ? seen : undefined)
      return {
        ...base,
        end: table.end,
        inTable,
        attempts: attempts.count,
        problem: attempts.problem
      } satisfies Verified
    }))
  })
