/** Guardians as responses show them. */
import * as Schema from "effect/Schema"
import * as Quantity from "../chain/Quantity.ts"
import { facts } from "../chain/Network.ts"
import {
  type ActionRow,
  type Guardian,
  type GuardianEvent,
  GuardianKind,
  GuardianState,
  guardianEventKinds,
  RepairMethod
} from "./Guardian.ts"

const text = Schema.NullOr(Schema.String)
const number = Schema.NullOr(Schema.Number)

/** A guardian as responses show it; terms that its kind lacks are null. */
export const GuardianView = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  pool: Schema.String,
  /** The wallet that set the guardian; it signs and is billed. */
  gasWallet: Schema.String,
  kind: GuardianKind,
  state: GuardianState,
  paper: Schema.Boolean,
  floor: text,
  target: text,
  prefer: Schema.NullOr(Schema.Array(RepairMethod)),
  /** Percent. */
  max_daily_loss: number,
  max_total_loss: number,
  close_into: text,
  close_positions: Schema.NullOr(Schema.Boolean),
  /** Seconds. */
  max_age: Schema.NullOr(Schema.Int),
  max_depeg: number,
  /** Symbols; null: all that the vault may hold. */
  assets: Schema.NullOr(Schema.Array(Schema.String)),
  min_gas: text,
  target_gas: text,
  slippage: number,
  confirmations: Schema.Int,
  /** Its last reading in words. */
  reading: text,
  /** The condition that it waits for, or its last action. */
  reason: Schema.String,
  /** True while the vault's bots and orders begin nothing because of it. */
  holds: Schema.Boolean,
  open_intent_id: text,
  /** Failed actions in a row. */
  failures: Schema.Int,
  /** Actions that it leaves out after several failures. */
  skipped: Schema.Array(Schema.String),
  /** The transfer that the manager may sign to refill the wallet; the service sends none. */
  proposed_refill: Schema.NullOr(Schema.Struct({
    to: Schema.String,
    chain_id: Schema.Int,
    amount: Schema.String,
    /** Smallest units. */
    value: Schema.String,
    token: Schema.String
  })),
  kill_switch: text,
  tripped_at: text,
  checked_at: text,
  created_at: Schema.String
})

const factor = (value18: bigint) => Quantity.format(value18, 18)
const iso = (at: Date | null) => at === null ? null : at.toISOString()

const noTerms = {
  ...{ floor: null, target: null, prefer: null, max_daily_loss: null, max_total_loss: null, close_into: null },
  close_positions: null,
  ...{ max_age: null, max_depeg: null, assets: null, min_gas: null, target_gas: null, slippage: null }
}

const termsViewOf = (terms: Guardian["terms"]) => {
  switch (terms._tag) {
    case "health_factor":
      return {
        ...{ ...noTerms, floor: factor(terms.floor18), target: factor(terms.target18) },
        ...{ prefer: terms.prefer, slippage: terms.slippage }
      }
    case "loss_breaker":
      return {
        ...{ ...noTerms, max_daily_loss: terms.maxDaily, max_total_loss: terms.maxTotal },
        ...{ close_into: terms.closeInto?.symbol ?? null, slippage: terms.closeInto === null ? null : terms.slippage },
        close_positions: terms.closeInto === null ? null : terms.closePositions
      }
    case "oracle":
      return {
        ...{ ...noTerms, max_age: terms.maxAgeSeconds, max_depeg: terms.maxDepeg },
        assets: terms.assets?.map(({ symbol }) => symbol) ?? null
      }
    case "gas":
      return { ...noTerms, min_gas: factor(terms.minWei), target_gas: factor(terms.targetWei) }
  }
}

const refillOf = ({ memory: { refillWei }, network, wallet }: Guardian) =>
  refillWei === null || refillWei === 0n ? null : {
    to: wallet,
    chain_id: facts[network].chainId,
    amount: Quantity.format(refillWei, 18),
    value: refillWei.toString(),
    token: facts[network].native
  }

/** Checks whether the vault's bots and orders begin nothing because of the guardian. */
export const holds = ({ endedAt, paper, state, terms }: Guardian): boolean =>
  endedAt === null && !paper && (state === "acting" || (terms._tag === "oracle" && state === "tripped"))

/** Converts a guardian for a response; `stopped`: why a switch stops it, or null. */
export const viewOf = (guardian: Guardian, stopped: string | null): typeof GuardianView.Type => {
  const { id, memory, network, paper, pool, reason, state, terms, wallet } = guardian
  return {
    ...{ id, network, pool, gasWallet: wallet, kind: terms._tag, state, paper },
    ...termsViewOf(terms),
    ...{ confirmations: terms.confirmations, reading: memory.reading, reason, holds: holds(guardian) },
    ...{ open_intent_id: guardian.openIntent, failures: guardian.failures, skipped: memory.skipped },
    proposed_refill: refillOf(guardian),
    kill_switch: stopped,
    tripped_at: iso(guardian.trippedAt),
    checked_at: iso(guardian.checkedAt),
    created_at: guardian.createdAt.toISOString()
  }
}

/** An action of a guardian. */
export const ActionView = Schema.Struct({
  step: Schema.Int,
  intent_id: Schema.String,
  action: Schema.String,
  asset: Schema.String,
  state: Schema.String,
  tx_hash: text,
  message: text,
  begun_at: Schema.String,
  ended_at: text
})

export const actionViewOf = (row: ActionRow): typeof ActionView.Type => ({
  ...{ step: row.step, intent_id: row.intentId, action: row.action._tag, asset: row.action.asset, state: row.state },
  ...{ tx_hash: row.txHash, message: row.message, begun_at: row.begunAt.toISOString(), ended_at: iso(row.endedAt) }
})

/** An entry of a guardian's history. */
export const GuardianEventView = Schema.Struct({
  at: Schema.String,
  kind: Schema.Literals(guardianEventKinds),
  reason: Schema.String
})

export const eventViewOf = ({ at, kind, reason }: GuardianEvent): typeof GuardianEventView.Type => ({
  ...{ at: at.toISOString(), kind, reason }
})
