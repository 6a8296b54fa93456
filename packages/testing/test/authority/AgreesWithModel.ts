/** Checks generated sequences of requests against the model of authority. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import type { Command } from "../../src/authority/AuthorityCommand.ts"
import * as AuthoritySequence from "../../src/authority/AuthoritySequence.ts"
import type { AuthorityService } from "../../src/authority/AuthorityService.ts"
import { sequences } from "./Sequences.ts"

/** The result of a check: how many requests were made, by kind, and the first difference after shrinking. */
export interface Checked {
  readonly sequences: number
  /** The number of requests by kind of request and actor, and if the model allows them. */
  readonly counts: Readonly<Record<string, number>>
  readonly found: string | undefined
}

/** Number of checks at the same moment: they share nothing, and wait for the database most of the time. */
const lanes = 8

/** Runs sequences from one seed, one after the other; stops at the first difference. */
const checkLane = (many: number, seed: number): Effect.Effect<Checked, never, AuthorityService> =>
  Effect.gen(function*() {
    const context = yield* Effect.context<AuthorityService>()
    const counts: Record<string, number> = {}
    let done = 0
    const count = (command: Command, allowed: boolean) => {
      const actor = "by" in command ? command.by === null || typeof command.by === "string" ? "" : command.by._tag : ""
      const kind = `${command._tag} ${actor} ${allowed ? "allowed" : "refused"}`
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    const difference = (commands: ReadonlyArray<Command>) => {
      done++
      return Effect.runPromiseWith(context)(AuthoritySequence.run(commands, count))
    }
    const details = yield* Effect.promise(() =>
      FastCheck.check(
        FastCheck.asyncProperty(sequences, async (commands) => {
          const found = await difference(commands)
          if (found !== undefined) throw new Error(`at ${found.at} ${JSON.stringify(found.command)}: ${found.message}`)
        }),
        { numRuns: many, seed, endOnFailure: process.env["AUTHORITY_SHRINK"] === "off" }
      )
    )
    const found = `seed ${seed}, path ${details.counterexamplePath}: ${JSON.stringify(details.counterexample)}\n${
      String(details.errorInstance)
    }`
    return { sequences: done, counts, found: details.failed ? found : undefined }
  })

const sum = (all: ReadonlyArray<Checked["counts"]>): Checked["counts"] => {
  const total: Record<string, number> = {}
  for (const [kind, count] of all.flatMap((counts) => Object.entries(counts))) total[kind] = (total[kind] ?? 0) + count
  return total
}

/** Runs as many sequences, in lanes with seeds of their own. */
export const check = (many: number, seed: number): Effect.Effect<Checked, never, AuthorityService> =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: lanes }, (_, lane) => lane),
      (lane) => checkLane(Math.ceil(many / lanes), seed * lanes + lane),
      { concurrency: "unbounded" }
    ),
    (checked) => ({
      sequences: checked.reduce((all, each) => all + each.sequences, 0),
      counts: sum(checked.map(({ counts }) => counts)),
      found: checked.find(({ found }) => found !== undefined)?.found
    })
  )

/** Asserts that the service agrees with the model in as many sequences. */
export const agrees = (many: number, seed: number) =>
  Effect.map(check(many, seed), ({ counts, found, sequences: done }) => {
    assert.isUndefined(found, found)
    assert.isAtLeast(done, many)
    return { sequences: done, counts }
  })

/** Kinds of requests that must occur, allowed and refused: a rule that is never exercised is not tested. */
const kinds: ReadonlyArray<string> = [
  ...["associate console", "associate signature", "limit key", "limit signature", "link key", "link session"],
  ...["read key", "read privateKey", "read signature", "remove session", "remove signature", "resume console"],
  ...["resume key", "resume privateKey", "resume signature", "rotateInConsole console", "setBot key"],
  ...[
    "setBot session",
    "stop key",
    "stop session",
    "trade key",
    "trade session",
    "trade subKey",
    "makeSubKey key",
    "endSubKeys key",
    "alert ",
    "signIn "
  ]
]

/** Asserts that every kind of request was allowed at least once and refused at least once. */
export const allKinds = (counts: Checked["counts"]) => {
  const missing = kinds.flatMap((kind) => [`${kind} allowed`, `${kind} refused`]).filter((kind) => !(kind in counts))
  assert.deepStrictEqual(missing, [], "these never happened")
}
