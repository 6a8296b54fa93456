/** Durable acceptance of chart alerts and of setBot, 1, 50 and 500 at once: one bot of its own for each. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type Bench, nameWith, type Options, say } from "../Bench.ts"
import { atLeast, atMost, type Finding, median, shown } from "../Row.ts"
import { ask, network, ServiceUnderTest, type Trader } from "../engine/ServiceUnderTest.ts"
import * as Vaults from "../engine/Vaults.ts"
import { percentile } from "../bots/PriceMoves.ts"
import * as Callers from "../http/Callers.ts"
import * as LoadGenerator from "../http/LoadGenerator.ts"
import * as Peer from "../http/Peer.ts"
import * as ProcessUsage from "../http/ProcessUsage.ts"
import * as ServiceProfile from "../http/ServiceProfile.ts"

/** Alerts that arrive at once, and bursts of a measurement of as many. */
const levels = [{ atOnce: 1, bursts: 100 }, { atOnce: 50, bursts: 10 }, { atOnce: 500, bursts: 3 }] as const
const most = 500
/** A wallet has at most 200 tokens. */
const wallets = 5
const pair = "WETH-USDC"

/** A bot, and the path of its alerts. */
export interface Bot extends Trader {
  readonly path: string
}

/** The side that a burst sets: another one than the burst before, so that each is accepted as a new request. */
export const sideOf = (burst: number): "hold" | "neutral" => burst % 2 === 0 ? "hold" : "neutral"

/** Returns a service's or peer's request for a bot. */
type RequestOf = (bot: Bot, side: string) => LoadGenerator.LoadRequest

export const alertOf: RequestOf = ({ path }, side) => ({ method: "POST", path: `${path}?side=${side}` })
const setBotOf: RequestOf = ({ apiKey, pool }, side) => ({
  method: "POST",
  path: "/setBot",
  body: JSON.stringify({ apiKey, network, pool, pair, side })
})
const peerOf: RequestOf = ({ apiKey, pool }, side) => ({
  method: "POST",
  path: `/alert?${new URLSearchParams({ apiKey, pool, side }).toString()}`
})

/** Sets a bot that holds, and creates a token for it. */
const bot = (baseUrl: string, trader: Trader) =>
  Effect.gen(function*() {
    const about = { apiKey: trader.apiKey, network, pool: trader.pool, pair }
    const set = yield* ask(baseUrl, "/setBot", { ...about, side: "hold" })
    if (set["status"] !== "success") return yield* Effect.die(new Error(`no bot was set: ${JSON.stringify(set)}`))
    const { path, ...answer } = yield* Effect.promise(async (signal) => {
      const response = await fetch(`${baseUrl}/createWebhookToken`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(about),
        signal
      })
      return await response.json() as { readonly path?: ReadonlyArray<string> }
    })
    return path?.[0] === undefined
      ? yield* Effect.die(new Error(`no token was created: ${JSON.stringify(answer)}`))
      : { ...trader, path: path[0] } satisfies Bot
  })

/** Creates vaults, each with a bot that holds and a token for it. */
export const bots = (baseUrl: string, count: number) =>
  Effect.gen(function*() {
    yield* say(`  creating ${count} vaults and their bots`)
    const traders = yield* Vaults.traders(baseUrl, { vaults: count, wallets })
    const made = yield* Effect.forEach(traders, (trader) => bot(baseUrl, trader), { concurrency: 4 })
    yield* quiet
    return made
  })

/** Waits until every accepted turn has ended: each burst begins on an idle service. */
export const quiet = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ readonly open: number }>`select count(*)::int as open from intents where status in ('accepted', 'submitted')`
      .pipe(
        Effect.delay("50 millis"),
        Effect.repeat({ while: ([row]) => row?.open !== 0 }),
        Effect.timeout("5 minutes"),
        Effect.orDie
      )
)

const countOf = (table: "intents" | "bench.alerts") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly count: number }>`select count(*)::int as count from ${sql.literal(table)}`,
      ([row]) => row?.count ?? 0
    )).pipe(Effect.orDie)

/** A way to accept: its request, its table, and its own count of bursts. */
interface Way {
  readonly name: "alerts" | "setBot" | "peer"
  readonly server: Pick<Peer.Peer, "baseUrl" | "pid">
  readonly request: RequestOf
  readonly table: "intents" | "bench.alerts"
}

/** A burst; the processor time is that of one request. */
export interface Burst {
  readonly perSecond: number
  readonly latencies: ReadonlyArray<number>
  readonly cpuMicros: number
}

/** Sends a request to each of the first bots, all at once. Fails unless each response has its own row. */
const burst = (
  generator: LoadGenerator.LoadGenerator,
  { request, server, table }: Way,
  all: ReadonlyArray<Bot>,
  side: string
) =>
  Effect.gen(function*() {
    yield* quiet
    const before = yield* countOf(table)
    const { cpu: [cpu = 0], result } = yield* ProcessUsage.during(
      [server.pid],
      generator.run({
        origins: [server.baseUrl],
        requests: all.map((each) => request(each, side)),
        connections: all.length,
        total: all.length,
        expects: `"intent_id":["`
      })
    )
    const written = (yield* countOf(table)) - before
    if (written !== all.length) {
      return yield* Effect.die(new Error(`${all.length} requests were accepted, ${written} rows were written`))
    }
    return {
      perSecond: result.perSecond,
      latencies: result.latencies,
      cpuMicros: cpu * 1000 / all.length
    } satisfies Burst
  })

