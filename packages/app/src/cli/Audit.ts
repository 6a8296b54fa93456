/**
 * `vault-trader audit show|verify|export|seal`: the audit log, on the service's database. `verify` exits 1 and names
 * the first entry that does not fit. `seal` moves old entries to files; nothing deletes entries.
 */
import { type AuditAction, auditActions } from "@vault-trader/core/audit/AuditAction"
import * as AuditChain from "@vault-trader/core/audit/AuditChain"
import type { AuditEntry } from "@vault-trader/core/audit/AuditEntry"
import { AuditStore } from "@vault-trader/core/audit/AuditStore"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RunningDatabase } from "../RunningDatabase.ts"
import { seal as sealRange } from "./audit/AuditSealing.ts"
import { verify as verifyLog } from "./audit/AuditVerification.ts"
import * as SealedFile from "./audit/SealedFile.ts"
import { Operator } from "./Operator.ts"
import * as ParsedParam from "./ParsedParam.ts"

/** The audit log does not verify. */
export class AuditBroken extends Data.TaggedError("AuditBroken")<{ readonly message: string }> {}

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const isAction = (text: string): text is AuditAction => text in auditActions
const parseAction = (text: string) => isAction(text) ? text : undefined
const parseCount = (text: string) => /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined

const lineOf = ({ action, actor, at, details, seq, subject }: AuditEntry) =>
  [
    `${seq} ${at} ${action} ${subject}`,
    `by ${
      [actor.kind, actor.id, actor.from === null ? null : `from ${actor.from}`, actor.credential].filter(Boolean).join(
        " "
      )
    }`,
    ...Object.keys(details).length === 0 ? [] : [JSON.stringify(details)]
  ].join("  ")

const show = Command.make(
  "show",
  {
    wallet: ParsedParam.optional(ParsedParam.addressFlag("wallet")).pipe(
      Flag.withDescription("Only the entries of this gas wallet")
    ),
    action: ParsedParam.optional(ParsedParam.flag("action", "name", "an action of docs/audit.md", parseAction)).pipe(
      Flag.withDescription("Only the entries of this action, for example key.issued")
    ),
    since: ParsedParam.dayFlag("since").pipe(Flag.withDescription("Only entries from this day (UTC) on")),
    limit: ParsedParam.optional(ParsedParam.flag("limit", "count", "a number from 1 to 999999", parseCount)).pipe(
      Flag.withDescription("Maximum number of entries, newest first; default 50")
    ),
    json: ParsedParam.toggle("json").pipe(Flag.withDescription("Print one JSON object a line"))
  },
  Effect.fnUntraced(function*({ json, limit = 50, ...selection }) {
    const entries = yield* (yield* AuditStore).list({ ...selection, limit })
    if (entries.length === 0 && !json) return yield* say("The audit log has no such entry.")
    yield* Effect.forEach(entries, (entry) => say(json ? SealedFile.lineOf(entry).trimEnd() : lineOf(entry)), {
      discard: true
    })
  })
).pipe(Command.withDescription("Shows entries, newest first."))

const verify = Command.make(
  "verify",
  {
    sealed: ParsedParam.optional(Flag.String("sealed").pipe(Flag.withMetavar("dir"))).pipe(
      Flag.withDescription("Also read the sealed files in this folder")
    ),
    head: ParsedParam.optional(
      ParsedParam.flag("head", "number:digest", "a head that an earlier verify printed", AuditChain.parseEnd)
    ).pipe(Flag.withDescription("A head that an earlier verify printed: the log must still contain it"))
  },
  Effect.fnUntraced(function*(asked) {
    const { attempts, end, inFiles, inTable, problem, sealedUnread } = yield* verifyLog(asked)
    if (problem !== undefined) {
      return yield* new AuditBroken({
        message: `The audit log does not verify: ${problem}. Nothing was changed. Keep the database as it is, and ` +
          "compare it with a backup and with the heads that you kept."
      })
    }
    const sealed = sealedUnread > 0 ? `${sealedUnread} sealed and not read` : `${inFiles} in sealed files`
    yield* say(
      `The audit log is unbroken: ${inTable} entries in the database, ${sealed}; ${attempts} signed transactions are in it.`
    )
    yield* say(`Head: ${AuditChain.endText(end)}`)
  })
).pipe(
  Command.withDescription(
    "Checks that no entry is missing or changed, and that every signed transaction is in the log. Keep the head that " +
      "it prints elsewhere: only with it a log that lost its end, or was replaced, is noticed."
  )
)

const exported = Command.make(
  "export",
  { file: Argument.String("file").pipe(Argument.withDescription("The file to create")) },
  Effect.fnUntraced(function*({ file }) {
    const store = yield* AuditStore
    let after = (yield* store.seals).at(-1)?.lastSeq ?? 0
    let count = 0
    yield* SealedFile.write(file, 0o600, (append) =>
      Effect.gen(function*() {
        for (;;) {
          const page = yield* store.after(after, 1000)
          const last = page.at(-1)
          if (last === undefined) return
          yield* append(page.map(SealedFile.lineOf).join(""))
          count += page.length
          after = last.seq
        }
      }))
    yield* say(`Exported ${count} entries to ${file}.`)
  })
).pipe(Command.withDescription("Writes every entry in the database as one JSON object a line."))

const seal = Command.make(
  "seal",
  {
    before: ParsedParam.flag("before", "YYYY-MM-DD", "a day as 2026-11-20", ParsedParam.parseDay).pipe(
      Flag.withDescription("Seal the entries before this day (UTC)")
    ),
    to: Flag.String("to").pipe(Flag.withMetavar("dir"), Flag.withDescription("The folder of the sealed files"))
  },
  Effect.fnUntraced(function*(asked) {
    const sealed = yield* sealRange(asked)
    if (sealed === undefined) return yield* say("There is no entry before that day which is not sealed yet.")
    yield* say(`Sealed entries ${sealed.firstSeq}-${sealed.lastSeq} in ${sealed.path} (SHA-256 ${sealed.fileDigest}).`)
    yield* say("Copy the file to a place where it cannot be changed: the database no longer has these entries.")
  })
).pipe(
  Command.withDescription(
    "Moves old entries from the database to a file that is checked before anything is removed. Nothing is deleted."
  )
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Shows, verifies, exports and seals the audit log."),
  Command.withSubcommands([show, verify, exported, seal]),
  Command.provide(Layer.merge(AuditStore.layer, Operator).pipe(Layer.provideMerge(RunningDatabase)))
)
