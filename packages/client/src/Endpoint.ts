/** An endpoint as the client calls it: always by POST, so that no parameter is in a URL that a proxy logs. */
export interface Endpoint {
  readonly name: string
  /** The path below the service's URL. A segment `:name` is the parameter of that name. */
  readonly path: string
  /**
   * `read` changes nothing. `write` is executed at most once under its idempotency key. `change` has no such key, so it
   * is repeated only when the service has certainly not read it.
   */
  readonly kind: "read" | "change" | "write"
  /** States if the endpoint takes the API key. */
  readonly key: "none" | "optional" | "required"
}

/** Settings of one call, in place of the client's. */
export interface CallOptions {
  /** Ends the call: no further attempt is made, and it fails with `ConnectionError`. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of each attempt in milliseconds. */
  readonly timeoutMillis?: number | undefined
  /** Maximum number of attempts after the first one. */
  readonly retries?: number | undefined
}

/** The fields of a request or a response by name. */
export type Fields = Readonly<Record<string, unknown>>
