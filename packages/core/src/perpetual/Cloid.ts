/**
 * The client order id, assigned before an order is sent. HyperCore knows the order by it, whatever happens to the
 * transaction that carries it.
 */
import type { Hex } from "../chain/Address.ts"

/**
 * Converts an intent's id to the 128-bit client order id of its only order, so that a cloid identifies one decision.
 */
export const ofIntent = (intentId: string): Hex => `0x${intentId.replaceAll("-", "").toLowerCase()}`

/** Parses a cloid, `0x` and 32 hex characters, to lower case; `undefined` when it is not one. */
export const parse = (text: string): Hex | undefined =>
  /^0x[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() as Hex : undefined
