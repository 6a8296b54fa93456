/**
 * Trades one after the other through the whole running service: the node calls of each, and the time until it reaches
 * the node.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { keccak256 } from "viem"
import { type Bench, type Options, say } from "../Bench.ts"
import * as Collector from "@vault-trader/testing/harness/Collector"
import { atMost, below, type Finding, median, shown } from "../Row.ts"
import { ServiceUnderTest, trade, type Trader } from "./ServiceUnderTest.ts"
import { busyMillis, type Seen } from "./NodeFront.ts"
import * as Timeline from "./Timeline.ts"
import * as Vaults from "./Vaults.ts"

/** Methods by which a lane polls for its transaction. Before the transaction is sent they count like any other call. */
const polling = new Set([
  "eth_getTransactionReceipt",
  "eth_getBlockByNumber",
  "eth_blockNumber",
  "eth_getTransactionCount"
])

interface Warm {
  /** Calls by method, without polling. */
  readonly calls: ReadonlyMap<string, number>
  readonly polls: number
  readonly requests: number
  /** Milliseconds from the intent's row to the first endpoint, and the node's own part of them. */
  readonly whole: number
  readonly node: number
}

/**
 * Waits until earlier trades have no calls in progress, so that every further call belongs to the next trade. Mines
 * meanwhile: what two endpoints did not yet agree on is read again with the next block.
 */
const quiet = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Vaults.mine.pipe(
    Effect.andThen(Effect.delay(
      sql<
        { readonly open: number }
      >`select count(*)::int as open from submissions where status in ('queued', 'signed', 'mined')`,
      "100 millis"
    )),
    Effect.repeat({ while: ([row]) => row?.open !== 0 }),
    Effect.timeout("30 seconds")
  )
  yield* Effect.sleep("200 millis")
}).pipe(Effect.orDie)

const carried = (baseUrl: string, trader: Trader, key: string) =>
  Effect.gen(function*() {
    const { front, second } = yield* ServiceUnderTest
    const fronts = [front, second.front]
    const sql = yield* SqlClient.SqlClient
    yield* quiet
    for (const each of fronts) each.forget()
    const answer = yield* trade(baseUrl, trader, key)
    if (answer["status"] !== "success") {
      return yield* Effect.die(new Error(`a trade was not executed: ${JSON.stringify(answer)}`))
    }
    const hash = String(answer["tx_hash"])
    const rows = yield* sql<
      { readonly accepted: number }
    >`select extract(epoch from created_at)::float8 * 1000 as accepted
      from intents where idempotency_key = ${key} and wallet = ${trader.wallet}`
    const seen = fronts.flatMap((each) => each.seen()).sort((a, b) => a.arrived - b.arrived)
    const sent = seen.findIndex(({ raw }) => raw.some((bytes) => keccak256(bytes as `0x${string}`) === hash))
    const [accepted, arrived] = [rows[0]?.accepted, seen[sent]?.arrived]
    if (accepted === undefined || arrived === undefined) {
      return yield* Effect.die(new Error("a trade was executed but not seen at the front"))
    }
    const before = seen.filter((one) => one.arrived < arrived)
    return {
      ...counted(seen, sent),
      whole: arrived - accepted,
      node: busyMillis(before, accepted, arrived)
    } satisfies Warm
  }).pipe(Effect.orDie)

/**
 * Counts all calls before the transaction was sent; from then on, also in the sending request, only those that are not
 * polling.
 */
export const counted = (
  seen: ReadonlyArray<Pick<Seen, "methods">>,
  sent: number
): Pick<Warm, "calls" | "polls" | "requests"> => {
  const calls = new Map<string, number>()
  let [polls, requests] = [0, 0]
  for (const [index, { methods }] of seen.entries()) {
    const own = methods.filter((method) => index < sent || !polling.has(method))
    polls += methods.length - own.length
    if (own.length > 0) requests += 1
    for (const method of own) calls.set(method, (calls.get(method) ?? 0) + 1)
  }
  return { calls, polls, requests }
}

