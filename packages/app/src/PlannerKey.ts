/**
 * The planner key, under which the rows of submissions get their MACs: in PLANNER_KEY_FILE, never in the database. All
 * processes that plan or sign for a database share it.
 */
import { adoptQueued } from "@vault-trader/core/gas-wallet/SubmissionMac"
import * as SubmissionMac from "@vault-trader/workers/gas-wallet/SubmissionMac"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { createHmac } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as SecretFile from "./SecretFile.ts"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

const what = "planner key"

/** Returns the value by which the database recognises its key. Never the text of a row: that is a JSON array. */
const checkOf = (key: Redacted.Redacted<string>) =>
  createHmac("sha256", Buffer.from(Redacted.value(key), "hex")).update("vault-trader/planner-key-check").digest("hex")

const storedCheck = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly value: string }>`select value from secret_checks where name = 'planner_key'`
  ),
  ([row]) => row?.value
)

const storeCheck = (key: Redacted.Redacted<string>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into secret_checks (name, value) values ('planner_key', ${checkOf(key)}) on conflict do nothing`
  )

/** Reads the key and verifies that it belongs to this database, which notes it at its first use. */
const verified = (file: string) =>
  Effect.gen(function*() {
    yield* SecretFile.refuseShared(file, what)
    const key = yield* SecretFile.read({ file, what })
    yield* storeCheck(key)
    if ((yield* storedCheck) !== checkOf(key)) {
      return yield* new CannotStart({
        message: `The file ${file} does not hold the planner key of this database: put the right file back ` +
          "(PLANNER_KEY_FILE names it)."
      })
    }
    return key
  })

/**
 * Creates the key of a database that has none. The submissions that are queued get their MACs in the same transaction,
 * so that an upgrade loses none of them. The file appears after the commit: a crash before it leaves a draft, which the
 * next start takes if the database knows it, and replaces otherwise.
 */
const created = (file: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const draft = `${file}.draft`
    const adopted = yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`select pg_advisory_xact_lock(hashtextextended('planner_key', 0))`
      const check = yield* storedCheck
      if (check === undefined) {
        const key = yield* SecretFile.replace(draft, what)
        yield* storeCheck(key)
        return yield* adoptQueued(SubmissionMac.make(key))
      }
      const known = yield* Effect.option(SecretFile.read({ file: draft, what }))
      if (Fs.existsSync(file) || (known._tag === "Some" && checkOf(known.value) === check)) return 0
      return yield* new CannotStart({
        message:
          `The file ${file} of the ${what} is missing, but the database is used with one: put it back, or copy ` +
          "it from another process of this service (PLANNER_KEY_FILE names it)."
      })
    }))
    yield* SecretFile.publish(draft, file, what)
    if (adopted > 0) yield* Effect.logInfo(`${adopted} queued submissions were marked with the new planner key`)
  })

/** The MACs under the planner key, which the first start creates. */
export const PlannerKey = ({ service: { dataDir }, workers: { plannerKeyFile } }: Settings) => {
  const file = plannerKeyFile ?? Path.join(dataDir, "planner-key")
  return Layer.unwrap(Effect.gen(function*() {
    if (!Fs.existsSync(file)) yield* created(file)
    return SubmissionMac.layer(yield* verified(file))
  }))
}
