/** The address of the client that sent the current request. */
import * as Context from "effect/Context"

/** Undefined for calls that did not come over HTTP. */
export const CallerAddress = Context.Reference<string | undefined>("vault-trader/server/wire/CallerAddress", {
  defaultValue: () => undefined
})
