/** A guardian: a durable rule that watches a vault and acts when it is in danger. Its terms, memory, row and protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import { Dex } from "../liquidity/Dex.ts"

/**
 * `health_factor` repays debt below a floor. `loss_breaker` pauses the vault's bots and orders after a loss, and closes
 * its positions and tokens into one asset if its terms say so. `oracle` refuses trades while prices are old or a stablecoin is off its peg.
 * `gas` reports a gas wallet that is low, with the refill that it proposes.
 */
export const guardianKinds = ["health_factor", "loss_breaker", "oracle", "gas"] as const
export const GuardianKind = Schema.Literals(guardianKinds)
export type GuardianKind = typeof GuardianKind.Type

/**
 * Ways to raise a health factor. `repay`: with what the vault holds of the debt's asset. `unlend`: with what it supplied
 * of it. `sell`: with its other tokens. `deleverage`: with a part of its collateral.
 */
export const repairMethods = ["repay", "unlend", "sell", "deleverage"] as const
export const RepairMethod = Schema.Literals(repairMethods)
export type RepairMethod = typeof RepairMethod.Type

export const defaults = {
  prefer: ["repay", "unlend", "deleverage"],
  /** Percent. */
  slippage: 1,
  /** Readings in a row, each of a later block, after which a guardian acts. */
  confirmations: 2
} as const satisfies { readonly prefer: ReadonlyArray<RepairMethod>; readonly slippage: number; confirmations: number }

/** Most actions of a guardian within a day: what it does can never burn gas in a loop. */
export const maxActionsPerDay = 60

/** Failures in a row of an action after which the guardian leaves it out and raises an alert. */
export const maxFailures = 3

const bigint = Schema.BigIntFromString
const common = { confirmations: Schema.Int }

/** Health factors have 18 decimals. */
export const HealthTerms = Schema.TaggedStruct("health_factor", {
  ...common,
  floor18: bigint,
  target18: bigint,
  prefer: Schema.Array(RepairMethod),
  /** Percent, of its trades. */
  slippage: Schema.Number
})
export type HealthTerms = typeof HealthTerms.Type

/** Losses are in percent of the share price; at least one is given. */
export const LossTerms = Schema.TaggedStruct("loss_breaker", {
  ...common,
  maxDaily: Schema.NullOr(Schema.Number),
  maxTotal: Schema.NullOr(Schema.Number),
  /** The asset that the vault's tokens are sold for; null: nothing is sold. */
  closeInto: Schema.NullOr(Token),
  /** True if loans, supplies and liquidity positions are closed first; false in rows from before this term. */
  closePositions: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false))),
  slippage: Schema.Number
})
export type LossTerms = typeof LossTerms.Type

export const OracleTerms = Schema.TaggedStruct("oracle", {
  ...common,
  maxAgeSeconds: Schema.NullOr(Schema.Int),
  /** Percent that a stablecoin may be off 1 USD. */
  maxDepeg: Schema.NullOr(Schema.Number),
  /** The tokens that are watched; null: all that the vault may hold. */
  assets: Schema.NullOr(Schema.Array(Token))
})
export type OracleTerms = typeof OracleTerms.Type

/** Native token, smallest units. */
export const GasTerms = Schema.TaggedStruct("gas", { ...common, minWei: bigint, targetWei: bigint })
export type GasTerms = typeof GasTerms.Type

export const GuardianTerms = Schema.Union([HealthTerms, LossTerms, OracleTerms, GasTerms]).annotate({
  identifier: "GuardianTerms"
})
export type GuardianTerms = typeof GuardianTerms.Type

/** An amount of an asset, smallest units. */
const Part = Schema.Struct({ asset: Address, amount: bigint })

/** The memory of a guardian between two readings. */
export const GuardianMemory = Schema.Struct({
  /** The readings in a row that ask for a change of state, the last one's block. */
  row: Schema.NullOr(Schema.Struct({ times: Schema.Int, block: Schema.Number })),
  /** The last reading in words; null before the first. */
  reading: Schema.NullOr(Schema.String),
  /** The last share price, USD with 18 decimals. */
  last18: Schema.NullOr(bigint),
  /** The highest share price that two readings in a row have reached. */
  peak18: Schema.NullOr(bigint),
  /** The day (UTC) of `open18`, the share price at its beginning. */
  day: Schema.NullOr(Schema.String),
  open18: Schema.NullOr(bigint),
  /** Collateral that was withdrawn in order to be sold. */
  freed: Schema.NullOr(Part),
  /** The asset of a debt that was unlent or bought in order to be repaid. */
  bought: Schema.NullOr(Address),
  /** Actions that are left out after several failures, by `actionName`. */
  skipped: Schema.Array(Schema.String),
  /** Native token that the gas guardian proposes to send, smallest units. */
  refillWei: Schema.NullOr(bigint)
}).annotate({ identifier: "GuardianMemory" })
export type GuardianMemory = typeof GuardianMemory.Type

export const noMemory: GuardianMemory = {
  ...{ row: null, reading: null, last18: null, peak18: null, day: null, open18: null, freed: null, skipped: [] },
  ...{ bought: null, refillWei: null }
}

