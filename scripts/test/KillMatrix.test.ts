/**
 * Each of {a runner, the server, every database session} ends at each point where something has just been committed, while blocks
 * are made in each way. Six trades are brought to the six points, then one blow falls on all of them.
 */
import { assert, layer } from "@effect/vitest"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ChainProof from "./ChainProof.ts"
import * as Fleet from "./Fleet.ts"
import { type Answer, demoVault, rows, wallet } from "./Harness.ts"
import * as OnChain from "./OnChain.ts"
import { RpcHold, type Rule, sends } from "./RpcHold.ts"
import * as Trades from "./Trades.ts"
import { until, within } from "./Until.ts"

/** What is committed last when the blow falls. A network each, for a request kept back keeps its network's others waiting. */
const places = { accepted: "base", planned: "optimism", signed: "arbitrum", broadcast: "polygon", mined: "ethereum", outcome: "base" } as const
type Boundary = keyof typeof places
const boundaries = Object.keys(places) as ReadonlyArray<Boundary>
const networks = Array.from(new Set(Object.values(places)))

const minings = { "at every transaction": "automatic", "every second": { everySeconds: 1 }, "by hand": "manual" } as const
type Mining = keyof typeof minings

const node = (network: Network) => Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.rpc(network)))

const setMining = (mining: Mining) =>
  Effect.forEach(networks, (network) =>
    Effect.flatMap(node(network), (rpc) =>
      mining === "by hand"
        // Only this ends a pace, too.
        ? Effect.orDie(rpc.request("evm_setIntervalMining", [0], Schema.Unknown))
        : Effect.orDie(rpc.setMining(minings[mining]))), { discard: true })

/** A block, where only we make them. */
const mineOn = (network: Network, mining: Mining) => mining === "by hand" ? Effect.flatMap(node(network), ({ mine }) => Effect.orDie(mine)) : Effect.void

const count = (query: string) => Effect.map(rows(`select count(*)::int as n ${query}`), ([row]) => Number(row?.["n"]))
const submissions = ({ key }: Trades.Wanted, which = "true") =>
  count(`from submissions s join intents i on i.id = s.intent_id where i.idempotency_key = '${key}' and ${which}`)

/** The hash of the only attempt there may be, once there is one. */
const hashOf = ({ key }: Trades.Wanted) =>
  Effect.map(
    rows(`select a.hash from attempts a join submissions s on s.key = a.submission_key join intents i on i.id = s.intent_id where i.idempotency_key = '${key}'`),
    (attempts) => attempts[0] === undefined ? undefined : String(attempts[0]["hash"])
  )

/** Whether the node has the transaction of a trade, and whether in a block. */
const atNode = (trade: Trades.Wanted) =>
  Effect.gen(function*() {
    const hash = yield* hashOf(trade)
    if (hash === undefined) return "unknown"
    const { request } = yield* node(trade.network)
    const found = yield* Effect.orDie(request("eth_getTransactionByHash", [hash], Schema.NullOr(Schema.Struct({ blockHash: Schema.NullOr(Schema.String) }))))
    return found === null ? "unknown" : found.blockHash === null ? "waiting" : "mined"
  })

/** A trade that has come to its point and can go no further. */
interface Poised {
  readonly trade: Trades.Wanted
  /** Whoever asked for it, and has not been answered. */
  readonly caller: Fiber.Fiber<Exit.Exit<Answer>>
  /** Takes away what keeps it. */
  readonly release: Effect.Effect<void>
}

const ask = (trade: Trades.Wanted) => Effect.forkScoped(Effect.exit(Trades.asked(trade)))
const isAccepted = (trade: Trades.Wanted) => Effect.map(Trades.intentOf(trade), (intent) => intent !== undefined)

/** Kept by what its network is not asked, or does not get to answer, once it is at its point. */
const keptWhen = (
  trade: Trades.Wanted,
  when: Rule<SqlClient.SqlClient | Devnet>["when"],
  meanwhile: Effect.Effect<void, never, SqlClient.SqlClient | Devnet> = Effect.void
) =>
  Effect.gen(function*() {
    const { hold } = yield* RpcHold
    const { reached, release } = yield* hold({ network: trade.network, when })
    const caller = yield* ask(trade)
    yield* meanwhile
    yield* within(`${trade.key} on ${trade.network} to be kept`, reached)
    return { trade, caller, release } satisfies Poised
  })

/** Every request, once something is so. */
const once = (so: Effect.Effect<boolean, never, SqlClient.SqlClient | Devnet>): Rule<SqlClient.SqlClient | Devnet>["when"] => (_, moment) =>
  moment === "before the node" ? so : Effect.succeed(false)

/** The row of a trade's intent is locked until it is let go. */
const lockRow = ({ key }: Trades.Wanted) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const locked = yield* Deferred.make<void>()
    const letGo = yield* Deferred.make<void>()
    const holding = yield* Effect.forkScoped(sql.withTransaction(Effect.zipRight(
      sql`select 1 from intents where idempotency_key = ${key} for update`,
      Effect.zipRight(Deferred.succeed(locked, undefined), Deferred.await(letGo))
    )))
    yield* Deferred.await(locked)
    return Effect.zipRight(Deferred.succeed(letGo, undefined), Effect.orDie(Fiber.join(holding)))
  })