type Found = Readonly<Record<Way["name"], ReadonlyMap<number, ReadonlyArray<Burst>>>>

const measure = (options: Options) =>
  Effect.gen(function*() {
    const { env, start } = yield* ServiceUnderTest
    yield* Callers.withFinishedTrades(options.oldRows)
    const service = yield* start("start")
    const peer = yield* Peer.start(yield* Peer.dataOf(env.DATA_DIR, []))
    const generator = yield* LoadGenerator.start
    const all = yield* bots(service.baseUrl, most)
    const ways: ReadonlyArray<Way> = [
      { name: "alerts", server: service, request: alertOf, table: "intents" },
      { name: "setBot", server: service, request: setBotOf, table: "intents" },
      { name: "peer", server: peer, request: peerOf, table: "bench.alerts" }
    ]
    const found = {
      alerts: new Map<number, Array<Burst>>(),
      setBot: new Map<number, Array<Burst>>(),
      peer: new Map<number, Array<Burst>>()
    }
    // Each bot's side alternates, whatever the size of the bursts it is in: a request for the same side is no new one.
    const turns = new Map<Bot, number>(all.map((each) => [each, 1]))
    for (const { atOnce, bursts } of levels) {
      for (let turn = 0; turn <= (options.rounds ?? bursts); turn++) {
        for (const way of ways) {
          const chosen = all.slice(0, atOnce)
          const side = sideOf(turns.get(all[0] as Bot) ?? 0)
          const result = yield* burst(generator, way, chosen, side)
          if (way.name !== "peer") { for (const each of chosen) turns.set(each, (turns.get(each) ?? 0) + 1) }
          // The first burst of each warms it.
          if (turn === 0) continue
          found[way.name].set(atOnce, [...(found[way.name].get(atOnce) ?? []), result])
        }
      }
      yield* say(
        `  ${atOnce} at once: ${
          ways.map(({ name }) => {
            const results = found[name].get(atOnce) ?? []
            return `${name} ${shown(median(results.map(({ perSecond }) => perSecond)))}/s, p99 ${
              shown(percentile(results.flatMap(({ latencies }) => latencies), 99))
            } ms`
          }).join("; ")
        }`
      )
    }
    return findings(options, found)
  })

/** Builds the rows: acceptances per second of 500 at once, and the p99 of each number at once. */
export const findings = (options: Pick<Options, "oldRows">, found: Found): ReadonlyArray<Finding> => {
  const of = (name: Way["name"], atOnce: number) => found[name].get(atOnce) ?? []
  const rates = (name: Way["name"]) => of(name, most).map(({ perSecond }) => perSecond)
  const p99 = (name: Way["name"], atOnce: number) => percentile(of(name, atOnce).flatMap((each) => each.latencies), 99)
  const cpu = (name: Way["name"]) => shown(median(of(name, most).map(({ cpuMicros }) => cpuMicros)))
  const row = (name: string) => nameWith(options, name)
  const against = { what: `${Peer.name}, one durable row`, rounds: rates("peer") }
  return [
    {
      name: row("alert-rps"),
      unit: "alerts/s",
      rounds: rates("alerts"),
      against,
      goal: atLeast(1_000, "/s"),
      note:
        `${most} alerts to as many bots at once, each accepted durably; ${
          cpu("alerts")
        } µs of our CPU each, turns of ` +
        `the bots included; the peer's ${cpu("peer")} µs`
    },
    {
      name: row("alert-rps/setBot"),
      unit: "requests/s",
      rounds: rates("setBot"),
      against,
      note: `the same with setBot; ${cpu("setBot")} µs of our CPU each`
    },
    ...[levels[1], levels[0], levels[2]].map(({ atOnce }): Finding => ({
      name: row(atOnce === 50 ? "alert-p99" : `alert-p99/${atOnce}`),
      unit: "ms",
      rounds: [p99("alerts", atOnce)],
      against: { what: `${Peer.name}, one durable row`, rounds: [p99("peer", atOnce)] },
      ...(atOnce === 50 ? { goal: atMost(150, " ms") } : {}),
      note: `p99 of ${of("alerts", atOnce).length} × ${atOnce} at once; with setBot ${shown(p99("setBot", atOnce))} ms`
    }))
  ]
}

/** Alerts at once in a profile. */
const profiledAtOnce = 50

const profiled = ({ rounds = 10 }: Options) =>
  Effect.gen(function*() {
    const generator = yield* LoadGenerator.start
    const table = "intents" as const
    return yield* ServiceProfile.render("alert-rps", {
      prepared: (service) =>
        Effect.tap(bots(service.baseUrl, profiledAtOnce), (all) =>
          burst(generator, { name: "alerts", server: service, request: alertOf, table }, all, sideOf(1))),
      measured: (service, all) =>
        Effect.as(
          Effect.forEach(
            Array.from({ length: rounds }),
            (_, turn) =>
              burst(generator, { name: "alerts", server: service, request: alertOf, table }, all, sideOf(turn))
          ),
          rounds * all.length
        )
    })
  })

const parts = ["alert-rps", "alert-rps/setBot", "alert-p99", "alert-p99/1", "alert-p99/500"]

export const alerts: Bench = {
  rows: ["alert-rps", ...parts.slice(1), ...parts.map((name) => `${name}/old-rows`)],
  run: (options) =>
    Effect.scoped(options.profile ? profiled(options) : measure(options)).pipe(Effect.provide(ServiceUnderTest.layer)),
  takesOldRows: true
}
