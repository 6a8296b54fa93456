/** What the fake derivatives exchange is told to do wrong, or to wait with. Told on its chain, in order with everything else. */
import * as Schema from "effect/Schema"

export const Ruling = Schema.Union([Schema.Struct({ rule: Schema.Literal("drop"), actions: Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(0))) }), Schema.Struct({ rule: Schema.Literal("hold") }), Schema.Struct({ rule: Schema.Literal("resume") }), Schema.Struct({ rule: Schema.Literal("depth"), asset: Schema.Int, size: Schema.optional(Schema.String) })])
export type Ruling = typeof Ruling.Type

export const Text = Schema.fromJsonString(Ruling)
