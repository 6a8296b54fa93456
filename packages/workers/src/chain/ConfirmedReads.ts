/**
 * Makes reads that decide about money: where a network has several endpoints, two of them must return the same results
 * for the same block.
 */
import type { Hex } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeReads, decodeResults, encodeReads, type ReadAll } from "./BatchedCalls.ts"
import type { Statement } from "./Contradictions.ts"
import type { Reads, Results } from "./Contract.ts"
import { blockNumberIn, blockNumberReads } from "./Multicall3.ts"
import { type RpcFailure, RpcRefused } from "./RpcFailure.ts"
import { Bytes, hex, RawBlock } from "./RpcSchema.ts"
import type { TypedRpc } from "./TypedRpc.ts"

/** Number of endpoints that must agree. */
const quorum = 2
/** Number of times that the other endpoints are asked: one may get the block a moment later than the first one. */
const maxTurns = 6
/** Number of those turns in which no other endpoint answers. */
const maxSilentTurns = 3
/** Maximum pause between two turns. */
const maxLagMillis = 500

/** Maximum number of blocks that a confirmed block may be behind the newest one. */
const maxBehind = 60n
/** Minimum age of the newest block of an endpoint that no longer follows the chain. */
const stalledMillis = 120_000
/** How long the others are not waited for then. */
const stalledRetryMillis = 10_000
/** Minimum time between two log lines about endpoints that do not answer. */
const logMillis = 60_000

const refused = (reason: string) => new RpcRefused({ code: 0, reason })

export interface ConfirmedReads {
  /**
   * Makes all reads at one block, in one call, for what decides about money: where the network has several endpoints,
   * two of them must return the same results for the same block: this one, or the newest that two of them have. Fails
   * where they contradict each other, or where no second one has the block.
   */
  readonly readConfirmed: ReadAll
  /**
   * The same for what is kept. `isAlone`: the others of several endpoints were silent for the network's patience, so
   * that the results are one endpoint's word. They are valid for this call, and must not be kept.
   */
  readonly readToKeep: <const R extends Reads>(
    reads: R
  ) => Effect.Effect<{ readonly results: Results<R>; readonly isAlone: boolean }, RpcFailure>
}

/** Results that count, and whether they are the word of one endpoint of several. */
interface Accepted {
  readonly says: Hex
  readonly isAlone: boolean
}

/** One endpoint's results; `undefined` while it does not have the block. */
type Vote = { readonly endpoint: number; readonly says: Hex | undefined }

/** Returns the results that two endpoints agree on; `undefined` where no two do. */
const agreed = (votes: ReadonlyArray<Vote>): Hex | undefined =>
  votes.find(({ says }) => says !== undefined && votes.filter((other) => other.says === says).length >= quorum)?.says

/** Returns the results that two endpoints agree on; refuses them where no two do. */
const agreement = (votes: ReadonlyArray<Vote>): Effect.Effect<Accepted, RpcRefused> => {
  const says = agreed(votes)
  return says === undefined
    ? refused("the network's RPC endpoints contradict each other about it")
    : Effect.succeed({ says, isAlone: false })
}

/** Returns the block of an answer to calls that begin with the reads of the block; `undefined` where it has none. */
const blockOf = (book: NetworkBook, answer: Hex): Effect.Effect<bigint | undefined> => {
  const numbers = blockNumberReads(book)
  return decodeResults(answer, "malformed").pipe(
    Effect.map((results) =>
      blockNumberIn(
        numbers.map(({ decode }, index) => {
          const result = results[index]
          return result?.success === true ? decode(result.returnData) : Result.fail("reverted")
        })
      )
    ),
    Effect.orElseSucceed(() => undefined)
  )
}

