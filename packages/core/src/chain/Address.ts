/** EVM addresses, always spelled as lower-case hex. */
import * as Schema from "effect/Schema"

export { parse } from "./AddressText.ts"

const isPrefixed = (text: string): text is `0x${string}` => text.startsWith("0x")

/** `0x` + 40 lower-case hex characters. */
export const Address = Schema.String.pipe(
  Schema.refine(isPrefixed),
  Schema.check(Schema.isPattern(/^0x[0-9a-f]{40}$/u)),
  Schema.annotate({ identifier: "Address", description: "EVM address, 0x + 40 hex characters" })
)
export type Address = typeof Address.Type

/** A 32-byte hash: a transaction or block id. */
export const Hash = Schema.String.pipe(
  Schema.refine(isPrefixed),
  Schema.check(Schema.isPattern(/^0x[0-9a-f]{64}$/u)),
  Schema.annotate({ identifier: "Hash", description: "32-byte hash, 0x + 64 hex characters" })
)
export type Hash = typeof Hash.Type

/** Bytes as 0x-prefixed hex. */
export const Hex = Schema.String.pipe(
  Schema.refine(isPrefixed),
  Schema.check(Schema.isPattern(/^0x([0-9a-fA-F]{2})*$/u)),
  Schema.annotate({ identifier: "Hex" })
)
export type Hex = typeof Hex.Type
