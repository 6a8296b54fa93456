import { assert, it } from "@effect/vitest"
import { altered, multiplied } from "@vault-trader/testing/test-chain/AlteredCalls"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import { unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { toFunctionSelector } from "viem"
import * as Contract from "../../src/chain/Contract.ts"
import { factoryAbi } from "../../src/platform/PlatformAbi.ts"
import { clientOverRequests } from "./TestClient.ts"

const patienceMillis = 20_000
const priceOf = toFunctionSelector("getAssetPrice(address)")
const down: Request = () => Effect.fail(unavailable("base", "HTTP 503"))
const hanging: Request = () => Effect.never

/** A chain, and the price of WETH as a client over some endpoints confirms it. */
const confirming = (endpoints: (chain: TestChain.TestChain) => ReadonlyArray<Request>) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network: "base" })
    yield* chain.mine(3)
    const calls: Array<readonly [endpoint: number, block: unknown]> = []
    const all = endpoints(chain).map((request, index): Request => (method, params) => {
      if (method === "eth_call") calls.push([index, params[1]])
      return request(method, params)
    })
    const client = yield* clientOverRequests(chain, all, { patienceMillis })
    const read = Contract.read(factoryAbi, client.book.platformFactory, "getAssetPrice", [chain.token("WETH")])
    const price = Effect.map(client.readConfirmed([read]), ([answer]) => Result.getOrThrow(answer))
    return { calls, chain, client, price }
  })

/** The endpoint's answers with WETH at twice its price. */
const dear = (chain: TestChain.TestChain): Request =>
  altered(chain.request, multiplied([priceOf], chain.token("WETH"), 2n))

/** Runs an effect with the time that it waits for. */
const elapse = <A, E>(effect: Effect.Effect<A, E>, millis: number) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(millis)
    return yield* Fiber.join(fiber)
  })

