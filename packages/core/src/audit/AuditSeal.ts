/**
 * Moves a range of entries out of the table once a sealed file has it. The seal is an entry of the chain; the table's
 * trigger removes a range only when a seal and its entry cover exactly that range.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Audit from "./Audit.ts"
import type { Seal } from "./AuditStore.ts"

/** Records a seal and removes its range, both or neither. Call it only after the file was read back and checked. */
export const remove = (sql: SqlClient.SqlClient, seal: Seal): Effect.Effect<void, SqlError> =>
  sql.withTransaction(Effect.gen(function*() {
    const { entries, file, fileDigest, firstSeq, lastDigest, lastSeq, previous } = seal
    const row = { file, entries, previous, first_seq: firstSeq, last_seq: lastSeq, last_digest: lastDigest }
    yield* sql`insert into audit_seals ${sql.insert({ ...row, file_digest: fileDigest })}`
    yield* Audit.append(sql, {
      action: "audit.sealed",
      subject: `${firstSeq}-${lastSeq}`,
      wallet: null,
      details: { ...row, file_digest: fileDigest }
    })
    yield* sql`delete from audit_entries where seq between ${firstSeq} and ${lastSeq}`
  }))
