/**
 * A whole run under one seed: wallets trade on vaults while processes crash and freeze, nodes return wrong answers, the
 * database fails, blocks are reorganised and foreign transactions use the keys. Then faults stop, and the invariants
 * are checked.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as FaultyNode from "../test-chain/FaultyNode.ts"
import type { Request } from "../test-chain/Rpc.ts"
import type { Secp256k1 } from "@vault-trader/workers/gas-wallet/Secp256k1"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ChainFaults from "./ChainFaults.ts"
import * as Workload from "./Workload.ts"
import { type Invariants, check } from "./Invariants.ts"
import * as FaultInjector from "./FaultInjector.ts"
import * as Nodes from "./Nodes.ts"
import * as Process from "./Process.ts"
import * as Runner from "./Runner.ts"
import * as Runners from "./Runners.ts"
import * as RunFixture from "./RunFixture.ts"
import * as FaultCounts from "./FaultCounts.ts"
import type { Database, Sessions } from "./VirtualPostgres.ts"
import * as FaultProfile from "./FaultProfile.ts"
import * as Environment from "./Environment.ts"

/**
 * Virtual milliseconds with faults, then without: by the end of the drain phase everything accepted must have ended.
 */
const faultPhaseMillis = 90_000
const drainPhaseMillis = 900_000
const blockMillis = 2_000

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
  readonly nodes: ReadonlyArray<FaultyNode.Faults>
  readonly runners: Runners.Runners
  readonly chainFaults: ChainFaults.ChainFaults
  readonly workload: Workload.Workload
  readonly treasury: Address | undefined
  /** Signed bytes that were sent before their row was committed. */
  readonly unrecorded: ReadonlyArray<string>
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
    const { gate, chance, clock, counts, profile, seed, settle, trace } = environment
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
      gate,
      clock,
      decide: injector.forStatement,
      apply: injector.apply,
      record: trace.add
    })
    const setup = yield* Effect.forkChild(Effect.provide(RunFixture.make(seed, chance, curve), sessions.client(server)))
    while (setup.pollUnsafe() === undefined) yield* settle
    const fixture = yield* Fiber.join(setup)
    const { chain, vaults } = fixture
    const nodes = yield* makeNodes(environment, chain)
    const unrecorded: Array<string> = []
    // Every third run has no treasury: its charges stay outstanding.
    const treasury = seed % 3 === 0 ? undefined : RunFixture.treasury
    const requestThrough = Nodes.requestThrough(environment, {
      injector,
      sessions,
      fork,
      unrecorded: (raw) => unrecorded.push(raw)
    })
    const runners: Runners.Runners = makeRunners(environment, {
      ...{ fork, sessions, chain, treasury },
      requests: (process) => nodes.map((node) => requestThrough(process, node))
    })
    const chainFaults = ChainFaults.make({ chance, clock, nodes, fixture, counts, trace, profile, fork })
    const workload = Workload.make({
      ...{ chance, clock, runners, counts, vaults, profile },
      sql: sessions.client(server)
    })
    return { injector, sessions, fixture, nodes, runners, chainFaults, workload, treasury, unrecorded }
  })

/** Builds one or two nodes of the chain, with the faults of the run's profile. */
const makeNodes = ({ chance, profile, seed }: Environment.Environment, chain: RunFixture.Fixture["chain"]) =>
  Effect.gen(function*() {
    const nodes = yield* Effect.forEach(
      chance.happens(0.5) ? [0, 1] : [0],
      (index) => FaultyNode.make(chain, { seed: seed * 7 + index })
    )
    for (const node of nodes) {
      yield* node.odds(FaultyNode.anyMethod, FaultProfile.odds(profile))
      yield* node.odds("eth_sendRawTransaction", FaultProfile.oddsOfSends(profile))
    }
    return nodes
  })

