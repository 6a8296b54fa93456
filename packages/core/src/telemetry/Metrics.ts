/** The service's metrics. Names and labels are an interface: dashboards and alerts depend on them. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Network } from "../chain/Network.ts"
import { executionCodes } from "../failure/Failure.ts"
import { walletAlertKinds } from "../gas-wallet/WalletAlert.ts"

/** Seconds from 5 ms to about 3 minutes, doubling. */
const seconds = Metric.exponentialBoundaries({ start: 0.005, factor: 2, count: 16 })

/** Answered requests by endpoint and HTTP status. */
export const httpRequests = Metric.counter("vault_trader_http_requests_total", {
  description: "Answered requests.",
  incremental: true
})
/** Seconds from a request's arrival to its answer, by endpoint. */
export const httpSeconds = Metric.histogram("vault_trader_http_seconds", {
  boundaries: seconds,
  description: "Seconds from a request's arrival to its answer."
})
/** Finished intents by network and outcome (`succeeded`, the failure's error type, or its validation code). */
export const intents = Metric.counter("vault_trader_intents_total", {
  description: "Finished intents.",
  incremental: true
})
/** USD booked, by network and action. */
export const chargedUsd = Metric.counter("vault_trader_charged_usd_total", {
  description: "USD booked for executed actions.",
  incremental: true
})
/** Decisions of bots, by network, kind (`threshold`, `index`) and decision (`trade`, `park`, `hold`, `failed`). */
export const botDecisions = Metric.counter("vault_trader_bot_decisions_total", {
  description: "Decisions of bots.",
  incremental: true
})
/** Events of guardians by network, kind and event (`tripped`, `cleared`, `done`, `failed`). */
export const guardianEvents = Metric.counter("vault_trader_guardian_events_total", {
  description: "Events of guardians of vaults.",
  incremental: true
})
/** USD that settlements have paid to the treasury, by network. */
export const settledUsd = Metric.counter("vault_trader_settled_usd_total", {
  description: "USD of charges paid to the treasury.",
  incremental: true
})
/** Settlements that ended, by network and outcome (`paid`, `released`: its charges are outstanding again). */
export const settlements = Metric.counter("vault_trader_settlements_total", {
  description: "Settlements that ended.",
  incremental: true
})
/** Signed transactions by network and kind (`first`, `replacement`, `filler`). */
export const signatures = Metric.counter("vault_trader_signatures_total", {
  description: "Signed transactions.",
  incremental: true
})
/** Seconds from signature to the block, by network. */
export const secondsToMine = Metric.histogram("vault_trader_seconds_to_mine", {
  boundaries: seconds,
  description: "Seconds from the first signature to the block."
})
/** Signed submissions in this process's lanes that are not settled, by network. */
export const inFlight = Metric.gauge("vault_trader_in_flight", {
  description: "Signed submissions that are not settled."
})
/** Submissions whose fee cap is below current fees, by network. */
export const waitingForGas = Metric.counter("vault_trader_waiting_for_gas_total", {
  description: "Submissions that began to wait for fees to fall.",
  incremental: true
})
/** Transactions removed by a reorg, by network. */
export const reorgs = Metric.counter("vault_trader_reorged_total", {
  description: "Mined transactions that a reorg removed.",
  incremental: true
})
/** Nonces used by a foreign transaction, by network. */
export const foreignNonces = Metric.counter("vault_trader_foreign_nonces_total", {
  description: "Nonces used by a transaction that this service did not sign.",
  incremental: true
})
/** Samples of vaults' values by network and outcome (`taken`, `missed`, `removed`: its block is gone). */
export const valueSamples = Metric.counter("vault_trader_value_samples_total", {
  description: "Samples of vaults' values.",
  incremental: true
})
/** Quarantines of lanes, by network and kind. */
export const laneQuarantines = Metric.counter("vault_trader_lane_quarantines_total", {
  description: "Lanes that stopped signing because the ledger does not explain them.",
  incremental: true
})
/** Alerts about gas wallets by network and kind, which is a `WalletAlertKind`. */
export const walletAlerts = Metric.counter("vault_trader_wallet_alerts_total", {
  description: "Alerts about gas wallets that a person has to investigate.",
  incremental: true
})
/** Number of further transactions of the same cost that a wallet's balance covers after one is signed, by network. */
export const gasRunway = Metric.histogram("vault_trader_gas_runway", {
  boundaries: Metric.boundariesFromIterable([0, 1, 2, 5, 10, 20, 50, 100, 1000]),
  description: "Transactions of the same cost that a wallet can still pay for after one was signed."
})
/** Of this process. While it is 0 nothing is signed. */
export const signingRecordWritable = Metric.gauge("vault_trader_signing_record_writable", {
  description: "1 when the last append to the signing record worked, else 0."
})
/** Transactions that this process has appended to its signing record. */
export const signingRecordEntries = Metric.counter("vault_trader_signing_record_entries_total", {
  description: "Transactions appended to the signing record.",
  incremental: true
})
/** Of the runner that chains signed transactions. It never falls. */
export const auditHead = Metric.gauge("vault_trader_audit_head", {
  description: "Number of the newest entry of the audit log."
})
/** The newest block seen, by network. Read only while a caller waits for a block. */
export const headBlock = Metric.gauge("vault_trader_head_block", { description: "The newest block seen." })
/** JSON-RPC calls by network, endpoint (host) and method. */
export const rpcCalls = Metric.counter("vault_trader_rpc_calls_total", {
  description: "JSON-RPC calls.",
  incremental: true
})
/** JSON-RPC calls that an endpoint did not answer, by network, endpoint (host), method and reason. */
export const rpcErrors = Metric.counter("vault_trader_rpc_errors_total", {
  description: "JSON-RPC calls without an answer.",
  incremental: true
})
/** Answers of an endpoint that other endpoints or the followed chain contradict, by network and endpoint (host). */
export const rpcContradictions = Metric.counter("vault_trader_rpc_contradictions_total", {
  description: "Answers of an endpoint that others contradict.",
  incremental: true
})
/** Receipts that counted although no second endpoint answered, by network. */
export const rpcQuorumMissed = Metric.counter("vault_trader_rpc_quorum_missed_total", {
  description: "Receipts accepted from one endpoint because no other answered.",
  incremental: true
})
/** Reads that size bots' trades and counted although no second endpoint answered, by network. */
export const rpcReadsUnconfirmed = Metric.counter("vault_trader_rpc_reads_unconfirmed_total", {
  description: "Reads that size bots' trades, accepted from one endpoint because no other answered.",
  incremental: true
})
/** Failed database work that a caller was waiting for. */
export const databaseErrors = Metric.counter("vault_trader_database_errors_total", {
  description: "Work that failed because of the database.",
  incremental: true
})
/** Attempts to send messages, by kind of channel and outcome (`sent`, `failed`, `limited`, `dropped`). */
export const notifications = Metric.counter("vault_trader_notifications_total", {
  description: "Attempts to send messages of channels.",
  incremental: true
})
/** Streams that pages of the console have open in this process. */
export const consoleStreams = Metric.gauge("vault_trader_console_streams", {
  description: "Streams that consoles have open."
})