const reasonOf = <A>(effect: Effect.Effect<A, { readonly reason: string }>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

it.effect("costs one call where one endpoint is configured", () =>
  Effect.gen(function*() {
    const { calls, price } = yield* confirming(({ request }) => [request])
    assert.strictEqual(yield* price, 3000n * 10n ** 18n)
    assert.deepStrictEqual(calls, [[0, "latest"]])
  }))

it.effect("asks a second endpoint about the block that the first one has answered for", () =>
  Effect.gen(function*() {
    const { calls, chain, price } = yield* confirming(({ request }) => [request, request])
    assert.strictEqual(yield* price, 3000n * 10n ** 18n)
    assert.deepStrictEqual(calls, [[0, "latest"], [1, `0x${(yield* chain.head).number.toString(16)}`]])
  }))

it.effect("does not accept what the only other endpoint contradicts, whichever of the two lies", () =>
  Effect.gen(function*() {
    for (const order of [0, 1]) {
      const { client, price } = yield* confirming((chain) =>
        order === 0 ? [dear(chain), chain.request] : [chain.request, dear(chain)]
      )
      assert.strictEqual(yield* reasonOf(price), "the network's RPC endpoints contradict each other about it")
      assert.isTrue(yield* client.isDisputed)
    }
  }))

it.effect("accepts what two of three endpoints say, and ranks the third one last", () =>
  Effect.gen(function*() {
    const { calls, price } = yield* confirming((chain) => [dear(chain), chain.request, chain.request])
    assert.strictEqual(yield* price, 3000n * 10n ** 18n)
    calls.length = 0
    assert.strictEqual(yield* price, 3000n * 10n ** 18n)
    assert.deepStrictEqual(calls[0], [1, "latest"])
  }))

it.effect("waits for an endpoint that has the block a moment later", () =>
  Effect.gen(function*() {
    let isBehind = true
    const { calls, price } = yield* confirming(({ request }) => [
      request,
      (method, params) =>
        isBehind && params[1] !== "latest" ? request("eth_call", [params[0], "0xffff"]) : request(method, params)
    ])
    const fiber = yield* Effect.forkChild(price)
    yield* TestClock.adjust(150)
    isBehind = false
    yield* TestClock.adjust(100)
    assert.strictEqual(yield* Fiber.join(fiber), 3000n * 10n ** 18n)
    assert.isAbove(calls.filter(([endpoint]) => endpoint === 1).length, 1)
  }))

it.effect("asks an endpoint again that refuses for a moment", () =>
  Effect.gen(function*() {
    let refusals = 2
    const { calls, price } = yield* confirming(({ request }) => [
      request,
      (method, params) => refusals-- > 0 ? Effect.fail(unavailable("base", "HTTP 429")) : request(method, params)
    ])
    assert.strictEqual(yield* elapse(price, 1_000), 3000n * 10n ** 18n)
    assert.lengthOf(calls.filter(([endpoint]) => endpoint === 1), 3)
  }))

/** A node whose newest block is so many blocks behind. */
const behind =
  (blocks: bigint, chain: TestChain.TestChain, request: Request = chain.request): Request => (method, params) =>
    Effect.flatMap(chain.head, ({ number }) => {
      const newest = number - blocks
      if (method === "eth_getBlockByNumber") return request(method, [`0x${newest.toString(16)}`, false])
      const asked = params[1] === "latest" ? newest : BigInt(String(params[1]))
      return request(method, [params[0], `0x${(asked > newest ? 0xffffn : asked).toString(16)}`])
    })

it.effect("is of the newest block of an endpoint that stays behind, if that is not far", () =>
  Effect.gen(function*() {
    const { chain, price } = yield* confirming((chain) => [chain.request, behind(2n, chain)])
    yield* chain.mine(2)
    yield* chain.setPrice("WETH", 3_300)
    yield* chain.mine()
    assert.strictEqual(yield* elapse(price, 5_000), 3_000n * 10n ** 18n)
    yield* chain.mine()
    assert.strictEqual(yield* elapse(price, 5_000), 3_300n * 10n ** 18n)
    const lying = yield* confirming((chain) => [dear(chain), behind(2n, chain)])
    assert.strictEqual(
      yield* elapse(reasonOf(lying.price), 5_000),
      "the network's RPC endpoints contradict each other about it"
    )
    const far = yield* confirming((chain) => [chain.request, behind(61n, chain)])
    yield* far.chain.mine(70)
    assert.strictEqual(
      yield* elapse(reasonOf(far.price), 5_000),
      "no second RPC endpoint has the block to confirm it"
    )
  }))

it.effect("counts an endpoint that has stopped following the chain as silent, and one that is behind on time as not", () =>
  Effect.gen(function*() {
    const { chain, price } = yield* confirming((chain) => [chain.request, behind(61n, chain)])
    yield* chain.mine(70)
    const time = Number((yield* chain.head).timestamp) * 1_000
    // The newest block of the one that is behind is fresh: the other one may have invented its blocks.
    yield* TestClock.setTime(time)
    assert.strictEqual(yield* elapse(reasonOf(price), 5_000), "no second RPC endpoint has the block to confirm it")
    yield* TestClock.setTime(time + 3_600_000)
    assert.strictEqual(yield* elapse(reasonOf(price), 5_000), "no second RPC endpoint answers to confirm it")
    yield* TestClock.adjust(patienceMillis)
    assert.strictEqual(yield* elapse(price, 5_000), 3000n * 10n ** 18n)
  }))

it.effect("does not accept a block that no other endpoint gets", () =>
  Effect.gen(function*() {
    const { price } = yield* confirming(({ request }) => [
      request,
      (_, params) => request("eth_call", [params[0], "0xffff"])
    ])
    assert.strictEqual(
      yield* elapse(reasonOf(price), 5_000),
      "no second RPC endpoint has the block to confirm it"
    )
  }))

for (const [name, silent] of [["is down", down], ["hangs", hanging]] as const) {
  it.effect(`accepts one endpoint's word once the other one ${name} for longer than the network's patience`, () =>
    Effect.gen(function*() {
      const { price } = yield* confirming(({ request }) => [request, silent])
      assert.strictEqual(yield* elapse(reasonOf(price), 5_000), "no second RPC endpoint answers to confirm it")
      assert.strictEqual(yield* elapse(reasonOf(price), 5_000), "no second RPC endpoint answers to confirm it")
      yield* TestClock.adjust(patienceMillis)
      assert.strictEqual(yield* elapse(price, 5_000), 3000n * 10n ** 18n)
    }))
}

it.effect("does not accept a lone liar's word after an honest endpoint has answered again", () =>
  Effect.gen(function*() {
    let isDown = true
    const { price } = yield* confirming((chain) => [
      dear(chain),
      (method, params) => isDown ? down(method, params) : chain.request(method, params)
    ])
    assert.strictEqual(yield* elapse(reasonOf(price), 5_000), "no second RPC endpoint answers to confirm it")
    yield* TestClock.adjust(patienceMillis / 2)
    isDown = false
    assert.strictEqual(yield* reasonOf(price), "the network's RPC endpoints contradict each other about it")
    isDown = true
    yield* TestClock.adjust(patienceMillis)
    assert.strictEqual(yield* elapse(reasonOf(price), 5_000), "no second RPC endpoint answers to confirm it")
  }))
