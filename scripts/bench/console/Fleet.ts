/**
 * How long the console takes to answer a manager with 1,000 bots and 200 vaults, in Chromium, on given answers: the
 * interactions of a deep test of the console, which this runs.
 */
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import { type Interaction, interactionsText } from "@vault-trader/testing/harness/ConsoleInteractions"
import { type Bench, type Options, say } from "../Bench.ts"
import { below, type Finding } from "../Row.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { measuredBy } from "./DeepTest.ts"

/** Returns what the manager waited for: the picture after the event, or a task that kept the page from answering. */
const waitOf = ({ longestTask, response }: Interaction): number => Math.max(longestTask, response)

/** Runs the test once and returns what it measured. */
const interactions = (file: string) =>
  measuredBy<ReadonlyArray<Interaction>>(
    ["test/ConsoleFleet.deep.test.ts", "-t", "1,000 bots"],
    "CONSOLE_INTERACTIONS",
    file
  )

const measure = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const found: Array<ReadonlyArray<Interaction>> = []
    for (let turn = 1; turn <= rounds; turn++) {
      const round = yield* interactions(Path.join(folder, "interactions.json"))
      found.push(round)
      yield* say(`  round ${turn}\n${interactionsText(round)}`)
    }
    const [slowest] = [...found.at(-1) ?? []].sort((one, other) => waitOf(other) - waitOf(one))
    const [costliest] = [...found.at(-1) ?? []].sort((one, other) => other.work - one.work)
    const findings: ReadonlyArray<Finding> = [{
      name: "console-interaction",
      unit: "ms",
      rounds: found.map((round) => Math.max(...round.map(waitOf))),
      goal: below(100, " ms"),
      note: `the slowest of ${found[0]?.length ?? 0} interactions; in the last round “${slowest?.name ?? ""}”`
    }, {
      name: "console-interaction/work",
      unit: "ms",
      rounds: found.map((round) => round.reduce((sum, { work }) => sum + work, 0)),
      note: `work of the page’s thread in all of them together; most in “${costliest?.name ?? ""}”`
    }]
    return findings
  })

export const fleet: Bench = {
  rows: ["console-interaction", "console-interaction/work"],
  run: (options) => Effect.scoped(measure(options))
}
