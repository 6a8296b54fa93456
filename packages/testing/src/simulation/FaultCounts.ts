/** Counts injected faults by kind. A kind with count zero was not tested. */
import { Fault } from "../test-chain/NodeFault.ts"

/** All faults of a run on a chain. Enough runs together inject each of them. */
export const kinds = [
  // The network between a runner and a node.
  "HTTP 429",
  "HTTP 5xx",
  "timeout before the node",
  "timeout after the node",
  "reset before the node",
  "reset after the node",
  "delay",
  "duplicate",
  "stale head",
  "already known",
  "nonce too low",
  "replacement underpriced",
  "refused under a wrong code",
  "swallowed send",
  "missing receipt",
  "malformed answer",
  "node without index",
  "node without old state",
  "endpoint with an empty index",
  "endpoint on a fork",
  "endpoint on a fork that used a nonce",
  "endpoint with a nonce too high",
  "endpoint with a nonce too low",
  "endpoint with wrong decimals and prices",
  "endpoint without history",
  "endpoint that keeps little state",
  "endpoint on another chain",
  // The database.
  "statement lost before it ran",
  "statement lost after it ran",
  "commit lost after it ran",
  "server's insert lost before it ran",
  "server's insert lost after it ran",
  "database away for a while",
  "disk full for a while",
  "database restored",
  "database and signing record restored",
  // Processes.
  "runner died before a statement",
  "runner died after a statement",
  "runner died before a call",
  "runner died after a call",
  "runner died after a send",
  "actor ended at a statement",
  "runner froze",
  "runner froze in a transaction",
  "frozen runner woke in time",
  "frozen runner woke after another took over",
  "notification lost",
  "runner with a wrong clock",
  // The chain.
  "mempool dropped",
  "reorg of depth 1",
  "reorg of depth 2",
  "reorg of depth 3",
  "reorg of depth 4",
  "reorg of depth 5",
  "reorg that lost transactions",
  "base fee times ten",
  "base fee beyond the cap",
  "base fee back",
  "foreign transaction",
  "foreign transaction at a nonce of ours",
  "trading paused",
  "reorg beyond finality",
  "reorg beyond finality that lost foreign transactions",
  "base fee beyond the cap for minutes",
  "base fee beyond the cap for hours",
  "wallet drained by a transfer",
  "wallet drained without a nonce",
  "wallet dry for an hour",
  "wallet refilled",
  "wallet refilled after an alert"
] as const

/** All faults of a run of exchange bots. */
export const exchangeKinds = [
  // The network between a runner and the exchange.
  "question timed out",
  "order timed out before the exchange",
  "order timed out after the exchange",
  "order arrived late",
  "order arrived too late",
  "reset before the exchange",
  "reset after the exchange",
  "gateway failed before the exchange",
  "gateway failed after the exchange",
  // The exchange.
  "HTTP 429",
  "maintenance",
  "order taken and answered with 500",
  "order taken and answered as a duplicate",
  "partial fill",
  "clock jumped",
  // Account owners.
  "deposit",
  "withdrawal",
  "kill switch",
  // The database and processes.
  "statement lost before it ran",
  "statement lost after it ran",
  "commit lost after it ran",
  "database away for a while",
  "runner died before a statement",
  "runner died after a statement",
  "runner died before a call",
  "runner died after a call",
  "runner died after a send",
  "actor ended at a statement",
  "runner froze",
  "runner froze in a transaction",
  "frozen runner woke in time",
  "frozen runner woke after another took over"
] as const

export type Kind = typeof kinds[number] | typeof exchangeKinds[number]
export type Counts = Readonly<Record<string, number>>

export interface FaultCounts {
  readonly count: (kind: Kind) => void
  readonly faults: () => Counts
}

/** Counts these kinds, each from zero. */
export const make = (of: ReadonlyArray<Kind>): FaultCounts => {
  const counts = new Map<Kind, number>(of.map((kind) => [kind, 0]))
  return {
    count: (kind) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    },
    faults: () => Object.fromEntries(counts)
  }
}

const usualCode = -32000

/**
 * Returns the kinds a fault between client and node counts as. A refusal under a code that geth does not use counts
 * twice.
 */
export const kindsOf: (fault: Fault) => ReadonlyArray<Kind> = Fault.$match({
  Http: ({ status }): ReadonlyArray<Kind> => [status === 429 ? "HTTP 429" : "HTTP 5xx"],
  Timeout: ({ forwarded }): ReadonlyArray<Kind> => [forwarded ? "timeout after the node" : "timeout before the node"],
  Reset: ({ forwarded }): ReadonlyArray<Kind> => [forwarded ? "reset after the node" : "reset before the node"],
  Delay: (): ReadonlyArray<Kind> => ["delay"],
  Duplicate: (): ReadonlyArray<Kind> => ["duplicate"],
  Stale: (): ReadonlyArray<Kind> => ["stale head"],
  Refuse: ({ code, reason }): ReadonlyArray<Kind> => [
    reason === "already known"
      ? "already known"
      : reason === "nonce too low"
      ? "nonce too low"
      : "replacement underpriced",
    ...(code === usualCode ? [] : ["refused under a wrong code" as const])
  ],
  // It changes only responses the node refuses; their number is not known here.
  Recode: (): ReadonlyArray<Kind> => [],
  Swallow: (): ReadonlyArray<Kind> => ["swallowed send"],
  NoReceipt: (): ReadonlyArray<Kind> => ["missing receipt"],
  Malformed: (): ReadonlyArray<Kind> => ["malformed answer"]
})

/** Adds two counts, name by name. */
export const plus = (one: Counts, other: Counts): Counts => {
  const sum: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
