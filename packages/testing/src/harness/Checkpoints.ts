/**
 * Trades stopped exactly at one of the checkpoints, right after a commit: a request to their node is held back, or the
 * server is frozen. No checkpoint is reached by chance.
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

/**
 * The last commit at each checkpoint, and the network on which it is reached: a request held back there delays no other
 * trade.
 */
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

/** When blocks are mined. */
export const minings = ["at every transaction", "every second", "by hand"] as const
type Mining = typeof minings[number]

const node = (network: Network) => Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.rpc(network)))

/** Sets when blocks are mined, on all networks. */
export const setMining = (mining: Mining) =>
  Effect.forEach(networks, (network) =>
    Effect.flatMap(node(network), (rpc) => {
      if (mining === "at every transaction") return Effect.orDie(rpc.setMining("automatic"))
      // Of the ways to stop mining, this one also ends an interval.
      return mining === "by hand"
        ? Effect.orDie(rpc.request("evm_setIntervalMining", [0], Schema.Unknown))
        : Effect.orDie(rpc.setMining({ everySeconds: 1 }))
    }), { discard: true })

/** Mines a block, if blocks are mined by hand. */
const mineOn = (network: Network, mining: Mining) =>
  mining === "by hand" ? Effect.flatMap(node(network), ({ mine }) => Effect.orDie(mine)) : Effect.void

/** Mines blocks until the scope closes, if blocks are mined by hand. */
export const mineOnceMore = (mining: Mining) => {
  const everywhere = Effect.forEach(networks, (network) => mineOn(network, mining), { concurrency: "unbounded" })
  return Effect.forkScoped(Effect.forever(Effect.andThen(everywhere, Effect.sleep("200 millis"))))
}

const count = (query: string) => Effect.map(rows(`select count(*)::int as n ${query}`), ([row]) => Number(row?.["n"]))
const submissions = ({ key }: Trades.TradeRequest, status: "queued" | "signed") =>
  count(
    `from submissions s join intents i on i.id = s.intent_id where i.idempotency_key = '${key}' and s.status = '${status}'`
  )

const NodeTransaction = Schema.NullOr(Schema.Struct({ blockHash: Schema.NullOr(Schema.String) }))

/** Returns whether the node has a trade's transaction, and whether it is in a block. */
const atNode = ({ key, network }: Trades.TradeRequest) =>
  Effect.gen(function*() {
    const { request } = yield* node(network)
    const attempts = yield* rows(`select a.hash from attempts a join submissions s on s.key = a.submission_key
      join intents i on i.id = s.intent_id where i.idempotency_key = '${key}'`)
    const seen = yield* Effect.orDie(
      Effect.forEach(attempts, ({ hash }) => request("eth_getTransactionByHash", [hash], NodeTransaction))
    )
    const known = seen.flatMap((sighting) => sighting === null ? [] : [sighting])
    return known.length === 0 ? "unknown" : known.every(({ blockHash }) => blockHash === null) ? "waiting" : "mined"
  })

/** A trade that has reached its checkpoint and cannot continue. */
interface TradeAtCheckpoint {
  readonly trade: Trades.TradeRequest
  /** The caller of the trade, which has no answer yet. */
  readonly caller: Fiber.Fiber<Exit.Exit<Answer>>
  /** Removes what holds the trade back. */
  readonly release: Effect.Effect<void>
}

const ask = (trade: Trades.TradeRequest) => Effect.forkScoped(Effect.exit(Trades.asked(trade)))
const isAccepted = (trade: Trades.TradeRequest) => Effect.map(Trades.intentOf(trade), (intent) => intent !== undefined)

/** Holds requests to the trade's network, or their answers, once the trade is at its checkpoint. */
const keptWhen = (
  trade: Trades.TradeRequest,
  rule: Pick<Rule<SqlClient.SqlClient | Devnet>, "about" | "when">,
  meanwhile: Effect.Effect<void, never, SqlClient.SqlClient | Devnet> = Effect.void
) =>
  Effect.gen(function*() {
    const { hold } = yield* RpcHold
    const { reached, release } = yield* hold({ network: trade.network, ...rule })
    const caller = yield* ask(trade)
    yield* meanwhile
    yield* within(`${trade.key} on ${trade.network} to be kept`, reached)
    return { trade, caller, release } satisfies TradeAtCheckpoint
  })

