/**
 * Re-encrypts every secret in the database with the newest key-encryption key while the service runs. A row is updated
 * only if it has not changed since it was read, and the rows themselves show which ones remain. Therefore the command
 * may be interrupted, repeated or run several times at once.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Envelope from "./Envelope.ts"

/** A column that holds secrets, the SQL expression of the record that each is bound to, and their purpose. */
export interface Sealed {
  readonly table: string
  readonly record: string
  readonly column: string
  readonly purpose: string
}

/**
 * Every column that holds a secret. A column that is missing here is not re-encrypted, and its secrets are lost with
 * the old key.
 */
export const sealed: ReadonlyArray<Sealed> = [
  { table: "gas_wallets", record: "address", column: "ciphertext", purpose: "wallet-key" },
  { table: "webhooks", record: "id", column: "ciphertext", purpose: "webhook-secret" },
  { table: "notification_channels", record: "id", column: "ciphertext", purpose: "channel-secret" },
  {
    table: "exchange_accounts",
    record: "manager || '/' || exchange || '/' || name",
    column: "ciphertext",
    purpose: "exchange-credentials"
  }
]

/** The columns that hold wallets' keys, which a signer of its own has, and the others. */
export const ofSigner: ReadonlyArray<Sealed> = sealed.filter(({ purpose }) => purpose === "wallet-key")
export const ofRunner: ReadonlyArray<Sealed> = sealed.filter(({ purpose }) => purpose !== "wallet-key")

interface Row {
  readonly record: string
  readonly ciphertext: string
}

/** Maximum number of rows that one statement reads. */
const pageSize = 100

/** Reads a page of secrets. Column names are constants from `sealed`, never a caller's input. */
const rowsOf = (sql: SqlClient.SqlClient, { column, record, table }: Sealed, where: string, limit: number) =>
  sql.unsafe<Row>(
    `select (${record})::text as record, ${column} as ciphertext from ${table} where ${column} is not null and ` +
      `${where} order by 1 limit ${limit}`
  )

const versionIn = (column: string) => `split_part(${column}, '.', 2)`

/** Counts the secrets of these columns that each version of the KEK wraps. */
export const census = (
  columns: ReadonlyArray<Sealed> = sealed
): Effect.Effect<ReadonlyMap<number, number>, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const counts = new Map<number, number>()
    for (const { column, table } of columns) {
      const rows = yield* sql.unsafe<{ readonly version: string; readonly count: number }>(
        `select ${
          versionIn(column)
        } as version, count(*)::int as count from ${table} where ${column} is not null group by 1`
      )
      for (const { count, version } of rows) counts.set(Number(version), (counts.get(Number(version)) ?? 0) + count)
    }
    return counts
  })

/** Decrypts one secret of each column and each version. Fails when a KEK is not the one that wrapped them. */
export const verify = (
  kek: Envelope.Kek,
  columns: ReadonlyArray<Sealed> = sealed
): Effect.Effect<void, SqlError | Envelope.CannotDecrypt, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (const each of columns) {
      const versions = yield* sql.unsafe<{ readonly version: string }>(
        `select distinct ${versionIn(each.column)} as version from ${each.table} where ${each.column} is not null`
      )
      for (const { version } of versions) {
        const [row] = yield* rowsOf(sql, each, `${versionIn(each.column)} = '${Number(version)}'`, 1)
        if (row !== undefined) {
          yield* Envelope.withDecrypted(kek, each.purpose, row.record, row.ciphertext, () => Effect.void)
        }
      }
    }
  })

/**
 * Re-encrypts a page of secrets, and records that, in one transaction; returns their number. Fails on the first secret
 * that cannot be decrypted, after those before it are committed.
 */
const rewrapPage = (sql: SqlClient.SqlClient, kek: Envelope.Kek, sealed: Sealed, rows: ReadonlyArray<Row>) =>
  Effect.flatMap(
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const { column, purpose, record: key, table } = sealed
        let done = 0
        let stopped: Envelope.CannotDecrypt | undefined
        for (const { ciphertext, record } of rows) {
          const rewrapped = yield* Effect.result(Envelope.rewrap(kek, purpose, record, ciphertext))
          if (Result.isFailure(rewrapped)) {
            stopped = rewrapped.failure
            break
          }
          const fresh = rewrapped.success
          const changed = yield* sql.unsafe(
            `update ${table} set ${column} = $1 where (${key})::text = $2 and ${column} = $3 returning 1`,
            [fresh, record, ciphertext]
          )
          done += changed.length
        }
        if (done > 0) {
          const details = { table, secrets: done }
          yield* Audit.append(sql, { action: "kek.rewrapped", subject: `v${kek.version}`, wallet: null, details })
        }
        return { done, stopped }
      })
    ),
    ({ done, stopped }) => stopped === undefined ? Effect.succeed(done) : Effect.fail(stopped)
  )

/**
 * Re-encrypts everything with the newest version and returns the number of secrets re-encrypted. Fails on the first
 * secret that cannot be decrypted; the remaining ones are unchanged.
 */
export const rewrap = (
  kek: Envelope.Kek,
  columns: ReadonlyArray<Sealed> = sealed
): Effect.Effect<number, SqlError | Envelope.CannotDecrypt, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    let done = 0
    for (const each of columns) {
      for (;;) {
        const rows = yield* rowsOf(sql, each, `${versionIn(each.column)} <> '${kek.version}'`, pageSize)
        if (rows.length === 0) break
        done += yield* rewrapPage(sql, kek, each, rows)
      }
    }
    return done
  }).pipe(Effect.withSpan("Rewrap.rewrap"))
