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

/** Decodes a node's answer; `null` where it is no transaction with this hash. */
const toSent = (raw: typeof RawTransaction.Type, hash: Hash): SentTransaction | null =>
  raw === null || lower(raw.hash) !== hash ? null : {
    hash,
    to: raw.to === null ? null : lower(raw.to),
    data: lower(raw.input),
    value: raw.value,
    nonce: raw.nonce,
    signed: signedOf(raw)
  }

const isSame = (one: SentTransaction, other: SentTransaction) =>
  one.to === other.to && one.data === other.data && one.value === other.value && one.nonce === other.nonce

/** Returns the transaction that its signed bytes prove, or that two of these endpoints have and none contradicts. */
const agreedOf = (answers: ReadonlyArray<SentTransaction>): SentTransaction | null => {
  const proven = answers.find(({ signed }) => signed !== undefined)
  if (proven !== undefined) return proven
  const [first, ...others] = answers
  return first !== undefined && others.length > 0 && others.every((other) => isSame(first, other)) ? first : null
}

/**
 * Reads a transaction by its hash; `null` where no node has it. With several endpoints, one alone is not believed
 * unless the signed bytes have the hash.
 */
export const read = (
  { endpoints, request, requestEverywhere }: TypedRpc.TypedRpc,
  hash: Hash
): Effect.Effect<SentTransaction | null, RpcFailure> =>
  Effect.gen(function*() {
    const sent = toSent(yield* request(RawTransaction, "eth_getTransactionByHash", [hash]), hash)
    if (endpoints < 2 || sent?.signed !== undefined) return sent
    const all = yield* requestEverywhere(RawTransaction, "eth_getTransactionByHash", [hash])
    return agreedOf(all.flatMap(({ answer }) => toSent(answer, hash) ?? []))
  })
