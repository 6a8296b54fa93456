/**
 * The requests of a manager's wallets on chains and exchanges, described for people: amounts moved, cost, status, and
 * next step after a failure.
 */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { facts, type Network } from "../chain/Network.ts"
import { type ErrorType, executionCodes, type Failure } from "../failure/Failure.ts"
import type { ExchangeOrder } from "../exchange/ExchangeOrder.ts"
import { isOver } from "../exchange/ExchangeOrder.ts"
import { show } from "../exchange/ExchangeDecision.ts"
import type { Outcome } from "./Intent.ts"

/** Filters of the list. `open`: not finished yet. */
export const activityFilters = ["open", "done", "failed"] as const
export type ActivityFilter = typeof activityFilters[number]

/**
 * `queued`: nothing is signed. `waiting`: sent, but its fee cap is below current fees. `sent`: sent, not yet in a block
 * (or answered by the exchange). `mined`: in a block that a reorg can still remove. `final`: succeeded, and can no
 * longer change. `failed`: final, and can no longer be executed.
 */
export const Status = Schema.Literals(["queued", "sent", "waiting", "mined", "final", "failed"])
export type Status = typeof Status.Type

/** An amount in human units, of a token or currency by its symbol. */
const Amount = Schema.Struct({ amount: Schema.String, symbol: Schema.String })
type Amount = typeof Amount.Type

export const ActivityEntry = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  /** The endpoint that accepted the request. */
  action: Schema.String,
  /** Display name of the bot whose turn this is; null for a request of a caller. */
  bot: Schema.NullOr(Schema.String),
  network: Schema.NullOr(Schema.String),
  pool: Schema.NullOr(Address),
  /** `exchange/account` for an exchange order; null otherwise. */
  exchange: Schema.NullOr(Schema.String),
  status: Status,
  /** Amounts that left the vault or account (`out`) and that came in (`in`). */
  out: Schema.Array(Amount),
  in: Schema.Array(Amount),
  venue: Schema.NullOr(Schema.String),
  /** Gas cost of the transaction; null when nothing was mined. */
  gas: Schema.NullOr(Amount),
  charge_usd: Schema.NullOr(Schema.Number),
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String,
  failure: Schema.NullOr(Schema.Struct({
    code: Schema.String,
    /** One sentence: did funds move? */
    funds: Schema.String,
    /** One sentence: the next step. */
    next: Schema.String
  })),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type ActivityEntry = typeof ActivityEntry.Type

/** The next step after each kind of failure. */
const nextSteps: Readonly<Record<ErrorType, string>> = {
  insufficient_gas: "Send native token to the gas wallet on this network, then try again.",
  insufficient_balance: "Ask for no more than the vault holds, or wait until lent or pending funds have returned.",
  no_route: "Try another venue, a smaller amount, or another pair.",
  slippage_exceeded: "Try again when the price is less volatile, trade a smaller amount, or allow more slippage.",
  transaction_reverted: "Read the reason above and check the vault's state, then fix the cause and try again.",
  asset_not_enabled: "Enable the asset in the vault on the vault platform, or choose another one.",
  venue_not_allowed: "Choose another venue: the vault platform does not let this vault use that one.",
  slippage_budget_exceeded:
    "The vault platform limits a vault's slippage losses over time: wait, or trade a smaller amount.",
  health_factor_too_low: "Repay debt or add collateral, or request a smaller amount.",
  vault_paused: "Wait until the vault platform unpauses the vault.",
  nothing_to_do: "No action needed: the vault is already in the requested state.",
  price_unavailable: "Wait until the vault's price feed is available again.",
  limit_exceeded: "Request a smaller amount, or have the manager who set the key's limits raise them.",
  position_not_found: "Check the vault's positions and choose one of them.",
  market_not_available: "Choose another market: this one is not available on this network.",
  rpc_unavailable: "Try again; if the failure persists, ask the operator to check the network's nodes.",
  busy: "Try again in a moment.",
  exchange_error: "Try again; if the failure persists, check the exchange's status page.",
  exchange_rejected: "Read the exchange's reason above and fix the cause; the credentials may lack a permission.",
  expired: "Send it again, or choose a longer lifetime (valid_for).",
  quarantined: "Wait until the operator has released the wallet, who finds the evidence with vault-trader lane show.",
  outcome_unknown: "Compare it with the wallet's transactions before you send it again.",
  paused: "Resume the wallet, the bot or the service under Kill switch, then try again.",
  guardian_hold: "Wait until the vault's oracle guardian lets trades pass, or delete it.",
  internal: "Report the intent's id to the operator, who can find the cause in the log."
}

const nextStepOf = (failure: Failure): string =>
  failure._tag === "ExecutionFailure"
    ? nextSteps[failure.errorType]
    : "Fix the problem named in the message and try again."

