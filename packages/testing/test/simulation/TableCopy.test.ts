import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Postgres from "../../src/simulation/Postgres.ts"
import * as TableCopy from "../../src/simulation/TableCopy.ts"

it.effect("a copy brings back rows, values and sequences as they were", () =>
  Effect.gen(function*() {
    const postgres = yield* Effect.promise(Postgres.make)
    const tables = ["child", "parent"]
    postgres.query(
      "create table parent (id bigint generated always as identity primary key, at timestamptz, n numeric)"
    )
    postgres.query("create table child (parent bigint not null references parent, about jsonb, raw bytea)")
    const insert = () =>
      postgres.query(
        "insert into parent (at, n) values ('2026-11-24T00:00:00.123456Z', 12345678901234567890.5) returning id"
      )
    const all = () => ["parent", "child"].map((table) => postgres.query(`select t::text from ${table} t order by 1`))
    insert()
    postgres.query(`insert into child values (1, '{"a": [1, null]}', '\\x00ff')`)
    // A JSON null is a value, and no SQL null.
    postgres.query(`insert into child values (1, 'null', null)`)
    const before = all()
    const copy = TableCopy.take(postgres, tables)
    insert()
    postgres.query("update child set about = null")
    TableCopy.putBack(postgres, tables, copy, TableCopy.insertedColumns(postgres))
    assert.deepStrictEqual(all(), before)
    assert.deepStrictEqual(insert(), [{ id: "2" }])
    // Constraints hold again.
    assert.throws(() => postgres.query("insert into child (parent) values (9)"), /foreign key/)
  }))

it.effect("a table is emptied without the empty ones that reference it, whose constraints hold afterwards", () =>
  Effect.gen(function*() {
    const postgres = yield* Effect.promise(Postgres.make)
    postgres.query("create table parent (id bigint primary key)")
    postgres.query("create table child (parent bigint not null references parent on delete cascade)")
    postgres.query("insert into parent values (1)")
    assert.throws(() => postgres.query("truncate parent"), /referenced in a foreign key/)
    TableCopy.empty(postgres, ["child", "parent"])
    assert.deepStrictEqual(postgres.query("select id from parent"), [])
    assert.throws(() => postgres.query("insert into child values (1)"), /foreign key/)
    postgres.query("insert into parent values (1)")
    postgres.query("insert into child values (1)")
    postgres.query("delete from parent")
    assert.deepStrictEqual(postgres.query("select parent from child"), [])
  }))
