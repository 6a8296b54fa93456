/**
 * A whole run under one seed: wallets trade on vaults while processes crash and freeze, nodes return wrong answers, the
 * database fails, blocks are reorganised and foreign transactions use the keys. Then faults stop, and the invariants
 * are checked.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Secp256k1 } from "@vault-trader/workers/gas-wallet/Secp256k1"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as AlertLog from "./AlertLog.ts"
import * as ChainFaults from "./ChainFaults.ts"
import * as ChainRunners from "./ChainRunners.ts"
import * as ChainProfile from "./ChainProfile.ts"
import * as NodeLies from "./NodeLies.ts"
import * as RecordDisk from "./RecordDisk.ts"
import * as Restores from "./Restores.ts"
import * as FollowerWorkload from "./FollowerWorkload.ts"
import * as GroupWorkload from "./GroupWorkload.ts"
import * as OrderWorkload from "./OrderWorkload.ts"
import type { SideWorkload } from "./SideWorkload.ts"
import * as WalletOperator from "./WalletOperator.ts"
import * as Workload from "./Workload.ts"
import { type Invariants, check } from "./Invariants.ts"
import * as FaultInjector from "./FaultInjector.ts"
import * as Nodes from "./Nodes.ts"
import * as Process from "./Process.ts"
import type * as Runners from "./Runners.ts"
import * as SendWatch from "./SendWatch.ts"
import * as SimulatedNodes from "./SimulatedNodes.ts"
import * as RunFixture from "./RunFixture.ts"
import * as RunRows from "./RunRows.ts"
import * as FaultCounts from "./FaultCounts.ts"
import type { Database, Sessions } from "./VirtualPostgres.ts"
import * as Environment from "./Environment.ts"

/**
 * Virtual milliseconds with faults, then without: by the end of the drain phase everything accepted must have ended.
 */
const faultPhaseMillis = 90_000
const drainPhaseMillis = 900_000
const blockMillis = 2_000
/** Time between two blocks while only a long fault is waited for: hours of usual blocks would take too long. */
const slowBlockMillis = 60_000
/**
 * The sleeps of processes end at its multiples while only time is waited for: most of a run's time would be polls that
 * find nothing. Less than a lock takes to expire.
 */
const lateSleepMillis = 5_000
/** Without faults most has ended by then; the rest waits for the end of a lifetime, for an operator or to be noticed. */
const promptMillis = 60_000
/**
 * How long after the faults foreign transactions, and final transactions that a reorg has removed, must have been noticed:
 * two checks of the idle wallets, whose sleeps may end late.
 */
const noticeMillis = 150_000

export interface Report extends Invariants {
  readonly kind: "chain" | "exchange"
  readonly seed: number
  /** Hash of the run's trace. */
  readonly digest: string
  /** How often each kind of fault happened. */
  readonly faults: FaultCounts.Counts
  /** Writes by name: how often each was reached, and at how many of them a runner or an actor ended. */
  readonly points: Readonly<Record<string, { readonly passed: number; readonly ended: number }>>
  readonly trace: ReadonlyArray<string>
}

/** Resources a process creates once and shares among its runs. */
export interface RunResources {
  readonly database: Database
  readonly curve: Secp256k1
}

/** The processes, the nodes and the chain of a run. */
interface Simulation {
  readonly injector: FaultInjector.FaultInjector
  readonly sessions: Sessions
  readonly fixture: RunFixture.Fixture
  readonly nodes: ReadonlyArray<SimulatedNodes.SimulatedNode>
  readonly runners: Runners.Runners
  readonly chainFaults: ChainFaults.ChainFaults
  readonly lies: NodeLies.NodeLies
  readonly restores: Restores.Restores
  readonly alertLog: AlertLog.AlertLog
  readonly sends: SendWatch.SendWatch
  readonly operator: WalletOperator.WalletOperator
  readonly workload: Workload.Workload
  readonly besides: ReadonlyArray<SideWorkload>
  readonly treasury: Address | undefined
}

/** Starts an effect in the background, outside of any process: no crash interrupts it. */
type Fork = <A, E>(effect: Effect.Effect<A, E>, done?: (exit: Effect.Effect<A, E>) => void) => void

interface Phase {
  isFaulty: boolean
}