/**
 * This gauge and those below are read from the database, the same in every process of a service. `LedgerMetrics` sets
 * them.
 */
export const databaseUp = Metric.gauge("vault_trader_database_up", {
  description:
    "1 when the database answered the last check, else 0; the gauges read from it are then of an earlier check."
})
export const oldestIntent = Metric.gauge("vault_trader_oldest_intent_seconds", {
  description: "Age of the oldest unfinished intent."
})
/** Submissions not yet mined, by network and state (`queued`, `signed`, `waiting_for_gas`). */
export const laneDepth = Metric.gauge("vault_trader_lane_depth", {
  description: "Submissions that are not mined yet, of all lanes."
})
/** By network. Foreign transactions, mined or lost, cause gaps. */
export const nonceGap = Metric.gauge("vault_trader_nonce_gap", {
  description: "Nonces below a signed submission without a submission of this service, of all lanes."
})
/** USD of charges that no settlement has paid, by network. */
export const outstandingUsd = Metric.gauge("vault_trader_outstanding_usd", {
  description: "USD of charges that are not paid yet."
})
/** Charges in USD only, because no price could be used, by network. */
export const unconvertedCharges = Metric.gauge("vault_trader_unconverted_charges", {
  description: "Charges that wait for a native price."
})
export const oldestMessage = Metric.gauge("vault_trader_oldest_message_seconds", {
  description: "Age of the oldest unread cluster message."
})
export const unreadMessages = Metric.gauge("vault_trader_unread_messages", { description: "Unread cluster messages." })
/** Of the messages that channels are still to receive; those that quiet hours and digests hold are none yet. */
export const oldestNotification = Metric.gauge("vault_trader_oldest_notification_seconds", {
  description: "Age of the oldest message that a channel has not received."
})
/** By scope (`service`, `wallet`, `bot`). */
export const switchesOn = Metric.gauge("vault_trader_switches_on", { description: "Kill switches that are on." })
/** By kind (`limits`, `treasury`, `policy`, `lanes`). */
export const changesWaiting = Metric.gauge("vault_trader_changes_waiting", {
  description: "Changes that wait for approvals."
})

