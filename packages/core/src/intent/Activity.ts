/** What was asked of chains and exchanges for a manager's wallets, told for people: what moved, what it cost, how it stands, what to do where it failed. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { facts, type Network } from "../chain/Network.ts"
import { type ErrorType, executionCodes, type Failure } from "../failure/Failure.ts"
import type { ExchangeOrder } from "../exchange/ExchangeOrder.ts"
import { isOver } from "../exchange/ExchangeOrder.ts"
import { show } from "../exchange/ExchangeDecision.ts"
import type { Outcome } from "./Intent.ts"

/** What may be asked for: `open` is still under way. */
export const activityFilters = ["open", "done", "failed"] as const
export type ActivityFilter = typeof activityFilters[number]

/**
 * `queued`: nothing is signed. `waiting`: it is sent, and pays too little for the moment. `sent`: on its way into a block (or to the exchange).
 * `mined`: in a block that a reorg might still take. `final`: nothing changes any more. `failed`: final too, and nothing of it can happen any more.
 */
export const Status = Schema.Literals(["queued", "sent", "waiting", "mined", "final", "failed"])
export type Status = typeof Status.Type

/** An amount in human units, of a token or currency by its symbol. */
const Amount = Schema.Struct({ amount: Schema.String, symbol: Schema.String })
type Amount = typeof Amount.Type

export const ActivityEntry = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  /** Endpoint that it was accepted under. */
  action: Schema.String,
  /** The bot it is a turn of, as people know it. */
  bot: Schema.NullOr(Schema.String),
  network: Schema.NullOr(Schema.String),
  pool: Schema.NullOr(Address),
  /** `exchange/account`, for what happens there. */
  exchange: Schema.NullOr(Schema.String),
  status: Status,
  /** What left the vault or account, and what came in. */
  out: Schema.Array(Amount),
  in: Schema.Array(Amount),
  venue: Schema.NullOr(Schema.String),
  /** What the transaction's gas cost; null where nothing was mined. */
  gas: Schema.NullOr(Amount),
  charge_usd: Schema.NullOr(Schema.Number),
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String,
  failure: Schema.NullOr(Schema.Struct({
    code: Schema.String,
    /** Whether funds moved, in a sentence. */
    funds: Schema.String,
    /** What to do, in a sentence. */
    next: Schema.String
  })),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type ActivityEntry = typeof ActivityEntry.Type

/** What to do about a failure. */
const nextSteps: Readonly<Record<ErrorType, string>> = {
  insufficient_gas: "Send native token to the gas wallet on this network, then ask again.",
  insufficient_balance: "Ask for no more than the vault holds, or wait until what is lent or on its way is back.",
  no_route: "Try another venue, a smaller amount, or another pair.",
  slippage_exceeded: "Try again when the price is calmer, trade less at once, or allow more slippage.",
  transaction_reverted: "Read the reason above; most go away with another look at the vault. Ask again when it is mended.",
  asset_not_enabled: "Enable the asset in the vault on the vault platform, or choose another one.",
  venue_not_allowed: "Choose another venue: the vault platform does not let this vault use that one.",
  slippage_budget_exceeded: "The vault platform bounds what a vault may lose to slippage in a while: wait, or trade less.",
  health_factor_too_low: "Pay debt back or add collateral, then ask for less.",
  vault_paused: "Wait until the vault platform lets the vault go on.",
  nothing_to_do: "Nothing: the vault is as it was to be.",
  price_unavailable: "Wait until the vault's price feed answers again.",
  limit_exceeded: "Ask for less, or let the manager who set the key's limits raise them.",
  position_not_found: "Look at the vault's positions and name one it has.",
  market_not_available: "Choose another market: this one is not on this network.",
  rpc_unavailable: "Try again; if it goes on, the operator looks at the network's nodes.",
  busy: "Try again in a moment.",
  exchange_error: "Try again; look at the exchange's own pages if it goes on.",
  exchange_rejected: "Read the exchange's reason above and mend that; its credentials may lack a permission.",
  paused: "Let the wallet, the bot or the service go on under Kill switch, then ask again.",
  internal: "Give the operator the intent's id; the log says why."
}

const nextOf = (failure: Failure): string =>
  failure._tag === "ExecutionFailure" ? nextSteps[failure.errorType] : "Mend what the message names and ask again."

/** A row of the intent ledger with what became of it. */
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
  // What is old has no submission any more: its outcome is final.
  if (status === "succeeded") return "final"
  return submission === "signed" ? waitingForGas === true ? "waiting" : "sent" : "queued"
}

const waitingWords: Readonly<Partial<Record<Status, string>>> = {
  queued: "Accepted; no transaction is signed yet.",
  waiting: "Sent; waiting for fees to fall under the most it may pay.",
  sent: "Sent; not yet in a block.",
  mined: "In a block; its outcome is about to be told."
}

const isAmount = Schema.is(Amount)
/** Results are of many endpoints; quantities under these names mean the same in each. */
const amounts = (result: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): ReadonlyArray<Amount> =>
  names.flatMap((name) => {
    const value = result[name]
    const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    return list.filter(isAmount).map(({ amount, symbol }) => ({ amount, symbol }))
  })

const text = (value: unknown): string | null => typeof value === "string" ? value : null

const endOf = (row: IntentRow): Pick<ActivityEntry, "out" | "in" | "venue" | "message" | "failure"> & { readonly gas: string | null } => {
  const { outcome } = row
  if (outcome === null) return { out: [], in: [], venue: null, gas: null, message: waitingWords[statusOf(row)] ?? "", failure: null }
  if (outcome._tag === "Succeeded") {
    const { message, result } = outcome
    return {
      // What a bot bought and lent at once has left nothing but what was sold.
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
      funds: txHash === null ? "No funds moved: nothing was sent, or what was sent can never be mined." : "No funds moved: the transaction was undone as a whole; only its gas was spent.",
      next: nextOf(failure)
    }
  }
}

export const entryOf = (row: IntentRow): ActivityEntry => {
  const { gas, ...end } = endOf(row)
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

const orderWords: Readonly<Partial<Record<ExchangeOrder["status"], string>>> = {
  accepted: "Accepted; not yet decided.",
  decided: "Decided; not yet sent.",
  sending: "Sent to the exchange; its answer is awaited."
}

/** The same of a turn at an exchange. */
export const entryOfOrder = (order: ExchangeOrder): ActivityEntry => {
  const { cost, filled, pair, side, status } = order
  const [base = "", quote = ""] = pair.split(/[-/_]/)
  const traded = filled === null || cost === null || filled.value === 0n ? undefined : { base: { amount: show(filled), symbol: base }, quote: { amount: show(cost), symbol: quote } }
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
    message: orderWords[status] ?? order.message ?? "",
    failure: failed ? { code: executionCodes[errorType], funds: "No funds moved: nothing was exchanged.", next: nextSteps[errorType] } : null,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString()
  }
}

/** What the table of a spreadsheet has. */
export const columns = [
  ...["created_at", "wallet", "action", "bot", "network", "pool", "exchange", "status", "out", "in", "venue", "gas", "charge_usd"] as const,
  ...["tx_hash", "message", "failure_code", "id"] as const
]

const listed = (amounts: ReadonlyArray<Amount>) => amounts.map(({ amount, symbol }) => `${amount} ${symbol}`).join(" + ")

/** An entry as a row of that table. */
export const rowOf = ({ failure, gas, in: come, out, ...entry }: ActivityEntry) => ({
  ...entry,
  out: listed(out),
  in: listed(come),
  gas: gas === null ? null : `${gas.amount} ${gas.symbol}`,
  failure_code: failure?.code ?? null
})
