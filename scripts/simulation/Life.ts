/**
 * A whole life under one seed: wallets trade on vaults while processes die, nodes lie, the database hiccups, blocks are
 * reorganised and somebody else uses the keys. Then it grows calm, and the promises are looked at.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Faults from "@vault-trader/devnet/test-chain/Faults"
import * as TestChain from "@vault-trader/devnet/test-chain/TestChain"
import * as Signer from "@vault-trader/workers/gas-wallet/Signer"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Scheduler from "effect/Scheduler"
import * as Chance from "./Chance.ts"
import { type Report, look } from "./Invariants.ts"
import * as Runner from "./Runner.ts"
import * as VirtualClock from "./VirtualClock.ts"
import type { StatementFate, VirtualPostgres } from "./VirtualPostgres.ts"

const network = "base" as const
const start = Date.UTC(2026, 10, 20)
/** Virtual milliseconds of trouble, then of calm in which everything accepted has to come to its end. */
const troubleMillis = 90_000
const calmMillis = 900_000
const blockMillis = 2_000

export interface Wallet {
  readonly address: Address
  readonly keyId: string
  readonly privateKey: Hex
}

/** An acknowledged request. */
export interface Accepted {
  readonly id: string
  readonly wallet: Address
  readonly pool: Address
}

/** How troubled a life is; a seed decides. */
interface Weather {
  readonly rpc: number
  readonly database: number
  readonly deaths: number
  readonly reorgs: number
  readonly foreign: number
  readonly drops: number
  readonly spikes: boolean
}

const weatherOf = (chance: Chance.Chance): Weather => ({
  rpc: chance.one([0, 0.02, 0.1, 0.25]),
  database: chance.one([0, 0, 0.005, 0.02]),
  deaths: chance.one([0, 0.004, 0.01, 0.03]),
  reorgs: chance.one([0, 0, 0.1, 0.25]),
  foreign: chance.one([0, 0, 0.03, 0.1]),
  drops: chance.one([0, 0, 0.05, 0.2]),
  spikes: chance.happens(0.3)
})

/** Waits until nothing can go on without time: no statement under way, and every fiber has had its turns. */
const quiet = (pg: VirtualPostgres) =>
  Effect.promise(async () => {
    let still = 0
    while (still < 25) {
      await new Promise((resolve) => setImmediate(resolve))
      still = pg.pending() === 0 ? still + 1 : 0
    }
  })

/** Ids and keys of a life come from its seed too. */
const seedCrypto = (chance: Chance.Chance): (() => void) => {
  const real = globalThis.crypto.getRandomValues.bind(globalThis.crypto)
  globalThis.crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (array !== null) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
      for (let index = 0; index < bytes.length; index++) bytes[index] = chance.below(256)
    }
    return array
  }
  const realRandom = Math.random
  Math.random = chance.next
  return () => {
    globalThis.crypto.getRandomValues = real
    Math.random = realRandom
  }
}

const keyOf = (seed: number, index: number): string => (BigInt(seed) * 1000n + BigInt(index) + 1n).toString(16).padStart(64, "0")

