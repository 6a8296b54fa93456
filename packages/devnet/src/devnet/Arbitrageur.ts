/**
 * Trades the devnet's pools back to the prices of the feeds, as arbitrageurs do on live networks: a swap moves a pool's
 * price only for a while.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { pools } from "../contract/Market.ts"
import type { DevnetClient } from "./DevnetClient.ts"
import { entries } from "./DevnetFile.ts"
import { align } from "./MarketMaker.ts"

/**
 * Makes one pass over all pools. Trades in those whose price is off by more than their fee, where that earns something.
 * A trade that fails is tried again in the next pass.
 */
export const pass = (devnet: DevnetClient): Effect.Effect<void> =>
  Effect.forEach(
    entries(devnet.file),
    ([network, entry]) =>
      Effect.gen(function*() {
        const rpc = yield* devnet.rpc(network)
        for (const pool of pools(network)) yield* align(network, entry, rpc, pool, pool.fee)
      }).pipe(
        Effect.catch((failure) => Effect.logDebug("A pass of the devnet's arbitrageur failed", failure)),
        Effect.annotateLogs({ network })
      ),
    { concurrency: "unbounded", discard: true }
  )

/** Makes passes forever. */
export const run = (devnet: DevnetClient, interval: Duration.Input): Effect.Effect<never> =>
  Effect.forever(Effect.delay(pass(devnet), interval))
