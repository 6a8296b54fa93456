/**
 * Compares the events of linked vaults with the ledger: every execution that one of our wallets sent must be a
 * transaction that this service signed.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { VaultEventStore } from "@vault-trader/core/gas-wallet/VaultEventStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient, PlacedLog } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import { type ExecutionSpan, readSpan } from "../platform/VaultExecutions.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

/** Maximum number of blocks that one check reads; older ones are skipped. */
const maxBlocks = 50_000n

/** An execution at a vault by a transaction that this service did not sign. */
interface Execution {
  readonly hash: Hash
  readonly vault: Address
  readonly block: bigint
}

/** Returns the linked vaults' executions that no signed transaction explains, one per transaction. */
const unsignedOf = (logs: ReadonlyArray<PlacedLog>, vaults: ReadonlySet<Address>) =>
  Effect.gen(function*() {
    const executions = new Map<Hash, Execution>()
    for (const { block, log, transactionHash: hash } of logs) {
      if (vaults.has(log.address)) executions.set(hash, { hash, vault: log.address, block })
    }
    const unsigned = yield* (yield* VaultEventStore).unsigned([...executions.keys()])
    return unsigned.flatMap((hash) => executions.get(hash) ?? [])
  })

/** Reads the senders of these executions from block bodies. */
const sendersOf = (chain: ChainClient, executions: ReadonlyArray<Execution>) =>
  Effect.map(
    Effect.forEach([...new Set(executions.map(({ block }) => block))], chain.body, { concurrency: 4 }),
    (bodies) => new Map(bodies.flatMap((body) => body?.transactions ?? []).map(({ from, hash }) => [hash, from]))
  )

const raise = (network: Network, wallet: Address, { block, hash, vault }: Execution) =>
  Effect.flatMap(WalletAlerts, (alerts) =>
    alerts.raise({
      kind: "foreign_transaction",
      network,
      wallet,
      message: `Transaction ${hash} of ${wallet} made vault ${vault} on ${network} execute a call in block ${block}. ` +
        "This service did not sign it: the wallet's key is used elsewhere.",
      details: { tx_hash: hash, vault, block: block.toString() }
    }))

/**
 * Reports the executions of a span. Returns false when a sender is not known yet or an alert was not written, so that
 * the span is read again.
 */
const report = (network: Network, chain: ChainClient, vaults: ReadonlySet<Address>, { logs }: ExecutionSpan) =>
  Effect.gen(function*() {
    const executions = yield* unsignedOf(logs, vaults)
    if (executions.length === 0) return true
    const senders = yield* sendersOf(chain, executions)
    const ours = new Set(yield* (yield* VaultEventStore).wallets([...new Set(senders.values())]))
    const raised = yield* Effect.forEach(executions, (execution) => {
      const sender = senders.get(execution.hash)
      // Events and body of the block contradict each other: a reorg or a lagging node.
      if (sender === undefined) return Effect.succeed(false)
      return ours.has(sender) ? raise(network, sender, execution) : Effect.succeed(true)
    })
    return raised.every((isRaised) => isRaised)
  })

/** Returns the first block to read; skips blocks where there are too many of them. */
const firstBlock = (network: Network, cursor: bigint, last: bigint) => {
  if (last - cursor <= maxBlocks) return Effect.succeed(cursor + 1n)
  const from = last - maxBlocks + 1n
  return Effect.as(
    Effect.logWarning(
      `the events of vaults on ${network} in blocks ${cursor + 1n} to ${
        from - 1n
      } were not compared with the ledger: ` +
        "there are too many of them since the last check"
    ),
    from
  )
}

/** Checks the blocks of a network since the last check; the first check begins at the newest block. */
export const check = (network: Network) =>
  Effect.gen(function*() {
    const store = yield* VaultEventStore
    const vaults = new Set(yield* store.vaults(network))
    if (vaults.size === 0) return
    const chain = yield* (yield* Chains).get(network)
    const { number: head } = yield* chain.head
    // Younger blocks are often reorganised; they are read by a later check.
    const last = head - BigInt(chain.book.confirmations)
    const cursor = yield* store.cursor(network)
    if (Option.isNone(cursor)) return yield* store.advance(network, last > 0n ? last : 0n)
    for (let from = yield* firstBlock(network, cursor.value, last); from <= last;) {
      const span = yield* readSpan(chain, from, last)
      if (!(yield* report(network, chain, vaults, span))) return
      yield* store.advance(network, span.to)
      from = span.to + 1n
    }
  }).pipe(Effect.withSpan("VaultEventWatch.check", { attributes: { network } }, { captureStackTrace: false }))