/** Builds the votes of endpoints about calls at a block, and their comparison. */
const makeVotes = ({ multicall3 }: NetworkBook, rpc: TypedRpc) => ({
  /** Returns the votes of those of these endpoints that answer. */
  of: (endpoints: ReadonlyArray<number>, data: Hex, block: bigint | "latest") =>
    Effect.map(
      Effect.forEach(endpoints, (endpoint) =>
        rpc.requestAllOf(endpoint, Bytes, "eth_call", [[
          { to: multicall3, data },
          block === "latest" ? block : hex(block)
        ]]).pipe(
          Effect.map(([answer]): Vote => ({
            endpoint,
            says: answer !== undefined && Result.isSuccess(answer) ? answer.success : undefined
          })),
          Effect.option
        ), { concurrency: "unbounded" }),
      Arr.getSomes
    ),
  compare: (block: bigint, votes: ReadonlyArray<Vote>) =>
    rpc.compare(
      `contracts at block ${block}`,
      votes.flatMap(({ endpoint, says }): ReadonlyArray<Statement> => says === undefined ? [] : [{ endpoint, says }]),
      () => false
    )
})

/** Builds the acceptance of one endpoint's results, once the others have been silent for long enough. */
const makeAlone = ({ network, patienceMillis }: NetworkBook) => {
  /** Time since which no other endpoint has answered, clock milliseconds. */
  let silentSince: number | undefined
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    end: () => {
      silentSince = undefined
    },
    accept: (says: Hex): Effect.Effect<Accepted, RpcRefused> =>
      Effect.gen(function*() {
        const accepted = { says, isAlone: true }
        const now = yield* Clock.currentTimeMillis
        silentSince ??= now
        if (now - silentSince < patienceMillis) return yield* refused("no second RPC endpoint answers to confirm it")
        yield* Metrics.count(Metrics.rpcReadsUnconfirmed, { network }, 1)
        if (now - loggedAt < logMillis) return accepted
        loggedAt = now
        yield* Effect.logWarning(
          `Only one RPC endpoint of ${network} answers: the values of vaults are accepted from it alone.`
        )
        return accepted
      })
  }
}

/**
 * Returns whether an endpoint's newest block is far behind another one's, and older than a live chain's would be: the
 * other one may have invented later blocks, but it cannot make this one's old.
 */
const isStalled = (rpc: TypedRpc, endpoint: number, newest: bigint) =>
  Effect.gen(function*() {
    const [answer] = yield* rpc.requestAllOf(endpoint, RawBlock, "eth_getBlockByNumber", [["latest", false]])
    const head = answer !== undefined && Result.isSuccess(answer) ? answer.success : null
    if (head === null || newest - head.number <= maxBehind) return false
    return (yield* Clock.currentTimeMillis) - Number(head.timestamp) * 1_000 > stalledMillis
  }).pipe(Effect.orElseSucceed(() => false))

/** Builds the confirmation by an older block, for a block that no other endpoint has. */
const makeOlder = (
  book: NetworkBook,
  rpc: TypedRpc,
  { alone, votes }: { readonly alone: ReturnType<typeof makeAlone>; readonly votes: ReturnType<typeof makeVotes> }
) => {
  /** Until when the others are not waited for, because they have stopped following the chain; clock milliseconds. */
  let stalledUntil = 0

  /**
   * Confirms by the newest block of an endpoint that is behind; the first endpoint has it, too. Where all others have
   * stopped following the chain they count as silent.
   */
  const confirm = (
    first: Vote & { readonly says: Hex },
    others: ReadonlyArray<number>,
    data: Hex,
    newest: bigint
  ) =>
    Effect.gen(function*() {
      const found = yield* votes.of(others, data, "latest")
      const stalled = yield* Effect.filter(found, ({ endpoint }) => isStalled(rpc, endpoint, newest))
      if (stalled.length === found.length) {
        stalledUntil = (yield* Clock.currentTimeMillis) + stalledRetryMillis
        return yield* alone.accept(first.says)
      }
      alone.end()
      for (const { endpoint, says } of found) {
        const block = says === undefined ? undefined : yield* blockOf(book, says)
        if (block === undefined || block > newest || newest - block > maxBehind) continue
        const all = yield* votes.of([first.endpoint, endpoint], data, block)
        yield* votes.compare(block, all)
        return yield* agreement(all)
      }
      return yield* refused("no second RPC endpoint has the block to confirm it")
    })

  return {
    confirm,
    /** How often the others are asked for the first one's block. */
    turns: Effect.map(Clock.currentTimeMillis, (now) => now < stalledUntil ? 1 : maxTurns)
  }
}

