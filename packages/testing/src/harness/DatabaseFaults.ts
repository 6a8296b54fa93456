/** Faults of a running PostgreSQL: a full disk, frozen processes, a shutdown. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { rows } from "./Harness.ts"
import * as ServiceProcess from "./ServiceProcess.ts"

const postmasterOf = (dataDir: string) =>
  Number.parseInt(Fs.readFileSync(Path.join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10)

/** Sends a signal to the postmaster and its children, whose command lines do not name the folder. */
const signalAll = (dataDir: string, name: "SIGSTOP" | "SIGCONT") =>
  Effect.sync(() => {
    const postmaster = postmasterOf(dataDir)
    const children = Fs.readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ")
      .filter((pid) => pid !== "").map(Number)
    for (const pid of [postmaster, ...children]) ServiceProcess.sendSignal(pid, name)
  })

/** Freezes every process of the embedded database, without notice to its clients, until the scope closes. */
export const frozen = (dataDir: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(signalAll(dataDir, "SIGSTOP"), () => signalAll(dataDir, "SIGCONT"))

/** Shuts the embedded database down as its operator would, with all its sessions. Its service starts it again. */
export const shutDown = (dataDir: string): Effect.Effect<void> =>
  Effect.sync(() => ServiceProcess.sendSignal(postmasterOf(dataDir), "SIGINT"))

/**
 * Runs statements for each table, in a transaction for each: one that locked several would wait for the service's own,
 * and they for it.
 */
const forEachTable = (...statements: ReadonlyArray<string>) =>
  rows(`do $$
    declare name text;
    begin
      for name in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'public' loop
        ${statements.map((each) => `execute format('${each}', name);`).join("\n")}
        commit;
      end loop;
    end $$`)

/**
 * Makes every insert and update of the service fail with PostgreSQL's own failure of a full disk (53100), half of them
 * at the statement and half at the commit, until the scope closes. This stands for a full volume of the tables: a
 * trigger raises the failure, so no file system has to be filled. A full volume of the write-ahead log instead ends
 * PostgreSQL, which `shutDown` and a kill stand for.
 */
export const diskFull: Effect.Effect<void, never, Scope.Scope | SqlClient.SqlClient> = Effect.acquireRelease(
  Effect.andThen(
    rows(`create function disk_is_full() returns trigger language plpgsql as $$
      begin
        if tg_level = 'STATEMENT' and random() < 0.5 then return null; end if;
        raise exception 'could not extend file "base/16384/24601": No space left on device'
          using errcode = 'disk_full', hint = 'Check free disk space.';
      end $$`),
    forEachTable(
      `create trigger disk_is_full before insert or update on %s
        for each statement execute function disk_is_full()`,
      `create constraint trigger disk_is_full_at_commit after insert or update on %s
        deferrable initially deferred for each row execute function disk_is_full()`
    )
  ),
  () =>
    Effect.andThen(
      forEachTable("drop trigger disk_is_full on %s", "drop trigger disk_is_full_at_commit on %s"),
      rows("drop function disk_is_full()")
    )
)
