/** A sample of a vault's value: what it held and what that was worth at one block, for one slot of the clock. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"

const Big = Schema.BigIntFromString

/** An asset that the vault could hold at the sample. */
export const SampledAsset = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  decimals: Schema.Int,
  position: Schema.Boolean,
  /** Smallest units. */
  balance: Big,
  /** USD per whole unit, 18 decimals; null without a price. */
  price18: Schema.NullOr(Big)
}).annotate({ identifier: "SampledAsset" })
export type SampledAsset = typeof SampledAsset.Type

/** The price of an asset that the operator samples as a benchmark. */
export const SampledPrice = Schema.Struct({ asset: Address, symbol: Schema.String, price18: Big }).annotate({
  identifier: "SampledPrice"
})
export type SampledPrice = typeof SampledPrice.Type

/** The values of a sample without its assets. Vault tokens and USD have 18 decimals. */
const values = {
  /** The time that it was due at, a multiple of its interval. */
  slot: Schema.Date,
  intervalSeconds: Schema.Int,
  /** The time of its block. */
  at: Schema.Date,
  block: Schema.Int,
  value18: Big,
  supply: Big,
  /** Vault tokens that are owed to the manager and not minted. */
  owed: Big
}

export const ValuePoint = Schema.Struct(values).annotate({ identifier: "ValuePoint" })
export type ValuePoint = typeof ValuePoint.Type

/** Holdings and prices of a sample. */
export const SampleDetails = Schema.Struct({
  assets: Schema.Array(SampledAsset),
  benchmarks: Schema.Array(SampledPrice)
}).annotate({ identifier: "SampleDetails" })
export type SampleDetails = typeof SampleDetails.Type

/** A sample as it is read from a block. */
export const ValueSample = Schema.Struct({ ...values, blockHash: Hash, details: SampleDetails }).annotate({
  identifier: "ValueSample"
})
export type ValueSample = typeof ValueSample.Type

/** A slot for which no sample could be taken. */
export const MissedSlot = Schema.Struct({ slot: Schema.Date, reason: Schema.String }).annotate({
  identifier: "MissedSlot"
})
export type MissedSlot = typeof MissedSlot.Type

const whole = 10n ** 18n

/** Computes USD per vault token, 18 decimals, after the fees that are owed; null while there are no tokens. */
export const sharePriceOf = ({ owed, supply, value18 }: Pick<ValuePoint, "owed" | "supply" | "value18">) =>
  supply + owed === 0n || supply === 0n ? null : value18 * whole / (supply + owed)

/** Computes the same before the fees that are owed. */
export const priceBeforeFeesOf = ({ supply, value18 }: Pick<ValuePoint, "supply" | "value18">) =>
  supply === 0n ? null : value18 * whole / supply
