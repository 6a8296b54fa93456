/** The failure of a venue that has no quote. */
import * as Schema from "effect/Schema"

/** This venue cannot do this swap now; the next one may. */
export class NoQuote extends Schema.TaggedError<NoQuote>()("NoQuote", {
  reason: Schema.String,
  /** True when the venue's API has no key, which is a setting and no failure. */
  keyMissing: Schema.optional(Schema.Boolean)
}) {}
