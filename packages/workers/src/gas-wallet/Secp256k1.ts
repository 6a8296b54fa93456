/**
 * Fast secp256k1 and keccak-256: libsecp256k1 where its prebuilt addon loads, else noble's curve through viem; keccak
 * from WebAssembly. The time per signature limits how many transactions a wallet can send.
 */
import * as Result from "effect/Result"
import { createKeccak, type IHasher } from "hash-wasm"
import { createRequire } from "node:module"
import {
  parseTransaction,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializedEIP1559
} from "viem"
import { sign as nobleSign } from "viem/accounts"

/** The functions of libsecp256k1 used here. Compact signatures: 32 bytes r, 32 bytes s, low s. */
interface Native {
  readonly ecdsaSign: (
    digest: Uint8Array,
    key: Uint8Array
  ) => { readonly signature: Uint8Array; readonly recid: number }
  readonly ecdsaRecover: (signature: Uint8Array, recid: number, digest: Uint8Array, compressed: boolean) => Uint8Array
}

type Hex = `0x${string}`

export interface Secp256k1 {
  readonly signTransaction: (
    transaction: TransactionSerializableEIP1559,
    key: Uint8Array
  ) => Promise<TransactionSerializedEIP1559>
  /** Returns the decoded transaction and the address of the key that signed it, in lower case. */
  readonly read: (
    raw: TransactionSerializedEIP1559
  ) => Promise<{ readonly transaction: ReturnType<typeof parsed>; readonly sender: Hex }>
  /** Returns the transaction hash of signed bytes. */
  readonly hash: (raw: Hex) => Hex
}

const bytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), "hex")
const hexOf = (data: Uint8Array): Hex =>
  `0x${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex")}`
const parsed = (raw: TransactionSerializedEIP1559) => parseTransaction(raw)

/** The addon; `undefined` on a platform without a prebuilt one. */
const native = Result.getOrUndefined(
  Result.try(() => createRequire(import.meta.url)("secp256k1/bindings.js") as Native)
)

export const over = (keccak: IHasher, addon: Native | undefined): Secp256k1 => {
  const digest = (data: Uint8Array): Uint8Array => keccak.init().update(data).digest("binary")

  const sign = async (
    hash: Uint8Array,
    key: Uint8Array
  ): Promise<{ readonly r: Hex; readonly s: Hex; readonly yParity: number }> => {
    if (addon === undefined) {
      const { r, s, yParity } = await nobleSign({ hash: hexOf(hash), privateKey: hexOf(key) })
      return { r, s, yParity: yParity ?? 0 }
    }
    const { recid, signature } = addon.ecdsaSign(hash, key)
    return { r: hexOf(signature.subarray(0, 32)), s: hexOf(signature.subarray(32)), yParity: recid }
  }

  const recover = async (hash: Uint8Array, r: Hex, s: Hex, yParity: number): Promise<Hex> => {
    if (addon === undefined) {
      return (await recoverAddress({ hash: hexOf(hash), signature: { r, s, yParity } })).toLowerCase() as Hex
    }
    const compact = Buffer.concat(
      [bytes(r), bytes(s)].map((half) => Buffer.concat([Buffer.alloc(32 - half.length), half]))
    )
    return hexOf(digest(addon.ecdsaRecover(compact, yParity, hash, false).subarray(1)).subarray(-20))
  }

  return {
    signTransaction: async (transaction, key) =>
      serializeTransaction(transaction, await sign(digest(bytes(serializeTransaction(transaction))), key)),
    read: async (raw) => {
      const { r, s, yParity, ...transaction } = parsed(raw)
      if (r === undefined || s === undefined || yParity === undefined) throw new Error("bytes without a signature")
      const sender = await recover(
        digest(bytes(serializeTransaction({ ...transaction, type: "eip1559" }))),
        r,
        s,
        yParity
      )
      return { transaction, sender }
    },
    hash: (raw) => hexOf(digest(bytes(raw)))
  }
}

export const make = async (): Promise<Secp256k1> => over(await createKeccak(256), native)
