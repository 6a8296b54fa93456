/**
 * A lane's view of its rows. An attempt counts only if its bytes carry the wallet's own signature for that nonce, and
 * its fields are read from those bytes. Other attempts, and submissions without a valid attempt, are set aside and
 * alerted: they must not hold the lane's nonces.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { SetAside } from "@vault-trader/core/gas-wallet/SetAside"
import { Attempt, isFiller } from "@vault-trader/core/gas-wallet/Submission"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { Signer } from "./Signer.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

type Store = SubmissionStore["Service"]

export const make = ({ alerts, chain, network, signer, store, wallet }: {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: Store
  readonly signer: Signer["Service"]
  readonly alerts: WalletAlerts["Service"]
}): Store => {
  const alert = ({ key }: SetAside) =>
    alerts.raise({
      kind: "malformed_row",
      network,
      wallet,
      message:
        `The stored submission ${key} cannot be read, or was not signed by ${wallet}; it was set aside and none of it is sent.`,
      details: { submission: key }
    })

  /** Runs a read, then raises an alert for each row that it has set aside. */
  const withAlerts = <A, E>(read: Effect.Effect<A, E>) =>
    Effect.tap(read, Effect.flatMap(store.takeSetAside(wallet), Effect.forEach(alert, { discard: true })))

  /**
   * Returns the attempt with the fields of its bytes; none where the wallet did not sign them for this nonce on this
   * chain.
   */
  const verified = (attempt: Attempt) =>
    Effect.map(
      signer.read(wallet, attempt.raw),
      (read) =>
        Option.flatMap(read, ({ signed, transaction: { chainId, data, nonce, to, value } }) =>
          chainId === chain.book.chainId && nonce === attempt.nonce
            ? Option.some(Attempt.make({
              ...attempt,
              ...signed,
              cancels: to === wallet && data === "0x" && value === 0n && !isFiller(attempt.submissionKey)
            }))
            : Option.none())
    )

  const inFlight: Store["inFlight"] = () =>
    Effect.gen(function*() {
      // Read before the attempts: a submission that is signed now has its attempt when those are read.
      const openSubmissions = yield* store.listUnsettled(network, wallet)
      const rows = yield* store.inFlight(network, wallet)
      const checked = yield* Effect.forEach(rows, (row) => Effect.map(verified(row), (attempt) => ({ row, attempt })))
      const attempts = checked.flatMap(({ attempt }) => Option.toArray(attempt))
      const forgedHashes = checked.filter(({ attempt }) => Option.isNone(attempt)).map(({ row }) => row.hash)
      const inFlightKeys = new Set(attempts.map(({ submissionKey }) => submissionKey))
      const keysWithoutAttempt = openSubmissions.map(({ key }) => key).filter((key) => !inFlightKeys.has(key))
      if (forgedHashes.length + keysWithoutAttempt.length > 0) {
        yield* Effect.flatMap(
          store.distrust(forgedHashes, keysWithoutAttempt),
          Effect.forEach(alert, { discard: true })
        )
      }
      return attempts
    })

  /** Omits final submissions whose bytes the wallet did not sign, so that those bytes are never broadcast again. */
  const recentFinal: Store["recentFinal"] = (...lane) =>
    Effect.flatMap(store.recentFinal(...lane), (rows) =>
      Effect.map(
        Effect.forEach(rows, ({ attempts, submission }) =>
          Effect.map(
            Effect.forEach(attempts, verified),
            (own) => ({ submission, attempts: own.flatMap(Option.toArray) })
          )),
        Arr.filter(({ attempts }) => attempts.length > 0)
      ))

  return {
    ...store,
    recentFinal,
    find: (key) => withAlerts(store.find(key)),
    findAll: (keys) => withAlerts(store.findAll(keys)),
    listUnsettled: (...lane) => withAlerts(store.listUnsettled(...lane)),
    inFlight: (...lane) => withAlerts(inFlight(...lane))
  }
}
