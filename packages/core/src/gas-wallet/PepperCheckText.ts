/** The text whose digest under the pepper is stored on the first start: it identifies the pepper, and so the service. */
import * as Redacted from "effect/Redacted"

/** Never an API key: those are UUIDs. */
export const pepperCheckText = Redacted.make("vault-trader/pepper-check")