/** A row of the intent ledger with its outcome. */
export interface IntentRow {
  readonly id: string
  readonly wallet: Address
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly pair: string | null
  readonly side: string | null
  readonly status: "accepted" | "submitted" | "succeeded" | "failed"
  readonly txHash: Hash | null
  readonly outcome: Outcome | null
  readonly chargeUsd: number | null
  readonly submission: "queued" | "signed" | "mined" | "final" | "refused" | "superseded" | null
  readonly waitingForGas: boolean | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const statusOf = ({ status, submission, waitingForGas }: IntentRow): Status => {
  if (status === "failed") return "failed"
  if (submission === "mined") return "mined"
  // Retention has removed the submission of an old intent: its outcome is final.
  if (status === "succeeded") return "final"
  return submission === "signed" ? waitingForGas === true ? "waiting" : "sent" : "queued"
}

const pendingMessages: Readonly<Partial<Record<Status, string>>> = {
  queued: "Accepted; no transaction is signed yet.",
  waiting: "Sent; waiting for network fees to fall below its fee cap.",
  sent: "Sent; not yet in a block.",
  mined: "In a block; its outcome follows shortly."
}

const isAmount = Schema.is(Amount)
/** Returns the quantities found under these names. Results come from many endpoints; a name means the same in each. */
const amounts = (result: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): ReadonlyArray<Amount> =>
  names.flatMap((name) => {
    const value = result[name]
    const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    return list.filter(isAmount).map(({ amount, symbol }) => ({ amount, symbol }))
  })

const text = (value: unknown): string | null => typeof value === "string" ? value : null

const resultOf = (
  row: IntentRow
): Pick<ActivityEntry, "out" | "in" | "venue" | "message" | "failure"> & { readonly gas: string | null } => {
  const { outcome } = row
  if (outcome === null) {
    return { out: [], in: [], venue: null, gas: null, message: pendingMessages[statusOf(row)] ?? "", failure: null }
  }
  if (outcome._tag === "Succeeded") {
    const { message, result } = outcome
    return {
      // When a bot lends the tokens it has just bought, only the sold amount has left the vault.
      out: amounts(result, "sold" in result ? ["sold"] : ["supplied", "repaid", "added"]),
      in: amounts(result, ["bought", "withdrawn", "borrowed", "removed"]),
      venue: text(result["venue"]) ?? text(result["lender"]),
      gas: text(result["gas_cost"]),
      message,
      failure: null
    }
  }
  const { failure, gasCost, txHash } = outcome
  return {
    ...{ out: [], in: [], venue: null, gas: gasCost ?? null, message: failure.message },
    failure: {
      code: failure._tag === "ValidationFailure" ? failure.code : executionCodes[failure.errorType],
      funds: txHash === null
        ? "No funds moved: nothing was sent, or the transaction can no longer be mined."
        : "No funds moved: the transaction reverted; only its gas was spent.",
      next: nextStepOf(failure)
    }
  }
}

/** Returns the activity entry of an intent. */
export const entryOf = (row: IntentRow): ActivityEntry => {
  const { gas, ...end } = resultOf(row)
  return {
    id: row.id,
    wallet: row.wallet,
    action: row.endpoint,
    bot: row.pair !== null ? `${row.pair} · ${row.side ?? ""}` : row.endpoint === "rebalancePool" ? "index" : null,
    network: row.network,
    pool: row.pool,
    exchange: null,
    status: statusOf(row),
    ...end,
    gas: gas === null ? null : { amount: gas, symbol: facts[row.network].native },
    charge_usd: row.chargeUsd,
    tx_hash: row.txHash,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString()
  }
}

const orderMessages: Readonly<Partial<Record<ExchangeOrder["status"], string>>> = {
  accepted: "Accepted; not yet decided.",
  decided: "Decided; not yet sent.",
  sending: "Sent to the exchange; waiting for its answer."
}

/** Returns the activity entry of an exchange order. */
export const entryOfOrder = (order: ExchangeOrder): ActivityEntry => {
  const { cost, filled, pair, side, status } = order
  const [base = "", quote = ""] = pair.split(/[-/_]/)
  const traded = filled === null || cost === null || filled.value === 0n
    ? undefined
    : { base: { amount: show(filled), symbol: base }, quote: { amount: show(cost), symbol: quote } }
  const failed = status === "refused" || status === "lost"
  const errorType = order.failure?.errorType ?? "exchange_error"
  return {
    id: order.id,
    wallet: order.wallet,
    action: "setCEXSide",
    bot: pair,
    ...{ network: null, pool: null, tx_hash: null, gas: null },
    exchange: `${order.exchange}/${order.subaccount}`,
    status: failed ? "failed" : isOver(status) ? "final" : status === "sending" ? "sent" : "queued",
    out: traded === undefined ? [] : [side === "buy" ? traded.quote : traded.base],
    in: traded === undefined ? [] : [side === "buy" ? traded.base : traded.quote],
    venue: order.exchange,
    charge_usd: order.chargeUsd === null ? null : Number(show(order.chargeUsd)),
    message: orderMessages[status] ?? order.message ?? "",
    failure: failed
      ? { code: executionCodes[errorType], funds: "No funds moved: nothing was traded.", next: nextSteps[errorType] }
      : null,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString()
  }
}

/** Columns of the CSV export. */
export const columns = [
  ...[
    "created_at",
    "wallet",
    "action",
    "bot",
    "network",
    "pool",
    "exchange",
    "status",
    "out",
    "in",
    "venue",
    "gas",
    "charge_usd"
  ] as const,
  ...["tx_hash", "message", "failure_code", "id"] as const
]

const formatAmounts = (amounts: ReadonlyArray<Amount>) =>
  amounts.map(({ amount, symbol }) => `${amount} ${symbol}`).join(" + ")

/** Returns an entry as a row of the CSV export. */
export const rowOf = ({ failure, gas, in: received, out, ...entry }: ActivityEntry) => ({
  ...entry,
  out: formatAmounts(out),
  in: formatAmounts(received),
  gas: gas === null ? null : `${gas.amount} ${gas.symbol}`,
  failure_code: failure?.code ?? null
})
