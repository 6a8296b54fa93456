/** The announced end of an endpoint (docs/api-policy.md). Dates are of UTC, as `2027-01-31`. */
export interface Deprecation {
  readonly since: `${number}-${number}-${number}`
  /** The day from which it may be gone; at least six months after `since`. */
  readonly sunset: `${number}-${number}-${number}`
  /** The sentence that says what to call in its place. */
  readonly instead: string
}
