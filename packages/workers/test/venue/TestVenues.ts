/** The devnet's vault with all venues, including the fake aggregators, and the helpers of venue tests. */
import { assert } from "@effect/vitest"
import type { Network } from "@vault-trader/core/chain/Network"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { movedBy } from "../../src/platform/Transfers.ts"
import { NoQuote } from "../../src/venue/NoQuote.ts"
import type { Quote } from "../../src/venue/Venue.ts"
import { type Access, AggregatorClient, type ApiVenue, defaultAccess } from "../../src/venue/AggregatorClient.ts"
import { venues } from "../../src/venue/VenueRegistry.ts"
import { approval, testVaultOn, workersOn } from "../vault/TestVault.ts"

/** Venues with an API. */
export const apiVenues: ReadonlyArray<ApiVenue> = ["1inch", "kyberswap", "odosV3"]

/** The devnet's credentials, with a timeout long enough for a loaded machine. */
export const patient: Access = {
  ...defaultAccess,
  keys: { "1inch": Redacted.make("devnet"), odosV3: Redacted.make("devnet") },
  timeoutMillis: 60_000
}

/** One network with all its venues. */
export const VenueDevnet = (network: Network, access: Access = patient) =>
  Layer.unwrap(Effect.map(Devnet, ({ books }) => workersOn(books, access))).pipe(
    Layer.provideMerge(Devnet.layer({ networks: [network], heartbeat: false })),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

/** A client for venues that quote on the chain alone: nothing is banned, and no API is called. */
export const noApis = AggregatorClient.of({
  open: () => new NoQuote({ reason: "no API in this test" }),
  refuseBanned: () => Effect.void,
  timeoutMillis: patient.timeoutMillis
})

/** A deadline later than any clock in the tests. */
export const late = 2n ** 40n

/** A vault and a function that quotes for it. Resets the aggregators' faults before and after. */
export const marketOn = (network: Network) =>
  Effect.gen(function*() {
    const vault = yield* testVaultOn(network)
    const { chain, devnet: { aggregators }, pool, token } = vault
    yield* aggregators.forget
    yield* Effect.addFinalizer(() => aggregators.heal)
    const request = (from: string, to: string, amountIn: bigint, slippage = 0.5) => ({
      chain,
      tokenIn: token(from),
      tokenOut: token(to),
      amountIn,
      vault: pool,
      wallet: pool,
      slippage
    })
    /**
     * Approves and swaps in one transaction of the vault's trader; returns the amounts moved according to its receipt.
     */
    const swap = (found: Quote, from: string, to: string, amountIn: bigint, minOut = found.amountOut) =>
      Effect.gen(function*() {
        const data = yield* found.build(minOut, late)
        const { logs } = yield* vault.execute([{ to: token(from).address, data: approval(found.router, amountIn) }, {
          to: found.router,
          data
        }])
        return { sold: movedBy(logs, token(from).address, pool), bought: movedBy(logs, token(to).address, pool) }
      })
    return {
      ...vault,
      aggregators,
      request,
      quote: (venue: VenueName, from: string, to: string, amountIn: bigint, slippage = 0.5) =>
        venues[venue].quote(request(from, to, amountIn, slippage)),
      swap,
      /** Swaps, and asserts that the vault gets exactly what was quoted, gives what was asked, and leaves no allowance. */
      swapAsQuoted: (found: Quote, from: string, to: string, amountIn: bigint) =>
        Effect.gen(function*() {
          const { allowance, held } = vault
          const before = { from: yield* held(from), to: yield* held(to) }
          const { bought, sold } = yield* swap(found, from, to, amountIn)
          assert.deepStrictEqual([sold, bought], [{ sent: amountIn, received: 0n }, {
            sent: 0n,
            received: found.amountOut
          }])
          assert.strictEqual(before.from - (yield* held(from)), amountIn)
          assert.strictEqual((yield* held(to)) - before.to, found.amountOut)
          assert.strictEqual(yield* allowance(from, found.router), 0n)
        })
    }
  })

/** Returns the client, and the function that returns how often it has read the chain. */
export const countingReads = (chain: ChainClient) => {
  let reads = 0
  const counting: ChainClient = {
    ...chain,
    readAll: (...request) => {
      reads += 1
      return chain.readAll(...request)
    }
  }
  return { counting, reads: () => reads }
}

/** Returns the reason of a `NoQuote`. Anything else is a defect. */
export const reason = <A, R>(effect: Effect.Effect<A, NoQuote | ExecutionFailure, R>) =>
  Effect.flatMap(
    Effect.flip(effect),
    (failure) => failure instanceof NoQuote ? Effect.succeed(failure.reason) : Effect.die(failure)
  )
