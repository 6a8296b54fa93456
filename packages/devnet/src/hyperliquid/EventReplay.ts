/** Replays the chain's events into the fake derivatives exchange, and reports its state back to the chain. */
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
  /** Returns the exchange's current state. */
  readonly state: () => State.State
  /** Returns the exchange's clock: this machine's, or its chain's when that is ahead. Unix milliseconds. */
  readonly time: () => number
  /** Polls the chain once: applies every new event, and sends the report that the chain lacks. */
  readonly turn: Effect.Effect<void, RpcFailure>
  /**
   * Polls until the chain has every report, for at most `settleTimeout`: a chain that mines no blocks never has them.
   */
  readonly settled: Effect.Effect<void, RpcFailure>
}

const abi = parseAbi([
  "struct Price { uint32 asset; uint64 px; }",
  "struct Account { address user; uint256 worth; uint256 credited; }",
  "struct Payment { address to; uint256 amount; }",
  "function report(Price[] seen, Account[] accounts, uint256 first, Payment[] payments)"
])

const Logs = Schema.Array(Event.BlockLog)

/** Returns a block's time in unix milliseconds. */
const timeOf = ({ timestamp }: Block) => Number(timestamp) * 1000

const blockAt = (rpc: AnvilRpc, number: bigint) =>
  rpc.request("eth_getBlockByNumber", [toHex(number), false], Schema.NullOr(Block))

/** Reads every event after block `after` up to block `to`, with its time. */
const eventsBetween = (rpc: AnvilRpc, deployed: Deployed, after: bigint, to: bigint) =>
  Effect.gen(function*() {
    const filter = { fromBlock: toHex(after + 1n), toBlock: toHex(to), address: Event.sources(deployed) }
    const logs = yield* rpc.request("eth_getLogs", [filter], Logs)
    const numbers = new Set(logs.map(({ blockNumber }) => blockNumber))
    const times = new Map(
      yield* Effect.forEach(numbers, (number) =>
        Effect.map(blockAt(rpc, number), (block) => [number, block === null ? 0 : timeOf(block)] as const))
    )
    const meaning = Event.ofLog(deployed)
    return logs.flatMap((log): ReadonlyArray<Event.DatedEvent> => {
      const event = meaning(log)
      return event === undefined ? [] : [{ event, hash: log.transactionHash, time: times.get(log.blockNumber) ?? 0 }]
    })
  })

/**
 * Maximum number of times the same report is sent: the chain would refuse it again, and every attempt mines a block.
 */
const maxAttempts = 3

/** Long enough for a busy machine to mine the report. A report that the chain refuses never settles. */
const settleTimeout = "10 seconds"

const reportOf = ({ accounts, first, payments, seen }: NonNullable<ReturnType<typeof HyperCore.unreported>>) =>
  encodeFunctionData({ abi, functionName: "report", args: [seen, accounts, BigInt(first), payments] })

/** Starts from the initial state: the first turn replays every event of the chain. */
export const make = (
  rpc: AnvilRpc,
  deployed: Deployed,
  perpetuals: NonNullable<Deployed["perpetuals"]>
): Effect.Effect<Pump, RpcFailure> =>
  Effect.gen(function*() {
    let state = State.initial()
    let head: Block | undefined
    /**
     * The last report, the number of times it was sent, and the latest block at that time: one report a block is
     * enough.
     */
    let lastReport: { readonly data: string; readonly on: string | undefined; readonly times: number } | undefined
    yield* rpc.request("anvil_impersonateAccount", [systemAddress], Schema.Unknown)

    /** Returns false when blocks that were replayed are no longer on the chain: everything is then replayed again. */
    const isContinued = (latest: Block) =>
      Effect.gen(function*() {
        if (head === undefined || latest.number < head.number) return false
        return (yield* blockAt(rpc, head.number))?.hash === head.hash
      })
    const follow = Effect.gen(function*() {
      const latest = yield* rpc.latestBlock
      if (latest.hash === head?.hash) return
      const isSame = yield* isContinued(latest)
      if (!isSame) lastReport = undefined
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
      const times = lastReport?.data === data ? lastReport.times + 1 : 1
      if (lastReport?.on === head?.hash || times > maxAttempts) return
      lastReport = { data, on: head?.hash, times }
      yield* rpc.request(
        "eth_sendTransaction",
        [wireTransaction({ from: systemAddress, to: perpetuals.mirror, data })],
        Schema.Unknown
      )
    })
    const lock = yield* Semaphore.make(1)
    const alone = lock.withPermits(1)(turn)
    return {
      state: () => state,
      time: () => Math.max(Date.now(), head === undefined ? 0 : timeOf(head)),
      turn: alone,
      settled: Effect.andThen(
        alone,
        Effect.suspend(() =>
          HyperCore.unreported(state) === undefined ? Effect.succeed(true) : Effect.as(Effect.sleep("5 millis"), false)
        )
      ).pipe(
        Effect.repeat({ until: (isSettled) => isSettled }),
        Effect.timeoutOption(settleTimeout),
        Effect.asVoid,
        realTime
      )
    }
  })
