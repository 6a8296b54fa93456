/**
 * `npm run bench [-- GROUP] [--only ROW] [--rounds N] [--profile] [--grow] [--old-rows N]`: measures, prints the table
 * and stores it in bench/latest.json. With --profile the benches that support it print where our process spends its time
 * instead. With --grow they measure how their rows grow, with --old-rows in a ledger with as many finished trades. `npm
 * run bench -- --publish` puts that table into docs/performance.md and measures nothing.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { parseArgs } from "node:util"
import { type Bench, type Options, say } from "./bench/Bench.ts"
import { chosen, order } from "./bench/Groups.ts"
import * as Latest from "./bench/Latest.ts"
import { commit, load, machine, root } from "./bench/Machine.ts"
import { rounded, rowOf } from "./bench/Row.ts"
import * as Table from "./bench/Table.ts"
import { run } from "@vault-trader/app/Command"
import { CannotStart } from "@vault-trader/app/StartupFailure"

const usage = "Usage: npm run bench [-- GROUP] [--only ROW] [--rounds N] [--profile] [--grow] [--old-rows N] " +
  "[--publish]"

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

const measured = (benches: ReadonlyArray<Bench>, options: Options, grow: boolean) =>
  Effect.gen(function*() {
    const about = { commit: commit(), measured: new Date().toISOString(), load: rounded(load()) }
    const here = machine()
    yield* say(`${Table.machineLine(here)}; commit ${about.commit}; load ${about.load}`)
    for (const { grow: growth, rows: [name], run } of benches) {
      yield* say(`\n${name}`)
      const began = performance.now()
      const rows = (yield* (grow && growth !== undefined ? growth : run)(options)).map((finding) =>
        rowOf(finding, about)
      )
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
          grow: { type: "boolean" },
          "old-rows": { type: "string" },
          publish: { type: "boolean" }
        }
      }),
    catch: (error) =>
      new CannotStart({ message: `${error instanceof Error ? error.message : String(error)}. ${usage}` })
  })
  if (values.publish === true) return yield* publish
  const rounds = yield* numberOf("--rounds", values.rounds)
  const oldRows = (yield* numberOf("--old-rows", values["old-rows"])) ?? 0
  const grow = values.grow === true
  const benches = yield* Effect.mapError(
    Effect.fromResult(chosen({ group, only: values.only, grow, oldRows })),
    (message) => new CannotStart({ message })
  )
  yield* measured(benches, { rounds, profile: values.profile === true, oldRows }, grow)
})

/** Reads a flag's number of at least 1. */
const numberOf = (flag: string, text: string | undefined): Effect.Effect<number | undefined, CannotStart> => {
  const value = text === undefined ? undefined : Number(text)
  return value === undefined || Number.isInteger(value) && value > 0
    ? Effect.succeed(value)
    : new CannotStart({ message: `${flag} takes a number of at least 1.` })
}

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
