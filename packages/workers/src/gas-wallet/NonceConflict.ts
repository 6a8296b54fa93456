/**
 * Investigates nonces of signed transactions that are used although no receipt of ours exists, until they are
 * explained. While one of them is unexplained, its lane signs nothing new.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as ForeignTransaction from "./ForeignTransaction.ts"
import type { InFlight } from "./InFlight.ts"
import type { LaneQuarantines } from "./LaneQuarantines.ts"
import * as NonceUse from "./NonceUse.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface NonceConflict {
  /** Records that a flight's nonce was free at a block, so that the transaction that used it is in a later block. */
  readonly wasFree: (flight: InFlight, block: bigint) => void
  /**
   * Explains a flight's used nonce as of block `head`. Recent results are reused; a verdict that can supersede is
   * always fresh.
   */
  readonly investigate: (flight: InFlight, head: bigint) => Effect.Effect<NonceUse.NonceUse>
  /** Returns true when the alert about a foreign transaction at a flight's nonce was written. */
  readonly isAlerted: (key: string) => boolean
  /** Ends the investigation of a flight. */
  readonly forget: (key: string) => void
  /** Returns true while a nonce of this lane is used and no endpoint shows by which transaction. */
  readonly isUnexplained: () => boolean
  /** Ends the lane's quarantine for unexplained nonces once all of them are explained. */
  readonly endQuarantine: Effect.Effect<void>
}

interface Case {
  readonly use: NonceUse.NonceUse
  /** Number of times in a row that this was the result. */
  readonly times: number
  /** Time from which the chain is queried again; unix milliseconds. */
  readonly nextAt: number
}

/**
 * Number of unexplained results in a row before an alert: the head and the receipts may be read before and after a new
 * block.
 */
const timesToAlert = 3

/**
 * Pause between two investigations of one nonce, in milliseconds: doubles from the minimum to the maximum. One of them
 * reads hundreds of block bodies where the node has no state of old blocks.
 */
const minPauseMillis = 100
const maxPauseMillis = 120_000

export const make = ({ alerts, chain, hashesOf, network, quarantines, wallet }: {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly alerts: WalletAlerts["Service"]
  readonly quarantines: LaneQuarantines
  /** Reads from the rows the hashes of every transaction that any owner of the lane has signed for a submission. */
  readonly hashesOf: (key: string) => Effect.Effect<ReadonlyArray<Hash>>
}): NonceConflict => {
  const cases = new Map<string, Case>()
  const freeAt = new Map<string, bigint>()
  const alertedNames = new Set<string>()
  /** True if an earlier owner of the lane may have left a quarantine, or this one has opened one. */
  let mayBeQuarantined = true
  const isUnexplained = () => Array.from(cases.values()).some(({ use }) => use._tag === "Unexplained")

  /** Raises an alert once per flight and kind; an unexplained use only when it has been the result several times. */
  const alertOnce = (flight: InFlight, use: NonceUse.NonceUse, times: number) =>
    Effect.suspend(() => {
      if (use._tag === "Ours" || (use._tag === "Unexplained" && times < timesToAlert)) return Effect.void
      const name = `${use._tag}/${flight.key}`
      if (alertedNames.has(name)) return Effect.void
      // Repeated at the next check when the event was not written.
      const raised = Effect.map(alert({ alerts, network, wallet }, flight, use), (isRaised) => {
        if (isRaised) alertedNames.add(name)
      })
      if (use._tag === "Foreign") return raised
      mayBeQuarantined = true
      return Effect.andThen(raised, quarantines.open({ network, wallet, ...unexplained(flight, use.reason) }))
    })

  const isFinal = (use: NonceUse.NonceUse, head: bigint) =>
    use._tag === "Foreign" && head - use.block >= BigInt(chain.book.finalityDepth)

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
        const use = yield* NonceUse.explain(chain, {
          wallet,
          nonce: flight.nonce,
          hashes,
          head,
          freeAt: freeAt.get(flight.key)
        }).pipe(
          Effect.catch(({ reason }) => Effect.succeed<NonceUse.NonceUse>({ _tag: "Unexplained", reason }))
        )
        // A lagging node may have reported a used nonce as free: the next search starts without that block.
        if (use._tag === "Unexplained") freeAt.delete(flight.key)
        const times = known?.use._tag === use._tag ? known.times + 1 : 1
        cases.set(flight.key, {
          use,
          times,
          nextAt: now + Math.min(maxPauseMillis, minPauseMillis * 2 ** Math.min(times, 16))
        })
        yield* alertOnce(flight, use, times)
        return use
      }),
    isAlerted: (key) => alertedNames.has(`Foreign/${key}`),
    forget: (key) => {
      cases.delete(key)
      freeAt.delete(key)
      for (const tag of ["Foreign", "Unexplained"]) alertedNames.delete(`${tag}/${key}`)
    },
    isUnexplained,
    endQuarantine: Effect.suspend(() => {
      if (!mayBeQuarantined || isUnexplained()) return Effect.void
      mayBeQuarantined = false
      return quarantines.end(network, wallet, ["unexplained_nonce"])
    })
  }
}

/** Builds the quarantine of a lane until the nonce of a flight is explained. */
const unexplained = ({ key, nonce }: InFlight, reason: string) => ({
  kind: "unexplained_nonce" as const,
  reason: `nonce ${nonce} is used, and no endpoint shows by which transaction (${reason})`,
  evidence: { count: null, transactions: [{ nonce: nonce.toString(), hash: null, note: `submission ${key}` }] }
})

/** Raises the alert about a nonce that no transaction of this service used. */
const alert = (
  lane: { readonly alerts: WalletAlerts["Service"]; readonly network: Network; readonly wallet: Address },
  { key, nonce }: InFlight,
  use: Exclude<NonceUse.NonceUse, { readonly _tag: "Ours" }>
) => {
  if (use._tag === "Foreign") return ForeignTransaction.raise(lane, { hash: use.hash, nonce, submission: key })
  const { alerts, network, wallet } = lane
  return alerts.raise({
    kind: "unexplained_nonce",
    network,
    wallet,
    message:
      `Nonce ${nonce} of ${wallet} on ${network} is used, and no endpoint shows by which transaction (${use.reason}). ` +
      "The wallet signs nothing on this network until that is known; its requests stay pending.",
    details: { nonce: nonce.toString(), submission: key }
  })
}
