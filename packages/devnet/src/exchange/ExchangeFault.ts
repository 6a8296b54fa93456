/** What the fake exchange can be told to do wrong. */

/**
 * `timeoutAfterAcceptance`: the order is taken, its sender never hears of it. `timeoutBefore`: neither taken nor answered.
 * `lateAcceptance`: not answered, and taken only some time after the sender has given up. `partialFill`: half of the order finds somebody.
 * `duplicateId`: the order is taken, and its sender told that one of its id is there. `maintenance`: every request is refused for it. `rateLimited`: HTTP 429. `serverError`: HTTP 500 after the order was taken.
 */
export type Fault = "timeoutAfterAcceptance" | "timeoutBefore" | "lateAcceptance" | "partialFill" | "duplicateId" | "maintenance" | "rateLimited" | "serverError"

/** Faults that only orders meet. */
export const ofOrders: ReadonlySet<Fault> = new Set(["timeoutAfterAcceptance", "timeoutBefore", "lateAcceptance", "partialFill", "duplicateId", "serverError"])
