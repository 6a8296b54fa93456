import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Postgres from "../../src/simulation/Postgres.ts"
import * as RememberedReads from "../../src/simulation/RememberedReads.ts"
import * as TableUse from "../../src/simulation/TableUse.ts"

const schema = [
  "create table parent (id integer primary key)",
  "create table child (parent integer not null references parent on delete cascade)",
  "create table log (text text)",
  `create function note() returns trigger language plpgsql as $$
    begin insert into log values ('child'); return new; end $$`,
  "create trigger note after insert on child for each row execute function note()",
  "create view parents as select id from parent"
]
const tables = ["child", "log", "parent"]

it.effect("a read is executed again only after a change of what it reads, by a trigger, a cascade or a rollback too", () =>
  Effect.gen(function*() {
    const postgres = yield* Effect.promise(Postgres.make)
    for (const text of schema) postgres.query(text)
    const reads = RememberedReads.make(postgres, TableUse.make(postgres, tables), tables)
    let executed = 0
    const run = (text: string) =>
      reads.rowsOf(text, "[]", () => {
        executed++
        return postgres.query(text)
      })
    /** Runs a read twice. Returns its number of rows, and how often it was executed. */
    const read = (text: string) => {
      const before = executed
      const [first, second] = [run(text), run(text)]
      assert.deepStrictEqual(first, second)
      return [first.length, executed - before]
    }
    const [parents, children, log] = [
      "select id from parents",
      "select parent from child",
      "select text from log"
    ] as const
    assert.deepStrictEqual([read(parents), read(children), read(log)], [[0, 1], [0, 1], [0, 1]])
    // A table that the cascade of a change may reach counts as changed.
    run("insert into parent values (1)")
    assert.deepStrictEqual([read(parents), read(children), read(log)], [[1, 1], [0, 1], [0, 1]])
    run("insert into child values (1)")
    assert.deepStrictEqual([read(parents), read(children), read(log)], [[1, 0], [1, 1], [1, 1]])
    run("begin")
    run("delete from parent")
    assert.deepStrictEqual([read(parents), read(children), read(log)], [[0, 1], [0, 1], [1, 1]])
    run("rollback")
    assert.deepStrictEqual([read(parents), read(children), read(log)], [[1, 1], [1, 1], [1, 1]])
    // The time decides what this finds, as soon as there is a row.
    assert.deepStrictEqual(read("select id from parent where now() > '2020-01-01'"), [1, 2])
    reads.reset(true)
    assert.deepStrictEqual([read(parents), read(children), read(log)], [[0, 1], [0, 1], [0, 1]])
    assert.deepStrictEqual(read("select id from parent where now() > '2020-01-01'"), [0, 1])
    postgres.query("insert into log values ('by a stranger')")
    assert.throws(() => reads.reset(true), /no statement is known to have changed log/)
  }))
