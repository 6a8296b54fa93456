/** The parameters of the endpoints about performance. */
import * as Param from "../endpoint/Param.ts"
import * as BillingParams from "../billing/BillingParams.ts"
import * as Schema from "effect/Schema"
import { LotMethod, lotMethods, Range, rangeNames } from "./Performance.ts"

export const RangeParam = Param.make(Range, {
  accepts: `one of ${rangeNames.join(", ")}`,
  description: "Period that ends now; `from` and `to` override it.",
  example: "30d",
  jsonSchema: { type: "string", enum: [...rangeNames], default: "all" },
  read: (text) => rangeNames.find((name) => name === text.toLowerCase()),
  show: (value) => value
})

export const Lots = Param.make(LotMethod, {
  accepts: `one of ${lotMethods.join(", ")}`,
  description: "Lots sold first: the oldest, the newest, or those of the highest cost.",
  example: "fifo",
  jsonSchema: { type: "string", enum: [...lotMethods], default: "fifo" },
  read: (text) => lotMethods.find((name) => name === text.toLowerCase()),
  show: (value) => value
})

/** The period, the same for all endpoints of performance. */
export const period = {
  range: Schema.optional(RangeParam),
  from: Schema.optional(BillingParams.Time("Start of the period, inclusive.")),
  to: Schema.optional(BillingParams.Time("End of the period, exclusive; default: until now."))
}
