/**
 * Trades that are brought exactly to one of the points where something has just been committed, and can go no further: a request to
 * their node is kept back, or the server is frozen. No point is met by luck.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as ProcessGroup from "./ProcessGroup.ts"
import { type Answer, rows } from "./Harness.ts"
import { mentions, RpcHold, type Rule, sends } from "./RpcHold.ts"
import * as Trades from "./Trades.ts"
import { until, within } from "./Until.ts"

/** What has been committed last, and the network on which it is met: what is kept back there keeps nobody else waiting. */
export const points = {
  accepted: "base",
  planned: "optimism",
  signed: "arbitrum",
  broadcast: "polygon",
  mined: "ethereum",
  outcome: "base"
} as const
export type Point = keyof typeof points
export const networks: ReadonlyArray<Network> = Array.from(new Set(Object.values(points)))

/** When blocks are made. */
export const minings = ["at every transaction", "every second", "by hand"] as const
export type Mining = typeof minings[number]

const node = (network: Network) => Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.rpc(network)))

/** From now on blocks are made so, on all networks. */
export const setMining = (mining: Mining) =>
  Effect.forEach(networks, (network) =>
    Effect.flatMap(node(network), (rpc) => {
      if (mining === "at every transaction") return Effect.orDie(rpc.setMining("automatic"))
      // Of the ways to have no blocks this one also ends a pace.
      return mining === "by hand"
        ? Effect.orDie(rpc.request("evm_setIntervalMining", [0], Schema.Unknown))
        : Effect.orDie(rpc.setMining({ everySeconds: 1 }))
    }), { discard: true })

/** A block, where only we make them. */
const mineOn = (network: Network, mining: Mining) =>
  mining === "by hand" ? Effect.flatMap(node(network), ({ mine }) => Effect.orDie(mine)) : Effect.void

/** Blocks for as long as the scope lives, where only we make them. */
export const mineOnceMore = (mining: Mining) => {
  const everywhere = Effect.forEach(networks, (network) => mineOn(network, mining), { concurrency: "unbounded" })
  return Effect.forkScoped(Effect.forever(Effect.andThen(everywhere, Effect.sleep("200 millis"))))
}

const count = (query: string) => Effect.map(rows(`select count(*)::int as n ${query}`), ([row]) => Number(row?.["n"]))
const submissions = ({ key }: Trades.Wanted, status: "queued" | "signed") =>
  count(`from submissions s join intents i on i.id = s.intent_id where i.idempotency_key = '${key}' and s.status = '${status}'`)

const Sighting = Schema.NullOr(Schema.Struct({ blockHash: Schema.NullOr(Schema.String) }))

/** Whether the node has a transaction of a trade, and whether in a block. */
const atNode = ({ key, network }: Trades.Wanted) =>
  Effect.gen(function*() {
    const { request } = yield* node(network)
    const attempts = yield* rows(`select a.hash from attempts a join submissions s on s.key = a.submission_key
      join intents i on i.id = s.intent_id where i.idempotency_key = '${key}'`)
    const seen = yield* Effect.orDie(Effect.forEach(attempts, ({ hash }) => request("eth_getTransactionByHash", [hash], Sighting)))
    const known = seen.flatMap((sighting) => sighting === null ? [] : [sighting])
    return known.length === 0 ? "unknown" : known.every(({ blockHash }) => blockHash === null) ? "waiting" : "mined"
  })

/** A trade that has come to its point and can go no further. */
export interface Poised {
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
  rule: Pick<Rule<SqlClient.SqlClient | Devnet>, "about" | "when">,
  meanwhile: Effect.Effect<void, never, SqlClient.SqlClient | Devnet> = Effect.void
) =>
  Effect.gen(function*() {
    const { hold } = yield* RpcHold
    const { reached, release } = yield* hold({ network: trade.network, ...rule })
    const caller = yield* ask(trade)
    yield* meanwhile
    yield* within(`${trade.key} on ${trade.network} to be kept`, reached)
    return { trade, caller, release } satisfies Poised
  })

/** Every request, once something is so. */
const once = (so: Effect.Effect<boolean, never, SqlClient.SqlClient | Devnet>): Pick<Rule<SqlClient.SqlClient | Devnet>, "when"> => ({
  when: (_, moment) => moment === "before the node" ? so : Effect.succeed(false)
})