/**
 * By network, kind (`threshold`, `index`) and state: `active`, `paused` (by itself, after failures), `stopped` (by a
 * switch), `off`.
 */
export const bots = Metric.gauge("vault_trader_bots", { description: "Bots that are set." })
/** Orders of vaults that have not ended, by network and state (`open`, `triggered`, `cancelling`). */
export const orders = Metric.gauge("vault_trader_orders", { description: "Orders of vaults that have not ended." })
/** Events of followers by network and event (`stopped`, `failed`). */
export const followerEvents = Metric.counter("vault_trader_follower_events_total", {
  description: "Events of vaults that follow a leader.",
  incremental: true
})

/** Vaults that follow a leader by network and state (`following`, `stopped`). */
export const followers = Metric.gauge("vault_trader_followers", { description: "Vaults that follow a leader." })

/** Guardians of vaults by network, kind and state (`armed`, `acting`, `tripped`). */
export const guardians = Metric.gauge("vault_trader_guardians", { description: "Guardians of vaults." })
/** By network and kind: how long the check of the most overdue active bot is late. */
export const oldestCheck = Metric.gauge("vault_trader_oldest_check_seconds", {
  description: "How far the most overdue check of an active bot is behind."
})

/** Seconds by which the event loop was late since the last reading, by quantile (`0.5`, `0.99`, `1` for the maximum). */
export const eventLoopDelay = Metric.gauge("vault_trader_event_loop_delay_seconds", {
  description: "How late the event loop ran what was due."
})

/** By version, commit and service; always 1. */
export const info = Metric.gauge("vault_trader_info", { description: "Build of this process." })

type Labels = Readonly<Record<string, string>>

/** Caches series by labels, because tagging costs more than counting. The number of label sets is bounded. */
const known = new WeakMap<object, Map<string, unknown>>()

const labelled = <In, Out>(metric: Metric.Metric<In, Out>, labels: Labels): Metric.Metric<In, Out> => {
  const series = known.get(metric) ?? new Map<string, unknown>()
  known.set(metric, series)
  const name = JSON.stringify(labels)
  const found = series.get(name) ?? Metric.withAttributes(metric, labels)
  series.set(name, found)
  // The map holds only series of this metric under it.
  return found as Metric.Metric<In, Out>
}

/** Prepares a counter whose labels follow from a value of few; each value's series is looked up once. */
export const counter = <Value>(
  metric: Metric.Counter<number>,
  labelsOf: (value: Value) => Labels
): (value: Value) => Effect.Effect<void> => {
  const updates = new Map<Value, Effect.Effect<void>>()
  return (value) => {
    const update = updates.get(value) ?? Metric.update(labelled(metric, labelsOf(value)), 1)
    updates.set(value, update)
    return update
  }
}

/** Prepares a histogram under labels. */
export const observer = (metric: Metric.Histogram<number>, labels: Labels): (value: number) => Effect.Effect<void> => {
  const series = labelled(metric, labels)
  return (value) => Metric.update(series, value)
}

/** Adds to a counter under labels. */
export const count = (metric: Metric.Counter<number>, labels: Labels, by = 1): Effect.Effect<void> =>
  Metric.update(labelled(metric, labels), by)

/** Observes a value under labels. */
export const observe = (metric: Metric.Histogram<number>, labels: Labels, value: number): Effect.Effect<void> =>
  Metric.update(labelled(metric, labels), value)

/** Observes many values under the same labels. */
export const observeAll = (
  metric: Metric.Histogram<number>,
  labels: Labels,
  values: ReadonlyArray<number>
): Effect.Effect<void> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      const series = labelled(metric, labels)
      for (const value of values) series.updateUnsafe(value, context)
    })
  )

