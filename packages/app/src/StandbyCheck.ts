/**
 * Warns about a PostgreSQL that may forget what it has committed: its commits do not wait for the standby that may take
 * over.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

interface Replication {
  /** Names of the standbys, null where the role may not see one. */
  readonly standbys: ReadonlyArray<string | null>
  /** `synchronous_commit` of the service's sessions. */
  readonly commit: string
  /** `synchronous_standby_names`. */
  readonly names: string
}

/** Values of `synchronous_commit` with which a commit does not wait for a standby. */
const waitsForNone: ReadonlyArray<string> = ["off", "local"]

/** Returns the sentence about standbys that commits do not wait for; undefined if there are none. */
export const warningOf = ({ commit, names, standbys }: Replication): string | undefined => {
  if (standbys.length === 0) return undefined
  const causes = [
    ...(waitsForNone.includes(commit) ? [`synchronous_commit is ${commit}`] : []),
    ...(names.trim() === "" ? ["synchronous_standby_names is empty"] : [])
  ]
  if (causes.length === 0) return undefined
  const list = standbys.map((name) => name === null || name === "" ? "(name not visible)" : name).join(", ")
  return `PostgreSQL replicates to ${list} and does not wait for it: ${causes.join(" and ")}. After a failover its ` +
    "latest commits are missing, and the wallets concerned may be quarantined. See docs/restore.md, Failover."
}

/** Logs the warning once. A database that does not answer this question does not prevent the start. */
export const warn = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // A base backup in progress is no standby.
  const [row] = yield* sql<Replication>`select current_setting('synchronous_commit') as commit,
    current_setting('synchronous_standby_names') as names,
    array(select application_name from pg_stat_replication where state is distinct from 'backup'
      order by application_name) as standbys`
  const warning = row === undefined ? undefined : warningOf(row)
  if (warning !== undefined) yield* Effect.logWarning(warning)
}).pipe(Effect.catch((error) => Effect.logDebug("the database's replication is unknown", error)))
