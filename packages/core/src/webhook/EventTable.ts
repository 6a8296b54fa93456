/**
 * The events that webhooks and channels receive: a new one is a line here, and a call of `webhook_tell` in the
 * transaction that causes it.
 */

interface EventFacts {
  /** A title for people. */
  readonly title: string
  /** True for an event that quiet hours and digests do not hold back. */
  readonly urgent: boolean
  /** The text of a channel's message; placeholders are names of `fields` and those that every event has. */
  readonly text: string
  /** Members of the event's data that a template may name. */
  readonly fields: ReadonlyArray<string>
  /** The console's page about it. */
  readonly page: string
}

const event = (
  title: string,
  text: string,
  fields: string,
  { page = "activity", urgent = false }: { readonly page?: string; readonly urgent?: boolean } = {}
): EventFacts => ({ title, urgent, text, fields: fields.split(" "), page })

const intent = "intent_id endpoint network pool gasWallet tx_hash message error_type"
const exchange = "intent_id exchange subaccount pair side amount filled usd gasWallet message"
const approval = "request kind network gasWallet state message note"
const order = "order_id network pool gasWallet type side pair paper state message"
const guardian = "guardian_id kind network pool gasWallet paper message"
const follower = "follower_id network pool leader gasWallet message"
const urgent = { urgent: true }

/** Every event by its type. `intent.reopened`: a reorg reverted an outcome that was reported. */
export const events = {
  "intent.succeeded": event("Done", "{endpoint} for {vault} on {network}: {message}", intent),
  "intent.failed": event("Failed", "{endpoint} for {vault} on {network} failed: {message}", intent),
  "intent.reopened": event(
    "Reverted by the chain",
    "A reorg on {network} reverted the reported outcome of {endpoint} for {vault}; the new outcome follows.",
    intent,
    urgent
  ),
  "order.triggered": event("Order triggered", "The {type} order of {vault} {pair} on {network}: {message}", order),
  "order.filled": event(
    "Order filled",
    "A slice of an order of {vault} on {network} was filled: sold {sold}, bought {bought}.",
    "order_id slice network pool gasWallet sold bought tx_hash message"
  ),
  "order.ended": event("Order ended", "The {type} order of {vault} {pair} on {network} is {state}: {message}", order),
  "exchange.filled": event("Exchange order filled", "{side} {pair} at {exchange} ({subaccount}): {filled}.", exchange),
  "exchange.failed": event("Exchange order failed", "{pair} at {exchange} ({subaccount}): {message}", exchange),
  "exchange.triggered": event(
    "Bracket triggered",
    "The {condition} of {pair} at {exchange} ({subaccount}) was triggered at {price}; {amount} is sold.",
    "exchange subaccount pair condition entry price amount gasWallet message",
    { page: "exchanges", urgent: true }
  ),
  "index.drifted": event(
    "Index rebalanced",
    "{vault} on {network} drifted out of its bands; a run trades {legs} of its assets back.",
    "run network pool gasWallet legs",
    { page: "bots" }
  ),
  "gas.low": event(
    "Gas is low",
    "{wallet} has {balance} {token} on {network} ({balance_usd}); below {threshold} it is low.",
    "network gasWallet balance token balance_usd threshold",
    { page: "gas-wallets", urgent: true }
  ),
  "bot.paused": event(
    "Bot paused itself",
    "The {kind} bot of {vault} {pair} on {network} paused itself: {reason}",
    "kind network pool gasWallet pair reason",
    { page: "bots", urgent: true }
  ),
  "signing.stopped": event(
    "Signing stopped",
    "Signing is stopped for {scope} by its {by}: {reason}",
    "scope by reason gasWallet actor",
    { page: "gas-wallets", urgent: true }
  ),
  "signing.resumed": event("Signing resumed", "Signing is resumed for {scope} by {actor}.", "scope gasWallet actor", {
    page: "gas-wallets",
    urgent: true
  }),
  "wallet.alert": event(
    "A wallet needs attention",
    "{wallet} on {network}: {message}",
    "kind network gasWallet message",
    { page: "gas-wallets", urgent: true }
  ),
  "lane.released": event(
    "Quarantine ended",
    "{wallet} signs again on {network}.",
    "network gasWallet actor",
    { page: "gas-wallets" }
  ),
  "authority.changed": event(
    "Authority changed",
    "{wallet}: {message} (by {actor})",
    "action message gasWallet subject actor seq",
    { page: "audit", urgent: true }
  ),
  "health.low": event(
    "Health factor is low",
    "The health factor of {vault} at {lender} on {network} is {health_factor}; below {threshold} it is low, and " +
      "below 1 it is liquidated.",
    "network pool gasWallet lender health_factor threshold",
    urgent
  ),
  "health.recovered": event(
    "Health factor recovered",
    "The health factor of {vault} at {lender} on {network} is {health_factor} again.",
    "network pool gasWallet lender health_factor threshold"
  ),
  "guardian.tripped": event(
    "Guardian tripped",
    "The {kind} guardian of {vault} on {network} tripped: {message}",
    guardian,
    urgent
  ),
  "guardian.cleared": event("Guardian cleared", "The {kind} guardian of {vault} on {network}: {message}", guardian),
  "guardian.failed": event(
    "Guardian needs a person",
    "The {kind} guardian of {vault} on {network} cannot go on: {message}",
    guardian,
    urgent
  ),
  "follower.stopped": event(
    "Follower stopped",
    "{vault} on {network} no longer follows {leader}: {message}",
    follower,
    urgent
  ),
  "follower.failed": event(
    "Follower needs a person",
    "{vault} on {network} cannot follow {leader}: {message}",
    follower,
    urgent
  ),
  "strategy.paused": event(
    "Strategy stopped",
    "The bot of {strategy} at {vault} on {network} has paused itself: {message}",
    "bot_id strategy network pool gasWallet paper code message",
    { ...urgent, page: "bots" }
  ),
  "charge.booked": event(
    "Charge",
    "{usd} for {action} on {network}, from {wallet}.",
    "network gasWallet action usd intent_id",
    { page: "charges" }
  ),
  "charge.paid": event(
    "Charges paid",
    "{wallet} paid {usd} for {charges} charges on {network}.",
    "network gasWallet usd charges tx_hash",
    { page: "charges" }
  ),
  "network.down": event(
    "Node trouble",
    "{network}: {message} Nothing new is traded there meanwhile; stored requests wait.",
    "network gasWallet message",
    urgent
  ),
  "network.recovered": event("Nodes answer again", "{network}: its nodes answer again.", "network gasWallet message"),
  "approval.requested": event("A change waits for approvals", "{message}", approval, {
    page: "approvals",
    urgent: true
  }),
  "approval.decided": event("A change was decided", "{message}: {state}. {note}", approval, { page: "approvals" })
} as const satisfies Readonly<Record<string, EventFacts>>

export type EventType = keyof typeof events

/** The types of events. */
export const eventTypes = Object.keys(events) as ReadonlyArray<EventType> as readonly [EventType, ...Array<EventType>]
