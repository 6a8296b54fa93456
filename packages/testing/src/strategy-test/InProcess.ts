/** The whole service in this process: the real server and actors over PGlite and a test chain, on virtual time. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import * as Server from "@vault-trader/server/Server"
import type { ServerOptions } from "@vault-trader/server/ServerOptions"
import * as Secp256k1 from "@vault-trader/workers/gas-wallet/Secp256k1"
import { OutsideClock, StrategyDirectory } from "@vault-trader/workers/strategy/StrategyFolder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { createHash } from "node:crypto"
import * as Decoding from "../simulation/Decoding.ts"
import * as Environment from "../simulation/Environment.ts"
import type { FaultInjector } from "../simulation/FaultInjector.ts"
import * as Nodes from "../simulation/Nodes.ts"
import * as Process from "../simulation/Process.ts"
import * as Runner from "../simulation/Runner.ts"
import * as RecordDisk from "../simulation/RecordDisk.ts"
import * as VirtualPostgres from "../simulation/VirtualPostgres.ts"
import * as FaultyNode from "../test-chain/FaultyNode.ts"
import * as TestChain from "../test-chain/TestChain.ts"
import { type Body, fieldsOrRefused } from "./CallRefused.ts"
import * as MemoryHttp from "./MemoryHttp.ts"
import { initialGas, type KillPoint, network, type TestedService, type TestVault, toRaw } from "./TestedService.ts"
import * as TestMarket from "./TestMarket.ts"
import * as TimeDriver from "./TimeDriver.ts"

export interface Options {
  /** Determines the blocks' hashes and the order of simultaneous I/O. Defaults to 1. */
  readonly seed?: number
  /** Folder of the strategies that bots may run; none without it. */
  readonly strategies?: string
}

/** Hashes synchronously: virtual time would overtake the thread pool. */
const digest = ApiKeyDigest.of({
  digest: (apiKey) => Effect.sync(() => createHash("sha256").update(Redacted.value(apiKey).toLowerCase()).digest("hex"))
})

/** Injects nothing: faults come from the rules of the node. */
const noFaults: FaultInjector = {
  forStatement: () => "runs",
  forCall: () => "runs",
  apply: (_, __, answer) => answer(),
  onBlock: () => undefined,
  points: () => ({})
}

const manyOpen = 10_000

const serverOptions: ServerOptions = {
  directory: { networks: [network], defaultNetwork: network, protocols: ["dhedge", "chamber"] },
  rateLimit: {
    enabled: false,
    burst: manyOpen,
    perMinute: manyOpen,
    trustedProxies: [],
    perHour: { wallets: manyOpen, signIns: manyOpen }
  },
  sockets: { perSession: 1, perClient: 1, inAll: 1, idleSeconds: 60 },
  version: { version: "test", commit: "test" },
  waitSeconds: 60,
  requestSeconds: 60,
  open: { ofVault: manyOpen, ofWallet: manyOpen, ofService: manyOpen }
}

/** Starts the actors, then the server before them. */
const startService = (
  http: MemoryHttp.MemoryHttp,
  scope: Scope.Scope,
  options: Omit<Parameters<typeof Runner.start>[0], "locksFail" | "treasury" | "digest">
) =>
  Effect.gen(function*() {
    const services = yield* Runner.start({ ...options, locksFail: () => false, treasury: undefined, digest })
    const server = Server.layer(serverOptions).pipe(
      Layer.provide([
        Layer.succeed(HttpServer.HttpServer, http.server),
        Layer.succeed(ApiKeyDigest, digest),
        Layer.succeedContext(services)
      ])
    )
    yield* Layer.buildWithScope(server, scope)
  })

/** Makes the chain and its node, and the function that connects a process to it. */
const makeNetwork = (
  environment: Environment.Environment,
  { seed, sessions }: { readonly seed: number; readonly sessions: VirtualPostgres.Sessions }
) =>
  Effect.gen(function*() {
    const context = yield* Effect.context()
    const curve = yield* Effect.promise(() => Secp256k1.make())
    const chain = yield* TestChain.make({ network, seed, decoder: Decoding.decoder(curve) })
    const node = yield* FaultyNode.make(chain, { seed })
    const request = Nodes.requestThrough(environment, {
      injector: noFaults,
      sessions,
      fork: (effect, done) => Effect.runForkWith(context)(effect).addObserver(done),
      onSend: (raw, isRecorded) => {
        if (!isRecorded) throw new Error(`signed bytes left the process before they were committed: ${raw}`)
      }
    })
    const book = chain.book({ blockPollMillis: 500, patienceMillis: 10_000, maxFeePerGas: 50_000_000_000n })
    const booksOf = (process: Process.Process) =>
      new Map([[network, { book, nodes: [request(process, node.request)] }]])
    return { chain, node, booksOf }
  })

/** Returns the function that creates a wallet through the service, and its vault on the chain. */
const createVault = (chain: TestChain.TestChain, createGasWallet: Effect.Effect<Body>) =>
  Effect.fnUntraced(function*(holdings: Readonly<Record<string, string>>, trader?: TestVault) {
    const body = trader === undefined ? yield* createGasWallet : { apiKey: trader.apiKey, address: trader.wallet }
    const wallet = String(body["address"]) as Address
    if (trader === undefined) yield* chain.setBalance(wallet, initialGas)
    const { pool } = yield* chain.createVault({
      manager: "0x00000000000000000000000000000000000000aa",
      trader: wallet,
      holdings: Object.fromEntries(
        Object.entries(holdings).map(([symbol, amount]) => [symbol, toRaw(amount, decimalsOf(chain, symbol))])
      )
    })
    return { apiKey: String(body["apiKey"]), wallet, network, pool }
  })

