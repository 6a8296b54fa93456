/** Plans for positions on a network one of whose endpoints lies about the pool. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Result from "effect/Result"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { answering, assertOutvoted, networkAt, rewording } from "../chain/LyingEndpoint.ts"
import { liquidity, liquiditySuite } from "./TestLiquidity.ts"

const bench = Effect.gen(function*() {
  const vault = yield* liquidity
  const { result: { token_id } } = yield* vault.add({ amount: "10000", fee: 3000 })
  const network = yield* networkAt(vault.book)
  return { ...vault, network, tokenId: token_id ?? 0n }
}).pipe(Effect.provide(FetchHttpClient.layer))

liquiditySuite("a pool about which one endpoint lies", (it) => {
  it.effect("takes no deposit at a price that one endpoint alone gives", () =>
    Effect.gen(function*() {
      const { network, place, planAdd } = yield* bench
      // Twice the root of the price is four times the price.
      const lie = rewording({ of: "slot0()" }, ([root, ...rest]) => [2n * root!, ...rest])
      const planned = (chain: ChainClient) =>
        Effect.flatMap(planAdd({ amount: "1000", fee: 3000 }, { ...place, chain }), ({ shown }) => shown)
      const truth = yield* assertOutvoted(network, lie, planned)
      assert.isAbove(Number(Result.getOrThrow(truth).minimum?.[0]?.raw), 0)
    }))

  it.effect("removes no part of a liquidity that one endpoint alone makes larger", () =>
    Effect.gen(function*() {
      const { liquidityOf, network, place, planRemove, tokenId } = yield* bench
      const lie = rewording(
        { of: "positions(uint256)" },
        (words) => words.map((word, index) => index === 7 ? 2n * word : word)
      )
      const planned = (chain: ChainClient) =>
        Effect.map(
          planRemove(tokenId, { percent: 50 }, { ...place, chain }),
          ({ details }) => (details as { readonly liquidity: string }).liquidity
        )
      const truth = yield* assertOutvoted(network, lie, planned)
      assert.strictEqual(BigInt(Result.getOrThrow(truth)), (yield* liquidityOf(tokenId)) / 2n)
    }))

  it.effect("finds the vault's position, which one endpoint alone says is a stranger's", () =>
    Effect.gen(function*() {
      const { network, place, planRemove, stranger, tokenId } = yield* bench
      const planned = (chain: ChainClient) =>
        Effect.flatMap(planRemove(tokenId, {}, { ...place, chain }), ({ shown }) => shown)
      const truth = yield* assertOutvoted(network, answering({ of: "ownerOf(uint256)" }, stranger), planned)
      assert.strictEqual(Result.getOrThrow(truth).token_id, tokenId)
    }))
})
