/**
 * Notices pending transactions that hold a lane: a restore forgot them together with the signing record, or the
 * wallet's key was used elsewhere. Most are mined soon; those whose fee is too low could hold the lane forever.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"

/**
 * How long they may hold the lane before it is reported, as a multiple of the time after which a transaction of our own
 * gets a higher fee.
 */
const patience = 6

/**
 * Returns a function from the first nonce that nothing known has used to the wallet's pending count, once that has been
 * higher for too long; to 0 before.
 */
export const make = ({ book, nonce }: ChainClient, wallet: Address) => {
  let since: number | undefined
  return (known: bigint): Effect.Effect<bigint> =>
    Effect.gen(function*() {
      const pending = Option.getOrUndefined(yield* Effect.option(nonce(wallet, "pending")))
      if (pending === undefined) return 0n
      if (pending <= known) {
        since = undefined
        return 0n
      }
      const now = yield* Clock.currentTimeMillis
      since ??= now
      return now - since >= patience * book.patienceMillis ? pending : 0n
    })
}