/** Lives one life; the report says what was broken, if anything. */
export const live = (pg: VirtualPostgres, seed: number, verbose = false): Effect.Effect<Report> => {
  const chance = Chance.make(seed)
  const clock = VirtualClock.make(start)
  const weather = weatherOf(chance)
  const restore = seedCrypto(Chance.make(seed ^ 0x5eed))

  const life = Effect.gen(function*() {
    yield* pg.bury
    yield* Effect.promise(() => pg.reset())
    yield* Effect.promise(() => pg.setNow(clock.now()))
    const calmClient = pg.client({ fate: () => "runs", dead: () => false })
    const chain = yield* TestChain.make({ network, seed })
    const wallets = yield* Effect.provide(makeWallets(seed, 1 + chance.below(3)), calmClient)
    for (const { address } of wallets) yield* chain.setBalance(address, 10n ** 19n)
    const vaults: Array<{ readonly pool: Address; readonly wallet: Wallet }> = []
    for (let index = 0; index < 1 + chance.below(4); index++) {
      const wallet = wallets[index % wallets.length]
      if (wallet === undefined) continue
      const { pool } = yield* chain.createVault({
        manager: "0x00000000000000000000000000000000000000aa",
        trader: wallet.address,
        holdings: { USDC: 1_000_000n * 10n ** 6n, WETH: 300n * 10n ** 18n }
      })
      vaults.push({ pool, wallet })
    }
    const book = chain.book({ blockPollMillis: 500, finalityDepth: 8, patienceMillis: 10_000, maxFeePerGas: 50_000_000_000n })
    const nodes = yield* Effect.forEach(chance.happens(0.5) ? [0, 1] : [0], (index) => Faults.make(chain, { seed: seed * 7 + index }))
    const unrecorded: Array<string> = []
    const watched = nodes.map((node) => watch(pg, node, unrecorded))
    let troubled = true

    /** Each process asks its own fate; some statements are its last. */
    const boot = () => {
      const state = { dead: false }
      const doomed: Array<() => void> = []
      const fate = (): StatementFate => {
        if (!troubled) return "runs"
        if (chance.happens(weather.deaths)) {
          // It dies at this statement: before it, or after it and before its answer.
          const before = chance.happens(0.5)
          doomed.forEach((end) => end())
          if (before) state.dead = true
          else queueMicrotask(() => { state.dead = true })
          return "runs"
        }
        if (!chance.happens(weather.database)) return "runs"
        return chance.happens(0.5) ? "fails" : "runsButFails"
      }
      return { state, fate, onDeath: (end: () => void) => { doomed.push(end) } }
    }

    let process = boot()
    let wanted = false
    const startRunner = () => {
      process = boot()
      const { state, fate, onDeath } = process
      wanted = false
      onDeath(() => { wanted = true })
      return Runner.start({
        books: new Map([[network, { book, nodes: watched }]]),
        sql: pg.client({ fate, dead: () => state.dead }),
        dead: () => state.dead,
        clock: clock.of(() => state.dead)
      })
    }

    let runner = yield* Effect.forkDaemon(startRunner())
    const accepted: Array<Accepted> = []

    const request = Effect.gen(function*() {
      const vault = vaults[chance.below(vaults.length)]
      if (vault === undefined) return
      const buys = chance.happens(0.5)
      const fateOfServer = (): StatementFate => troubled && chance.happens(weather.database) ? chance.one(["fails", "runsButFails"] as const) : "runs"
      const server = IntentStore.layer.pipe(Layer.provide(pg.client({ fate: fateOfServer, dead: () => false })))
      const taken = yield* Effect.either(Effect.flatMap(IntentStore, (store) =>
        store.accept({
          wallet: vault.wallet.address,
          keyId: vault.wallet.keyId,
          endpoint: "vaultTrade",
          network,
          pool: vault.pool,
          request: TradeRequest.make({
            from: buys ? "USDC" : "WETH",
            to: buys ? "WETH" : "USDC",
            amount: buys ? BigDecimal.unsafeFromString("300") : BigDecimal.unsafeFromString("0.1"),
            slippage: 3,
            platform: "auto"
          }),
          idempotencyKey: null
        })).pipe(Effect.provide(server), Effect.scoped))
      if (taken._tag === "Left") return
      accepted.push({ id: taken.right.id, wallet: vault.wallet.address, pool: vault.pool })
      const context = yield* Fiber.join(runner)
      // A poke that is lost delays, never strands.
      const poke = Effect.flatMap(Vault.client, (client) => client(idOf(network, vault.pool)).execute({ intentId: taken.right.id }))
      yield* poke.pipe(Effect.timeout("5 seconds"), Effect.ignore, Effect.provide(context), Effect.forkDaemon)
    })

    const block = Effect.gen(function*() {
      if (troubled && chance.happens(weather.drops)) yield* chain.dropAll
      if (troubled && chance.happens(weather.foreign)) {
        const wallet = wallets[chance.below(wallets.length)]
        if (wallet !== undefined) yield* Effect.ignore(chain.foreign(wallet.privateKey))
      }
      if (troubled && weather.spikes && chance.happens(0.05)) yield* chain.setBaseFee(chance.one([10_000_000_000n, 100_000_000_000n, 1_000_000_000n]))
      if (troubled && chance.happens(weather.reorgs)) {
        const keep = chance.happens(0.7)
        yield* chain.reorg(1 + chance.below(5), { keep })
      }
      yield* chain.mine()
    })

    /** Moves on to the next thing that waits for time, block by block. */
    const until = (end: number, done: () => Promise<boolean>) =>
      Effect.gen(function*() {
        let nextBlock = clock.now() + blockMillis
        let nextRequest = clock.now() + 500
        while (clock.now() < end) {
          yield* quiet(pg)
          if (wanted) {
            process.state.dead = true
            yield* pg.bury
            runner = yield* Effect.forkDaemon(startRunner())
            continue
          }
          const next = Math.min(clock.next() ?? end, nextBlock, troubled ? nextRequest : end, end)
          clock.moveTo(Math.max(next, clock.now() + 1))
          yield* Effect.promise(() => pg.setNow(clock.now()))
          if (clock.now() >= nextBlock) {
            nextBlock += blockMillis
            yield* block
            if (!troubled && (yield* Effect.promise(done))) return
          }
          if (troubled && clock.now() >= nextRequest) {
            nextRequest = clock.now() + 1_000 + chance.below(12_000)
            yield* Effect.forkDaemon(request)
          }
        }
      })

    for (const node of nodes) {
      yield* node.odds(Faults.anyMethod, oddsOf(weather.rpc))
      yield* node.odds("eth_sendRawTransaction", { ...oddsOf(weather.rpc), swallow: weather.rpc, nonceTooLow: weather.rpc / 2, underpriced: weather.rpc / 2 })
    }
    yield* until(start + troubleMillis, async () => false)
    troubled = false
    yield* Effect.forEach(nodes, (node) => node.calm, { discard: true })
    yield* chain.setBaseFee(1_000_000_000n)
    yield* until(clock.now() + calmMillis, async () => {
      const [row] = await pg.peek<{ readonly open: number }>(`select (select count(*) from intents where status in ('accepted', 'submitted'))
        + (select count(*) from submissions where status in ('queued', 'signed', 'mined')) as open`)
      return Number(row?.open ?? 0) === 0
    })
    yield* quiet(pg)
    const report = yield* look({ pg, chain, wallets, accepted, unrecorded, seed })
    process.state.dead = true
    return report
  })

  return life.pipe(
    Effect.withClock(clock.clock),
    Effect.withRandom(Random.make(seed)),
    // Turns by microtasks alone: a timer of the real world would let virtual time overtake a fiber.
    Effect.withScheduler(new Scheduler.MixedScheduler(Number.MAX_SAFE_INTEGER)),
    Effect.provide(verbose ? Logger.pretty : Logger.remove(Logger.defaultLogger)),
    Effect.ensuring(Effect.sync(restore))
  )
}

