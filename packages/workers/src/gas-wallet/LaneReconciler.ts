/**
 * Explains the transactions of a lane that its rows do not: the rows are behind the chain after the restore of an older
 * database, or the wallet's key was used elsewhere. Transactions of this service are adopted by their submissions;
 * foreign ones are alerted; the rest quarantines the lane until an operator releases it.
 */
import type { Hash } from "@vault-trader/core/chain/Address"
import { max } from "@vault-trader/core/chain/Quantity"
import type { UnexplainedTransaction } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import type { LaneHead } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { callsOf } from "../platform/AssetMovement.ts"
import * as FirstUse from "./FirstUse.ts"
import * as ForeignTransaction from "./ForeignTransaction.ts"
import { adopt, adoptable, adoptionOf, adoptRecorded, maxNonces, takeRecorded, takeRecordedAt } from "./LaneAdoption.ts"
import * as NonceUse from "./NonceUse.ts"
import { judge, type Verdict } from "./NonceVerdict.ts"
import * as PendingHold from "./PendingHold.ts"
import type { ReconciledLane } from "./ReconciledLane.ts"
import * as ReconcilePause from "./ReconcilePause.ts"
import type { SignerAway } from "./SigningStop.ts"

export interface LaneReconciler {
  /**
   * Returns true when nothing of the lane is unexplained: it is not quarantined, and neither the signing record nor the
   * chain, pending transactions included, has a nonce that the rows do not explain. False while no node has answered
   * this owner of the lane yet: a database may have been restored before it.
   */
  readonly isExplained: Effect.Effect<boolean, SignerAway | SqlError>
  /**
   * Explains the lane up to the chain's count: adopts, alerts, and quarantines the lane or ends its quarantine. Returns
   * true when rows changed, so that they must be read again.
   */
  readonly reconcile: Effect.Effect<boolean, RpcFailure | SignerAway | SqlError>
  /**
   * Gives a queued submission that cannot be refused the transactions that the signing record has of it. Returns true
   * when it had any, so that rows must be read again.
   */
  readonly adoptRecorded: (key: string) => Effect.Effect<boolean, RpcFailure | SignerAway | SqlError>
  /**
   * Gives the nonce that the chain counts next, and that no row has, what the signing record has under it. Returns true
   * when it had anything.
   */
  readonly takeRecordedAt: (nonce: bigint) => Effect.Effect<boolean, SignerAway | SqlError>
  /** Returns the nonce below which this owner has explained every one, also by transactions that are not final yet. */
  readonly explainedTo: () => bigint
  /** Returns true while the lane is quarantined and was reconciled a short time ago: nothing can be signed then. */
  readonly isPaused: Effect.Effect<boolean>
  /** Judges a transaction that used a flight's nonce: only a foreign one supersedes the flight. */
  readonly judge: (submission: Submission, hash: Hash) => Effect.Effect<Verdict, RpcFailure | SqlError>
}

/** The explanation of one nonce. */
type Finding =
  | { readonly _tag: "Adopted" }
  | { readonly _tag: "Foreign"; readonly hash: Hash; readonly block: bigint }
  | { readonly _tag: "Unexplained"; readonly hash: string | null; readonly note: string }

export const make = (lane: ReconciledLane): LaneReconciler => {
  const { chain, network, quarantines, record, rows, wallet } = lane
  const recordedNext = Effect.map(record.nextNonce(chain.book.chainId, wallet), Option.getOrElse(() => 0n))
  const explainedBy = ({ baseline, next }: LaneHead) => max(next, baseline ?? 0n)
  const pause = ReconcilePause.make(quarantines.isOpen(network, wallet))
  /** True once rows and chain were equal: the signing record has everything that was signed since. */
  let wasCompared = false
  const known: Explained = { next: 0n, alerted: new Set() }
  const held = PendingHold.make(chain, wallet)

  return {
    isPaused: pause.isOn,
    explainedTo: () => known.next,
    isExplained: Effect.gen(function*() {
      if (yield* quarantines.isOpen(network, wallet)) return false
      const pending = Option.getOrUndefined(yield* Effect.option(chain.nonce(wallet, "pending")))
      if (pending === undefined && !wasCompared) return false
      const counted = max(pending ?? 0n, yield* recordedNext)
      const explained = counted <= max(known.next, explainedBy(yield* rows.head(network, wallet)))
      if (explained) wasCompared = true
      return explained
    }),
    reconcile: Effect.gen(function*() {
      const head = yield* rows.head(network, wallet)
      const count = yield* chain.nonce(wallet, "latest")
      const recorded = yield* recordedNext
      const first = head.baseline ?? (head.next > 0n ? head.next : yield* explainImport(lane, head, count))
      if (first === undefined) return false
      const hasTaken = yield* takeRecorded(lane, { count, recorded, explained: head.baseline ?? 0n })
      const used = max(count, recorded)
      const end = yield* held(max(used, explainedBy(head)))
      const hasAdopted = yield* explainNonces(lane, first, count, { known: used, end: max(used, end) }, known)
      return hasTaken || hasAdopted
    }).pipe(
      Effect.tap(pause.start),
      Effect.withSpan("LaneReconciler.reconcile", { attributes: { network, wallet } })
    ),
    takeRecordedAt: (nonce) => takeRecordedAt(lane, nonce),
    adoptRecorded: (key) => adoptRecorded(lane, key),
    judge: (submission, hash) => judge(lane, submission, hash)
  }
}

