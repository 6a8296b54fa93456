/**
 * How the console loads on a slow phone, in Chromium with a processor and a network that are slowed down, on given
 * answers: what a deep test of the console measures, which this runs.
 */
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import { type Load, loadsText } from "@vault-trader/testing/harness/ConsoleLoad"
import { type Bench, type Options, say } from "../Bench.ts"
import { below, type Finding } from "../Row.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { measuredBy } from "./DeepTest.ts"

const pages = "sign-in, home and the table of bots of a manager with 200"

const measure = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const found: Array<ReadonlyArray<Load>> = []
    for (let turn = 1; turn <= rounds; turn++) {
      const round = yield* measuredBy<ReadonlyArray<Load>>(
        ["test/ConsoleLoad.deep.test.ts"],
        "CONSOLE_LOADS",
        Path.join(folder, "loads.json")
      )
      found.push(round)
      yield* say(`  round ${turn}\n${loadsText(round)}`)
    }
    const slowest = (valueOf: (load: Load) => number) => found.map((round) => Math.max(...round.map(valueOf)))
    const findings: ReadonlyArray<Finding> = [{
      name: "console-load",
      unit: "ms",
      rounds: slowest(({ firstPaint }) => firstPaint),
      goal: below(1_500, " ms"),
      note: `first contentful paint of the slowest of ${pages}; 4 × slower processor, slow 4G`
    }, {
      name: "console-load/blocked",
      unit: "ms",
      rounds: slowest(({ blocked }) => blocked),
      goal: below(300, " ms"),
      note: "total blocking time of the slowest of them"
    }, {
      name: "console-load/transferred",
      unit: "kB",
      rounds: slowest(({ bytes }) => bytes / 1_000),
      note: `of the largest of them, in at most ${Math.max(...found.flat().map(({ requests }) => requests))} requests`
    }]
    return findings
  })

export const load: Bench = {
  rows: ["console-load", "console-load/blocked", "console-load/transferred"],
  run: (options) => Effect.scoped(measure(options))
}
