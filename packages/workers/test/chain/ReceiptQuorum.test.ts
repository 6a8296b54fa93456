import { assert, it } from "@effect/vitest"
import type { Hash } from "@vault-trader/core/chain/Address"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import { unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { privateKeyToAddress } from "viem/accounts"
import { clientOver, endpointOf } from "./TestClient.ts"

const key = `0x${"11".repeat(32)}` as const
const receiptMethod = "eth_getTransactionReceipt"
const patienceMillis = 20_000

/** A chain with these many mined transactions. */
const chainWith = (count: number) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network: "optimism", baseFee: 1n })
    yield* chain.setBalance(privateKeyToAddress(key).toLowerCase() as Hash, 10n ** 18n)
    const hashes = yield* Effect.forEach(Array.from({ length: count }), () => chain.foreign(key))
    yield* chain.mine()
    return { chain, hashes }
  })

/** Counts the calls of a node by method. */
const counted = (request: Request) => {
  const calls: Array<string> = []
  const counting: Request = (method, params) =>
    Effect.suspend(() => {
      calls.push(method)
      return request(method, params)
    })
  return { calls, request: counting }
}

/** Changes a node's answers to one method. */
const altered = (request: Request, called: string, change: (answer: unknown) => unknown): Request => (method, params) =>
  Effect.map(request(method, params), (answer) => method === called ? change(answer) : answer)

const down: Request = () => Effect.fail(unavailable("optimism", "HTTP 503"))
const without = (request: Request) => altered(request, receiptMethod, () => null)
const flipped = (request: Request) =>
  altered(request, receiptMethod, (answer) => answer === null ? null : { ...answer as object, status: "0x0" })

/** Runs an effect to its end, with the time that it waits for. */
const elapse = <A, E>(effect: Effect.Effect<A, E>, millis = 1_000) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(millis)
    return yield* Fiber.join(fiber)
  })

const outcomes = (answers: ReadonlyArray<Result.Result<unknown, unknown>>) =>
  answers.map((answer) => Result.isFailure(answer) ? "unclear" : answer.success === null ? "none" : "receipt")

it.effect("reads receipts with one call where one endpoint is configured", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    const only = counted(chain.request)
    const client = yield* clientOver(chain, [endpointOf("only", only.request)])
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["receipt"])
    assert.deepStrictEqual(only.calls, [receiptMethod])
  }))

it.effect("confirms each receipt by one call of a second endpoint, and absent ones by none", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(2)
    const [first, second, third] = [counted(chain.request), counted(chain.request), counted(chain.request)]
    const client = yield* clientOver(chain, [
      endpointOf("first", first.request, 1),
      endpointOf("second", second.request, 2),
      endpointOf("third", third.request, 3)
    ])
    const absent: Hash = `0x${"ab".repeat(32)}`
    assert.deepStrictEqual(outcomes(yield* client.receipts([...hashes, absent])), ["receipt", "receipt", "none"])
    assert.deepStrictEqual(second.calls, [receiptMethod, receiptMethod])
    assert.isEmpty(third.calls)
  }))

it.effect("does not count a receipt that the second endpoint contradicts", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    const client = yield* clientOver(chain, [
      endpointOf("liar", flipped(chain.request), 1),
      endpointOf("honest", chain.request, 60)
    ])
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["unclear"])
  }))

it.effect("overrules a lying best endpoint by two others, and reads from those afterwards", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    const client = yield* clientOver(chain, [
      endpointOf("liar", flipped(chain.request), 1),
      endpointOf("honest", chain.request, 60),
      endpointOf("other", chain.request, 70)
    ])
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["unclear"])
    const [answer] = yield* client.receipts(hashes)
    assert.isTrue(answer !== undefined && Result.isSuccess(answer) && answer.success?.succeeded)
  }))

it.effect("takes the block of an endpoint that lost its index as confirmation, and no other block", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    const client = yield* clientOver(chain, [
      endpointOf("honest", chain.request, 1),
      endpointOf("no index", without(chain.request), 60)
    ])
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["receipt"])
    const elsewhere = altered(
      without(chain.request),
      "eth_getBlockByNumber",
      (block) => ({ ...block as object, hash: `0x${"cd".repeat(32)}` })
    )
    const forked = yield* clientOver(chain, [
      endpointOf("honest", chain.request, 1),
      endpointOf("fork", elsewhere, 60)
    ])
    assert.deepStrictEqual(outcomes(yield* elapse(forked.receipts(hashes))), ["unclear"])
  }))