/** Returns the decimals of a token by its symbol. */
const decimalsOf = (chain: TestChain.TestChain, symbol: string): number => {
  const decimals = chain.book().tokens.find((token) => token.symbol === symbol)?.decimals
  if (decimals === undefined) throw new Error(`${network} has no token ${symbol}`)
  return decimals
}

/** Milliseconds from the death of the service to the start of the next one. */
const restartMillis = 500

/** Builds the decision on statements: the process dies at the point that a test has set, once. */
const makeKills = () => {
  let point: KillPoint | undefined
  let restart: () => void = () => undefined
  return {
    set: (next: KillPoint) => {
      point = next
    },
    onDeath: (act: () => void) => {
      restart = act
    },
    decide: ({ text }: VirtualPostgres.Statement): VirtualPostgres.FaultDecision => {
      if (point === undefined || !point.statement.test(text)) return "runs"
      const { when } = point
      point = undefined
      return when === "before" ? "diesBefore" : "diesAfter"
    },
    apply: (decision: VirtualPostgres.FaultDecision, process: Process.Process, answer: () => void) => {
      if (decision !== "diesBefore" && decision !== "diesAfter") return answer()
      process.die()
      restart()
    }
  }
}

/** Counts what runs outside of the virtual clock: strategies, each in a thread of its own. */
const makeOutside = () => {
  let running = 0
  return {
    isBusy: () => running > 0,
    run: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.sync(() => running += 1),
        () => work,
        () => Effect.sync(() => running -= 1)
      )
  }
}

/** Copies the database, and returns the effect that restarts the service with the copy. */
const makeBackup = (
  sessions: VirtualPostgres.Sessions,
  { advance }: TimeDriver.TimeDriver,
  restartAfter: (change: () => void) => Effect.Effect<void>
) => {
  /** Lets time pass until no process is inside a transaction. */
  const untilFree: Effect.Effect<void> = Effect.suspend(() =>
    sessions.isFree() ? Effect.void : Effect.andThen(advance("100 millis"), untilFree)
  )
  return Effect.map(untilFree, () => {
    const copy = sessions.copy()
    return Effect.andThen(untilFree, restartAfter(() => sessions.restore(copy)))
  })
}

/** Starts the service. It ends with the scope. */
export const make = ({ seed = 1, strategies = "" }: Options = {}): Effect.Effect<TestedService, never, Scope.Scope> =>
  Effect.gen(function*() {
    const database = yield* Effect.promise(VirtualPostgres.make)
    const environment = Environment.make(seed, {}, [])
    const { clock, gate, trace } = environment
    const kills = makeKills()
    const { apply, decide } = kills
    const sessions = database.open({ gate, clock, decide, apply, record: trace.add })
    let process = Process.make("service")
    yield* Effect.addFinalizer(() => Effect.sync(() => process.die()))
    const onVirtualTime = Environment.onVirtualTime(environment, {})
    const context = yield* onVirtualTime(Effect.context<never>())
    const { booksOf, chain, node } = yield* onVirtualTime(makeNetwork(environment, { seed, sessions }))
    const outside = makeOutside()
    const driver = TimeDriver.make(environment, onVirtualTime(chain.mine()), outside.isBusy)
    const http = MemoryHttp.make()
    const disk = RecordDisk.make()
    const start = (skewMillis = 0) =>
      Effect.runPromiseWith(context)(
        // The scope is never closed: as after `kill -9`, nothing of the process runs once it is dead.
        startService(http, Scope.makeUnsafe(), {
          process,
          books: booksOf(process),
          sql: sessions.client(process),
          clock: clock.of(process, skewMillis),
          record: disk.record
        }).pipe(
          Effect.provideService(StrategyDirectory, strategies),
          Effect.provideService(OutsideClock, outside.run)
        )
      )
    yield* driver.complete(start())
    let starts = 1
    const next = () => {
      process = Process.make(`service ${starts += 1}`)
    }
    kills.onDeath(() => {
      next()
      clock.after(restartMillis, () => void start())
    })
    const call: TestedService["call"] = (endpoint, params = {}) =>
      Effect.flatMap(
        Effect.suspend(() => driver.complete(http.post(`/${endpoint}`, params))),
        fieldsOrRefused
      )
    /** Kills the service, changes the database if there is a change, and starts the next one. */
    const replace = (skewMillis = 0, change: () => void = () => undefined) =>
      Effect.suspend(() => {
        process.die()
        next()
        change()
        return driver.complete(start(skewMillis))
      })
    const vault = createVault(chain, Effect.orDie(call("createGasWallet")))
    return {
      call,
      vault: (holdings, trader) => onVirtualTime(vault(holdings, trader)),
      setPrice: (symbol, usd) => onVirtualTime(TestMarket.setPrice(chain, symbol, usd)),
      setOraclePrice: (symbol, usd, ageSeconds) =>
        onVirtualTime(
          ageSeconds === undefined
            ? chain.setPrice(symbol, usd)
            : Effect.flatMap(Clock.currentTimeMillis, (now) =>
              chain.setPrice(symbol, usd, BigInt(Math.floor(now / 1_000) - ageSeconds)))
        ),
      changeBalance: (owner, symbol, amount) =>
        onVirtualTime(
          Effect.suspend(() => chain.mintToken(symbol, owner, toRaw(amount, decimalsOf(chain, symbol))))
        ),
      backup: makeBackup(sessions, driver, (change) => replace(0, change)),
      kills: Effect.sync(() => starts - 1),
      skip: driver.skip,
      restart: (skewMillis) => replace(skewMillis),
      killAt: (point) => Effect.sync(() => kills.set(point)),
      advance: driver.advance,
      fault: node.rule,
      transactionCount: (address) => Effect.map(chain.transactionsOf(address), ({ length }) => length)
    }
  })