/** Matches every request once a condition holds. */
const once = (
  so: Effect.Effect<boolean, never, SqlClient.SqlClient | Devnet>
): Pick<Rule<SqlClient.SqlClient | Devnet>, "when"> => ({
  when: (_, moment) => moment === "before the node" ? so : Effect.succeed(false)
})

/** Holds the planner's requests about the trade's vault; requests about other vaults continue. */
const toPlanner = (trade: Trades.TradeRequest) =>
  keptWhen(trade, { ...once(isAccepted(trade)), about: (call) => mentions(call, trade.pool) })

/** Mines a block by hand, if needed, as soon as the trade waits for one. */
const mineWhenWaiting = (trade: Trades.TradeRequest, mining: Mining) => {
  const waits = until(
    `${trade.key} to wait for a block`,
    Effect.map(atNode(trade), (seen) => seen === "waiting" ? true : undefined)
  )
  return mining === "by hand" ? Effect.andThen(waits, mineOn(trade.network, mining)) : Effect.void
}

/** Freezes the server before the outcome can be written, so the caller has no answer when it is. */
const toOutcome = (held: TradeAtCheckpoint, mining: Mining) =>
  Effect.gen(function*() {
    const server = (yield* ProcessGroup.ProcessGroup).the("server")
    yield* Effect.acquireRelease(server.freeze, () => server.thaw)
    yield* held.release
    yield* mineWhenWaiting(held.trade, mining)
    const succeeded = Effect.map(Trades.intentOf(held.trade), (intent) =>
      intent?.status === "succeeded" ? true : undefined)
    yield* until(`the outcome of ${held.trade.key}`, succeeded)
    return { ...held, release: Effect.void } satisfies TradeAtCheckpoint
  })

const bring = {
  planned: (trade: Trades.TradeRequest) =>
    keptWhen(trade, once(Effect.map(submissions(trade, "queued"), (queued) => queued > 0))),
  signed: (trade: Trades.TradeRequest) =>
    keptWhen(trade, { when: (request, moment) => Effect.succeed(moment === "before the node" && sends(request)) }),
  // Holds the answer to the send, and every other request that would show it arrived.
  broadcast: (trade: Trades.TradeRequest) =>
    keptWhen(trade, {
      when: (request, moment) =>
        moment === "before the answer"
          ? Effect.succeed(sends(request))
          : Effect.map(atNode(trade), (seen) => seen !== "unknown")
    }),
  mined: (trade: Trades.TradeRequest, mining: Mining) =>
    keptWhen(trade, once(Effect.map(atNode(trade), (seen) => seen === "mined")), mineWhenWaiting(trade, mining))
}

/** Brings all six trades to their checkpoints, without an answer. */
export const poise = (trades: Readonly<Record<Point, Trades.TradeRequest>>, mining: Mining) =>
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

/** Returns the state of a trade, by its rows and by its node. */
export const stateOf = (trade: Trades.TradeRequest) =>
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

/** Allowed states of a trade at each checkpoint: more than one only where blocks are mined automatically. */
export const statesAt: Readonly<
  Record<Point, (mining: Mining) => ReadonlyArray<Effect.Success<ReturnType<typeof stateOf>>>>
> = {
  accepted: () => [{ intent: "accepted", queued: 0, signed: 0, node: "unknown", charges: 0 }],
  planned: () => [{ intent: "accepted", queued: 1, signed: 0, node: "unknown", charges: 0 }],
  signed: () => [{ intent: "submitted", queued: 0, signed: 1, node: "unknown", charges: 0 }],
  broadcast: (mining) => {
    const seen = {
      "at every transaction": ["mined"],
      "every second": ["waiting", "mined"],
      "by hand": ["waiting"]
    } as const
    return seen[mining].map((at) => ({ intent: "submitted", queued: 0, signed: 1, node: at, charges: 0 }))
  },
  mined: () => [{ intent: "submitted", queued: 0, signed: 1, node: "mined", charges: 0 }],
  outcome: () => [{ intent: "succeeded", queued: 0, signed: 0, node: "mined", charges: 1 }]
}