/**
 * The first use of an imported key: its transactions from before the import were not signed here. Returns their number;
 * undefined where it cannot be found, and the lane is quarantined.
 */
const explainImport = ({ chain, network, quarantines, rows, wallet }: ReconciledLane, head: LaneHead, count: bigint) =>
  Effect.gen(function*() {
    const before = yield* FirstUse.countAtImport(chain, { wallet, count, importedAt: head.importedAt ?? 0 })
    if (before !== undefined) {
      yield* rows.explain(network, wallet, before)
      return before
    }
    yield* quarantines.open({
      ...{ network, wallet, kind: "rows_behind_chain" },
      reason: "no endpoint shows which of the wallet's transactions were made before its key was imported",
      evidence: {
        count: count.toString(),
        transactions: [{ nonce: (count - 1n).toString(), hash: null, note: "and those before it" }]
      }
    })
    return undefined
  })

const pendingOnly: Finding = {
  _tag: "Unexplained",
  hash: null,
  note: "a pending transaction that neither the ledger nor the signing record has"
}

/**
 * The nonces that this process has explained by foreign transactions that are not final yet. They are not stored: a reorg
 * may remove such a transaction, and one that is then sent under its nonce must be found again after a restore.
 */
interface Explained {
  /** The nonce after the last one. */
  next: bigint
  /** Hashes of the transactions that were alerted. */
  readonly alerted: Set<string>
}

/** The counts up to which nonces are explained. */
interface Ends {
  /** After the last nonce that the chain or the signing record has. */
  readonly known: bigint
  /** The same, or after the last pending transaction once those have held the lane for too long. */
  readonly end: bigint
}

/**
 * Explains the nonces from `first` to below `end` that no row has: adopts, alerts, and quarantines the lane or ends its
 * quarantine. Returns true when rows changed.
 */
const explainNonces = (
  lane: ReconciledLane,
  first: bigint,
  count: bigint,
  { end, known }: Ends,
  explained: Explained
) =>
  Effect.gen(function*() {
    const { chain, network, quarantines, rows, wallet } = lane
    const nonces = yield* rows.unowned(network, wallet, { from: first, to: end, limit: maxNonces + 1 })
    const findings: Array<Finding & { readonly nonce: bigint }> = []
    for (const nonce of nonces.slice(0, maxNonces)) {
      findings.push({ nonce, ...(nonce < known ? yield* explainNonce(lane, nonce, count) : pendingOnly) })
    }
    const isAdopted = findings.some(({ _tag }) => _tag === "Adopted")
    const alerted = yield* Effect.forEach(findings, (finding) => alertForeign(lane, finding, explained.alerted))
    // A transaction that could not be alerted stays unexplained until it is.
    if (!alerted.every((isRaised) => isRaised)) return isAdopted
    const unexplained = findings.flatMap((finding): ReadonlyArray<UnexplainedTransaction> =>
      finding._tag === "Unexplained"
        ? [{ nonce: finding.nonce.toString(), hash: finding.hash, note: finding.note }]
        : []
    )
    const next = nonces[maxNonces]
    if (next !== undefined) {
      unexplained.push({ nonce: next.toString(), hash: null, note: `and the nonces up to ${end - 1n}` })
    }
    if (unexplained.length === 0) {
      if (nonces.length > 0) yield* rows.explain(network, wallet, (yield* firstOpen(chain, findings)) ?? end)
      explained.next = end
      yield* quarantines.end(network, wallet, ["rows_behind_chain"])
      return isAdopted
    }
    yield* quarantines.open({
      ...{ network, wallet, kind: "rows_behind_chain" },
      reason: unexplained.every(({ nonce }) => BigInt(nonce) >= known)
        ? "transactions of the wallet that the ledger does not know stay pending and hold back its own"
        : "the wallet has transactions that look like this service's own and that the ledger does not know",
      evidence: { count: end.toString(), transactions: unexplained }
    })
    return isAdopted
  })