/** Runs one seed. The report names the invariants that were violated, if any. */
export const run = (
  resources: RunResources,
  seed: number,
  options: Environment.Options = {}
): Effect.Effect<Report> => {
  const environment = Environment.make(seed, options, FaultCounts.kinds)
  const program = Effect.gen(function*() {
    const context = yield* Effect.context()
    const fork: Fork = (effect, done = () => undefined) => {
      Effect.runForkWith(context)(effect).addObserver(done)
    }
    const phase: Phase = { isFaulty: false }
    const simulation = yield* makeSimulation(environment, resources, fork, phase)
    const failed = yield* runPhases(environment, simulation, fork, phase)
    yield* environment.settle
    return yield* makeReport(environment, simulation, failed)
  })
  return Environment.run(environment, options, program)
}

/** Opens the database, the chain and its nodes. No runner is started. */
const makeSimulation = (
  environment: Environment.Environment,
  { curve, database }: RunResources,
  fork: Fork,
  phase: Phase
): Effect.Effect<Simulation> =>
  Effect.gen(function*() {
    const { gate, chance, clock, counts, forgets, seed, settle, trace } = environment
    const profile = { ...environment.profile, ...ChainProfile.draw(chance, environment.rare) }
    const alertLog = AlertLog.make()
    const server = Process.make("server")
    const injector: FaultInjector.FaultInjector = FaultInjector.make({
      ...{ chance, profile, clock, counts },
      isFaultPhase: () => phase.isFaulty,
      isRunner: (process) => process !== server,
      onCrash: (process) => runners.onCrash(process),
      onFreeze: (process) => runners.onFreeze(process),
      endActors: (process, millis) => runners.endActors(process, millis)
    })
    const sessions: Sessions = database.open({
      ...{ gate, clock, forgets },
      decide: injector.forStatement,
      apply: injector.apply,
      record: (...words) => {
        trace.add(...words)
        alertLog.observe(words)
      }
    })
    const setup = yield* Effect.forkChild(Effect.provide(RunFixture.make(seed, chance, curve), sessions.client(server)))
    while (setup.pollUnsafe() === undefined) yield* settle
    const fixture = yield* Fiber.join(setup)
    const { chain, vaults } = fixture
    const nodes = yield* SimulatedNodes.make(environment, profile, chain)
    const sends = SendWatch.make({
      ...{ chain, clock, sessions, lost: () => restores.lost() },
      wasMined: (hash) => chainFaults.wasMined(hash)
    })
    // Every third run has no treasury: its charges stay outstanding.
    const treasury = seed % 3 === 0 ? undefined : RunFixture.treasury
    const requestThrough = Nodes.requestThrough(environment, { injector, sessions, fork, onSend: sends.onSend })
    const disk = RecordDisk.make()
    const runners: Runners.Runners = ChainRunners.make(environment, {
      ...{ fork, sessions, chain, treasury },
      record: disk.record,
      maxSkewMillis: profile.maxSkewMillis,
      requests: (process) => nodes.map(({ faults, node }) => node.connect(requestThrough(process, faults.request)))
    })
    const faults = nodes.map((each) => each.faults)
    const chainFaults: ChainFaults.ChainFaults = ChainFaults.make({
      ...{ chance, clock, fixture, counts, trace, profile, fork },
      nodes: faults
    })
    const lying = nodes.map(({ node }) => node)
    const operator = WalletOperator.make({ alertLog, chain, counts, wallets: fixture.wallets })
    const restores: Restores.Restores = Restores.make({
      ...{ chance, clock, counts, trace, profile, runners, sessions },
      loseRecord: disk.lose
    })
    const lies = NodeLies.make({
      ...{ chance, clock, counts, trace, profile, fork, nodes: lying },
      wallets: fixture.wallets
    })
    const workload = Workload.make({
      ...{ chance, clock, runners, counts, vaults, profile },
      sql: sessions.client(server)
    })
    const besides = [OrderWorkload, FollowerWorkload, GroupWorkload].map(({ make }) =>
      make({ seed: environment.seed, clock, fixture, sessions, sql: sessions.client(server) })
    )
    return {
      ...{ alertLog, besides, sends, injector, sessions, fixture, nodes, operator, runners },
      ...{ chainFaults, lies, restores, workload, treasury }
    }
  })

