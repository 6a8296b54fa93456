/**
 * Compares the ledger with a chain: each paid settlement and each charged action must be a successful transaction of its
 * wallet, and each used nonce must be explained.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import {
  type FinalCharge,
  type NonceGaps,
  type PaidSettlement,
  SettledLedger
} from "@vault-trader/core/billing/SettledLedger"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import type { Transfer } from "../chain/WatchReads.ts"

/** Number of rows whose transactions are read together. */
const pageSize = 200
/** Number of wallets whose transaction counts are read together. */
const walletsPerPage = 500

/** The result for one network. Native amounts are in smallest units. */
export interface Reconciliation {
  readonly network: Network
  readonly settlements: number
  /** The sum of the paid settlements, according to their rows. */
  readonly settledWei: bigint
  /** The sum that the treasuries received in their transactions. */
  readonly receivedWei: bigint
  readonly charges: number
  readonly wallets: number
  /** A sentence about each difference. */
  readonly faults: ReadonlyArray<string>
}

/**
 * No endpoint gave a complete answer. `faults` are the differences up to then. Everything created before `until` was
 * compared; undefined where the comparison has to begin again.
 */
export class ReconciliationInterrupted extends Data.TaggedError("ReconciliationInterrupted")<{
  readonly network: Network
  readonly reason: string
  readonly until: Date | undefined
  readonly faults: ReadonlyArray<string>
}> {}

/** A read that no endpoint answered; `until` is the time of the last row that was compared. */
class Unanswered extends Data.TaggedError("Unanswered")<{
  readonly reason: string
  readonly until: Date | undefined
}> {}

/** A transaction on the chain; null where no endpoint has it. */
interface FoundTransaction {
  readonly receipt: Receipt
  readonly transfer: Transfer
}

type Row = { readonly id: string; readonly createdAt: Date; readonly txHash: Hash | null }

/** Reads the transactions of these rows, by hash. Every endpoint is queried about those that the first does not have. */
const findAll = (
  chain: ChainClient,
  rows: ReadonlyArray<Row>
): Effect.Effect<ReadonlyMap<Hash, FoundTransaction>, RpcFailure> =>
  Effect.gen(function*() {
    const hashes = [...new Set(rows.flatMap(({ txHash }) => txHash === null ? [] : [txHash]))]
    if (hashes.length === 0) return new Map()
    const [receipts, transfers] = yield* Effect.all([chain.receipts(hashes), chain.transfers(hashes)], {
      concurrency: "unbounded"
    })
    const found = yield* Effect.forEach(hashes, (hash, index) =>
      Effect.gen(function*() {
        const transfer = yield* Effect.fromResult(transfers[index]!)
        const receipt = yield* Effect.fromResult(receipts[index]!)
        if (transfer === null) return []
        const known = receipt ?? (yield* chain.receiptsAnywhere([hash]))[0]
        return known === undefined ? [] : [[hash, { receipt: known, transfer }] as const]
      }), { concurrency: 8 })
    return new Map(found.flat())
  })

/** Returns why a transaction is not a successful one of the wallet; undefined where it is. */
const faultOf = (found: FoundTransaction | undefined, hash: Hash | null, wallet: Address): string | undefined => {
  if (hash === null) return "it has no transaction"
  if (found === undefined) return `no endpoint has its transaction ${hash}`
  if (found.transfer.from !== wallet) return `its transaction ${hash} was sent by ${found.transfer.from}`
  return found.receipt.succeeded ? undefined : `its transaction ${hash} reverted`
}

/** Reads a table page by page and compares each page with the chain. */
const readPages = <A extends Row>(
  options: {
    readonly chain: ChainClient
    readonly read: (after: A | undefined) => Effect.Effect<ReadonlyArray<A>, SqlError>
    readonly compare: (row: A, found: FoundTransaction | undefined) => void
  }
): Effect.Effect<void, SqlError | Unanswered> =>
  Effect.gen(function*() {
    const { chain, compare, read } = options
    let last: A | undefined
    for (;;) {
      const rows = yield* read(last)
      const found = yield* Effect.mapError(
        findAll(chain, rows),
        ({ reason }) => new Unanswered({ reason, until: last?.createdAt })
      )
      for (const row of rows) compare(row, row.txHash === null ? undefined : found.get(row.txHash))
      if (rows.length < pageSize) return
      last = rows.at(-1)
    }
  })

