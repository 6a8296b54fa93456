/** Schemas of nodes' answers, and their conversion to our types. */
import type { Hex } from "@vault-trader/core/chain/Address"
import { Log, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Block } from "./BlockFollower.ts"

export const Quantity = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]+$/u)).pipe(Schema.decodeTo(
  Schema.BigInt,
  SchemaTransformation.transform({
    decode: (text) => BigInt(text),
    encode: (value) => `0x${value.toString(16)}`
  })
))
export const Bytes = Schema.TemplateLiteral(["0x", Schema.String])
export const FeeHistory = Schema.Struct({
  baseFeePerGas: Schema.Array(Quantity),
  reward: Schema.optional(Schema.NullOr(Schema.Array(Schema.Array(Quantity))))
})
export const RawBlock = Schema.NullOr(Schema.Struct({
  number: Quantity,
  hash: Bytes,
  parentHash: Bytes,
  baseFeePerGas: Quantity.pipe(Schema.withDecodingDefaultType(Effect.succeed(0n))),
  timestamp: Quantity
}))
/** A block with the hashes of its transactions. */
export const RawBlockHashes = Schema.NullOr(Schema.Struct({ hash: Bytes, transactions: Schema.Array(Bytes) }))
const RawLog = Schema.Struct({ address: Bytes, topics: Schema.Array(Bytes), data: Bytes })
export const RawReceipt = Schema.NullOr(Schema.Struct({
  transactionHash: Bytes,
  blockHash: Bytes,
  blockNumber: Quantity,
  status: Quantity,
  gasUsed: Quantity,
  effectiveGasPrice: Quantity,
  l1Fee: Schema.optional(Schema.NullOr(Quantity)),
  logs: Schema.Array(RawLog)
}))
export const RawBody = Schema.NullOr(Schema.Struct({
  number: Quantity,
  hash: Bytes,
  // Some rollups' system transactions have no nonce.
  transactions: Schema.Array(
    Schema.Struct({
      hash: Bytes,
      from: Bytes,
      nonce: Quantity.pipe(Schema.withDecodingDefaultType(Effect.succeed(-1n)))
    })
  )
}))
export const RawPlacedLogs = Schema.Array(
  Schema.Struct({ ...RawLog.fields, blockNumber: Quantity, transactionHash: Bytes })
)
export const RawTransfer = Schema.NullOr(
  Schema.Struct({ from: Bytes, to: Schema.NullOr(Bytes), value: Quantity, nonce: Quantity })
)

/** Encodes a number as nodes expect it. */
export const hex = (value: bigint): Hex => `0x${value.toString(16)}`
export const lower = (text: string) => text.toLowerCase() as Hex

export const toLog = (raw: typeof RawLog.Type) =>
  Log.make({ address: lower(raw.address), topics: raw.topics.map(lower), data: lower(raw.data) })

export const toReceipt = (raw: typeof RawReceipt.Type): Receipt | null =>
  raw === null ? null : Receipt.make({
    transactionHash: lower(raw.transactionHash),
    blockHash: lower(raw.blockHash),
    blockNumber: raw.blockNumber,
    succeeded: raw.status === 1n,
    gasUsed: raw.gasUsed,
    effectiveGasPrice: raw.effectiveGasPrice,
    ...(raw.l1Fee === undefined || raw.l1Fee === null ? {} : { l1Fee: raw.l1Fee }),
    logs: raw.logs.map(toLog)
  })

export const toBlock = (raw: typeof RawBlock.Type): Block | null =>
  raw === null ? null : {
    number: raw.number,
    hash: lower(raw.hash),
    parentHash: lower(raw.parentHash),
    baseFee: raw.baseFeePerGas,
    time: Number(raw.timestamp)
  }

export const toBody = (raw: typeof RawBody.Type) =>
  raw === null ? null : {
    number: raw.number,
    hash: lower(raw.hash),
    transactions: raw.transactions.map(({ from, hash, nonce }) => ({ hash: lower(hash), from: lower(from), nonce }))
  }
