/** Throughput of one wallet's lane, and of other clients on the same node: alternating rounds and their medians. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as CallCounts from "../CallCounts.ts"
import { type Bench, type Options, say } from "../Bench.ts"
import * as Profile from "../Profile.ts"
import { all, atLeast, type Finding, median, shown, timesBaseline } from "../Row.ts"
import * as BenchNode from "./BenchNode.ts"
import * as EngineHarness from "./EngineHarness.ts"
import type { Incomplete, Rates } from "./Rate.ts"
import { timed } from "./Rate.ts"
import * as Baselines from "./Baselines.ts"

/** A client to compare: one round sends this many transactions with its own wallet. */
interface Contender {
  readonly name: string
  readonly count: number
  readonly round: (count: number) => Effect.Effect<Rates, Incomplete | Baselines.BaselineFailed>
}

const baseline = (node: BenchNode.BenchNode, count: number) => (way: Baselines.Baseline): Contender => ({
  name: way.name,
  count,
  round: (size) =>
    Effect.scoped(Effect.gen(function*() {
      const counter = yield* node.counter
      const { run } = yield* way.prepare(node, counter, size)
      return yield* timed([counter], size, run)
    }))
})

/**
 * `fromIntents`: includes accepting and planning. `fromRows`: both are done before, and only the lane's work is
 * measured.
 */
const ours = (
  node: BenchNode.BenchNode,
  from: "fromIntents" | "fromRows",
  profile: Profile.Profile
): Effect.Effect<Contender, never, EngineHarness.Engine> =>
  Effect.map(Effect.context<EngineHarness.Engine>(), (context) => ({
    name: from,
    count: 500,
    round: (count) =>
      Effect.scoped(Effect.gen(function*() {
        const counter = yield* node.counter
        const burst = { lanes: yield* EngineHarness.lanes([node], 1), counters: new Map([[node, counter]]), count }
        const rows = from === "fromRows"
          ? yield* Effect.flatMap(EngineHarness.accepted(burst), EngineHarness.decided)
          : undefined
        const work = rows === undefined ? EngineHarness.fromIntents(burst) : EngineHarness.carriedOut(rows)
        const rates = yield* profile.around(timed([counter], count, work))
        yield* EngineHarness.quiet
        return rates
      })).pipe(Effect.provide(context))
  }))

/** Duration of a round of any client: long enough that start and end do not matter, at any rate. */
const roundSeconds = 2
const sized = (contender: Contender, rate: number): Contender => ({
  ...contender,
  count: Math.min(10_000, Math.max(100, Math.round(rate * roundSeconds)))
})

/** Selects the fastest of several ways to use a client that loses no transactions. */
const best = (ways: ReadonlyArray<Contender>) =>
  Effect.gen(function*() {
    const tried = yield* Effect.forEach(ways, (way) =>
      Effect.gen(function*() {
        yield* Effect.ignore(way.round(Math.ceil(way.count / 4)))
        const outcome = yield* Effect.result(way.round(way.count))
        const rate = outcome._tag === "Success" ? outcome.success.broadcast : 0
        const came = outcome._tag === "Success" ? `${shown(rate)} tx/s` : `failed: ${failureText(outcome.failure)}`
        yield* say(`    ${way.name}: ${came}`)
        return { way, rate }
      }))
    const [first] = tried.filter(({ rate }) => rate > 0).sort((a, b) => b.rate - a.rate)
    return first === undefined
      ? yield* Effect.die(new Error(`every way of ${ways[0]?.name ?? "a client"} failed`))
      : sized(first.way, first.rate)
  })

const failureText = (failure: Incomplete | Baselines.BaselineFailed) =>
  failure._tag === "BaselineFailed"
    ? failure.reason
    : `${failure.mined} of ${failure.expected} were mined, ${failure.arrived} arrived`

const concurrencies = [1, 16, 64, 256]
/** Transactions per request, and connections. */
const batches = [[100, 1], [100, 4], [50, 8], [1, 32]] as const

const contenders = (node: BenchNode.BenchNode) =>
  Effect.gen(function*() {
    yield* say("  measuring each client's best way")
    const as = (count: number) => baseline(node, count)
    return {
      viem: yield* best([
        ...concurrencies.map((concurrency) => Baselines.viem(concurrency, "http")),
        ...[64, 256].flatMap((
          concurrency
        ) => [Baselines.viem(concurrency, "http, batched"), Baselines.viem(concurrency, "websocket")])
      ].map(as(300))),
      ethers: yield* best(concurrencies.map(Baselines.ethers).map(as(300))),
      presigned: yield* best(batches.map(([batch, connections]) => as(3000)(Baselines.presigned(batch, connections))))
    }
  })

/**
 * Runs one round of each client in turn, so that other load on the machine affects all of them. A client that fails is
 * retried once.
 */
const interleaved = <K extends string>(who: Readonly<Record<K, Contender>>, rounds: number) =>
  Effect.gen(function*() {
    const names = Object.keys(who) as Array<K>
    const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, Array<Rates>>
    for (let round = 1; round <= rounds; round++) {
      for (const name of names) {
        const { count, round: run } = who[name]
        const rates = yield* Effect.orDie(Effect.retry(run(count), { times: 1 }))
        found[name].push(rates)
        yield* say(`  round ${round}: ${name} ${shown(rates.broadcast)} tx/s broadcast, ${shown(rates.mined)} mined`)
      }
    }
    return found
  })