/**
 * Builds confirmed reads. While every other endpoint is silent for the network's patience, one endpoint's word counts,
 * which is counted and logged; one that answers without confirming is a refusal.
 */
export const make = (
  book: NetworkBook,
  rpc: TypedRpc,
  readAll: ReadAll
): ConfirmedReads => {
  const votes = makeVotes(book, rpc)
  const alone = makeAlone(book)
  const older = makeOlder(book, rpc, { alone, votes })

  const confirm = (first: Vote & { readonly says: Hex }, data: Hex, block: bigint, at: bigint | undefined) =>
    Effect.gen(function*() {
      const others = (yield* rpc.ranking).filter((endpoint) => endpoint !== first.endpoint)
      const turns = yield* older.turns
      for (let turn = 0; turn < turns; turn++) {
        if (turn > 0) yield* Effect.sleep(Math.min(book.blockPollMillis, maxLagMillis))
        const askedAt = yield* Clock.currentTimeMillis
        const found = yield* votes.of(others, data, block)
        if (found.length === 0) {
          const accepted = yield* Effect.result(alone.accept(first.says))
          if (Result.isSuccess(accepted)) return accepted.success
          // A refused connection or a rate limit may be over in a moment; an endpoint that hangs is not asked again.
          const took = (yield* Clock.currentTimeMillis) - askedAt
          if (turn + 1 < maxSilentTurns && took < maxLagMillis) continue
          return yield* Effect.fail(accepted.failure)
        }
        if (found.some((vote) => vote.says !== undefined)) alone.end()
        const says = agreed([first, ...found])
        if (says !== undefined) {
          return yield* Effect.as(votes.compare(block, [first, ...found]), { says, isAlone: false })
        }
        if (found.every((vote) => vote.says === undefined)) continue
        // The first results are those of the endpoint's newest block, whose time it may have taken from its clock.
        const all = [...(yield* votes.of([first.endpoint], data, block)), ...found]
        yield* votes.compare(block, all)
        return yield* agreement(all)
      }
      return at === undefined
        ? yield* older.confirm(first, others, data, block)
        : yield* refused("no second RPC endpoint has the block to confirm it")
    })

  const read = <const R extends Reads>(reads: R, at?: bigint) => {
    if (rpc.endpoints < quorum) return Effect.map(readAll(reads, at), (results) => ({ results, isAlone: false }))
    return Effect.gen(function*() {
      const all = [...blockNumberReads(book), ...reads]
      const data = encodeReads(all)
      const call = [{ to: book.multicall3, data }, at === undefined ? "latest" : hex(at)]
      const [first] = yield* rpc.requestAllWithEndpoint(Bytes, "eth_call", [call])
      if (first === undefined) return yield* refused("the node returned no results")
      const answer = yield* Effect.fromResult(first.answer)
      const block = yield* blockOf(book, answer)
      if (block === undefined) return yield* refused("the node does not return its block")
      const { isAlone, says } = yield* confirm({ endpoint: first.endpoint, says: answer }, data, block, at)
      const results = (yield* decodeReads(book, all, says)).slice(-reads.length) as unknown as Results<R>
      return { results, isAlone }
    })
  }

  return {
    readConfirmed: (reads, at) => Effect.map(read(reads, at), ({ results }) => results),
    readToKeep: (reads) => read(reads)
  }
}
