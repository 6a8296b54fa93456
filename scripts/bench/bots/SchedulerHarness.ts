/** The bots' watch as a runner has it, over a real PostgreSQL and the devnet, with any number of bots. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { Chains } from "@vault-trader/workers/chain/Chains"
import { Tokens } from "@vault-trader/workers/chain/Tokens"
import { round, shards } from "@vault-trader/workers/threshold-bot/BotScheduler"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type Bench, type Options, say } from "../Bench.ts"
import { atMost, below, type Finding, median, shown } from "../Row.ts"
import { network } from "../engine/ServiceUnderTest.ts"
import * as EngineHarness from "../engine/EngineHarness.ts"
import * as SimulatedVaults from "./SimulatedVaults.ts"

const sizes = [100, 1_000, 10_000, 100_000] as const
/** Number of bots that the goals apply to. */
const reportedBots = 10_000
/** Each vault's balances: WETH, and USDC well within a threshold. */
const held = { WETH: 10n ** 18n, USDC: 5_000_000n } as const

/** Results of the rounds over this many bots. */
interface Found {
  readonly bots: number
  readonly calls: ReadonlyArray<number>
  /** Bots checked per second while prices are unchanged, and after prices moved: then each decision is stored. */
  readonly still: ReadonlyArray<number>
  readonly moved: ReadonlyArray<number>
  /** Bytes of our heap between two rounds. */
  readonly heap: number
}

/** Collects garbage, which `node --expose-gc` allows. */
const collectGarbage = Effect.sync(() => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  // Twice: objects with a finalizer are collected in the second pass.
  collect()
  collect()
  return process.memoryUsage().heapUsed
})

const entry = Effect.gen(function*() {
  const devnet = yield* Devnet
  const [book] = devnet.books
  const [base, quote] = ["WETH", "USDC"].map((symbol) => devnet.file.networks[network]?.tokens[symbol])
  if (book === undefined || base === undefined || quote === undefined) {
    return yield* Effect.die(new Error(`${network} is not in the devnet`))
  }
  return { devnet, book, pair: { base: base.address, quote: quote.address } }
})

/** Checks all shards of the network concurrently, as their singletons do when one runner has them all. */
const check = (looks: number) =>
  Effect.gen(function*() {
    const chain = yield* (yield* Chains).get(network)
    const began = performance.now()
    const looked = yield* Effect.forEach(Array.from({ length: shards }, (_, shard) => shard), (shard) =>
      round(chain, { network, shard }, () => Effect.die(new Error("a bot within its threshold was woken"))), {
      concurrency: "unbounded"
    })
    const all = looked.reduce((sum, each) =>
      sum + each, 0)
    if (all !== looks) {
      return yield* Effect.die(new Error(`${all} bots were checked instead of ${looks}`))
    }
    return looks / ((performance.now() - began) / 1000)
  })

const measureAt = (bots: number, rounds: number, front: SimulatedVaults.VaultsFront) =>
  Effect.gen(function*() {
    const { book, devnet, pair } = yield* entry
    yield* SimulatedVaults.bots(book, pair, bots)
    yield* check(bots)
    const [calls, still, moved]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
    for (let turn = 0; turn < rounds; turn++) {
      yield* front.forget
      still.push(yield* check(bots))
      const seen = yield* front.seen
      if (seen.vaults !== bots) {
        return yield* Effect.die(new Error(`${seen.vaults} vaults were read instead of ${bots}`))
      }
      calls.push(seen.calls)
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 3_000 + bots / 1_000 + turn })
      moved.push(yield* check(bots))
    }
    const heap = yield* collectGarbage
    yield* say(
      `  ${shown(bots)} bots: ${shown(median(calls))} calls a check, ${shown(median(still))} decisions/s, ${
        shown(median(moved))
      } when prices move, ` +
        `heap ${shown(heap / 2 ** 20)} MiB`
    )
    return { bots, calls, still, moved, heap } satisfies Found
  })

const measure = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const { book, pair } = yield* entry
    const front = yield* SimulatedVaults.start(book, {
      [pair.base]: String(held.WETH),
      [pair.quote]: String(held.USDC)
    })
    const seen = NetworkBook.make({ ...book, aggregators: {}, rpcUrls: [front.url] })
    const context = yield* Layer.build(
      Layer.mergeAll(Tokens.layer, ThresholdBotStore.layer).pipe(
        Layer.provideMerge(Chains.layer([seen]).pipe(Layer.provide(NodeHttpClient.layerUndici))),
        Layer.provideMerge(EngineHarness.Database("watched")),
        Layer.provideMerge(Layer.succeed(References.TracerEnabled, false))
      )
    )
    // The largest first, once: what is created lazily then exists before memory is compared.
    const all = Effect.gen(function*() {
      yield* SimulatedVaults.bots(book, pair, sizes[2])
      yield* check(sizes[2])
      return yield* Effect.forEach(sizes, (bots) => measureAt(bots, rounds, front))
    })
    return findings(yield* Effect.provide(all, context))
  }).pipe(Effect.orDie)

const findings = (all: ReadonlyArray<Found>): ReadonlyArray<Finding> => {
  const [least, most, at] = [all[0], all.at(-1), all.find(({ bots }) => bots === reportedBots)]
  if (least === undefined || most === undefined || at === undefined) return []
  const growth = (of: (found: Found) => number) =>
    all.map((found) => `${shown(found.bots)}: ${shown(of(found))}`).join(", ")
  const vaults = "vaults beyond the devnet's are served by a front before its node, in Multicall3's own encoding"
  const perHundred = ({ bots, calls }: Found) => calls.map((each) => each * 100 / bots)
  return [
    {
      name: "bots-watch",
      unit: "calls",
      rounds: perHundred(at),
      goal: atMost(1, " per 100 vaults"),
      note: `JSON-RPC calls for 100 vaults and check, of ${shown(reportedBots)} vaults; by bots ${
        growth((found) => median(perHundred(found)))
      } (each of ${shards} parts sends its own); ${vaults}`
    },
    {
      name: "bots-watch/memory",
      unit: "bytes",
      rounds: [Math.max(0, (most.heap - least.heap) / (most.bots - least.bots))],
      goal: below(1024, " bytes"),
      note: `growth of the heap between ${shown(least.bots)} and ${
        shown(most.bots)
      } bots, collected, for each bot; heap in MiB ${growth(({ heap }) => heap / 2 ** 20)}`
    },
    {
      name: "bots-watch/decisions",
      unit: "decisions/s",
      rounds: at.still,
      note: `reading rows and vaults included, one process; by bots ${growth(({ still }) => median(still))}`
    },
    {
      name: "bots-watch/news",
      unit: "decisions/s",
      rounds: at.moved,
      note: `after a price has moved, so that the value in each bot's row is updated; by bots ${
        growth(({ moved }) => median(moved))
      }`
    }
  ]
}

const services = Layer.mergeAll(
  EngineHarness.Postgres,
  Layer.orDie(Devnet.layer({ networks: [network], heartbeat: false }))
)

export const botsWatch: Bench = {
  rows: ["bots-watch", "bots-watch/memory", "bots-watch/decisions", "bots-watch/news"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(services))
}
