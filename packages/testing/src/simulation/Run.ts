/**
 * A whole life under one seed: wallets trade on vaults while processes die and stand still, nodes lie, the database hiccups, blocks
 * are reorganised and somebody else uses the keys. Then it grows calm, and the promises are looked at.
 */
import * as FaultyNode from "@vault-trader/devnet/test-chain/FaultyNode"
import type { Curve } from "@vault-trader/workers/gas-wallet/Secp256k1"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ChainFaults from "./ChainFaults.ts"
import * as Workload from "./Workload.ts"
import { type Promises, look } from "./Invariants.ts"
import * as FaultInjector from "./FaultInjector.ts"
import * as Nodes from "./Nodes.ts"
import * as Process from "./Process.ts"
import * as Runner from "./Runner.ts"
import * as Runners from "./Runners.ts"
import * as Fixture from "./Fixture.ts"
import * as FaultCounts from "./FaultCounts.ts"
import type { Database, Sessions } from "./VirtualPostgres.ts"
import * as FaultProfile from "./FaultProfile.ts"
import * as Environment from "./Environment.ts"

/** Virtual milliseconds of trouble, then of calm in which everything accepted has to come to its end. */
const troubleMillis = 90_000
const calmMillis = 900_000
const blockMillis = 2_000

export interface Report extends Promises {
  readonly kind: "chain" | "exchange"
  readonly seed: number
  /** Of everything that happened. */
  readonly digest: string
  /** How often each kind of fault happened. */
  readonly faults: FaultCounts.Counts
  /** Writes by name: how often each was passed, and at how many of them a runner or an actor ended. */
  readonly points: Readonly<Record<string, { readonly passed: number; readonly ended: number }>>
  readonly trace: ReadonlyArray<string>
}

/** What a process of this kind needs once, whatever it lives. */
export interface Ground {
  readonly database: Database
  readonly curve: Curve
}

/** Lives one life; the report says what was broken, if anything. */
export const live = ({ curve, database }: Ground, seed: number, options: Environment.Options = {}): Effect.Effect<Report> => {
  const world = Environment.make(seed, options, FaultCounts.kinds)
  const { border, chance, clock, settle, tally, trace, weather } = world
  const server = Process.make("server")
  let isTroubled = false

  const life = Effect.gen(function*() {
    const context = yield* Effect.context()
    const fork = <A, E>(effect: Effect.Effect<A, E>, done: (exit: Effect.Effect<A, E>) => void = () => undefined) => {
      Effect.runForkWith(context)(effect).addObserver(done)
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
    const setting = yield* Effect.forkChild(Effect.provide(Fixture.make(seed, chance, curve), sessions.client(server)))
    while (setting.pollUnsafe() === undefined) yield* settle
    const stage = yield* Fiber.join(setting)
    const { chain, vaults } = stage
    const nodes = yield* Effect.forEach(chance.happens(0.5) ? [0, 1] : [0], (index) => FaultyNode.make(chain, { seed: seed * 7 + index }))
    for (const node of nodes) {
      yield* node.odds(FaultyNode.anyMethod, FaultProfile.odds(weather))
      yield* node.odds("eth_sendRawTransaction", FaultProfile.oddsOfSends(weather))
    }
    const unrecorded: Array<string> = []
    // In every third life nobody is paid: its charges stay outstanding.
    const treasury = seed % 3 === 0 ? undefined : Fixture.treasury
    const reached = Nodes.reached(world, { misfortune, sessions, fork, unrecorded: (raw) => unrecorded.push(raw) })
    const book = chain.book({ blockPollMillis: 500, finalityDepth: 8, patienceMillis: 10_000, maxFeePerGas: 50_000_000_000n })
    const runners: Runners.Runners = Runners.make(world, {
      fork,
      host: (process, locksFail) =>
        Runner.start({
          ...{ process, locksFail, treasury },
          books: new Map([[Fixture.network, { book, nodes: nodes.map((node) => reached(process, node)) }]]),
          sql: sessions.client(process),
          clock: clock.of(process)
        })
    })
    const troubles = ChainFaults.make({ ...{ chance, clock, nodes, stage, tally, trace, weather }, fork: (effect) => fork(effect) })
    const customers = Workload.make({ ...{ chance, clock, runners, tally, vaults, weather }, sql: sessions.client(server) })
    /** Intents told as failed without a transaction: nothing may ever change that. */
    const failed = new Set<string>()

    /** Block by block, and while there is trouble request by request. */
    const until = (end: number, done: () => boolean) =>
      Effect.suspend(() => {
        let nextBlock = clock.now() + blockMillis
        let nextRequest = clock.now() + 500
        const block = Effect.gen(function*() {
          nextBlock += blockMillis
          yield* troubles.block
          misfortune.atBlock()
          if (sessions.isFree()) for (const id of failedWithoutTransaction(sessions)) failed.add(id)
          return done()
        })
        const request = Effect.sync(() => {
          nextRequest = clock.now() + 1_000 + chance.below(12_000)
          for (let left = chance.happens(0.15) ? 4 : 1; left > 0; left--) fork(customers.ask)
          return false
        })
        return Environment.until(world, end, [{ due: () => nextBlock, happen: block }, { due: () => isTroubled ? nextRequest : Number.POSITIVE_INFINITY, happen: request }])
      })

    isTroubled = true
    runners.start()
    yield* until(Environment.start + troubleMillis, () => false)
    isTroubled = false
    yield* Effect.forEach(nodes, (node) => node.calm, { discard: true })
    yield* troubles.calm
    yield* until(clock.now() + calmMillis, () => sessions.isFree() && open(sessions) === 0 && (treasury === undefined || owed(sessions) === 0))
    yield* settle
    for (const node of nodes) for (const { fault } of yield* node.log) for (const kind of FaultCounts.kindsOf(fault)) tally.count(kind)
    const promises = yield* look({ sessions, stage, treasury, accepted: customers.accepted, failed, foreign: troubles.foreign, unrecorded })
    runners.end()
    return { ...promises, kind: "chain" as const, seed, digest: trace.digest(), faults: tally.faults(), points: misfortune.points(), trace: trace.lines }
  })

  return Environment.lived(world, options, life)
}

const failedWithoutTransaction = (sessions: Sessions): ReadonlyArray<string> =>
  sessions.peek("select id from intents where status = 'failed' and outcome ->> 'txHash' is null").map(({ id }) => String(id))

/** How much has not come to its end. */
const open = (sessions: Sessions): number => {
  const [row] = sessions.peek(`select (select count(*) from intents where status in ('accepted', 'submitted'))
    + (select count(*) from submissions where status in ('queued', 'signed', 'mined')) as open`)
  return Number(row?.["open"] ?? 0)
}

/** How many charges a settlement may still be made for. */
const owed = (sessions: Sessions): number => {
  const [row] = sessions.peek(`select (select count(*) from charges where settlement_id is null and native_wei is not null)
    + (select count(*) from settlements where status = 'open') as owed`)
  return Number(row?.["owed"] ?? 0)
}
