/**
 * Throughput of a lane with many finished rows: the same bursts on an empty database and on one with a million rows.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Bench, type Options, say } from "../Bench.ts"
import { type Finding, timesBaseline, shown } from "../Row.ts"
import * as BenchNode from "./BenchNode.ts"
import * as EngineHarness from "./EngineHarness.ts"
import * as FinishedTrades from "./FinishedTrades.ts"
import { timed } from "./Rate.ts"

const millions = 1_000_000
/** Opens a lane over its own database, in a scope that outlives its rounds. */
const openLane = (node: BenchNode.BenchNode, database: string, rows: "none" | "a million") =>
  Effect.gen(function*() {
    const context = yield* Layer.build(EngineHarness.Engine(database))
    const lanes = yield* Effect.provide(EngineHarness.lanes([node], 1, rows === "none" ? 0 : millions), context)
    const [lane] = lanes
    if (rows === "a million" && lane !== undefined) {
      const began = performance.now()
      yield* Effect.provide(
        FinishedTrades.insert({ ...lane, network: lane.node.network }, millions),
        context
      )
      const seconds = (performance.now() - began) / 1000
      yield* say(
        `  ${shown(millions)} finished intents, submissions, attempts and charges written in ${seconds.toFixed(0)} s`
      )
    }
    const round = (count: number) =>
      Effect.gen(function*() {
        const counter = yield* node.counter
        const { broadcast } = yield* timed(
          [counter],
          count,
          EngineHarness.fromIntents({ lanes, counters: new Map([[node, counter]]), count })
        )
        yield* EngineHarness.quiet
        return broadcast
      }).pipe(Effect.orDie, Effect.provide(context))
    return { round, rates: [] as Array<number> }
  })

const measure = ({ rounds = 6 }: Options) =>
  Effect.gen(function*() {
    const node = yield* BenchNode.start("base")
    const empty = yield* openLane(node, "empty", "none")
    const full = yield* openLane(node, "full", "a million")
    yield* full.round(300)
    const count = Math.max(500, Math.round((yield* empty.round(500)) * 2))
    for (let round = 1; round <= rounds; round++) {
      // They take turns in going first.
      for (const ledger of round % 2 === 1 ? [empty, full] : [full, empty]) {
        ledger.rates.push(yield* ledger.round(count))
      }
      yield* say(
        `  round ${round}: empty ${shown(empty.rates.at(-1) ?? 0)} tx/s, with a million rows ${
          shown(full.rates.at(-1) ?? 0)
        }`
      )
    }
    const finding: Finding = {
      name: "tx-old-rows",
      unit: "tx/s",
      rounds: full.rates,
      against: { what: "an empty ledger", rounds: empty.rates },
      goal: timesBaseline(0.9, "an empty ledger"),
      note: "1,000,000 finished intents, submissions, attempts and charges, all of the measured wallet"
    }
    return [finding]
  })

export const oldRows: Bench = {
  rows: ["tx-old-rows"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(EngineHarness.Postgres))
}