/** A planner that has its intent gets no answer about its vault; what the network is asked about others goes on. */
const toPlanner = (trade: Trades.Wanted) =>
  keptWhen(trade, { ...once(isAccepted(trade)), about: (call) => mentions(call, trade.pool) })

/** Where only we make blocks, it gets its block as soon as it waits for one. */
const mineWhenWaiting = (trade: Trades.Wanted, mining: Mining) => {
  const waits = until(`${trade.key} to wait for a block`, Effect.map(atNode(trade), (seen) => seen === "waiting" ? true : undefined))
  return mining === "by hand" ? Effect.andThen(waits, mineOn(trade.network, mining)) : Effect.void
}

/** The server is frozen before the outcome can be written, so it has not answered when it is. */
const toOutcome = (poised: Poised, mining: Mining) =>
  Effect.gen(function*() {
    const server = (yield* ProcessGroup.Fleet).the("server")
    yield* Effect.acquireRelease(server.freeze, () => server.thaw)
    yield* poised.release
    yield* mineWhenWaiting(poised.trade, mining)
    const succeeded = Effect.map(Trades.intentOf(poised.trade), (intent) => intent?.status === "succeeded" ? true : undefined)
    yield* until(`the outcome of ${poised.trade.key}`, succeeded)
    return { ...poised, release: Effect.void } satisfies Poised
  })

const bring = {
  planned: (trade: Trades.Wanted) => keptWhen(trade, once(Effect.map(submissions(trade, "queued"), (queued) => queued > 0))),
  signed: (trade: Trades.Wanted) => keptWhen(trade, { when: (asked, moment) => Effect.succeed(moment === "before the node" && sends(asked)) }),
  // The send's answer is kept, and whatever else could tell that it arrived.
  broadcast: (trade: Trades.Wanted) =>
    keptWhen(trade, {
      when: (asked, moment) => moment === "before the answer" ? Effect.succeed(sends(asked)) : Effect.map(atNode(trade), (seen) => seen !== "unknown")
    }),
  mined: (trade: Trades.Wanted, mining: Mining) =>
    keptWhen(trade, once(Effect.map(atNode(trade), (seen) => seen === "mined")), mineWhenWaiting(trade, mining))
}

/** All six at their points, none of them answered. */
export const poise = (trades: Readonly<Record<Point, Trades.Wanted>>, mining: Mining) =>
  Effect.gen(function*() {
    const onBase = Effect.gen(function*() {
      const accepted = yield* toPlanner(trades.accepted)
      return [accepted, yield* toPlanner(trades.outcome)] as const
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
export const stand = (trade: Trades.Wanted) =>
  Effect.gen(function*() {
    const intent = yield* Trades.intentOf(trade)
    return {
      intent: intent?.status,
      queued: yield* submissions(trade, "queued"),
      signed: yield* submissions(trade, "signed"),
      node: yield* atNode(trade),
      charges: yield* count(`from charges where intent_id = '${intent?.id}'`)
    }
  })

/** Where a trade can stand at a point: more than one way only where blocks come by themselves. */
export const standsAt: Readonly<Record<Point, (mining: Mining) => ReadonlyArray<Effect.Success<ReturnType<typeof stand>>>>> = {
  accepted: () => [{ intent: "accepted", queued: 0, signed: 0, node: "unknown", charges: 0 }],
  planned: () => [{ intent: "accepted", queued: 1, signed: 0, node: "unknown", charges: 0 }],
  signed: () => [{ intent: "submitted", queued: 0, signed: 1, node: "unknown", charges: 0 }],
  broadcast: (mining) => {
    const seen = { "at every transaction": ["mined"], "every second": ["waiting", "mined"], "by hand": ["waiting"] } as const
    return seen[mining].map((at) => ({ intent: "submitted", queued: 0, signed: 1, node: at, charges: 0 }))
  },
  mined: () => [{ intent: "submitted", queued: 0, signed: 1, node: "mined", charges: 0 }],
  outcome: () => [{ intent: "succeeded", queued: 0, signed: 0, node: "mined", charges: 1 }]
}
