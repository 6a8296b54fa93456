/** What the fake derivatives exchange is told to do wrong, or to wait with. Told on its chain, in order with everything else. */
import * as Schema from "effect/Schema"

export const Ruling = Schema.Union([
  /** The next so many actions are lost without a word: their transactions succeed, and nothing happens. */
  Schema.Struct({ rule: Schema.Literal("drop"), actions: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) }),
  /** Actions wait from now on; deposits and prices do not. */
  Schema.Struct({ rule: Schema.Literal("hold") }),
  /** What waited happens now, in order. */
  Schema.Struct({ rule: Schema.Literal("resume") }),
  /** So many coins are all that is found in the book of an asset, each time: a decimal text. The usual ones without `size`. */
  Schema.Struct({ rule: Schema.Literal("depth"), asset: Schema.Int, size: Schema.optional(Schema.String) })
])
export type Ruling = typeof Ruling.Type

export const Text = Schema.fromJsonString(Ruling)