/** Builds the runners of the chain's actors, which reach its nodes by `requests`. */
const makeRunners = (
  environment: Environment.Environment,
  options: {
    readonly fork: Fork
    readonly sessions: Sessions
    readonly chain: RunFixture.Fixture["chain"]
    readonly treasury: Address | undefined
    readonly requests: (process: Process.Process) => ReadonlyArray<Request>
  }
): Runners.Runners => {
  const { chain, fork, requests, sessions, treasury } = options
  const book = chain.book({
    blockPollMillis: 500,
    finalityDepth: 8,
    patienceMillis: 10_000,
    maxFeePerGas: 50_000_000_000n
  })
  return Runners.make(environment, {
    fork,
    host: (process, locksFail) =>
      Runner.start({
        ...{ process, locksFail, treasury },
        books: new Map([[RunFixture.network, { book, nodes: requests(process) }]]),
        sql: sessions.client(process),
        clock: environment.clock.of(process)
      })
  })
}

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
    const { chainFaults, injector, nodes, runners, sessions, treasury, workload } = simulation
    const failed = new Set<string>()

    /** Advances block by block, and request by request during the fault phase. */
    const until = (end: number, done: () => boolean) =>
      Effect.suspend(() => {
        let nextBlock = clock.now() + blockMillis
        let nextRequest = clock.now() + 500
        const block = Effect.gen(function*() {
          nextBlock += blockMillis
          yield* chainFaults.block
          injector.onBlock()
          if (sessions.isFree()) { for (const id of failedWithoutTransaction(sessions)) failed.add(id) }
          return done()
        })
        const request = Effect.sync(() => {
          nextRequest = clock.now() + 1_000 + chance.below(12_000)
          for (let left = chance.happens(0.15) ? 4 : 1; left > 0; left--) fork(workload.submit)
          return false
        })
        return Environment.until(environment, end, [{ due: () => nextBlock, run: block }, {
          due: () => phase.isFaulty ? nextRequest : Number.POSITIVE_INFINITY,
          run: request
        }])
      })

    phase.isFaulty = true
    runners.start()
    yield* until(Environment.start + faultPhaseMillis, () => false)
    phase.isFaulty = false
    yield* Effect.forEach(nodes, (node) => node.calm, { discard: true })
    yield* chainFaults.stop
    yield* until(
      clock.now() + drainPhaseMillis,
      () => sessions.isFree() && countOpen(sessions) === 0 && (treasury === undefined || countUnpaid(sessions) === 0)
    )
    return failed
  })

/** Checks the invariants, ends the runners and builds the report. */
const makeReport = (
  { counts, seed, trace }: Environment.Environment,
  simulation: Simulation,
  failed: ReadonlySet<string>
): Effect.Effect<Report> =>
  Effect.gen(function*() {
    const { chainFaults, fixture, injector, nodes, runners, sessions, treasury, unrecorded, workload } = simulation
    for (const node of nodes) {
      for (const { fault } of yield* node.log) for (const kind of FaultCounts.kindsOf(fault)) counts.count(kind)
    }
    const invariants = yield* check({
      ...{ sessions, fixture, treasury, failed, unrecorded },
      accepted: workload.accepted,
      foreign: chainFaults.foreign
    })
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

const failedWithoutTransaction = (sessions: Sessions): ReadonlyArray<string> =>
  sessions.peek("select id from intents where status = 'failed' and outcome ->> 'txHash' is null").map(({ id }) =>
    String(id)
  )

/** Counts intents and submissions that have not ended. */
const countOpen = (sessions: Sessions): number => {
  const [row] = sessions.peek(`select (select count(*) from intents where status in ('accepted', 'submitted'))
    + (select count(*) from submissions where status in ('queued', 'signed', 'mined')) as open`)
  return Number(row?.["open"] ?? 0)
}

/** Counts charges and settlements that are still to be paid. */
const countUnpaid = (sessions: Sessions): number => {
  const [row] = sessions.peek(
    `select (select count(*) from charges where settlement_id is null and native_wei is not null)
    + (select count(*) from settlements where status = 'open') as owed`
  )
  return Number(row?.["owed"] ?? 0)
}
