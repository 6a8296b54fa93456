/** The media types of answers: `application/json` has boxes, the service's own type the same fields without them. */
export const boxed = "application/json"
export const unboxed = "application/vnd.vault-trader.v1+json"
