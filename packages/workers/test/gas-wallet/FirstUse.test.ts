/** Which transactions of an imported key are older than its import. */
import { assert, describe, it } from "@effect/vitest"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as FirstUse from "../../src/gas-wallet/FirstUse.ts"

const wallet: Address = `0x${"aa".repeat(20)}`
const hash: Hash = `0x${"11".repeat(32)}`

interface Blocks extends ReadonlyArray<{ readonly time: number; readonly sent: number }> {}

const countAt = (blocks: Blocks, block: bigint) =>
  BigInt(blocks.slice(0, Number(block) + 1).reduce((sum, { sent }) => sum + sent, 0))

/** A chain whose blocks have these times and numbers of transactions of the wallet, over two endpoints. */
const chainOf = (
  blocks: Blocks,
  { counts = (block: bigint): ReadonlyArray<bigint> => [countAt(blocks, block), countAt(blocks, block)], hidden = 0 } =
    {}
) => {
  const bodyOf = (number: bigint, sent: number) => ({
    ...{ hash, number },
    transactions: Array.from({ length: sent }, () => ({ hash, from: wallet, nonce: 0n }))
  })
  return {
    quorum: 2,
    book: { network: "base" },
    head: Effect.succeed({ number: BigInt(blocks.length - 1), time: blocks.at(-1)!.time }),
    blockTime: (number: bigint) => Effect.succeed(blocks[Number(number)]?.time ?? null),
    blocksEverywhere: (number: bigint) => {
      const block = blocks[Number(number)] ?? null
      return Effect.succeed([block, block])
    },
    noncesEverywhere: (_: Address, block: bigint) => Effect.succeed(counts(block)),
    bodiesEverywhere: (number: bigint) => {
      const { sent } = blocks[Number(number)]!
      return Effect.succeed([bodyOf(number, Math.max(0, sent - hidden)), bodyOf(number, sent)])
    }
  } as unknown as ChainClient
}

/** The endpoints' state of the newest block only. */
const withoutState = (blocks: Blocks) => ({
  counts: (block: bigint) => block === BigInt(blocks.length - 1) ? [countAt(blocks, block), countAt(blocks, block)] : []
})

/** One block every two seconds from second 1,000 on; every third has a transaction of the wallet. */
const many = (length: number) =>
  Array.from({ length }, (_, index) => ({ time: 1_000 + 2 * index, sent: index % 3 === 0 ? 1 : 0 }))

const sentBefore = (blocks: ReturnType<typeof many>, time: number) =>
  BigInt(blocks.filter((block) => block.time < time).reduce((sum, { sent }) => sum + sent, 0))

const ask = (chain: ChainClient, count: bigint, importedSecond: number) =>
  FirstUse.countAtImport(chain, { wallet, count, importedAt: importedSecond * 1_000 })

describe("the transactions of an imported key", () => {
  for (const length of [1, 2, 5, 90, 301]) {
    it.effect(`are counted up to fifteen seconds before the import, in ${length} blocks`, () =>
      Effect.gen(function*() {
        const blocks = many(length)
        const count = sentBefore(blocks, Infinity)
        for (let second = 1_000; second < 1_040 + 2 * length; second += 7) {
          const expected = sentBefore(blocks, second - 15)
          assert.strictEqual(yield* ask(chainOf(blocks), count, second), expected)
          // The same from the bodies of blocks.
          if (length < 250) {
            assert.strictEqual(yield* ask(chainOf(blocks, withoutState(blocks)), count, second), expected)
          }
        }
      }))
  }

  it.effect("cannot be counted where state is missing and the import is too many blocks ago, or where a block is", () =>
    Effect.gen(function*() {
      const blocks = many(400)
      const count = sentBefore(blocks, Infinity)
      assert.isUndefined(yield* ask(chainOf(blocks, withoutState(blocks)), count, 1_100))
      assert.strictEqual(yield* ask(chainOf(blocks, withoutState(blocks)), count, 1_700), sentBefore(blocks, 1_685))
      const gone = { ...chainOf(blocks), blockTime: () => Effect.succeed(null) }
      assert.isUndefined(yield* ask(gone, count, 1_100))
      assert.strictEqual(yield* ask(gone, 0n, 1_100), 0n)
    }))

  it.effect("are not counted by one of two endpoints that invents a count or hides a transaction", () =>
    Effect.gen(function*() {
      const blocks = many(30)
      const count = sentBefore(blocks, Infinity)
      const lying = { counts: (block: bigint) => [count + 3n, countAt(blocks, block)] }
      assert.strictEqual((yield* Effect.flip(ask(chainOf(blocks, lying), count + 3n, 1_040)))._tag, "RpcUnavailable")
      const hiding = { ...withoutState(blocks), hidden: 1 }
      assert.strictEqual(yield* ask(chainOf(blocks, hiding), count, 1_040), sentBefore(blocks, 1_025))
      const early = {
        ...chainOf(blocks),
        // The endpoint that is asked first moves every block to before the import; the other one has the right times.
        blockTime: () => Effect.succeed(1),
        head: Effect.succeed({ number: 29n, time: 1 }),
        blocksEverywhere: (number: bigint) => Effect.succeed([{ time: 1 }, { time: blocks[Number(number)]!.time }])
      } as unknown as ChainClient
      assert.strictEqual((yield* Effect.flip(ask(early, count, 1_040)))._tag, "RpcUnavailable")
      const alone = { counts: () => [count] }
      assert.strictEqual((yield* Effect.flip(ask(chainOf(blocks, alone), count, 1_040)))._tag, "RpcUnavailable")
    }))
})
