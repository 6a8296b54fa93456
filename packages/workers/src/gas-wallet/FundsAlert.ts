/** Alerts that nodes do not take a wallet's signed transaction because its balance does not cover it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { insufficientFunds } from "../chain/RpcFailure.ts"
import type { InFlight, OnRejected } from "./InFlight.ts"
import type { TrackedLane } from "./Tracking.ts"

/**
 * Builds the reaction to rejected bytes: an alert about the flight that holds up the lane, once it has been in flight
 * for as long as a transaction without a block may be. Nodes also count what an account has queued: a later
 * transaction of another program with the key can keep ours out although the balance covers them.
 */
export const make = (
  { alerts, chain: { book: { patienceMillis } }, network, wallet }: TrackedLane,
  lowestFlight: () => InFlight | undefined
): OnRejected =>
({ nonce, submissionKey }, failure) =>
  Effect.gen(function*() {
    const flight = lowestFlight()
    if (failure._tag !== "RpcRefused" || !insufficientFunds(failure) || flight?.key !== submissionKey) return
    if ((yield* Clock.currentTimeMillis) - flight.departedAt < patienceMillis) return
    yield* alerts.raise({
      kind: "insufficient_funds",
      network,
      wallet,
      message:
        `No node on ${network} takes the signed transaction at nonce ${nonce} of wallet ${wallet}, because its ` +
        "balance does not cover the cost. The wallet's transactions wait until it is refilled. If the balance covers " +
        "them, another program that has the key has queued a later transaction, whose cost nodes count too.",
      details: { nonce: nonce.toString() }
    })
  })
