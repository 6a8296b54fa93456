/** Signed transactions, decoded for real: the sender is recovered from the signature. */
import * as Effect from "effect/Effect"
import {
  keccak256,
  parseTransaction,
  recoverAddress,
  recoverTransactionAddress,
  type TransactionSerialized
} from "viem"
import { privateKeyToAddress, signTransaction } from "viem/accounts"
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { type RpcRefused, refused, serverError } from "./Rpc.ts"

export interface SignedTransaction {
  readonly hash: Hash
  readonly raw: Hex
  readonly type: "legacy" | "eip2930" | "eip1559"
  readonly chainId: number
  readonly from: Address
  /** `null` for a contract creation, which never succeeds here. */
  readonly to: Address | null
  readonly nonce: bigint
  readonly gas: bigint
  /** Wei per gas. Both are the gas price of a legacy transaction. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly value: bigint
  readonly data: Hex
}

/** Caches transactions by their bytes: recovering a sender costs more than everything else a transaction needs. */
export interface Decoder {
  readonly decode: (raw: string) => Effect.Effect<SignedTransaction, RpcRefused>
}

const capacity = 10_000
const undecodable = (what: string) => refused(serverError, what)

let loaded: Promise<void> | undefined
const ignore = () => undefined

/**
 * Loads viem's curve, which viem does from disk, and so in real time, when it first recovers. After this no decoding
 * takes real time, so a test's clock does not move before it is done.
 */
export const loadCurve: Effect.Effect<void> = Effect.promise(() =>
  loaded ??= recoverAddress({ hash: `0x${"1".repeat(64)}`, signature: `0x${"1".repeat(128)}1b` }).then(ignore, ignore)
)

const toSigned = (raw: Hex): Effect.Effect<SignedTransaction, RpcRefused> =>
  Effect.gen(function*() {
    const parsed = yield* Effect.try({
      // viem types serialized transactions by their first byte; any other type is refused inside.
      try: () => parseTransaction(raw as TransactionSerialized),
      catch: () => undecodable("rlp: the transaction does not decode")
    })
    const { chainId, type } = parsed
    if (type !== "legacy" && type !== "eip2930" && type !== "eip1559") {
      return yield* Effect.fail(undecodable("transaction type not supported"))
    }
    if (chainId === undefined) {
      return yield* Effect.fail(undecodable("only replay-protected (EIP-155) transactions allowed over RPC"))
    }
    const from = yield* Effect.tryPromise({
      try: () => recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }),
      catch: () => undecodable("invalid sender: invalid transaction v, r, s values")
    })
    const price = parsed.gasPrice ?? 0n
    return {
      hash: keccak256(raw),
      raw,
      type,
      chainId,
      from: lower(from),
      to: typeof parsed.to === "string" ? lower(parsed.to) : null,
      nonce: BigInt(parsed.nonce ?? 0),
      gas: parsed.gas ?? 0n,
      maxFeePerGas: parsed.maxFeePerGas ?? price,
      // An absent tip is zero; only legacy transactions tip all they pay.
      maxPriorityFeePerGas: type === "eip1559" ? parsed.maxPriorityFeePerGas ?? 0n : price,
      value: parsed.value ?? 0n,
      data: parsed.data ?? "0x"
    }
  })

/** Lower-case, as all our addresses are. */
const lower = (address: Hex): Address => `0x${address.slice(2).toLowerCase()}`

export const makeDecoder = (): Decoder => {
  const known = new Map<string, SignedTransaction>()
  return {
    decode: (text) =>
      Effect.suspend(() => {
        const raw = text.toLowerCase()
        const found = known.get(raw)
        if (found !== undefined) return Effect.succeed(found)
        if (raw.length % 2 === 1 || !/^0x[0-9a-f]+$/.test(raw)) {
          return Effect.fail(undecodable("rlp: the transaction is no hex"))
        }
        return Effect.map(toSigned(`0x${raw.slice(2)}`), (transaction) => {
          known.set(raw, transaction)
          for (const [oldest] of known.size > capacity ? known : []) {
            known.delete(oldest)
            break
          }
          return transaction
        })
      })
  }
}

/** The fields of a transaction to sign. */
export interface Unsigned {
  readonly chainId: number
  readonly to: Address
  readonly nonce: bigint
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly value: bigint
  readonly data: Hex
}

export const sign = (privateKey: Hex, { nonce, ...unsigned }: Unsigned): Effect.Effect<Hex> =>
  Effect.promise(() =>
    signTransaction({ privateKey, transaction: { type: "eip1559", nonce: Number(nonce), ...unsigned } })
  )

export const addressOf = (privateKey: Hex): Address => lower(privateKeyToAddress(privateKey))

/** Returns the gas before the first instruction: 21,000, and each byte of data. */
export const intrinsicGas = ({ data, to }: Pick<SignedTransaction, "data" | "to">): bigint => {
  let zeros = 0
  for (let at = 2; at < data.length; at += 2) if (data[at] === "0" && data[at + 1] === "0") zeros++
  const bytes = (data.length - 2) / 2
  return 21_000n + BigInt(zeros * 4 + (bytes - zeros) * 16) + (to === null ? 32_000n : 0n)
}

/** Returns its maximum cost, in wei. */
export const costOf = ({ gas, maxFeePerGas, value }: SignedTransaction): bigint => gas * maxFeePerGas + value

/** Returns the tip per gas; negative when it cannot pay the base fee. */
export const tipAt = ({ maxFeePerGas, maxPriorityFeePerGas }: SignedTransaction, baseFee: bigint): bigint => {
  const room = maxFeePerGas - baseFee
  return room < maxPriorityFeePerGas ? room : maxPriorityFeePerGas
}
