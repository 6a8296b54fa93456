/** Numbers as JSON-RPC writes them, and the parameters of its calls. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import type { Message } from "./Message.ts"

export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** Parses a number; returns `undefined` for anything else. */
export const toNumber = (value: unknown): bigint | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? BigInt(value)
    : typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value)
    ? BigInt(value)
    : undefined

const isLowerHex = (value: string): value is Hex => /^0x[0-9a-f]*$/.test(value)

/** Returns lower-case hex. Most input is lower-case already, and long calldata is then not copied. */
const lowerHex = (value: unknown, characters?: number): Hex | undefined => {
  if (
    typeof value !== "string" || value.length % 2 === 1 || (characters !== undefined && value.length !== characters)
  ) return undefined
  if (isLowerHex(value)) return value
  const lower = value.toLowerCase()
  return isLowerHex(lower) ? lower : undefined
}

export const toAddress = (value: unknown): Address | undefined => lowerHex(value, 42)
export const toHash = (value: unknown): Hash | undefined => lowerHex(value, 66)

const zeroAccount: Address = `0x${"0".repeat(40)}`

/** Parses a call object; returns `undefined` when a field is malformed. */
export const toMessage = (value: unknown): Message | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const fields: {
    readonly from?: unknown
    readonly to?: unknown
    readonly data?: unknown
    readonly input?: unknown
    readonly value?: unknown
  } = value
  const from = fields.from === undefined ? zeroAccount : toAddress(fields.from)
  const to = toAddress(fields.to)
  const data = lowerHex(fields.data ?? fields.input ?? "0x")
  const paid = fields.value === undefined ? 0n : toNumber(fields.value)
  return from === undefined || to === undefined || data === undefined || paid === undefined
    ? undefined
    : { from, to, data, value: paid }
}
