/** Schemas of JSON-RPC results. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Address, Hash, Hex } from "@vault-trader/core/chain/Address"

export const toHex = (value: bigint): Hex => {
  const digits = value.toString(16)
  return `0x${digits}`
}

/** A hex number, as JSON-RPC encodes all its numbers. */
export const Quantity = Schema.TemplateLiteral(["0x", Schema.String]).check(Schema.isPattern(/^0x[0-9a-fA-F]+$/u)).pipe(
  Schema.decodeTo(Schema.BigInt, SchemaTransformation.transform({ decode: (hex) => BigInt(hex), encode: toHex }))
)

export const Log = Schema.Struct({ address: Address, topics: Schema.Array(Hash), data: Hex })
type Log = typeof Log.Type

export const Receipt = Schema.Struct({
  transactionHash: Hash,
  blockHash: Hash,
  blockNumber: Quantity,
  /** 1 when it succeeded, 0 when it reverted. */
  status: Quantity,
  from: Address,
  gasUsed: Quantity,
  effectiveGasPrice: Quantity,
  contractAddress: Schema.NullishOr(Address),
  logs: Schema.Array(Log)
})
export type Receipt = typeof Receipt.Type

export const Block = Schema.Struct({
  number: Quantity,
  hash: Hash,
  /** Unix seconds. */
  timestamp: Quantity,
  baseFeePerGas: Quantity
})
export type Block = typeof Block.Type

export interface TransactionRequest {
  readonly from?: Address
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
}

/** Gas limit, enough for the largest deployment here. Without it anvil would estimate first. */
const gas = toHex(16_000_000n)

export const wireTransaction = ({ value, ...rest }: TransactionRequest) => ({
  gas,
  ...rest,
  ...(value === undefined ? {} : { value: toHex(value) })
})
