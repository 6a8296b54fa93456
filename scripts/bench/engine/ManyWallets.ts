/** Throughput by number of wallets and networks: one process, one database, the same total of transactions. */
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { type Bench, type Options, say } from "../Bench.ts"
import * as Profile from "../Profile.ts"
import { type Finding, median, shown, timesBaseline } from "../Row.ts"
import * as BenchNode from "./BenchNode.ts"
import * as EngineHarness from "./EngineHarness.ts"
import { timed } from "./Rate.ts"

const networks: ReadonlyArray<Network> = ["base", "optimism", "arbitrum", "polygon", "ethereum"]

/** A number of wallets on a number of networks, and the results of the rounds. */
interface Setup {
  readonly name: string
  readonly lanes: ReadonlyArray<EngineHarness.Lane>
  readonly nodes: ReadonlyArray<BenchNode.BenchNode>
  readonly rates: Array<number>
}

const setup = (
  nodes: ReadonlyArray<BenchNode.BenchNode>,
  wallets: number
): Effect.Effect<Setup, never, EngineHarness.Engine | Scope> =>
  Effect.gen(function*() {
    const name = `${wallets} ${wallets === 1 ? "wallet" : "wallets"} × ${nodes.length} ${
      nodes.length === 1 ? "network" : "networks"
    }`
    yield* say(`  opening the lanes of ${name}`)
    return { name, nodes, lanes: yield* EngineHarness.lanes(nodes, wallets), rates: [] }
  })

const round = ({ lanes, name, nodes, rates }: Setup, count: number, profile: Profile.Profile = Profile.off) =>
  Effect.gen(function*() {
    const counters = new Map(
      yield* Effect.forEach(nodes, (node) => Effect.map(node.counter, (counter) => [node, counter] as const))
    )
    const { broadcast } = yield* profile.around(timed(
      [...counters.values()],
      count,
      EngineHarness.fromIntents({ lanes, counters, count })
    ))
    yield* EngineHarness.quiet
    rates.push(broadcast)
    yield* say(`  ${name}: ${shown(broadcast)} tx/s`)
  }).pipe(Effect.orDie)

const measure = ({ rounds = 3 }: Options): Effect.Effect<ReadonlyArray<Finding>, never, EngineHarness.Engine | Scope> =>
  Effect.gen(function*() {
    const nodes = yield* Effect.forEach(networks, BenchNode.start)
    const first = nodes.slice(0, 1)
    const single = yield* setup(first, 1)
    yield* round(single, 200)
    yield* round(single, 500)
    // About three seconds a round on any machine; at least two transactions per lane.
    const count = Math.max(1000, Math.round(single.rates.splice(0).at(-1) ?? 0) * 3)
    const many = [yield* setup(first, 10), yield* setup(first, 100), yield* setup(nodes, 100)]
    const setups = [single, ...many]
    for (const one of many) yield* round(one, Math.round(count / 4))
    for (const { rates } of many) rates.length = 0
    for (let turn = 0; turn < rounds; turn++) {
      yield* Effect.forEach(setups, (one) => round(one, count), { discard: true })
    }
    return findings(single, many)
  })

/** Profiles all lanes of all networks instead of measuring: a sampled process is slower. */
const profiled = (
  { rounds = 2 }: Options
): Effect.Effect<ReadonlyArray<Finding>, never, EngineHarness.Engine | Scope> =>
  Effect.gen(function*() {
    const nodes = yield* Effect.forEach(networks, BenchNode.start)
    const all = yield* setup(nodes, 100)
    const count = 2_500
    yield* round(all, count)
    const profile = yield* Profile.make
    for (let turn = 0; turn < rounds; turn++) yield* round(all, count, profile)
    yield* say(`\n${profile.render(rounds * count)}\n\n${profile.write("tx-many-wallets")}\n`)
    return []
  })

const findings = (single: Setup, many: ReadonlyArray<Setup>): ReadonlyArray<Finding> => {
  const against = { what: single.name, rounds: single.rates }
  const curve = [single, ...many].map(({ name, rates }) => `${name} ${shown(median(rates))}`).join(", ")
  return many.map((one, index) => ({
    name: ["tx-many-wallets/10", "tx-many-wallets/100"][index] ?? "tx-many-wallets",
    unit: "tx/s",
    rounds: one.rates,
    against,
    ...(index === 2 ? { goal: timesBaseline(0.9, "one wallet"), note: curve } : { note: one.name })
  })).reverse()
}

export const manyWallets: Bench = {
  rows: ["tx-many-wallets", "tx-many-wallets/100", "tx-many-wallets/10"],
  run: (options) =>
    Effect.scoped(options.profile ? profiled(options) : measure(options)).pipe(
      Effect.provide(Layer.provideMerge(EngineHarness.Engine("many"), EngineHarness.Postgres))
    )
}