/** Trades as often as there are rounds, on one vault, after warming up. */
export const trades = (
  rounds: number,
  settings: Readonly<Record<string, string>>,
  warmed: Effect.Effect<void> = Effect.void
) =>
  Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const { baseUrl } = yield* start("start", settings)
    const [trader] = yield* Vaults.traders(baseUrl, { vaults: 1, wallets: 1 })
    if (trader === undefined) return yield* Effect.die(new Error("there is no trader"))
    const keys = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`)
    yield* Effect.forEach(keys("cold", 10), (key) => carried(baseUrl, trader, key), { discard: true })
    yield* warmed
    const warm = yield* Effect.forEach(keys("warm", rounds), (key) => carried(baseUrl, trader, key))
    // The next service would have to wait for this one's locks before it could follow the last trade.
    yield* quiet
    return warm
  })

const measure = ({ rounds = 15 }: Options) =>
  Effect.gen(function*() {
    const warm = yield* trades(rounds, {})
    yield* say(`  calls a trade: ${byMethod(warm)}`)
    return findings(warm)
  })

/**
 * Profiles instead of measuring, because a traced process is slower. Prints a trade's steps by the spans of its own
 * trace.
 */
const profiled = ({ rounds = 15 }: Options) =>
  Effect.gen(function*() {
    const collector = yield* Collector.listen
    let since = 0n
    const warmed = Effect.sync(() => {
      since = BigInt(Date.now()) * 1_000_000n
    })
    yield* trades(rounds, { OTLP_URL: collector.url, OTLP_INTERVAL_SECONDS: "1", OTLP_TRACE_SHARE: "1" }, warmed)
    yield* Effect.sleep("3 seconds")
    const spans = (yield* collector.spans).filter(({ start }) => start >= since)
    const sent = new Set(spans.filter(({ name }) => name === "submission.broadcast").map(({ traceId }) => traceId))
    const traces = [...sent].map((id) => spans.filter(({ traceId }) => traceId === id))
    yield* say(
      `\n  ms from the request, and ms it took: medians of ${traces.length} traces\n${Timeline.render(traces)}\n`
    )
    return []
  })

const sum = (values: Iterable<number>) => Array.from(values).reduce((total, value) => total + value, 0)

/** Renders the median trade's calls as `method n`. */
const byMethod = (warm: ReadonlyArray<Warm>) => {
  const methods = [...new Set(warm.flatMap(({ calls }) => [...calls.keys()]))]
  return methods.map((method) => `${method} ${shown(median(warm.map(({ calls }) => calls.get(method) ?? 0)))}`).join(
    ", "
  )
}

const findings = (warm: ReadonlyArray<Warm>): ReadonlyArray<Finding> => [
  {
    name: "rpc-calls-per-trade",
    unit: "calls",
    rounds: warm.map(({ calls }) => sum(calls.values())),
    goal: atMost(6, ""),
    note:
      `mean ${shown(sum(warm.map(({ calls }) => sum(calls.values()))) / warm.length)}; median by method: ${
        byMethod(warm)
      }; ` +
      `in ${shown(median(warm.map(({ requests }) => requests)))} HTTP requests; ` +
      `besides ${shown(median(warm.map(({ polls }) => polls)))} to poll for the receipt`
  },
  {
    name: "accept-to-broadcast",
    unit: "ms",
    rounds: warm.map(({ node, whole }) => whole - node),
    goal: below(15, " ms"),
    note: `of ${shown(median(warm.map(({ whole }) => whole)))} ms in all, ${
      shown(median(warm.map(({ node }) => node)))
    } ms were the node's`
  }
]

export const warmTrades: Bench = {
  rows: ["rpc-calls-per-trade", "accept-to-broadcast"],
  run: (options) =>
    Effect.scoped(options.profile ? profiled(options) : measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