/**
 * `armed` watches. `acting` repairs or closes, action by action. `tripped`: the breaker has tripped and waits for a
 * reset; the oracle guardian holds trades; the gas wallet is low; on paper, the limit was passed.
 */
export const guardianStates = ["armed", "acting", "tripped"] as const
export const GuardianState = Schema.Literals(guardianStates)
export type GuardianState = typeof GuardianState.Type

/** The next action of a guardian. Amounts in smallest units of `asset`. */
export const GuardianAction = Schema.Union([
  /** `whole`: all of the debt, with its interest until it is mined. */
  Schema.TaggedStruct("repay", { asset: Address, amount: bigint, whole: Schema.Boolean }),
  Schema.TaggedStruct("unlend", {
    lender: Schema.Literals(["lenderA", "lenderB", "lenderC"]),
    asset: Address,
    amount: bigint,
    /** All of it, with its interest until it is mined. */
    whole: Schema.optional(Schema.Boolean)
  }),
  /** Removes all of a liquidity position; `asset` and `other` are its pair. */
  Schema.TaggedStruct("remove", { asset: Address, other: Address, dex: Dex, tokenId: bigint }),
  /** Withdraws collateral in order to sell it. */
  Schema.TaggedStruct("withdraw", { asset: Address, amount: bigint }),
  /** `freed`: what is sold was withdrawn for it. */
  Schema.TaggedStruct("sell", { asset: Address, to: Address, amount: bigint, freed: Schema.Boolean })
])
export type GuardianAction = typeof GuardianAction.Type
/** An action about an amount of one asset. */
export type RepairAction = Exclude<GuardianAction, { readonly _tag: "remove" }>

/** Names an action, to leave it out after several failures. */
export const actionName = (action: GuardianAction): string =>
  action._tag === "remove" ? `remove position ${action.tokenId} of ${action.dex}` : `${action._tag} ${action.asset}`

/** A row of a guardian. */
export const Guardian = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  /** The wallet whose key set the guardian. It signs and is billed. */
  wallet: Address,
  keyId: Schema.String,
  terms: GuardianTerms,
  paper: Schema.Boolean,
  state: GuardianState,
  memory: GuardianMemory,
  /** Increases with every change of the terms. */
  revision: Schema.Int,
  /** The number of its next action. */
  step: Schema.Int,
  openIntent: Schema.NullOr(Schema.String),
  /** Failed actions in a row. */
  failures: Schema.Int,
  reason: Schema.String,
  trippedAt: Schema.NullOr(Schema.Date),
  checkedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "Guardian" })
export type Guardian = typeof Guardian.Type

/** Returns the idempotency key of an action: beginning it again returns the same intent. */
export const actionKey = (guardianId: string, step: number): string => `guardian/${guardianId}/${step}`

/** An action as it is stored: begun with its intent in one transaction, ended once. */
export const ActionRow = Schema.Struct({
  step: Schema.Int,
  intentId: Schema.String,
  action: GuardianAction,
  state: Schema.Literals(["in_progress", "succeeded", "failed"]),
  txHash: Schema.NullOr(Hash),
  message: Schema.NullOr(Schema.String),
  begunAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "GuardianActionRow" })
export type ActionRow = typeof ActionRow.Type

/**
 * `tripped`: a limit was passed and confirmed. `cleared`: the danger is over. `done`: the breaker has closed all it can.
 * `failed`: an action failed several times, or nothing is left to do, and a person has to look.
 */
export const guardianEventKinds = [
  "set",
  "tripped",
  "action_begun",
  "action_succeeded",
  "action_failed",
  "cleared",
  "done",
  "failed",
  "reset",
  "deleted"
] as const
export const GuardianEvent = Schema.Struct({
  at: Schema.Date,
  kind: Schema.Literals(guardianEventKinds),
  reason: Schema.String
}).annotate({ identifier: "GuardianEvent" })
export type GuardianEvent = typeof GuardianEvent.Type

/** The guardian's answer to the current readings. Nothing is sent. */
export const GuardianPreview = Schema.Struct({
  /** `wait`, `trip`, `act`, `clear` or `done`. */
  step: Schema.String,
  /** The present reading in words. */
  reading: Schema.String,
  reason: Schema.String,
  /** The first action in words, as if the limit were passed and confirmed; null when there is none. */
  action: Schema.NullOr(Schema.String)
}).annotate({ identifier: "GuardianPreview" })
export type GuardianPreview = typeof GuardianPreview.Type

/** The actor of one vault's guardians. Entity id: `network/pool`, as the vault's. */
export const Guardians = Entity.make("Guardian", [
  /** Resolves assets that the vault may hold, in their order; 1006 unless the wallet may trade it. */
  Rpc.make("assets", {
    payload: { wallet: Address, names: Schema.Array(Schema.String) },
    success: Schema.Array(Token),
    error: Failure
  }),
  /** Says what a guardian with these terms would do now. Changes nothing. */
  Rpc.make("preview", { payload: { wallet: Address, terms: GuardianTerms }, success: GuardianPreview, error: Failure }),
  /** Reads and decides now, and begins the guardian's next action, or follows the one in progress. */
  Rpc.make("wake", { payload: { guardianId: Schema.String }, error: Failure })
])