const gapSentences = (network: Network, { beyond, first, last, unexplained, wallet }: NonceGaps) => [
  ...(unexplained === 0 ? [] : [
    `${wallet} on ${network}: ${unexplained} of its transactions, with nonces from ${first} to ${last}, ` +
    "are not in the ledger"
  ]),
  ...(beyond === 0 ? [] : [
    `${wallet} on ${network}: ${beyond} final transactions of the ledger are not on the chain`
  ])
]

const compareNonces = (network: Network, chain: ChainClient) =>
  Effect.gen(function*() {
    const ledger = yield* SettledLedger
    const wallets = yield* ledger.wallets(network)
    const faults = yield* Effect.forEach(Arr.chunksOf(wallets, walletsPerPage), (page) =>
      Effect.gen(function*() {
        const counts = yield* Effect.mapError(
          chain.nonces(page),
          ({ reason }) => new Unanswered({ reason, until: new Date() })
        )
        const missing = page.filter((wallet) => !counts.some((count) => count.wallet === wallet)).map((wallet) =>
          `${wallet} on ${network}: the endpoint refused to return its transaction count`
        )
        return [...missing, ...(yield* ledger.gaps(network, counts)).flatMap((gaps) => gapSentences(network, gaps))]
      }))
    return { wallets: wallets.length, faults: faults.flat() }
  })

/** Compares the settlements of a network with its chain. */
const compareSettlements = (network: Network, chain: ChainClient, since: Date | undefined, faults: Array<string>) =>
  Effect.gen(function*() {
    const ledger = yield* SettledLedger
    let [settlements, settledWei, receivedWei] = [0, 0n, 0n]
    const compare = (
      { id, nativeWei, treasury, txHash, wallet }: PaidSettlement,
      found: FoundTransaction | undefined
    ) => {
      settlements++
      settledWei += nativeWei
      const fault = faultOf(found, txHash, wallet)
      if (fault !== undefined || found === undefined) {
        faults.push(`settlement ${id} on ${network}: ${fault}`)
        return
      }
      const { to, value } = found.transfer
      if (to === treasury) receivedWei += value
      if (to === treasury && value === nativeWei) return
      faults.push(
        `settlement ${id} on ${network} pays ${nativeWei} wei to ${treasury}, but its transaction ${txHash} sent ` +
          `${value} wei to ${to}`
      )
    }
    yield* readPages({
      chain,
      read: (after) => ledger.settlements({ network, since, after, limit: pageSize }),
      compare
    }).pipe(
      // Charges are compared after the settlements, so an interruption here begins again.
      Effect.catchTag("Unanswered", ({ reason }) => new Unanswered({ reason, until: undefined }))
    )
    if (settledWei !== receivedWei) {
      faults.push(`settlements on ${network} pay ${settledWei} wei, but the treasury received ${receivedWei} wei`)
    }
    return { settlements, settledWei, receivedWei }
  })

/** Compares the charges of a network with its chain; returns their number. */
const compareCharges = (network: Network, chain: ChainClient, since: Date | undefined, faults: Array<string>) =>
  Effect.gen(function*() {
    const ledger = yield* SettledLedger
    let charges = 0
    yield* readPages<FinalCharge>({
      chain,
      read: (after) => ledger.charges({ network, since, after, limit: pageSize }),
      compare: ({ id, intentId, txHash, wallet }, found) => {
        charges++
        const fault = faultOf(found, txHash, wallet)
        if (fault !== undefined) faults.push(`charge ${id} of intent ${intentId} on ${network}: ${fault}`)
      }
    })
    return charges
  })

/** Compares the ledger of one network with its chain: settlements and charges since a time, and all used nonces. */
export const reconcile = (
  network: Network,
  chain: ChainClient,
  since?: Date
): Effect.Effect<Reconciliation, SqlError | ReconciliationInterrupted, SettledLedger> =>
  Effect.suspend(() => {
    const faults: Array<string> = []
    return Effect.gen(function*() {
      const paid = yield* compareSettlements(network, chain, since, faults)
      const charges = yield* compareCharges(network, chain, since, faults)
      const nonces = yield* compareNonces(network, chain)
      return { network, ...paid, charges, wallets: nonces.wallets, faults: [...faults, ...nonces.faults] }
    }).pipe(
      Effect.catchTag("Unanswered", ({ reason, until }) =>
        new ReconciliationInterrupted({ network, reason, until, faults }))
    )
  }).pipe(Effect.withSpan("LedgerReconciliation.reconcile", { attributes: { network } }, { captureStackTrace: false }))
