/** Chooses the endpoints that get signed bytes: a young call goes to private endpoints only, everything else to all. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { type Attempt, isFiller } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as InFlight from "./InFlight.ts"

/** Returns the flight of a submission; `undefined` where none is tracked. */
export type FlightOf = (submissionKey: string) => InFlight.InFlight | undefined

/**
 * Returns true while an attempt's bytes go to the network's private endpoints only. Empty transactions go everywhere:
 * they reveal nothing, and have to be mined.
 */
export const isPrivate = (
  { privateFallbackMillis, privateRpcUrls }: NetworkBook,
  { cancels, submissionKey }: Attempt,
  flight: InFlight.InFlight | undefined,
  now: number
): boolean =>
  privateRpcUrls.length > 0 && !cancels && !isFiller(submissionKey) && flight !== undefined &&
  now - flight.departedAt < privateFallbackMillis

/** Broadcasts attempts, each to its endpoints. Those for all endpoints do not wait for a private one. */
export const broadcast = (
  chain: ChainClient,
  flightOf: FlightOf,
  attempts: ReadonlyArray<Attempt>,
  reactions: InFlight.Reactions
): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const [hidden, everywhere] = Arr.partition(
      attempts,
      Filter.fromPredicate((attempt: Attempt) => isPrivate(chain.book, attempt, flightOf(attempt.submissionKey), now))
    )
    return Effect.all([
      InFlight.broadcast(chain, everywhere, reactions),
      InFlight.broadcast(chain, hidden, reactions, true)
    ], { concurrency: "unbounded", discard: true })
  })
