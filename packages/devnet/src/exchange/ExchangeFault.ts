/** Faults that the fake exchange can inject. */

/**
 * `timeoutAfterAcceptance`: the order is accepted, but no response is sent. `timeoutBefore`: neither accepted nor
 * answered. `lateAcceptance`: not answered, and accepted only some time after the caller has given up. `partialFill`:
 * only half of the order is filled. `duplicateId`: the order is accepted, but the response says that its id is a
 * duplicate. `maintenance`: every request is refused because of maintenance. `rateLimited`: HTTP 429. `serverError`:
 * HTTP 500 after the order was accepted.
 */
export type Fault =
  | "timeoutAfterAcceptance"
  | "timeoutBefore"
  | "lateAcceptance"
  | "partialFill"
  | "duplicateId"
  | "maintenance"
  | "rateLimited"
  | "serverError"

/** Faults that apply only to orders. */
export const ofOrders: ReadonlySet<Fault> = new Set([
  "timeoutAfterAcceptance",
  "timeoutBefore",
  "lateAcceptance",
  "partialFill",
  "duplicateId",
  "serverError"
])