it.effect("waits a moment for an endpoint that gets the block later", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    let isLate = true
    const late: Request = (method, params) => (isLate ? chain.behind(1) : chain.request)(method, params)
    const client = yield* clientOver(chain, [endpointOf("honest", chain.request, 1), endpointOf("late", late, 60)])
    assert.deepStrictEqual(outcomes(yield* elapse(client.receipts(hashes))), ["unclear"])
    const reading = yield* Effect.forkChild(client.receipts(hashes))
    yield* TestClock.adjust(1)
    isLate = false
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(outcomes(yield* Fiber.join(reading)), ["receipt"])
  }))

it.effect("counts one endpoint's word once no other has answered for the network's patience, until one does", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    let second: Request = down
    const client = yield* clientOver(chain, [
      endpointOf("honest", chain.request, 1),
      endpointOf("second", (method, params) => second(method, params), 60)
    ], { patienceMillis })
    assert.deepStrictEqual(outcomes(yield* elapse(client.receipts(hashes))), ["unclear"])
    yield* TestClock.adjust(patienceMillis)
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["receipt"])
    // An endpoint that hangs delays no caller meanwhile.
    second = () => Effect.never
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["receipt"])
    second = flipped(chain.request)
    yield* TestClock.adjust("3 seconds")
    yield* client.receipts(hashes)
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(outcomes(yield* client.receipts(hashes)), ["unclear"])
  }))

it.effect("does not count the receipt of another transaction", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(2)
    const [first, second] = hashes
    const swapped: Request = (method, params) =>
      chain.request(method, method === receiptMethod && params[0] === first ? [second] : params)
    const alone = yield* clientOver(chain, [endpointOf("liar", swapped)])
    assert.deepStrictEqual(outcomes(yield* alone.receipts(hashes)), ["unclear", "receipt"])
    assert.isEmpty((yield* alone.receiptsAnywhere(hashes)).filter(({ transactionHash }) => transactionHash === first))
    const both = yield* clientOver(chain, [endpointOf("liar", swapped, 1), endpointOf("honest", chain.request, 60)])
    assert.deepStrictEqual(outcomes(yield* both.receipts(hashes)), ["unclear", "receipt"])
  }))

it.effect("does not take a block as confirmation of a receipt that another endpoint contradicts", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    const client = yield* clientOver(chain, [
      endpointOf("liar", flipped(chain.request), 1),
      endpointOf("honest", chain.request, 60),
      endpointOf("no index", without(chain.request), 70)
    ])
    assert.deepStrictEqual(outcomes(yield* elapse(client.receipts(hashes))), ["unclear"])
  }))

it.effect("confirms known receipts by two endpoints, however long one alone has answered", () =>
  Effect.gen(function*() {
    const { chain, hashes } = yield* chainWith(1)
    const fork = yield* chain.fork
    yield* fork.reorg(1)
    const [receipt] = yield* (yield* clientOver(chain, [endpointOf("honest", chain.request)])).receiptsAnywhere(hashes)
    assert.isDefined(receipt)
    const isConfirmed = (...nodes: ReadonlyArray<Request>) =>
      Effect.gen(function*() {
        const endpoints = nodes.map((node, index) => endpointOf(`node ${index}`, node, index))
        return (yield* (yield* clientOver(chain, endpoints)).confirmed([receipt])).size === 1
      })
    assert.isTrue(yield* isConfirmed(chain.request))
    assert.isTrue(yield* isConfirmed(chain.request, chain.request))
    assert.isTrue(yield* isConfirmed(without(chain.request), without(chain.request)))
    assert.isTrue(yield* isConfirmed(chain.request, fork.request, chain.request))
    assert.isFalse(yield* isConfirmed(chain.request, fork.request))
    assert.isFalse(yield* isConfirmed(chain.request, flipped(chain.request)))
    assert.isFalse(yield* isConfirmed(chain.request, down))
  }))