/** Its plan is made and cannot be committed: its row is locked. Its network goes on. */
const toAccepted = (trade: Trades.Wanted) =>
  Effect.gen(function*() {
    const { caller, release } = yield* keptWhen(trade, once(isAccepted(trade)))
    const letGo = yield* lockRow(trade)
    yield* release
    yield* until("the plan to wait for its row", Effect.map(
      count("from pg_stat_activity where application_name = 'runner-1' and wait_event_type = 'Lock'"),
      (waiting) => waiting > 0 ? true : undefined
    ))
    return { trade, caller, release: letGo } satisfies Poised
  })

const mineWhenWaiting = (trade: Trades.Wanted, mining: Mining) =>
  mining === "by hand"
    ? Effect.zipRight(until(`${trade.key} to wait for a block`, Effect.map(atNode(trade), (seen) => seen === "waiting" ? true : undefined)), mineOn(trade.network, mining))
    : Effect.void

/** The server is frozen before the outcome can be written, so it has not answered when it is. */
const toOutcome = (poised: Poised, mining: Mining) =>
  Effect.gen(function*() {
    const server = (yield* Fleet.Fleet).the("server")
    yield* Effect.acquireRelease(server.freeze, () => server.thaw)
    yield* poised.release
    yield* mineWhenWaiting(poised.trade, mining)
    yield* until(`the outcome of ${poised.trade.key}`, Effect.map(Trades.intentOf(poised.trade), (intent) => intent?.status === "succeeded" ? true : undefined))
    return { ...poised, release: Effect.void } satisfies Poised
  })

const bring = {
  planned: (trade: Trades.Wanted) => keptWhen(trade, once(Effect.map(submissions(trade, "s.status = 'queued'"), (queued) => queued > 0))),
  signed: (trade: Trades.Wanted) => keptWhen(trade, (asked, moment) => Effect.succeed(moment === "before the node" && sends(asked))),
  // The send's answer is kept, and whatever else could tell that it arrived.
  broadcast: (trade: Trades.Wanted) =>
    keptWhen(trade, (asked, moment) =>
      moment === "before the answer" ? Effect.succeed(sends(asked)) : Effect.map(atNode(trade), (seen) => seen !== "unknown")),
  mined: (trade: Trades.Wanted, mining: Mining) =>
    keptWhen(trade, once(Effect.map(atNode(trade), (seen) => seen === "mined")), mineWhenWaiting(trade, mining))
}

/** All six at their points, none of them answered. */
const poise = (trades: Readonly<Record<Boundary, Trades.Wanted>>, mining: Mining) =>
  Effect.gen(function*() {
    const onBase = Effect.gen(function*() {
      const accepted = yield* toAccepted(trades.accepted)
      return [accepted, yield* keptWhen(trades.outcome, once(isAccepted(trades.outcome)))] as const
    })
    const [[accepted, last], planned, signed, broadcast, mined] = yield* Effect.all([
      onBase,
      bring.planned(trades.planned),
      bring.signed(trades.signed),
      bring.broadcast(trades.broadcast),
      bring.mined(trades.mined, mining)
    ], { concurrency: "unbounded" })
    return { accepted, planned, signed, broadcast, mined, outcome: yield* toOutcome(last, mining) }
  })

/** Where a trade stands, by its rows and by its node. */
const stand = (trade: Trades.Wanted) =>
  Effect.gen(function*() {
    const intent = yield* Trades.intentOf(trade)
    return {
      intent: intent?.status,
      queued: yield* submissions(trade, "s.status = 'queued'"),
      signed: yield* submissions(trade, "s.status = 'signed'"),
      node: yield* atNode(trade),
      charges: yield* count(`from charges where intent_id = '${intent?.id}'`)
    }
  })

const standsAt: Record<Boundary, (mining: Mining) => ReadonlyArray<Effect.Effect.Success<ReturnType<typeof stand>>>> = {
  accepted: () => [{ intent: "accepted", queued: 0, signed: 0, node: "unknown", charges: 0 }],
  planned: () => [{ intent: "accepted", queued: 1, signed: 0, node: "unknown", charges: 0 }],
  signed: () => [{ intent: "submitted", queued: 0, signed: 1, node: "unknown", charges: 0 }],
  broadcast: (mining) =>
    (["waiting", "mined"] as const).filter((seen) => !(seen === "waiting" && mining === "at every transaction" || seen === "mined" && mining === "by hand"))
      .map((seen) => ({ intent: "submitted", queued: 0, signed: 1, node: seen, charges: 0 })),
  mined: () => [{ intent: "submitted", queued: 0, signed: 1, node: "mined", charges: 0 }],
  outcome: () => [{ intent: "succeeded", queued: 0, signed: 0, node: "mined", charges: 1 }]
}