const measure = ({ rounds = 5 }: Options): Effect.Effect<ReadonlyArray<Finding>, never, EngineHarness.Engine | Scope> =>
  Effect.gen(function*() {
    const node = yield* BenchNode.start("base")
    const baselines = yield* contenders(node)
    const engine = yield* best([yield* ours(node, "fromIntents", Profile.off)])
    const lane = yield* best([yield* ours(node, "fromRows", Profile.off)])
    return findings(yield* interleaved({ engine, lane, ...baselines }, rounds), baselines)
  })

/** Profiles instead of measuring: a sampled process is slower, and no other client runs beside it. */
const profiled = (
  { rounds = 2 }: Options
): Effect.Effect<ReadonlyArray<Finding>, never, EngineHarness.Engine | Scope> =>
  Effect.gen(function*() {
    const node = yield* BenchNode.start("base")
    const count = 2000
    yield* say("  warming up")
    yield* Effect.orDie((yield* ours(node, "fromIntents", Profile.off)).round(count))
    const profile = yield* Profile.make
    const engine = yield* ours(node, "fromIntents", profile)
    for (let round = 0; round < rounds; round++) yield* Effect.orDie(engine.round(count))
    yield* say(`\n${profile.render(rounds * count)}\n\n${profile.write("durable-tx-per-signer")}\n`)
    yield* say(`processor time of this process, step by step\n${yield* steps(node, count)}\n`)
    const counts = yield* Effect.orDie(
      CallCounts.around((yield* ours(node, "fromIntents", Profile.off)).round(count), count)
    )
    yield* say(`calls for each\n${counts}\n`)
    return []
  })

/** Runs each step for all intents before the next step, to measure its own cost without the profiler. */
const steps = (node: BenchNode.BenchNode, count: number) =>
  Effect.scoped(Effect.gen(function*() {
    const lines: Array<string> = []
    const measured = <A, E, R>(name: string, work: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const [before, began] = [process.cpuUsage(), performance.now()]
        return Effect.tap(work, () => {
          const { system, user } = process.cpuUsage(before)
          const [processor, wall] = [system + user, (performance.now() - began) * 1000].map((micros) =>
            (micros / count).toFixed(1)
          )
          lines.push(`${processor?.padStart(9)} µs  ${name} (${wall} µs wall-clock time)`)
          return Effect.void
        })
      })
    const counter = yield* node.counter
    const burst = { lanes: yield* EngineHarness.lanes([node], 1), counters: new Map([[node, counter]]), count }
    const intents = yield* measured("accept: commit the intent", EngineHarness.accepted(burst))
    const rows = yield* measured("decide: commit plan and submission, as a vault does", EngineHarness.decided(intents))
    yield* measured("lane: from submit until the receipt is committed and returned", EngineHarness.carriedOut(rows))
    yield* measured("lane: until final", EngineHarness.quiet)
    return lines.join("\n")
  }))

const findings = (
  found: Readonly<Record<"engine" | "lane" | "viem" | "ethers" | "presigned", ReadonlyArray<Rates>>>,
  baselines: Readonly<Record<"viem" | "ethers" | "presigned", Contender>>
): ReadonlyArray<Finding> => {
  const of = (who: keyof typeof found, until: keyof Rates) => found[who].map((rates) => rates[until])
  const unit = "tx/s"
  const against = (who: keyof typeof baselines, until: keyof Rates = "broadcast") => ({
    what: baselines[who].name,
    rounds: of(who, until)
  })
  const mined = (who: keyof typeof found) => shown(median(of(who, "mined")))
  return [
    {
      name: "durable-tx-per-signer",
      unit,
      rounds: of("engine", "broadcast"),
      against: against("viem"),
      goal: all(atLeast(1500, "/s"), timesBaseline(1.3, "viem")),
      note: "from the first accept until the node has all"
    },
    {
      name: "durable-tx-per-signer/mined",
      unit,
      rounds: of("engine", "mined"),
      against: against("viem", "mined"),
      note: "until all are mined"
    },
    {
      name: "durable-tx-per-signer/settled",
      unit,
      rounds: of("engine", "settled"),
      note: "until every receipt is committed and every caller answered"
    },
    {
      name: "durable-tx-per-signer/lane",
      unit,
      rounds: of("lane", "broadcast"),
      against: against("viem"),
      note: `rows there before; mined ${mined("lane")} tx/s`
    },
    {
      name: "durable-tx-per-signer/ethers",
      unit,
      rounds: of("engine", "broadcast"),
      against: against("ethers"),
      goal: timesBaseline(4, "ethers")
    },
    {
      name: "durable-tx-per-signer/presigned",
      unit,
      rounds: of("engine", "broadcast"),
      against: against("presigned"),
      note: `pre-signed until mined ${mined("presigned")} tx/s`
    }
  ]
}

export const durableTx: Bench = {
  rows: [
    "durable-tx-per-signer",
    ...["mined", "settled", "lane", "ethers", "presigned"].map((part) => `durable-tx-per-signer/${part}`)
  ],
  run: (options) =>
    Effect.scoped(options.profile ? profiled(options) : measure(options)).pipe(
      Effect.provide(Layer.provideMerge(EngineHarness.Engine("durable"), EngineHarness.Postgres))
    )
}