/** Explains one nonce: by the signing record, by a queued submission with the same call, or as foreign. */
const explainNonce = (
  lane: ReconciledLane,
  nonce: bigint,
  count: bigint
): Effect.Effect<Finding, RpcFailure | SignerAway | SqlError> =>
  Effect.gen(function*() {
    const { chain, record, wallet } = lane
    const entries = yield* record.find(chain.book.chainId, wallet, nonce)
    const adopted = adoptable(lane, entries, nonce < count)
    if (adopted !== undefined && (yield* adopt(lane, adopted))) return { _tag: "Adopted" }
    const [recorded] = entries
    if (nonce >= count) {
      return {
        _tag: "Unexplained",
        hash: recorded?.hash ?? null,
        note: recorded === undefined
          ? "the signing record has used it"
          : `signed here for submission ${recorded.key}, whose request is not in the ledger or has ended`
      }
    }
    const use = yield* NonceUse.explain(chain, {
      ...{ wallet, nonce, hashes: entries.map(({ hash }) => hash), freeAt: undefined },
      head: (yield* chain.head).number
    })
    if (use._tag === "Unexplained") return { _tag: "Unexplained", hash: null, note: use.reason }
    if (use._tag === "Ours") {
      return {
        _tag: "Unexplained",
        hash: recorded?.hash ?? null,
        note: `signed here for submission ${recorded?.key}, whose request is not in the ledger or has ended`
      }
    }
    return yield* explainUnrecorded(lane, use)
  })

/** Explains a transaction of the wallet that the signing record does not have. */
const explainUnrecorded = (
  lane: ReconciledLane,
  { block, hash }: { readonly hash: Hash; readonly block: bigint }
): Effect.Effect<Finding, RpcFailure | SqlError> =>
  Effect.gen(function*() {
    const { chain, network, policy, rows, wallet } = lane
    const sent = yield* chain.transaction(hash)
    if (sent === null) return { _tag: "Unexplained", hash, note: "no node returns this transaction" }
    if (sent.to === null) return { _tag: "Foreign", hash, block }
    const call = { to: sent.to, data: sent.data, value: sent.value }
    const key = yield* rows.findQueued(network, wallet, call)
    const adopted = key === undefined
      ? undefined
      : adoptionOf(lane, { ...call, key, plan: null, validUntil: null }, [{ sent, cancels: false }], true)
    if (adopted !== undefined && (yield* rows.adopt(adopted))) return { _tag: "Adopted" }
    if (policy.isPayee(network, sent.to)) return { _tag: "Unexplained", hash, note: "a payment to the treasury" }
    return callsOf(sent.data) === undefined
      ? { _tag: "Foreign", hash, block }
      : { _tag: "Unexplained", hash, note: `a call of the vault ${sent.to} that no submission explains` }
  })

/** Finds the first nonce that a foreign transaction has used which is not final. */
const firstOpen = (chain: ChainClient, findings: ReadonlyArray<Finding & { readonly nonce: bigint }>) =>
  Effect.gen(function*() {
    const foreign = findings.filter((finding) => finding._tag === "Foreign")
    if (foreign.length === 0) return undefined
    const final = yield* Effect.orElseSucceed(chain.finalBlock, () => -1n)
    return foreign.find(({ block }) => block > final)?.nonce
  })

/** Raises the alert about a foreign transaction once; returns true when it was written. */
const alertForeign = (lane: ReconciledLane, finding: Finding & { readonly nonce: bigint }, alerted: Set<string>) =>
  Effect.gen(function*() {
    if (finding._tag !== "Foreign" || alerted.has(finding.hash)) return true
    const isRaised = yield* ForeignTransaction.raise(lane, finding)
    if (isRaised) alerted.add(finding.hash)
    return isRaised
  })