/** What falls, and how it stands again. */
const blows = {
  "the runner": {
    strike: ({ the }: Fleet.Fleet["Type"]) =>
      Effect.gen(function*() {
        yield* the("runner-1").kill
        yield* (yield* RpcHold).bury("runner-1")
      }),
    mend: ({ start, the }: Fleet.Fleet["Type"]) => Effect.zipRight(the("server").thaw, start("runner-1"))
  },
  "the server": {
    strike: ({ the }: Fleet.Fleet["Type"]) => the("server").kill,
    mend: ({ start }: Fleet.Fleet["Type"]) => start("server")
  },
  "every database session": {
    strike: ({ cutOff }: Fleet.Fleet["Type"]) => cutOff(["server", "runner-1"]),
    mend: ({ the }: Fleet.Fleet["Type"]) => the("server").thaw
  }
} as const

/** Blocks for as long as the scope lives, where only we make them. */
const mineOnceMore = (mining: Mining) =>
  Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.forEach(networks, (network) => mineOn(network, mining), { concurrency: "unbounded" }), Effect.sleep("200 millis"))))

/** The series of the whole matrix, held against the chains after every blow. */
class Series extends Context.Tag("vault-trader/scripts/test/Series")<Series, {
  readonly wish: (boundary: Boundary) => Trades.Wanted
  /** Adds these trades to those that have succeeded, and compares all of them with the chains. */
  readonly holdsWith: (trades: ReadonlyArray<ChainProof.Trade>) => Effect.Effect<void, never, Devnet | SqlClient.SqlClient>
}>() {
  static readonly layer = Layer.effect(
    Series,
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const by = yield* wallet
      const vaultOf = (network: Network, pool: Address) =>
        Effect.gen(function*() {
          yield* Effect.orDie(devnet.faucet({ network, address: by.address, amountWei: 10n ** 18n }))
          yield* Effect.orDie(devnet.setTrader({ network, pool, trader: by.address }))
          return pool
        })
      const pools = new Map<Boundary, Address>()
      for (const boundary of boundaries) {
        const network = places[boundary]
        pools.set(boundary, yield* vaultOf(network, boundary === "outcome" ? yield* OnChain.createVault(network, 10_000n) : yield* demoVault(network)))
      }
      const vaults = boundaries.map((boundary) => ({ by, network: places[boundary], pool: pools.get(boundary)! }))
      const proof = yield* ChainProof.begin(vaults)
      const succeeded: Array<ChainProof.Trade> = []
      return {
        wish: (boundary) => Trades.wanted(vaults[boundaries.indexOf(boundary)]!),
        holdsWith: (trades) => Effect.suspend(() => {
          succeeded.push(...trades)
          return proof.holds(succeeded)
        })
      }
    })
  )
}

const fleet = Fleet.layer({ names: ["server", "runner-1"], networks, env: { RPC_TIMEOUT_MS: "300000" } })

layer(Layer.provideMerge(Series.layer, fleet), { timeout: 120_000, excludeTestServices: true })("everything accepted is carried out once", (it) => {
  for (const mining of Object.keys(minings) as ReadonlyArray<Mining>) {
    for (const [what, { mend, strike }] of Object.entries(blows)) {
      it.effect(`when ${what} dies with a trade ${boundaries.join(", ")}, and blocks are made ${mining}`, () =>
        Effect.gen(function*() {
          const began = performance.now()
          const { holdsWith, wish } = yield* Series
          yield* setMining(mining)
          const trades = Object.fromEntries(boundaries.map((boundary) => [boundary, wish(boundary)])) as Record<Boundary, Trades.Wanted>
          const poised = yield* poise(trades, mining)
          const ids = new Map<Boundary, string | undefined>()
          for (const boundary of boundaries) {
            assert.deepInclude(standsAt[boundary](mining), yield* stand(trades[boundary]), boundary)
            assert.isTrue(Option.isNone(yield* Fiber.poll(poised[boundary].caller)), `${boundary} is answered`)
            ids.set(boundary, (yield* Trades.intentOf(trades[boundary]))?.id)
          }
          const struck = performance.now()

          const fleet = yield* Fleet.Fleet
          yield* strike(fleet)
          for (const boundary of boundaries) yield* poised[boundary].release
          yield* mend(fleet)
          yield* mineOnceMore(mining)

          const done = yield* Effect.forEach(boundaries, (boundary) => Trades.settled(trades[boundary]), { concurrency: "unbounded" })
          assert.deepStrictEqual(done.map(({ intentId }) => intentId), boundaries.map((boundary) => ids.get(boundary)))
          for (const boundary of boundaries) {
            const first = yield* Fiber.join(poised[boundary].caller)
            // Whoever was still answered was told the truth: it is the same intent, done or under way.
            if (Exit.isSuccess(first)) {
              const { fields, text } = first.value
              assert.include(["success", "pending"], fields["status"], text)
              assert.strictEqual(fields["intent_id"], ids.get(boundary))
            }
          }
          yield* holdsWith(done)
          const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
          console.log(`6 cells: ${what}, blocks ${mining}: settled and proven ${seconds(struck)} s after the blow (${seconds(began)} s in all)`)
        }).pipe(Effect.scoped), 600_000)
    }
  }
})
