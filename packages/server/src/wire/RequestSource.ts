/** The request itself, for handlers that judge it: those of endpoints that are declared so. */
import * as Context from "effect/Context"

export interface Source {
  /** The client's address. */
  readonly address: string
  /** The body's media type; empty if the request names none. */
  readonly mediaType: string
  readonly body: string
  /** The URL's query, with `?`; empty without one. */
  readonly query: string
  /** The parameters that do not decode. */
  readonly refusals: ReadonlyArray<{ readonly name: string; readonly message: string }>
}

/** The current fiber's request; undefined for calls that did not come over HTTP. */
export const RequestSource = Context.Reference<Source | undefined>("vault-trader/server/wire/RequestSource", {
  defaultValue: () => undefined
})
