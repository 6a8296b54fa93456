/** Keeps the fake derivatives exchange up with its chain, and the chain with it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { encodeFunctionData, parseAbi } from "viem"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import { realTime } from "../anvil/RealTime.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { Block, toHex, wireTransaction } from "../anvil/RpcSchema.ts"
import type { Deployed } from "../contract/Deployed.ts"
import { systemAddress } from "../contract/Perpetuals.ts"
import * as HyperCore from "./HyperCore.ts"
import * as Event from "./Event.ts"
import * as State from "./State.ts"

export interface Pump {
  /** What the exchange knows by now. */
  readonly state: () => State.State
  /** The exchange's clock: this machine's, or its chain's when that is ahead. Unix milliseconds. */
  readonly time: () => number
  /** One look at the chain: everything new has happened afterwards, and what the chain must be told was sent. */
  readonly turn: Effect.Effect<void, RpcFailure>
  /** Polls until the chain has every report, at most for `settleTimeout`: a chain that mines no blocks never does. */
  readonly settled: Effect.Effect<void, RpcFailure>
}

const abi = parseAbi([
  "struct Price { uint32 asset; uint64 px; }",
  "struct Account { address user; uint256 worth; uint256 credited; }",
  "struct Payment { address to; uint256 amount; }",
  "function report(Price[] seen, Account[] accounts, uint256 first, Payment[] payments)"
])

const Logs = Schema.Array(Event.BlockLog)

/** Unix milliseconds of a block. */
const timeOf = ({ timestamp }: Block) => Number(timestamp) * 1000

const blockAt = (rpc: AnvilRpc, number: bigint) => rpc.request("eth_getBlockByNumber", [toHex(number), false], Schema.NullOr(Block))

/** Every event after block `after` up to block `to`, dated. */
const eventsBetween = (rpc: AnvilRpc, deployed: Deployed, after: bigint, to: bigint) =>
  Effect.gen(function*() {
    const filter = { fromBlock: toHex(after + 1n), toBlock: toHex(to), address: Event.sources(deployed) }
    const logs = yield* rpc.request("eth_getLogs", [filter], Logs)
    const numbers = new Set(logs.map(({ blockNumber }) => blockNumber))
    const times = new Map(yield* Effect.forEach(numbers, (number) =>
      Effect.map(blockAt(rpc, number), (block) => [number, block === null ? 0 : timeOf(block)] as const)))
    const meaning = Event.ofLog(deployed)
    return logs.flatMap((log): ReadonlyArray<Event.Dated> => {
      const event = meaning(log)
      return event === undefined ? [] : [{ event, hash: log.transactionHash, time: times.get(log.blockNumber) ?? 0 }]
    })
  })

/** How often the same report is sent: one that the chain refuses it refuses always, and nobody wants a block for each attempt. */
const attempts = 3

/** Long enough for a busy machine to mine the report; a report that the chain refuses never settles. */
const settleTimeout = "10 seconds"

const reportOf = ({ accounts, first, payments, seen }: NonNullable<ReturnType<typeof HyperCore.unreported>>) =>
  encodeFunctionData({ abi, functionName: "report", args: [seen, accounts, BigInt(first), payments] })

/** Starts with nothing known: the first turn plays everything that ever happened on the chain. */
export const make = (rpc: AnvilRpc, deployed: Deployed, perpetuals: NonNullable<Deployed["perpetuals"]>): Effect.Effect<Pump, RpcFailure> =>
  Effect.gen(function*() {
    let state = State.initial()
    let head: Block | undefined
    /** The last report, how often it was sent, and on which block: one is enough until the next. */
    let told: { readonly data: string; readonly on: string | undefined; readonly times: number } | undefined
    yield* rpc.request("anvil_impersonateAccount", [systemAddress], Schema.Unknown)

    /** False once the chain forgot blocks that were played: then everything is played again. */
    const isContinued = (latest: Block) =>
      Effect.gen(function*() {
        if (head === undefined || latest.number < head.number) return false
        return (yield* blockAt(rpc, head.number))?.hash === head.hash
      })
    const follow = Effect.gen(function*() {
      const latest = yield* rpc.latestBlock
      if (latest.hash === head?.hash) return
      const isSame = yield* isContinued(latest)
      if (!isSame) told = undefined
      const after = isSame && head !== undefined ? head.number : 0n
      const next = isSame ? state : State.initial()
      for (const dated of yield* eventsBetween(rpc, deployed, after, latest.number)) HyperCore.apply(next, dated)
      state = next
      head = latest
    })
    const turn = Effect.gen(function*() {
      yield* follow
      const news = HyperCore.unreported(state)
      if (news === undefined) return
      const data = reportOf(news)
      const times = told?.data === data ? told.times + 1 : 1
      if (told?.on === head?.hash || times > attempts) return
      told = { data, on: head?.hash, times }
      yield* rpc.request("eth_sendTransaction", [wireTransaction({ from: systemAddress, to: perpetuals.mirror, data })], Schema.Unknown)
    })
    const lock = yield* Semaphore.make(1)
    const alone = lock.withPermits(1)(turn)
    return {
      state: () => state,
      time: () => Math.max(Date.now(), head === undefined ? 0 : timeOf(head)),
      turn: alone,
      settled: Effect.andThen(alone, Effect.suspend(() => HyperCore.unreported(state) === undefined ? Effect.succeed(true) : Effect.as(Effect.sleep("5 millis"), false))).pipe(
        Effect.repeat({ until: (isSettled) => isSettled }),
        Effect.timeoutOption(settleTimeout),
        Effect.asVoid,
        realTime
      )
    }
  })
