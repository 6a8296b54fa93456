/**
 * Faults and delays of the fake derivatives exchange. They are set by chain events, so they apply in order with all
 * other events.
 */
import * as Schema from "effect/Schema"

export const FaultRule = Schema.Union([
  /** The next actions are silently lost: their transactions succeed, and nothing happens. */
  Schema.Struct({ rule: Schema.Literal("drop"), actions: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) }),
  /** Actions are held from now on; deposits and prices are not. */
  Schema.Struct({ rule: Schema.Literal("hold") }),
  /** The held actions are executed now, in order. */
  Schema.Struct({ rule: Schema.Literal("resume") }),
  /**
   * Every order finds only `size` coins in the book of an asset: a decimal text. Without `size`, the default levels.
   */
  Schema.Struct({ rule: Schema.Literal("depth"), asset: Schema.Int, size: Schema.optional(Schema.String) })
])
export type FaultRule = typeof FaultRule.Type

export const Text = Schema.fromJsonString(FaultRule)
