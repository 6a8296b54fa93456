/**
 * Nonces of signed transactions that are used although no receipt of ours is there: investigated until they are explained. While one of
 * them is not, its lane signs nothing new.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { InFlight } from "./InFlight.ts"
import * as NonceUse from "./NonceUse.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface NonceConflict {
  /** Records that a flight's nonce was free at a block: whatever used it came later. */
  readonly wasFree: (flight: InFlight, block: bigint) => void
  /** Explains a flight's used nonce, seen from a head. Answers of the recent past are reused; a verdict that can supersede is always fresh. */
  readonly investigate: (flight: InFlight, head: bigint) => Effect.Effect<NonceUse.NonceUse>
  /** Ends the investigation of a flight. */
  readonly forget: (key: string) => void
  /** Whether a nonce of this lane is used and nothing shows by what. */
  readonly isUnexplained: () => boolean
}

interface Case {
  readonly use: NonceUse.NonceUse
  /** How often in a row this was the answer. */
  readonly times: number
  /** Clock milliseconds from which on the chain is asked again. */
  readonly nextAt: number
}

/** How often in a row a nonce must stay unexplained before a person is alerted: block and receipt may come from either side of a block. */
const timesToAlert = 3

/** Between two investigations of one nonce: doubles from the first to the second, in milliseconds. */
const minPauseMillis = 100
const maxPauseMillis = 30_000

export const make = ({ alerts, chain, hashesOf, network, wallet }: {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly alerts: WalletAlerts["Service"]
  /** Every transaction that any owner of the lane has signed for a submission, by the rows. */
  readonly hashesOf: (key: string) => Effect.Effect<ReadonlyArray<Hash>>
}): NonceConflict => {
  const cases = new Map<string, Case>()
  const freeAt = new Map<string, bigint>()
  const alerted = new Set<string>()

  const alertOnce = (flight: InFlight, use: NonceUse.NonceUse, times: number) =>
    Effect.suspend(() => {
      if (use._tag === "Ours" || (use._tag === "Unexplained" && times < timesToAlert)) return Effect.void
      const name = `${use._tag}/${flight.key}`
      if (alerted.has(name)) return Effect.void
      alerted.add(name)
      const details = { nonce: flight.nonce.toString(), submission: flight.key }
      return use._tag === "Unexplained"
        ? alerts.raise({
          kind: "unexplained_nonce",
          network,
          wallet,
          message: `Nonce ${flight.nonce} of ${wallet} on ${network} is used, and no endpoint shows by which transaction (${use.reason}). ` +
            "The wallet signs nothing on this network until that is known; its requests stay pending.",
          details
        })
        : Effect.andThen(
          Metrics.count(Metrics.foreignNonces, { network }),
          alerts.raise({
            kind: "foreign_transaction",
            network,
            wallet,
            message: `Transaction ${use.hash} used nonce ${flight.nonce} of ${wallet} on ${network}. This service did not sign it: the wallet's key is used elsewhere.`,
            details: { ...details, tx_hash: use.hash }
          })
        )
    })

  const isFinal = (use: NonceUse.NonceUse, head: bigint) => use._tag === "Foreign" && head - use.block >= BigInt(chain.book.finalityDepth)

  return {
    wasFree: ({ key }, block) => {
      freeAt.set(key, block)
      cases.delete(key)
    },
    investigate: (flight, head) =>
      Effect.gen(function*() {
        const known = cases.get(flight.key)
        const now = yield* Clock.currentTimeMillis
        if (known !== undefined && !isFinal(known.use, head) && now < known.nextAt) return known.use
        const hashes = yield* hashesOf(flight.key)
        const use = yield* NonceUse.explain(chain, { wallet, nonce: flight.nonce, hashes, head, freeAt: freeAt.get(flight.key) }).pipe(
          Effect.catch(({ reason }) => Effect.succeed<NonceUse.NonceUse>({ _tag: "Unexplained", reason }))
        )
        // A node that lags may have called a nonce free that was used: the next search begins without that.
        if (use._tag === "Unexplained") freeAt.delete(flight.key)
        const times = known?.use._tag === use._tag ? known.times + 1 : 1
        cases.set(flight.key, { use, times, nextAt: now + Math.min(maxPauseMillis, minPauseMillis * 2 ** Math.min(times, 16)) })
        yield* alertOnce(flight, use, times)
        return use
      }),
    forget: (key) => {
      cases.delete(key)
      freeAt.delete(key)
      for (const tag of ["Foreign", "Unexplained"]) alerted.delete(`${tag}/${key}`)
    },
    isUnexplained: () => Array.from(cases.values()).some(({ use }) => use._tag === "Unexplained")
  }
}
