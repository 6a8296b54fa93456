/**
 * A whole run of exchange bots under one seed: the real actors and the real ccxt trade pairs while processes crash and
 * freeze, the database, the exchange and the network to it fail, prices move, and owners move money. Then faults stop,
 * and the balances that the ledger implies must equal those at the exchange.
 */
import * as ExchangeControl from "@vault-trader/devnet/exchange/ExchangeControl"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Report } from "../Run.ts"
import * as FaultInjector from "../FaultInjector.ts"
import * as Process from "../Process.ts"
import * as RecordDisk from "../RecordDisk.ts"
import * as Runner from "../Runner.ts"
import * as Runners from "../Runners.ts"
import { exchangeKinds } from "../FaultCounts.ts"
import type { Database, Sessions } from "../VirtualPostgres.ts"
import * as Environment from "../Environment.ts"
import { check } from "./ExchangeInvariants.ts"
import * as ExchangeFixture from "./ExchangeFixture.ts"
import * as AccountActivity from "./AccountActivity.ts"
import * as ExchangeWire from "./ExchangeWire.ts"

/**
 * Virtual milliseconds with faults, then without. Bots keep trading in the drain phase, so it has a minimum and a
 * maximum.
 */
const faultPhaseMillis = 60_000
const [minDrainMillis, maxDrainMillis] = [20_000, 600_000]
const tickMillis = 2_000
const pollSeconds = 5

/** The processes, the exchange and the owners of a run. */
interface Simulation {
  readonly injector: FaultInjector.FaultInjector
  readonly sessions: Sessions
  readonly customers: ReadonlyArray<ExchangeFixture.Customer>
  readonly wire: ExchangeWire.Wire
  readonly runners: Runners.Runners
  readonly activity: AccountActivity.AccountActivity
}

/** Starts an effect in the background. */
type Fork = <A, E>(effect: Effect.Effect<A, E>) => void

/** The phase of a run: with faults, or draining without them. */
interface Phase {
  isFaulty: boolean
}

/** Runs one seed. The report names the invariants that were violated, if any. */
export const run = (database: Database, seed: number, options: Environment.Options = {}): Effect.Effect<Report> => {
  const environment = Environment.make(seed, options, exchangeKinds)
  const program = Effect.gen(function*() {
    const context = yield* Effect.context()
    const fork: Fork = (effect) => {
      Effect.runForkWith(context)(effect)
    }
    const phase: Phase = { isFaulty: false }
    const simulation = yield* makeSimulation(environment, database, fork, phase)
    yield* runPhases(environment, simulation, fork, phase)
    yield* environment.settle
    return makeReport(environment, simulation)
  })
  return Environment.run(environment, options, program)
}

/** Opens the database, the exchange and the accounts. No runner is started. */
const makeSimulation = (
  environment: Environment.Environment,
  database: Database,
  fork: Fork,
  phase: Phase
): Effect.Effect<Simulation> =>
  Effect.gen(function*() {
    const { gate, chance, clock, counts, profile, seed, settle, trace } = environment
    const server = Process.make("server")
    const desk = ExchangeControl.make(clock.now)
    const isFaultPhase = () => phase.isFaulty
    const injector: FaultInjector.FaultInjector = FaultInjector.make({
      ...{ chance, profile, clock, counts, isFaultPhase },
      isRunner: (process) => process !== server,
      onCrash: (process) => runners.onCrash(process),
      onFreeze: (process) => runners.onFreeze(process),
      endActors: (process, millis) => runners.endActors(process, millis)
    })
    const sessions: Sessions = database.open({
      ...{ gate, clock, forgets: environment.forgets },
      decide: injector.forStatement,
      apply: injector.apply,
      record: trace.add
    })
    const setup = yield* Effect.forkChild(
      Effect.provide(ExchangeFixture.make(seed, chance, desk), sessions.client(server))
    )
    while (setup.pollUnsafe() === undefined) yield* settle
    const customers = yield* Fiber.join(setup)
    const wire = ExchangeWire.make(environment, { desk, injector, isFaultPhase })
    const runners = makeRunners(environment, { fork, sessions, wire })
    const activity = AccountActivity.make(environment, { customers, desk, runners, wire, sql: sessions.client(server) })
    return { injector, sessions, customers, wire, runners, activity }
  })

/** Builds the runners of the exchange actors, which reach the exchange through `wire`. */
const makeRunners = (
  environment: Environment.Environment,
  options: { readonly fork: Fork; readonly sessions: Sessions; readonly wire: ExchangeWire.Wire }
): Runners.Runners => {
  const { fork, sessions, wire } = options
  return Runners.make(environment, {
    fork,
    host: (process, locksFail) =>
      Runner.start({
        ...{ process, locksFail, books: new Map(), treasury: undefined, record: RecordDisk.make().record },
        sql: sessions.client(process),
        clock: environment.clock.of(process),
        exchanges: {
          access: {
            urls: { binance: ExchangeWire.url },
            timeoutMillis: ExchangeWire.timeoutMillis,
            windowMillis: ExchangeWire.windowMillis,
            transport: wire.transport(process)
          },
          seconds: pollSeconds
        }
      })
  })
}

/** Runs the phase with faults, then drains until no turn is left. */
const runPhases = (environment: Environment.Environment, simulation: Simulation, fork: Fork, phase: Phase) =>
  Effect.gen(function*() {
    const { chance, clock } = environment
    const { activity, injector, runners, sessions } = simulation

    const until = (end: number, done: () => boolean) =>
      Effect.suspend(() => {
        let nextTick = clock.now() + tickMillis
        const requests = Environment.submissions(environment, {
          isOn: () => phase.isFaulty,
          pauseMillis: () => 300 + chance.below(2_500),
          submit: () => fork(activity.submit)
        })
        const tick = Effect.sync(() => {
          nextTick += tickMillis
          injector.onBlock()
          if (phase.isFaulty) fork(activity.background)
          return done()
        })
        return Environment.until(environment, end, [{ due: () => nextTick, run: tick }, requests])
      })

    phase.isFaulty = true
    runners.start()
    yield* until(Environment.start + faultPhaseMillis, () => false)
    phase.isFaulty = false
    fork(activity.restore)
    const drainedAt = clock.now() + minDrainMillis
    yield* until(
      clock.now() + maxDrainMillis,
      () => clock.now() >= drainedAt && sessions.isFree() && unfinished(sessions) === 0 && openExits(sessions) === 0
    )
  })

/** Checks the invariants, ends the runners and builds the report. */
const makeReport = (environment: Environment.Environment, simulation: Simulation): Report => {
  const { counts, seed, trace } = environment
  const { activity, customers, injector, runners, sessions, wire } = simulation
  const invariants = check({
    sessions,
    customers,
    acknowledged: activity.acknowledged,
    sent: wire.sent,
    limited: seed % 3 === 0
  })
  runners.end()
  return {
    ...invariants,
    kind: "exchange",
    seed,
    digest: trace.digest(),
    faults: counts.faults(),
    points: injector.points(),
    trace: trace.lines
  }
}

/** Counts turns that have not ended. */
const unfinished = (sessions: Sessions): number =>
  Number(
    sessions.peek("select count(*) as open from exchange_orders where status in ('accepted', 'decided', 'sending')")[0]
      ?.["open"] ?? 0
  )

/** Counts exits that have something to sell and may sell it. */
const openExits = (sessions: Sessions): number =>
  Number(
    sessions.peek(`select count(*) as open from exchange_bots where active and exit is not null
      and not (exit ->> 'ended')::boolean`)[0]?.["open"] ?? 0
  )
