/**
 * `npm run bench [-- GROUP] [--only ROW] [--rounds N] [--profile]`: measures, prints the table and stores it in
 * bench/latest.json. With --profile the benches that support it print where our process spends its time instead. `npm
 * run bench -- --publish` puts that table into docs/performance.md and measures nothing.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { parseArgs } from "node:util"
import { type Bench, say } from "./bench/Bench.ts"
import { groups, order } from "./bench/Groups.ts"
import * as Latest from "./bench/Latest.ts"
import { commit, load, machine, root } from "./bench/Machine.ts"
import { rounded, rowOf } from "./bench/Row.ts"
import * as Table from "./bench/Table.ts"
import { run } from "@vault-trader/app/Command"
import { CannotStart } from "@vault-trader/app/StartupFailure"

const document = Path.join(root, "docs/performance.md")

const publish = Effect.gen(function*() {
  const latest = Latest.read()
  if (latest === undefined) {
    return yield* new CannotStart({ message: "There is no bench/latest.json yet; run npm run bench first." })
  }
  const text = Table.published(Fs.readFileSync(document, "utf8"), latest)
  if (text === undefined) return yield* new CannotStart({ message: `${document} has no markers for the table.` })
  yield* Effect.sync(() => Fs.writeFileSync(document, text))
  yield* say(`wrote ${latest.rows.length} rows into docs/performance.md`)
})

/** Finds the benches of a group, or of one row; a part of a row is found by its row. */
const chosen = (
  group: string | undefined,
  only: string | undefined
): Effect.Effect<ReadonlyArray<Bench>, CannotStart> => {
  const named = group === undefined ? Object.values(groups).flat() : groups[group]
  if (named === undefined) {
    return new CannotStart({ message: `There is no group ${group}; there are ${Object.keys(groups).join(", ")}.` })
  }
  const found = only === undefined ? named : named.filter(({ rows }) => rows.some((row) => row === only))
  return found.length > 0
    ? Effect.succeed(found)
    : new CannotStart({
      message: `There is no row ${only}; there are ${named.flatMap(({ rows }) => rows).join(", ")}.`
    })
}

const measured = (benches: ReadonlyArray<Bench>, rounds: number | undefined, profile: boolean) =>
  Effect.gen(function*() {
    const about = { commit: commit(), measured: new Date().toISOString(), load: rounded(load()) }
    const here = machine()
    yield* say(`${Table.machineLine(here)}; commit ${about.commit}; load ${about.load}`)
    for (const { rows: [name], run } of benches) {
      yield* say(`\n${name}`)
      const began = performance.now()
      const rows = (yield* run({ rounds, profile })).map((finding) => rowOf(finding, about))
      // After each bench: an interrupted run keeps its results so far.
      if (rows.length > 0) {
        Latest.write(Latest.merged(Latest.read(), { machine: here, commit: about.commit, rows }, order))
      }
      yield* say(`  took ${((performance.now() - began) / 1000).toFixed(0)} s`)
      if (rows.length > 0) process.stdout.write(`\n${Table.text(rows)}\n`)
    }
  })

const bench = Effect.gen(function*() {
  const { positionals: [group], values } = yield* Effect.try({
    try: () =>
      parseArgs({
        allowPositionals: true,
        options: {
          only: { type: "string" },
          rounds: { type: "string" },
          profile: { type: "boolean" },
          publish: { type: "boolean" }
        }
      }),
    catch: (error) => new CannotStart({ message: String(error) })
  })
  if (values.publish === true) return yield* publish
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    return yield* new CannotStart({ message: "--rounds takes a number of at least 1." })
  }
  yield* measured(yield* chosen(group, values.only), rounds, values.profile === true)
})

bench.pipe(
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${failure.message}\n`))),
  Effect.tapCauseIf(Cause.hasDies, (cause) => Effect.logFatal("the bench found no number", cause)),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  // stdout is for the table only.
  Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
  // As in a process without OTLP_URL.
  Effect.withTracerEnabled(false),
  run
)
