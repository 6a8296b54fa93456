/**
 * Finds wallets that were created here and never used, and ends their API keys. The row with the encrypted private key
 * stays: what is sent to the address later is not lost. An imported key is its owner's, and is never purged.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"

/** Maximum number of wallets that a page reads. */
const pageSize = 200

/** How long a wallet that holds something on a chain is not looked up there again, in days. */
const recheckDays = 7

/** The last wallet that a walk has read. */
export interface PurgeCursor {
  readonly at: string
  readonly address: Address
}

/** Wallets of one page without any trace of use. `next` is null when no wallets are left. */
export interface PurgePage {
  readonly unused: ReadonlyArray<Address>
  readonly next: PurgeCursor | null
}

/** A column that names wallets. */
interface WalletColumn {
  readonly table: string
  readonly column: string
}

/** Tables whose rows every wallet has, used or not. */
const ofEveryWallet = ["gas_wallets", "api_keys", "audit_entries"]

/**
 * Lists all columns that name wallets: references to `gas_wallets`, and columns named `wallet` or `funder`. A table that
 * a later version adds protects its wallets without a change here.
 */
const walletColumns = (sql: SqlClient.SqlClient) =>
  sql<WalletColumn>`select c.table_name as "table", c.column_name as "column" from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.column_name in ('wallet', 'funder')
        and not c.table_name in ${sql.in(ofEveryWallet)}
    union
    select r.relname::text, a.attname::text from pg_constraint f join pg_class r on r.oid = f.conrelid
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      where f.contype = 'f' and f.confrelid = 'gas_wallets'::regclass and not r.relname in ${sql.in(ofEveryWallet)}
    order by 1, 2`

const make = (sql: SqlClient.SqlClient): WalletPurgeStore["Service"] => {
  /** Builds the condition that no key of the wallet was issued or used for as long. */
  const keysUnused = (days: number) =>
    sql`not exists (select 1 from api_keys k where k.wallet = w.address
      and greatest(k.created_at, k.used_at, k.revoked_at) > now() - make_interval(days => ${days}))`

  /** Returns those of the wallets that no row names. */
  const unnamed = (wallets: ReadonlyArray<Address>) =>
    Effect.gen(function*() {
      let left = wallets
      for (const { column, table } of yield* walletColumns(sql)) {
        if (left.length === 0) return left
        const named = yield* sql<{ readonly wallet: string }>`select distinct ${sql(column)}::text as wallet
          from ${sql(table)} where ${sql(column)}::text in ${sql.in(left)}`
        const used = new Set(named.map(({ wallet }) => wallet))
        left = left.filter((wallet) => !used.has(wallet))
      }
      if (left.length === 0) return left
      const stopped = yield* sql<{ readonly scope: string }>`select scope from kill_switches where scope in ${
        sql.in(left.map((wallet) => `wallet/${wallet}`))
      }`
      const scopes = new Set(stopped.map(({ scope }) => scope))
      return left.filter((wallet) => !scopes.has(`wallet/${wallet}`))
    })

  return {
    page: (days, from) =>
      Effect.gen(function*() {
        const found = yield* sql<{ readonly address: Address; readonly at: string }>`
          select w.address, w.created_at::text as at from gas_wallets w
          where w.purged_at is null and w.imported = false and w.created_at < now() - make_interval(days => ${days})
            and (w.purge_checked_at is null or w.purge_checked_at < now() - make_interval(days => ${recheckDays}))
            and ${
          from === null ? sql`true` : sql`(w.created_at, w.address) > (${from.at}::timestamptz, ${from.address})`
        } and ${keysUnused(days)}
          order by w.created_at, w.address limit ${pageSize}`
        const last = found.at(-1)
        return {
          unused: yield* unnamed(found.map(({ address }) => address)),
          next: last === undefined || found.length < pageSize ? null : { at: last.at, address: last.address }
        }
      }),
    recordHolding: (wallets) =>
      wallets.length === 0
        ? Effect.void
        : Effect.asVoid(sql`update gas_wallets set purge_checked_at = now() where address in ${sql.in(wallets)}`),
    purge: (wallet, days) =>
      sql.withTransaction(Effect.gen(function*() {
        // A row that names the wallet waits for this lock, or is seen below.
        const locked = yield* sql`select 1 from gas_wallets w where w.address = ${wallet} and w.purged_at is null
          and w.imported = false and ${keysUnused(days)} for update`
        if (locked.length === 0 || (yield* unnamed([wallet])).length === 0) return false
        const keys = yield* sql<{ readonly id: string }>`update api_keys set revoked_at = now()
          where wallet = ${wallet} and revoked_at is null returning id::text as id`
        yield* sql`update gas_wallets set purged_at = now() where address = ${wallet}`
        yield* Audit.append(sql, {
          action: "wallet.purged",
          subject: wallet,
          wallet,
          details: { keys: keys.map(({ id }) => id), unused_days: days }
        })
        return true
      }))
  }
}

export class WalletPurgeStore extends Context.Service<WalletPurgeStore, {
  /**
   * Reads one page of wallets that were created here more than `days` ago, whose keys were not used since, and that no
   * row names.
   */
  readonly page: (days: number, from: PurgeCursor | null) => Effect.Effect<PurgePage, SqlError>
  /** Records that these wallets hold something on a chain, so that they are not looked up again soon. */
  readonly recordHolding: (wallets: ReadonlyArray<Address>) => Effect.Effect<void, SqlError>
  /** Ends the key of a wallet that is still unused; `false` when it was used in the meantime. */
  readonly purge: (wallet: Address, days: number) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/gas-wallet/WalletPurgeStore") {
  static readonly layer = Layer.effect(WalletPurgeStore, Effect.map(SqlClient.SqlClient, make))
}