/**
 * Runs the phase with faults, then drains until everything has ended. Returns the intents that were seen as failed
 * without a transaction: their status must never change again.
 */
const runPhases = (
  environment: Environment.Environment,
  simulation: Simulation,
  fork: Fork,
  phase: Phase
): Effect.Effect<ReadonlySet<string>> =>
  Effect.gen(function*() {
    const { chance, clock } = environment
    const { chainFaults, injector, lies, nodes, besides, operator, restores, runners, sessions, treasury } = simulation
    const failed = new Set<string>()

    /** Advances block by block, and request by request during the fault phase. */
    const until = (end: number, done: () => boolean, millis = blockMillis) =>
      Effect.suspend(() => {
        let nextBlock = clock.now() + millis
        const requests = Environment.submissions(environment, {
          isOn: () => phase.isFaulty,
          pauseMillis: () => 1_000 + chance.below(12_000),
          submit: () => {
            fork(simulation.workload.submit)
            for (const each of besides) if (each.isOn) fork(each.submit)
          }
        })
        const block = Effect.gen(function*() {
          nextBlock += millis
          if (phase.isFaulty) yield* lies.onBlock
          yield* chainFaults.block
          if (phase.isFaulty) restores.onBlock()
          injector.onBlock()
          yield* operator.onBlock
          if (sessions.isFree()) {
            for (const id of RunRows.failedWithoutTransaction(sessions)) failed.add(id)
            for (const each of besides) each.onBlock()
          }
          return done()
        })
        return Environment.until(environment, end, [{ due: () => nextBlock, run: block }, requests])
      })

    phase.isFaulty = true
    runners.start()
    yield* until(Environment.start + faultPhaseMillis, () => false)
    phase.isFaulty = false
    yield* Effect.forEach(nodes, ({ faults }) => faults.stopFaults, { discard: true })
    yield* lies.stop
    yield* chainFaults.stop
    for (const each of besides) if (each.isOn) fork(each.stop)
    const end = chainFaults.endsAt()
    const noticedBy = clock.now() + (chainFaults.foreign.size > 0 || chainFaults.hasReplacedFinal() ? noticeMillis : 0)
    yield* until(Math.min(end, clock.now() + faultPhaseMillis), () => false)
    clock.delaySleeps(lateSleepMillis)
    yield* until(end, () => false, slowBlockMillis)
    clock.delaySleeps(0)
    // A reorg may have removed a refill.
    yield* operator.refillAll
    const drainedBy = clock.now() + drainPhaseMillis
    const isDrained = () =>
      sessions.isFree() && RunRows.countOpen(sessions) === 0 && besides.every((each) => each.countOpen() === 0) &&
      (treasury === undefined || RunRows.countUnpaid(sessions) === 0)
    yield* until(clock.now() + promptMillis, isDrained)
    clock.delaySleeps(lateSleepMillis)
    yield* until(drainedBy, () => clock.now() >= noticedBy && isDrained())
    return failed
  })

/** Checks the invariants, ends the runners and builds the report. */
const makeReport = (
  { counts, seed, trace }: Environment.Environment,
  simulation: Simulation,
  failed: ReadonlySet<string>
): Effect.Effect<Report> =>
  Effect.gen(function*() {
    const { chainFaults, fixture, injector, nodes, runners, sends, sessions, treasury, workload } = simulation
    for (const { faults } of nodes) {
      for (const { fault } of yield* faults.log) for (const kind of FaultCounts.kindsOf(fault)) counts.count(kind)
    }
    const invariants = yield* check({
      ...{ sessions, fixture, treasury, failed, unrecorded: sends.unrecorded, hiddenDuring: sends.hiddenDuring },
      besides: simulation.besides,
      alertLog: simulation.alertLog,
      forgotten: simulation.restores.forgotten(),
      late: sends.late(),
      misdirected: nodes.flatMap(({ node }) => node.misdirected()),
      accepted: workload.accepted,
      foreign: chainFaults.foreign
    })
    for (const row of RunRows.quarantines(sessions)) trace.add("quarantine", row)
    runners.end()
    return {
      ...invariants,
      kind: "chain",
      seed,
      digest: trace.digest(),
      faults: counts.faults(),
      points: injector.points(),
      trace: trace.lines
    }
  })