const oddsOf = (probability: number) => ({
  http: probability,
  timeoutBefore: probability / 4,
  timeoutAfter: probability / 4,
  resetBefore: probability / 2,
  resetAfter: probability / 2,
  delay: probability / 2,
  duplicate: probability / 4,
  stale: probability / 2,
  alreadyKnown: probability / 8,
  recode: probability / 4,
  noReceipt: probability / 2,
  malformed: probability / 8
})

/** Promise 3 at the boundary itself: bytes that arrive at a node must be in the table by then. */
const watch = (pg: VirtualPostgres, node: Faults.Faults, unrecorded: Array<string>): Faults.Faults => ({
  ...node,
  request: (method, params) =>
    method !== "eth_sendRawTransaction" ? node.request(method, params) : Effect.zipRight(
      Effect.promise(async () => {
        const rows = await pg.peek("select 1 from attempts where raw = $1", [params[0]])
        if (rows.length === 0) unrecorded.push(String(params[0]).slice(0, 40))
      }),
      node.request(method, params)
    )
})

const makeWallets = (seed: number, count: number) =>
  Effect.forEach(Array.from({ length: count }, (_, index) => keyOf(seed, index)), (key) =>
    Effect.gen(function*() {
      const signer = yield* Signer.Signer
      const keys = yield* ApiKeyStore
      const imported = yield* signer.importKey(Redacted.make(key))
      if (imported._tag === "None") return yield* Effect.dieMessage("not a key")
      const { keyId } = yield* keys.issue({ wallet: imported.value, digest: key, lastFour: key.slice(-4) })
      return { address: imported.value, keyId, privateKey: `0x${key}` } satisfies Wallet
    })).pipe(
      Effect.provide(Signer.Signer.layer(Runner.kek).pipe(Layer.provideMerge(Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer)))),
      Effect.orDie
    ) satisfies Effect.Effect<ReadonlyArray<Wallet>, never, SqlClient.SqlClient>
