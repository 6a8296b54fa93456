/** The name an order has before it is sent. The core knows it by this name whatever becomes of the transaction that carries it. */
import type { Hex } from "../chain/Address.ts"

/** An intent's id as the 128-bit client order id of its one order: an id names one intent, so a cloid names one decision. */
export const ofIntent = (intentId: string): Hex => `0x${intentId.replaceAll("-", "").toLowerCase()}`

/** `0x` + 32 lower-case hex characters that a text names; `undefined` when it does not. */
export const parse = (text: string): Hex | undefined => /^0x[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() as Hex : undefined
