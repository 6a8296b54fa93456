/**
 * A whole life of exchange bots under one seed: the real actors and the real ccxt keep sides of pairs while processes die and stand still,
 * the database hiccups, the exchange and the network to it fail, prices run, and somebody else moves money. Then it grows calm, and what
 * the ledger implies must be what the exchange holds.
 */
import * as ExchangeControl from "@vault-trader/devnet/exchange/ExchangeControl"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Report } from "../Run.ts"
import * as FaultInjector from "../FaultInjector.ts"
import * as Process from "../Process.ts"
import * as Runner from "../Runner.ts"
import * as Runners from "../Runners.ts"
import { exchangeKinds } from "../FaultCounts.ts"
import type { Database, Sessions } from "../VirtualPostgres.ts"
import * as Environment from "../Environment.ts"
import { look } from "./ExchangePromises.ts"
import * as ExchangeStage from "./ExchangeStage.ts"
import * as Owners from "./Owners.ts"
import * as Wire from "./Wire.ts"

/** Virtual milliseconds of trouble, then of calm: at least some, in which bots go on trading, at most many. */
const troubleMillis = 60_000
const [leastCalmMillis, mostCalmMillis] = [20_000, 600_000]
const beatMillis = 2_000
const lookSeconds = 5

/** Lives one life; the report says what was broken, if anything. */
export const live = (database: Database, seed: number, options: Environment.Options = {}): Effect.Effect<Report> => {
  const world = Environment.make(seed, options, exchangeKinds)
  const { border, chance, clock, settle, tally, trace, weather } = world
  const server = Process.make("server")
  const desk = ExchangeControl.make(clock.now)
  let isTroubled = false

  const life = Effect.gen(function*() {
    const context = yield* Effect.context()
    const fork = <A, E>(effect: Effect.Effect<A, E>) => {
      Effect.runForkWith(context)(effect)
    }
    const misfortune: FaultInjector.Misfortune = FaultInjector.make({
      ...{ chance, weather, clock, tally },
      isTroubled: () => isTroubled,
      isRunner: (process) => process !== server,
      died: (process) => runners.died(process),
      froze: (process) => runners.froze(process),
      endActors: (process, millis) => runners.endActors(process, millis)
    })
    const sessions: Sessions = database.open({ border, clock, fate: misfortune.ofStatement, befall: misfortune.befall, happened: trace.add })
    const setting = yield* Effect.forkChild(Effect.provide(ExchangeStage.make(seed, chance, desk), sessions.client(server)))
    while (setting.pollUnsafe() === undefined) yield* settle
    const customers = yield* Fiber.join(setting)
    const wire = Wire.make(world, { desk, misfortune, isTroubled: () => isTroubled })
    const runners: Runners.Runners = Runners.make(world, {
      fork,
      host: (process, locksFail) =>
        Runner.start({
          ...{ process, locksFail, books: new Map(), treasury: undefined },
          sql: sessions.client(process),
          clock: clock.of(process),
          exchanges: {
            access: { urls: { binance: Wire.url }, timeoutMillis: Wire.timeoutMillis, windowMillis: Wire.windowMillis, transport: wire.transport(process) },
            seconds: lookSeconds
          }
        })
    })
    const owners = Owners.make(world, { customers, desk, runners, wire, sql: sessions.client(server) })

    const until = (end: number, done: () => boolean) =>
      Effect.suspend(() => {
        let nextBeat = clock.now() + beatMillis
        let nextRequest = clock.now() + 500
        const beat = Effect.sync(() => {
          nextBeat += beatMillis
          misfortune.atBlock()
          if (isTroubled) fork(owners.weather)
          return done()
        })
        const request = Effect.sync(() => {
          nextRequest = clock.now() + 300 + chance.below(2_500)
          for (let left = chance.happens(0.15) ? 4 : 1; left > 0; left--) fork(owners.ask)
          return false
        })
        return Environment.until(world, end, [{ due: () => nextBeat, happen: beat }, { due: () => isTroubled ? nextRequest : Number.POSITIVE_INFINITY, happen: request }])
      })

    isTroubled = true
    runners.start()
    yield* until(Environment.start + troubleMillis, () => false)
    isTroubled = false
    fork(owners.calm)
    const calmAt = clock.now() + leastCalmMillis
    yield* until(clock.now() + mostCalmMillis, () => clock.now() >= calmAt && sessions.isFree() && unfinished(sessions) === 0)
    yield* settle
    const promises = look({ sessions, customers, told: owners.told, sent: wire.sent, limited: seed % 3 === 0 })
    runners.end()
    return { ...promises, kind: "exchange" as const, seed, digest: trace.digest(), faults: tally.faults(), points: misfortune.points(), trace: trace.lines }
  })

  return Environment.lived(world, options, life)
}

/** Turns that have not come to their end. */
const unfinished = (sessions: Sessions): number =>
  Number(sessions.peek("select count(*) as open from exchange_orders where status in ('accepted', 'decided', 'sending')")[0]?.["open"] ?? 0)
