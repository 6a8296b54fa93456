/** Decisions on a network whose first-asked endpoint lies about one value. */
import { assert } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { altered, type Change } from "@vault-trader/testing/test-chain/AlteredCalls"
import { refused, type Request, unavailable } from "@vault-trader/testing/test-chain/Rpc"
import type { TestChain } from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { toFunctionSelector } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as RpcEndpoint from "../../src/chain/RpcEndpoint.ts"
import { clientOfBook } from "./TestClient.ts"

/** A network, and the answers of its honest endpoints. */
export interface HonestNetwork {
  readonly book: NetworkBook
  readonly request: Request
}

export const networkOf = (chain: TestChain, changes: Parameters<TestChain["book"]>[0] = {}): HonestNetwork => ({
  book: chain.book(changes),
  request: chain.request
})

/** The network of a devnet, each of whose endpoints is its node. */
export const networkAt = (book: NetworkBook) =>
  Effect.map(
    RpcEndpoint.make({ network: book.network, url: book.rpcUrls[0], timeout: 10_000 }),
    ({ send }): HonestNetwork => ({
      book,
      request: (method, params) =>
        Effect.mapError(send({ method, params }), (failure) =>
          failure._tag === "RpcRefused"
            ? refused(failure.code, failure.reason, failure.data)
            : unavailable(failure.network, failure.reason))
    })
  )

/** Which results a lie changes: a function's, of one contract, and about one address, which is the last argument. */
interface Told {
  readonly of: string
  readonly at?: Address
  readonly about?: Address
}

const wordsOf = (data: Hex) => (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))

/** A lie that changes the words of a result. */
export const rewording = (
  { about, at, of }: Told,
  change: (words: ReadonlyArray<bigint>) => ReadonlyArray<bigint>
): Change => {
  const selector = toFunctionSelector(of)
  return ({ data, target }, { returnData, success }) =>
    data.startsWith(selector) && data.endsWith(about?.slice(2) ?? "") && (at === undefined || target === at)
      ? {
        success: true,
        returnData: `0x${
          change(success ? wordsOf(returnData) : []).map((word) => word.toString(16).padStart(64, "0")).join("")
        }`
      }
      : undefined
}

/** A lie that a function returns this number, or this address. */
export const answering = (told: Told, word: bigint | Address): Change => rewording(told, () => [BigInt(word)])

/**
 * Decides by endpoints of which the first-asked one lies, and asserts that two honest ones outvote it: the decision is
 * the one of an honest endpoint alone. Returns that decision, and the one where a single honest endpoint contradicts the
 * liar. It also asserts that the liar decides where it is the only endpoint: otherwise the lie would be about a value
 * that nothing depends on, and no test with it could fail.
 */
export const decisionsUnder = <A, E, R>(
  { book, request }: HonestNetwork,
  lie: Change,
  decide: (chain: ChainClient) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    // A network's configuration is also the key of what is kept about it, so that each client has its own.
    const by = (...requests: ReadonlyArray<Request>) =>
      Effect.flatMap(
        clientOfBook(NetworkBook.make({ ...book, patienceMillis: 600_000 }), requests),
        (chain) => Effect.result(decide(chain))
      )
    const liar = altered(request, lie)
    const truth = yield* by(request)
    assert.deepStrictEqual(yield* by(request, request), truth, "two honest endpoints")
    assert.notDeepEqual(yield* by(liar), truth, "the liar as the only endpoint")
    assert.deepStrictEqual(yield* by(liar, request, request), truth, "the liar and two honest endpoints")
    return { truth, contradicted: yield* by(liar, request) }
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

/** The same, and asserts that nothing is decided where a single honest endpoint contradicts the liar. */
export const assertOutvoted = <A, E extends { readonly reason: string } | { readonly message: string }, R>(
  network: HonestNetwork,
  lie: Change,
  decide: (chain: ChainClient) => Effect.Effect<A, E, R>
) =>
  Effect.map(decisionsUnder(network, lie, decide), ({ contradicted, truth }) => {
    const refusal = Result.isSuccess(contradicted)
      ? `decided: ${String(contradicted.success)}`
      : "reason" in contradicted.failure
      ? contradicted.failure.reason
      : contradicted.failure.message
    assert.match(refusal, /the network's RPC endpoints contradict each other about it/)
    return truth
  })

/** How long a network waits for a second endpoint that is silent. */
export const patienceMillis = 20_000

/** Runs an effect with the time that it waits for between its turns. */
export const elapse = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(5_000)
    return yield* Fiber.join(fiber)
  })

/**
 * Builds the client of a network whose first-asked endpoint lies, and whose other ones can be made silent. `others`:
 * their number; `seen.isSilent`: whether they are silent about these calls; `seen.calls`: the number of calls to all.
 */
export const besideSilence = (
  { book, request }: HonestNetwork,
  lie: Change,
  others = 2
) =>
  Effect.gen(function*() {
    const seen = { isSilent: (_: Hex): boolean => false, calls: 0 }
    const counted = (asked: Request): Request => (method, params) => {
      seen.calls += 1
      return asked(method, params)
    }
    const other: Request = (method, params) => {
      const [call] = params as ReadonlyArray<{ readonly data?: Hex }>
      return seen.isSilent(call?.data ?? "0x")
        ? Effect.fail(unavailable(book.network, "HTTP 503"))
        : request(method, params)
    }
    const requests = [altered(request, lie), ...Array.from({ length: others }, () => other)].map(counted)
    const client = yield* clientOfBook(NetworkBook.make({ ...book, patienceMillis }), requests)
    return { client, seen }
  })

/**
 * Asserts of a value that is kept for the life of a process: one endpoint's word counts once the others have been silent
 * for the patience, until they answer, and is not kept; what two endpoints agree on is kept and asked for no more. Needs
 * the test clock.
 */
export const assertForgotten = <A, E, R>(
  network: HonestNetwork,
  lie: Change,
  { isKept = true, keep, lied, silence, truth }: {
    /** False where the truth is never kept. */
    readonly isKept?: boolean
    /** Builds the reader that keeps the value. */
    readonly keep: (chain: ChainClient) => Effect.Effect<Effect.Effect<A, E, R>>
    readonly lied: A
    /** About which calls the others are silent. */
    readonly silence: (data: Hex) => boolean
    readonly truth: A
  }
) =>
  Effect.gen(function*() {
    const { client, seen } = yield* besideSilence(network, lie)
    const read = yield* keep(client)
    seen.isSilent = silence
    assert.isTrue(Result.isFailure(yield* elapse(Effect.result(read))), "within the patience")
    yield* TestClock.adjust(patienceMillis)
    assert.deepStrictEqual(yield* elapse(read), lied, "one endpoint's word, while no other answers")
    seen.isSilent = () => false
    assert.deepStrictEqual(yield* elapse(read), truth, "two endpoints' word")
    if (!isKept) return
    seen.isSilent = silence
    seen.calls = 0
    yield* TestClock.adjust(patienceMillis)
    assert.deepStrictEqual(yield* read, truth, "kept, also while they are silent again")
    assert.strictEqual(seen.calls, 0)
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
