/**
 * A whole run under one seed: wallets trade on vaults while processes crash and freeze, nodes return wrong answers, the
 * database fails, blocks are reorganised and foreign transactions use the keys. Then faults stop, and the invariants
 * are checked.
 */
import * as FaultyNode from "../test-chain/FaultyNode.ts"
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

/** Runs one seed. The report names the invariants that were violated, if any. */
export const run = (
  { curve, database }: RunResources,
  seed: number,
  options: Environment.Options = {}
): Effect.Effect<Report> => {
  const environment = Environment.make(seed, options, FaultCounts.kinds)
  const { gate, chance, clock, settle, counts, trace, profile } = environment
  const server = Process.make("server")
  let isFaultPhase = false

  const program = Effect.gen(function*() {
    const context = yield* Effect.context()
    const fork = <A, E>(effect: Effect.Effect<A, E>, done: (exit: Effect.Effect<A, E>) => void = () => undefined) => {
      Effect.runForkWith(context)(effect).addObserver(done)
    }
    const injector: FaultInjector.FaultInjector = FaultInjector.make({
      ...{ chance, profile, clock, counts },
      isFaultPhase: () => isFaultPhase,
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
    const nodes = yield* Effect.forEach(
      chance.happens(0.5) ? [0, 1] : [0],
      (index) => FaultyNode.make(chain, { seed: seed * 7 + index })
    )
    for (const node of nodes) {
      yield* node.odds(FaultyNode.anyMethod, FaultProfile.odds(profile))
      yield* node.odds("eth_sendRawTransaction", FaultProfile.oddsOfSends(profile))
    }
    const unrecorded: Array<string> = []
    // Every third run has no treasury: its charges stay outstanding.
    const treasury = seed % 3 === 0 ? undefined : RunFixture.treasury
    const requestThrough = Nodes.requestThrough(environment, {
      injector,
      sessions,
      fork,
      unrecorded: (raw) => unrecorded.push(raw)
    })
    const book = chain.book({
      blockPollMillis: 500,
      finalityDepth: 8,
      patienceMillis: 10_000,
      maxFeePerGas: 50_000_000_000n
    })
    const runners: Runners.Runners = Runners.make(environment, {
      fork,
      host: (process, locksFail) =>
        Runner.start({
          ...{ process, locksFail, treasury },
          books: new Map([[RunFixture.network, { book, nodes: nodes.map((node) => requestThrough(process, node)) }]]),
          sql: sessions.client(process),
          clock: clock.of(process)
        })
    })
    const chainFaults = ChainFaults.make({
      ...{ chance, clock, nodes, fixture, counts, trace, profile },
      fork: (effect) => fork(effect)
    })
    const workload = Workload.make({
      ...{ chance, clock, runners, counts, vaults, profile },
      sql: sessions.client(server)
    })
    /** Intents reported as failed without a transaction: their status must never change again. */
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
          due: () => isFaultPhase ? nextRequest : Number.POSITIVE_INFINITY,
          run: request
        }])
      })

    isFaultPhase = true
    runners.start()
    yield* until(Environment.start + faultPhaseMillis, () => false)
    isFaultPhase = false
    yield* Effect.forEach(nodes, (node) => node.calm, { discard: true })
    yield* chainFaults.stop
    yield* until(
      clock.now() + drainPhaseMillis,
      () => sessions.isFree() && countOpen(sessions) === 0 && (treasury === undefined || countUnpaid(sessions) === 0)
    )
    yield* settle
    for (const node of nodes) {
      for (const { fault } of yield* node.log) for (const kind of FaultCounts.kindsOf(fault)) counts.count(kind)
    }
    const invariants = yield* check({
      sessions,
      fixture,
      treasury,
      accepted: workload.accepted,
      failed,
      foreign: chainFaults.foreign,
      unrecorded
    })
    runners.end()
    return {
      ...invariants,
      kind: "chain" as const,
      seed,
      digest: trace.digest(),
      faults: counts.faults(),
      points: injector.points(),
      trace: trace.lines
    }
  })

  return Environment.run(environment, options, program)
}

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
