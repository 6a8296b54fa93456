/**
 * A node that answers from its chain until it lies for a while. It belongs behind a `FaultyNode`, which adds
 * the faults of single calls.
 */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { encodeAbiParameters, toFunctionSelector } from "viem"
import { altered, type Change } from "./AlteredCalls.ts"
import * as Blocks from "./Blocks.ts"
import { Lie } from "./Lie.ts"
import { quantity, toNumber } from "./Quantity.ts"
import { type Request, type RpcFailure, refused, serverError, unavailable } from "./Rpc.ts"
import type { TestChain } from "./TestChain.ts"
import * as Transaction from "./Transaction.ts"

/** The part of a chain that a faulty node needs. */
type Chain = Pick<TestChain, "network" | "request" | "behind" | "head">

export interface LyingNode extends Chain {
  /** Starts a lie, which replaces the current one. */
  readonly lie: (lie: Lie) => Effect.Effect<void>
  /** Ends the lie. */
  readonly stop: Effect.Effect<void>
  readonly isLying: () => boolean
  /** Mines a block of the node's own branch, if it has one. Call it with each block of the chain. */
  readonly advance: Effect.Effect<void>
  /**
   * Opens a client's connection, with `request` behind it. It breaks when the node restarts: calls in flight and all
   * calls of the next second fail.
   */
  readonly connect: (request: Request) => Request
  /** Methods that were called while the node served another chain, except for the chain's id. */
  readonly misdirected: () => ReadonlyArray<string>
}

/** How long a broken connection fails, from the first call after the restart. */
const reconnectMillis = 1_000

const sendMethod = "eth_sendRawTransaction"
const readsState = /^eth_(getTransactionCount|getBalance|getCode|call)$/

/** The current lie of a node, with the branch it follows. */
interface CurrentLie {
  readonly lie: Lie
  /** The branch or the other chain that the node reads. */
  readonly branch: TestChain | undefined
}

/** Refuses to read state that is older than the newest `kept` blocks. */
const pruned = (chain: Chain, request: Request, kept: number): Request => (method, params) => {
  const number = toNumber(params[1])
  if (!readsState.test(method) || number === undefined) return request(method, params)
  return Effect.flatMap(chain.head, (head) =>
    number < head.number - BigInt(kept)
      ? Effect.fail<RpcFailure>(refused(serverError, "missing trie node"))
      : request(method, params))
}

const decimalsOf = toFunctionSelector("decimals()")
const priceOf = toFunctionSelector("getAssetPrice(address)")

/** Changes the results of calls inside the multicall that tokens and prices are read by. */
const wrongly =
  ({ decimals, priceTimes }: { readonly decimals: number; readonly priceTimes: bigint }): Change =>
  ({ data }, { returnData, success }) => {
    if (!success) return undefined
    const told = (value: bigint) => ({ success, returnData: encodeAbiParameters([{ type: "uint256" }], [value]) })
    if (data.startsWith(decimalsOf)) return told(BigInt(returnData) + BigInt(decimals))
    return data.startsWith(priceOf) ? told(BigInt(returnData) * priceTimes) : undefined
  }

/** Answers a call with the lie; `request` is the truth, as of the same moment. */
const answer = (chain: Chain, { branch, lie }: CurrentLie, request: Request, blocks: number): Request => {
  const read = branch === undefined ? request : blocks === 0 ? branch.request : branch.behind(blocks)
  return (method, params): Effect.Effect<unknown, RpcFailure> =>
    Lie.$match(lie, {
      EmptyIndex: () =>
        /^eth_getTransaction(Receipt|ByHash)$/.test(method) ? Effect.succeed<unknown>(null) : request(method, params),
      // The other nodes receive its transactions, too.
      Fork: () =>
        method === sendMethod
          ? Effect.andThen(Effect.ignore(request(method, params)), read(method, params))
          : read(method, params),
      WrongNonce: ({ by }) =>
        method !== "eth_getTransactionCount" ?
          request(method, params) :
          Effect.map(request(method, params), (count) => {
            const wrong = (toNumber(count) ?? 0n) + by
            return quantity(wrong < 0n ? 0n : wrong)
          }),
      NoHistory: ({ blocks: kept }) => pruned(chain, request, kept)(method, params),
      OtherChain: () => read(method, params),
      WrongNumbers: (numbers) => altered(request, wrongly(numbers))(method, params)
    })
}

/** Sends a foreign transaction on a branch at the wallet's first nonce that `used` has free, in place of any other. */
const useNonce = (branch: TestChain, used: TestChain, privateKey: Hex) =>
  Effect.gen(function*() {
    const count = yield* used.request("eth_getTransactionCount", [Transaction.addressOf(privateKey), "latest"])
    yield* branch.foreign(privateKey, { nonce: toNumber(count) ?? 0n })
  }).pipe(Effect.ignore)

/** Makes the branch that a lie needs. */
const branchOf = (chain: TestChain, lie: Lie) =>
  Effect.gen(function*() {
    if (lie._tag !== "Fork" && lie._tag !== "OtherChain") return undefined
    const branch = yield* chain.fork
    if (lie._tag === "Fork") {
      yield* branch.reorg(lie.depth, { keep: lie.keep })
      // The transactions that the branch keeps are not mined there yet.
      if (lie.foreignBy !== undefined) yield* useNonce(branch, lie.keep ? chain : branch, lie.foreignBy)
    } else {
      const blocks = yield* chain.snapshot
      const start = lie.copied ? blocks : Blocks.behind(blocks, Number(blocks.head.number))
      yield* branch.restore({ ...start, chainId: lie.chainId })
    }
    yield* branch.mine()
    return branch
  })

/**
 * Makes an honest node of a chain. `keptBlocks`: it has the state of this many of the newest blocks; of all when
 * absent.
 */
export const make = (chain: TestChain, { keptBlocks }: { readonly keptBlocks?: number } = {}): LyingNode => {
  const { network } = chain
  const misdirected: Array<string> = []
  let current: CurrentLie | undefined
  let restarts = 0
  const servesOther = () => current?.lie._tag === "OtherChain"
  const reset = Effect.fail<RpcFailure>(unavailable(network, "connection reset"))

  const become = (next: CurrentLie | undefined) =>
    Effect.sync(() => {
      if (servesOther() || next?.lie._tag === "OtherChain") restarts += 1
      current = next
    })

  const through = (full: Request, blocks: number): Request => {
    const request = keptBlocks === undefined ? full : pruned(chain, full, keptBlocks)
    return (method, params) =>
      Effect.suspend(() => (current === undefined ? request : answer(chain, current, request, blocks))(method, params))
  }

  return {
    network,
    head: chain.head,
    request: through(chain.request, 0),
    behind: (blocks) => through(chain.behind(blocks), blocks),
    lie: (lie) => Effect.flatMap(branchOf(chain, lie), (branch) => become({ lie, branch })),
    stop: become(undefined),
    isLying: () => current !== undefined,
    advance: Effect.suspend(() => current?.branch === undefined ? Effect.void : Effect.asVoid(current.branch.mine())),
    misdirected: () => misdirected,
    connect: (request) => {
      let known = restarts
      let failsUntil = 0
      return (method, params) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const opened = restarts
          if (known !== restarts) {
            known = restarts
            failsUntil = now + reconnectMillis
          }
          if (now < failsUntil) return reset
          if (servesOther() && method !== "eth_chainId") misdirected.push(method)
          return Effect.flatMap(
            request(method, params),
            (result) => opened === restarts ? Effect.succeed(result) : reset
          )
        })
    }
  }
}
