/** Reads a transaction from a node, with its signed bytes rebuilt. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { keccak256, parseTransaction, serializeTransaction, type TransactionSerializedEIP1559 } from "viem"
import type { RpcFailure } from "./RpcFailure.ts"
import { Bytes, lower, Quantity } from "./RpcSchema.ts"
import type * as TypedRpc from "./TypedRpc.ts"

const RawTransaction = Schema.NullOr(Schema.Struct({
  hash: Bytes,
  to: Schema.NullOr(Bytes),
  input: Bytes,
  value: Quantity,
  nonce: Quantity,
  gas: Quantity,
  chainId: Schema.optional(Schema.NullOr(Quantity)),
  maxFeePerGas: Schema.optional(Schema.NullOr(Quantity)),
  maxPriorityFeePerGas: Schema.optional(Schema.NullOr(Quantity)),
  r: Schema.optional(Bytes),
  s: Schema.optional(Bytes),
  v: Schema.optional(Quantity),
  yParity: Schema.optional(Schema.NullOr(Quantity))
}))

/** A transaction on chain or in a node's pool. Amounts are in native smallest units. */
export interface SentTransaction {
  readonly hash: Hash
  /** Null for one that creates a contract. */
  readonly to: Address | null
  readonly data: Hex
  readonly value: bigint
  readonly nonce: bigint
  /** The signed bytes and their fees; undefined where they are not an EIP-1559 transaction with this hash. */
  readonly signed:
    | {
      readonly raw: Hex
      readonly gasLimit: bigint
      readonly maxFeePerGas: bigint
      readonly maxPriorityFeePerGas: bigint
    }
    | undefined
}

/** Returns signed bytes with the fees that are in them; undefined where they are not an EIP-1559 transaction. */
export const signedFields = (raw: Hex): SentTransaction["signed"] =>
  Option.getOrUndefined(
    Option.flatMap(parseRaw(raw), ({ gas, maxFeePerGas, maxPriorityFeePerGas = 0n }) =>
      gas === undefined || maxFeePerGas === undefined
        ? Option.none()
        : Option.some({ raw, gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas }))
  )

const parseRaw = Option.liftThrowable((raw: Hex) => parseTransaction(raw as TransactionSerializedEIP1559))

const word = (text: string | undefined): Hex | undefined =>
  text === undefined ? undefined : `0x${text.slice(2).padStart(64, "0")}`

/** Rebuilds the signed bytes; undefined unless they have the transaction's hash. */
const signedOf = (raw: NonNullable<typeof RawTransaction.Type>): SentTransaction["signed"] => {
  const { chainId, maxFeePerGas, maxPriorityFeePerGas } = raw
  const [r, s] = [word(raw.r), word(raw.s)]
  const parity = raw.yParity ?? raw.v
  if (r === undefined || s === undefined || parity === undefined || parity > 1n) return undefined
  if (chainId === undefined || chainId === null || maxFeePerGas === undefined || maxFeePerGas === null) return undefined
  const fees = { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n }
  const bytes = serializeTransaction({
    type: "eip1559",
    chainId: Number(chainId),
    ...(raw.to === null ? {} : { to: lower(raw.to) }),
    data: lower(raw.input),
    value: raw.value,
    nonce: Number(raw.nonce),
    gas: raw.gas,
    ...fees
  }, { r, s, yParity: Number(parity) })
  return keccak256(bytes) === lower(raw.hash) ? { raw: bytes, gasLimit: raw.gas, ...fees } : undefined
}

/** Reads a transaction by its hash; `null` where the node does not know it. */
export const read = ({ request }: TypedRpc.TypedRpc, hash: Hash): Effect.Effect<SentTransaction | null, RpcFailure> =>
  Effect.map(
    request(RawTransaction, "eth_getTransactionByHash", [hash]),
    (raw) =>
      raw === null ? null : {
        hash: lower(raw.hash),
        to: raw.to === null ? null : lower(raw.to),
        data: lower(raw.input),
        value: raw.value,
        nonce: raw.nonce,
        signed: signedOf(raw)
      }
  )
