/** Copies of all rows of a database, and their return: what a restored dump, or a standby that lagged, brings back. */
import type * as Postgres from "./Postgres.ts"

/** The rows of each table that has any, as a JSON array of their texts, and the positions of the sequences. */
export interface TableCopy {
  readonly rows: ReadonlyArray<readonly [table: string, json: string]>
  readonly sequences: ReadonlyArray<readonly [name: string, next: string]>
}

/** Copies the committed rows of these tables. */
export const take = (postgres: Postgres.Postgres, tables: ReadonlyArray<string>): TableCopy => {
  const select = tables.map((table) => `select '${table}' as name, json_agg(t::text)::text as json from ${table} t`)
  const rows = postgres.query(select.join(" union all "))
  const sequences = postgres.query("select sequencename as name, last_value::text as last from pg_sequences order by 1")
  return {
    rows: rows.flatMap(({ json, name }) => typeof json === "string" ? [[String(name), json] as const] : []),
    sequences: sequences.map(({ last, name }) => [String(name), typeof last === "string" ? last : "0"] as const)
  }
}

/** The columns of each table that an insert may give; others are computed from them. */
export type Columns = ReadonlyMap<string, string>

/** Reads them from the schema, which must not change afterwards. */
export const insertedColumns = (postgres: Postgres.Postgres): Columns =>
  new Map(
    postgres.query(
      `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list
      from information_schema.columns where table_schema = current_schema() and is_generated = 'NEVER' group by table_name`
    )
      .map(({ list, name }) => [String(name), String(list)])
  )

/**
 * Removes all rows of these tables. Only those that have any are truncated: PostgreSQL takes milliseconds for each, and
 * afterwards plans each statement about it again. It truncates a table alone, without the empty ones that reference it,
 * while the catalog says that it has no triggers.
 */
export const empty = (postgres: Postgres.Postgres, tables: ReadonlyArray<string>): void => {
  if (tables.length === 0) return
  const sized = tables.map((table) => `select '${table}' as name where pg_relation_size('${table}') > 0`)
  const used = postgres.query(sized.join(" union all ")).map(({ name }) => String(name))
  if (used.length === 0) return
  const names = JSON.stringify(used)
  const setTriggered = `update pg_class set relhastriggers = $1 from jsonb_array_elements_text($2::jsonb) as name
    where oid = name::regclass and relhastriggers = $3 returning relname as name`
  postgres.query("begin")
  const triggered = postgres.query(setTriggered, [false, names, true]).map(({ name }) => name)
  postgres.query(`truncate ${used.join(", ")}`)
  postgres.query(setTriggered, [true, JSON.stringify(triggered), false])
  postgres.query("commit")
}

/** Replaces all rows of these tables by a copy. */
export const putBack = (
  postgres: Postgres.Postgres,
  tables: ReadonlyArray<string>,
  copy: TableCopy,
  columns: Columns
): void => {
  // As a dump is loaded: without triggers, which have run before, and in any order of the tables.
  postgres.query("set session_replication_role = replica")
  empty(postgres, tables)
  for (const [table, json] of copy.rows) {
    const list = columns.get(table) ?? ""
    postgres.query(
      `insert into ${table} (${list}) overriding system value
        select ${list} from (select (copied).* from
          (select line::${table} as copied from json_array_elements_text($1::json) line offset 0) lines) t`,
      [json]
    )
  }
  for (const [name, last] of copy.sequences) {
    postgres.query("select setval($1::regclass, greatest($2::bigint, 1), $2::bigint > 0)", [name, last])
  }
  postgres.query("set session_replication_role = origin")
}
