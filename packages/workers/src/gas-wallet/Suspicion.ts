/** Nonces that somebody else seems to have used: told at once, believed only when several looks in a row have found the same. */
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import type { Flight } from "./Flight.ts"

export interface Suspicion {
  /** Says it, once a flight. */
  readonly notice: (flight: Flight) => Effect.Effect<void>
  /** Counts one more look in a row that found it; whether they are enough. One look may have hit a node that knows little. */
  readonly confirmed: (flight: Flight) => boolean
  /** A look has found otherwise: counting begins anew. */
  readonly doubt: (flight: Flight) => void
  readonly forget: (flight: Flight) => void
}

const looksToBelieve = 3

export const make = (network: Network, say: (what: string, nonce: bigint) => Effect.Effect<void>): Suspicion => {
  const told = new Set<string>()
  const looks = new Map<string, number>()
  return {
    notice: ({ key, nonce }) =>
      Effect.suspend(() => {
        if (told.has(key)) return Effect.void
        told.add(key)
        return Effect.zipRight(
          Metrics.count(Metrics.foreignNonces, { network }),
          say("a transaction sent by somebody else with this wallet's key took a nonce; waiting until it is final", nonce)
        )
      }),
    confirmed: ({ key }) => {
      const times = (looks.get(key) ?? 0) + 1
      looks.set(key, times)
      return times >= looksToBelieve
    },
    doubt: ({ key }) => {
      looks.delete(key)
    },
    forget: ({ key }) => {
      looks.delete(key)
      told.delete(key)
    }
  }
}