/** Moves a gauge under labels up or down. */
export const shift = (metric: Metric.Gauge<number>, labels: Labels, by: number): Effect.Effect<void> =>
  Metric.modify(labelled(metric, labels), by)

/** Sets a gauge under labels. */
export const set = (metric: Metric.Gauge<number>, labels: Labels, value: number): Effect.Effect<void> =>
  Metric.update(labelled(metric, labels), value)

export const delayQuantiles = ["0.5", "0.99", "1"] as const
export const laneStates = ["queued", "signed", "waiting_for_gas"] as const
export const switchScopes = ["service", "wallet", "bot"] as const
export const changeKinds = ["limits", "treasury", "policy", "lanes"] as const
export const channelKinds = ["telegram", "discord", "slack", "email", "ntfy", "http"] as const
export const notificationOutcomes = ["sent", "failed", "limited", "dropped"] as const
export const botDecisionNames = ["trade", "park", "hold", "failed"] as const
export const botKinds = ["threshold", "index", "strategy"] as const
export const botStates = ["active", "paused", "stopped", "off"] as const

export const sampleOutcomes = ["taken", "missed", "removed"] as const
export const orderStates = ["open", "triggered", "cancelling"] as const
export const guardianKinds = ["health_factor", "loss_breaker", "oracle", "gas"] as const
export const guardianStates = ["armed", "acting", "tripped"] as const
export const followerStates = ["following", "stopped"] as const
export const followerEventNames = ["stopped", "failed"] as const
export const guardianEventNames = ["tripped", "cleared", "done", "failed"] as const

/**
 * Creates every series with labels known in advance, at zero: an alert cannot notice the first increment of a missing
 * series.
 */
export const declare = (networks: ReadonlyArray<Network>): Effect.Effect<void> => {
  const begin = <In, Out>(metric: Metric.Metric<In, Out>, labels: Labels = {}) => Metric.value(labelled(metric, labels))
  const each = networks.flatMap((network) => [
    ...["succeeded", ...Object.keys(executionCodes)].map((outcome) => begin(intents, { network, outcome })),
    ...["first", "replacement", "filler"].map((kind) => begin(signatures, { network, kind })),
    ...walletAlertKinds.map((kind) => begin(walletAlerts, { network, kind })),
    ...[waitingForGas, reorgs, foreignNonces, rpcQuorumMissed, rpcReadsUnconfirmed].map((counter) =>
      begin(counter, { network })
    ),
    ...[secondsToMine, gasRunway].map((histogram) => begin(histogram, { network })),
    ...laneStates.map((state) => begin(laneDepth, { network, state })),
    ...["paid", "released"].map((outcome) => begin(settlements, { network, outcome })),
    begin(settledUsd, { network }),
    ...orderStates.map((state) => begin(orders, { network, state })),
    ...sampleOutcomes.map((outcome) => begin(valueSamples, { network, outcome })),
    ...followerStates.map((state) => begin(followers, { network, state })),
    ...followerEventNames.map((event) => begin(followerEvents, { network, event })),
    ...guardianKinds.flatMap((kind) => [
      ...guardianStates.map((state) => begin(guardians, { network, kind, state })),
      ...guardianEventNames.map((event) => begin(guardianEvents, { network, kind, event }))
    ]),
    ...[inFlight, nonceGap, outstandingUsd, unconvertedCharges].map((gauge) => begin(gauge, { network })),
    ...botKinds.flatMap((kind) => [
      begin(oldestCheck, { network, kind }),
      ...botStates.map((state) => begin(bots, { network, kind, state })),
      ...botDecisionNames.map((decision) => begin(botDecisions, { network, kind, decision }))
    ])
  ])
  const once = [oldestIntent, oldestMessage, unreadMessages, databaseUp].map((gauge) => begin(gauge))
  return Effect.all([
    ...each,
    ...once,
    begin(databaseErrors),
    begin(oldestNotification),
    ...channelKinds.flatMap((kind) => notificationOutcomes.map((outcome) => begin(notifications, { kind, outcome }))),
    ...delayQuantiles.map((quantile) => begin(eventLoopDelay, { quantile })),
    ...switchScopes.map((scope) => begin(switchesOn, { scope })),
    ...changeKinds.map((kind) => begin(changesWaiting, { kind }))
  ], { discard: true })
}
