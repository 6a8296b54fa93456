/** Compares the transaction counts of all active gas wallets, including idle ones, with the ledger. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { type Comparison, NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

/** Number of wallets whose counts are read and compared together. */
const pageSize = 500

/** Counts the wallet's transactions that none of our submissions explains. */
const foreignIn = ({ baseline, count, ours }: Comparison) =>
  baseline === null || count <= baseline ? 0n : count - baseline - ours

/** Time limit for a lane that reads the transactions that its rows do not explain. */
const reconcileTimeout = "30 seconds"

/** Returns the count up to which the rows explain every nonce; nothing where the lane has to explain it. */
const report = (network: Network, comparison: Comparison) =>
  Effect.gen(function*() {
    const { baseline, count, lastFinal, wallet } = comparison
    const foreign = foreignIn(comparison)
    const wallets = yield* GasWallet.client
    // At the first check of an imported key, its lane finds which of them are older than the import.
    if (foreign > 0n || (baseline === null && count > 0n)) {
      // The lane reads which transactions these are: it adopts its own, alerts foreign ones, or is quarantined.
      const reconciled = yield* Effect.option(
        Effect.timeout(wallets(idOf(network, wallet)).reconcile(), reconcileTimeout)
      )
      if (Option.isSome(reconciled) || baseline === null) return []
      yield* (yield* WalletAlerts).raise({
        kind: "foreign_transaction",
        network,
        wallet,
        message:
          `${foreign} transaction${
            foreign === 1n ? "" : "s"
          } of ${wallet} on ${network} with nonces from ${baseline} to ${count - 1n} ` +
          "are not in the ledger, and the lane could not read them.",
        details: { nonce: (count - 1n).toString(), foreign: foreign.toString() }
      })
      return []
    }
    // Either a reorg removed final transactions, or the node lags. The lane determines which.
    if (lastFinal !== null && count <= lastFinal) {
      yield* Effect.ignore(Effect.timeout(wallets(idOf(network, wallet)).recheck(), "2 seconds"))
    }
    return [{ wallet, count }]
  })

/**
 * Reconciles the lanes that are quarantined although the ledger explains all their transactions, so that they end their
 * quarantine: an idle lane does not reconcile by itself.
 */
const reconcileExplained = (network: Network, explained: ReadonlyArray<{ readonly wallet: Address }>) =>
  Effect.gen(function*() {
    const wallets = yield* GasWallet.client
    const quarantined = (yield* (yield* LaneQuarantineStore).list).filter((each) =>
      each.network === network && each.kind === "rows_behind_chain" &&
      explained.some(({ wallet }) => wallet === each.wallet)
    )
    yield* Effect.forEach(
      quarantined,
      ({ wallet }) => Effect.ignore(Effect.timeout(wallets(idOf(network, wallet)).reconcile(), reconcileTimeout)),
      { concurrency: 16, discard: true }
    )
  })

/** Checks every active wallet of a network once. */
export const check = (network: Network) =>
  Effect.gen(function*() {
    const store = yield* NonceBaselineStore
    const chain = yield* (yield* Chains).get(network)
    for (const wallets of Arr.chunksOf(yield* store.active(network), pageSize)) {
      const counts = yield* chain.nonces(wallets)
      const comparisons = yield* store.compare(network, counts)
      const explained = yield* Effect.forEach(comparisons, (comparison) => report(network, comparison), {
        concurrency: 16
      })
      yield* store.recordExplained(network, explained.flat())
      yield* reconcileExplained(network, explained.flat())
    }
  }).pipe(Effect.withSpan("NonceWatch.check", { attributes: { network } }, { captureStackTrace: false }))
