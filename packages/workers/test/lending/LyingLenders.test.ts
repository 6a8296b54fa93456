/** Plans for lenders on a network one of whose endpoints lies about the vault's position there. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Result from "effect/Result"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { assertOutvoted, networkAt, rewording } from "../chain/LyingEndpoint.ts"
import { type Ask, lending, lendingSuite } from "./TestLending.ts"

/** Doubles the words at these places of a result. */
const doubled = (...places: ReadonlyArray<number>) => (words: ReadonlyArray<bigint>) =>
  words.map((word, place) => places.includes(place) ? 2n * word : word)

/** A vault with 10,000 USDC at a lender; and what a client of the network plans to take back or borrow. */
const supplied = (lender: "lenderA" | "lenderB" | "lenderC") =>
  Effect.gen(function*() {
    const vault = yield* lending()
    yield* vault.does("lend", "USDC", { lender, amount: "10000" })
    const planned = (verb: "unlend" | "borrow", asset: string, ask: Ask) => (chain: ChainClient) =>
      Effect.map(vault.plan(verb, asset, { lender, ...ask }, { ...vault.place, chain }), ({ calls, shown }) => ({
        calls,
        shown
      }))
    return {
      ...vault,
      planned,
      half: planned("unlend", "USDC", { share: 50 }),
      network: yield* networkAt(vault.book)
    }
  }).pipe(Effect.provide(FetchHttpClient.layer))

lendingSuite("a lender about which one endpoint lies", (it) => {
  it.effect("lenderA gives back no share of a position that one endpoint alone makes larger", () =>
    Effect.gen(function*() {
      const { entry, half, network, pool } = yield* supplied("lenderA")
      const told = { of: "getUserReserveData(address,address)", at: entry.aaveV3!.poolDataProvider, about: pool }
      const truth = yield* assertOutvoted(network, rewording(told, doubled(0)), half)
      assert.lengthOf(Result.getOrThrow(truth).calls, 1)
    }))

  it.effect("lenderA lends nothing below the floor on collateral that one endpoint alone makes larger", () =>
    Effect.gen(function*() {
      const { lenderA, network, planned, pool } = yield* supplied("lenderA")
      // 10,000 USD that count at most at 0.8: a loan of 9,000 is below every floor.
      const told = { of: "getUserAccountData(address)", at: lenderA, about: pool }
      const borrow = planned("borrow", "WETH", { amount: "3" })
      const truth = yield* assertOutvoted(network, rewording(told, doubled(0, 2)), borrow)
      assert.match(Result.getOrThrow(Result.flip(truth)).message, /below the floor of 1\.3/)
    }))

  it.effect("lenderB gives back no share of a balance that one endpoint alone makes larger", () =>
    Effect.gen(function*() {
      const { half, lenderB, network, pool } = yield* supplied("lenderB")
      const told = { of: "balanceOf(address)", at: lenderB, about: pool }
      const truth = yield* assertOutvoted(network, rewording(told, doubled(0)), half)
      assert.lengthOf(Result.getOrThrow(truth).calls, 1)
    }))

  for (
    const [what, of] of [["number", "balanceOf(address)"], ["worth", "convertToAssets(uint256)"]] as const
  ) {
    it.effect(`lenderC gives back no share by a ${what} of its shares that one endpoint alone makes larger`, () =>
      Effect.gen(function*() {
        const { half, lenderC, network } = yield* supplied("lenderC")
        const truth = yield* assertOutvoted(network, rewording({ of, at: lenderC("USDC") }, doubled(0)), half)
        assert.lengthOf(Result.getOrThrow(truth).calls, 1)
      }))
  }
})
