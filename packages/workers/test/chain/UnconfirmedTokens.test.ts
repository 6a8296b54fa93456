/** Tests of tokens that one endpoint alone describes while the others are silent. */
import { assert, it } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Change } from "@vault-trader/testing/test-chain/AlteredCalls"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { toFunctionSelector } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import { answering, besideSilence, elapse, networkOf, patienceMillis } from "./LyingEndpoint.ts"

const network = "base"

/** A chain, and the lie that its USDC has twelve decimals. */
const doubling = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network })
  const usdc = chain.token("USDC")
  return {
    chain,
    honest: networkOf(chain),
    lie: answering({ of: "decimals()", at: usdc }, 12n),
    /** Builds the reader of its decimals in a process. */
    decimals: (client: ChainClient) => {
      const layer = Layer.provide(Tokens.layer, Chains.layerOf(new Map([[network, client]])))
      return Effect.map(
        Effect.provide(Tokens, layer),
        ({ at }) => Effect.map(at(network, [usdc]), ([token]) => token?.decimals)
      )
    }
  }
})

it.effect("takes no decimals from one endpoint alone, however long the others are silent", () =>
  Effect.gen(function*() {
    const { decimals, honest, lie } = yield* doubling
    const { client, seen } = yield* besideSilence(honest, lie)
    const read = yield* decimals(client)
    seen.isSilent = () => true
    for (const millis of [0, patienceMillis, 3_600_000]) {
      yield* TestClock.adjust(millis)
      const refused = yield* elapse(Effect.flip(read))
      assert.match(refused.message, /no second RPC endpoint answers to confirm/)
    }
    seen.isSilent = () => false
    assert.strictEqual(yield* elapse(read), 6)
    // Known by then, and asked for no more.
    seen.isSilent = () => true
    assert.strictEqual(yield* read, 6)
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))

it.effect("takes configured decimals that one endpoint confirms while the others are silent, and no others", () =>
  Effect.gen(function*() {
    const { decimals, honest } = yield* doubling
    const answerAlone = (book: typeof honest.book) =>
      Effect.gen(function*() {
        const { client, seen } = yield* besideSilence({ ...honest, book }, () => undefined)
        const read = yield* decimals(client)
        seen.isSilent = () => true
        yield* elapse(Effect.flip(read))
        yield* TestClock.adjust(patienceMillis)
        return yield* elapse(Effect.result(read))
      })
    assert.deepStrictEqual(yield* answerAlone(honest.book), Result.succeed(6))
    assert.isTrue(Result.isFailure(yield* answerAlone(NetworkBook.make({ ...honest.book, tokens: [] }))))
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))

it.effect("takes no configured token under another symbol from one endpoint alone", () =>
  Effect.gen(function*() {
    const { chain, decimals, honest } = yield* doubling
    // USDC under the name of WETH: a request for WETH would be one for USDC.
    const name = `0x${[32n, 4n].map((word) => word.toString(16).padStart(64, "0")).join("")}${
      Buffer.from("WETH").toString("hex").padEnd(64, "0")
    }` as const
    const renaming: Change = ({ data, target }) =>
      target === chain.token("USDC") && data === toFunctionSelector("symbol()")
        ? { success: true, returnData: name }
        : undefined
    const { client, seen } = yield* besideSilence(honest, renaming)
    const read = yield* decimals(client)
    seen.isSilent = () => true
    yield* elapse(Effect.flip(read))
    yield* TestClock.adjust(patienceMillis)
    assert.match((yield* elapse(Effect.flip(read))).message, /to confirm a token's symbol and decimals/)
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))

it.effect("keeps what the only endpoint of a network says, and asks it once", () =>
  Effect.gen(function*() {
    const { decimals, honest, lie } = yield* doubling
    const { client, seen } = yield* besideSilence(honest, lie, 0)
    const read = yield* decimals(client)
    assert.strictEqual(yield* read, 12)
    assert.strictEqual(yield* read, 12)
    assert.strictEqual(seen.calls, 1)
  }))
