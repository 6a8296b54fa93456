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
import { privateKeyToAddress, sign as nobleSign } from "viem/accounts"

/** The functions of libsecp256k1 used here. Compact signatures: 32 bytes r, 32 bytes s, low s. */
interface Native {
  readonly ecdsaSign: (
    digest: Uint8Array,
    key: Uint8Array
  ) => { readonly signature: Uint8Array; readonly recid: number }
  readonly ecdsaRecover: (signature: Uint8Array, recid: number, digest: Uint8Array, compressed: boolean) => Uint8Array
  readonly publicKeyCreate: (key: Uint8Array, compressed: boolean) => Uint8Array
}

type Hex = `0x${string}`

/** A signature as a transaction contains it. */
export interface Signature {
  readonly r: Hex
  readonly s: Hex
  readonly yParity: number
}

/** The bytes of a transaction without a signature, and the digest that is signed. */
export interface Unsigned {
  readonly bytes: Uint8Array
  readonly digest: Uint8Array
}

export interface Secp256k1 {
  readonly unsigned: (transaction: TransactionSerializableEIP1559) => Unsigned
  readonly sign: (digest: Uint8Array, key: Uint8Array) => Promise<Signature>
  /**
   * Completes the signature of a signer elsewhere: halves s where it is in the upper half of the order, and finds the
   * recovery id that leads to the address. `undefined` where none does: another key has signed, or another digest.
   */
  readonly complete: (
    digest: Uint8Array,
    r: Uint8Array,
    s: Uint8Array,
    address: Hex
  ) => Promise<Signature | undefined>
  /** Returns the signed bytes of a transaction. */
  readonly assemble: (transaction: TransactionSerializableEIP1559, signature: Signature) => TransactionSerializedEIP1559
  /** Returns the decoded transaction and the address of the key that signed it, in lower case. */
  readonly read: (
    raw: TransactionSerializedEIP1559
  ) => Promise<{ readonly transaction: ReturnType<typeof parsed>; readonly sender: Hex }>
  /** Returns the transaction hash of signed bytes. */
  readonly hash: (raw: Hex) => Hex
  /** Returns the address of a private key, in lower case; `undefined` where the bytes are not a key. */
  readonly addressOf: (key: Uint8Array) => Hex | undefined
}

/** Order of the curve's group. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const bytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), "hex")
const hexOf = (data: Uint8Array): Hex =>
  `0x${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex")}`
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`
const parsed = (raw: TransactionSerializedEIP1559) => parseTransaction(raw)

/** The addon; `undefined` on a platform without a prebuilt one. */
const native = Result.getOrUndefined(
  Result.try(() => createRequire(import.meta.url)("secp256k1/bindings.js") as Native)
)

export const over = (keccak: IHasher, addon: Native | undefined): Secp256k1 => {
  const digest = (data: Uint8Array): Uint8Array => keccak.init().update(data).digest("binary")

  const sign: Secp256k1["sign"] = async (hash, key) => {
    if (addon === undefined) {
      const { r, s, yParity } = await nobleSign({ hash: hexOf(hash), privateKey: hexOf(key) })
      return { r, s, yParity: yParity ?? 0 }
    }
    const { recid, signature } = addon.ecdsaSign(hash, key)
    return { r: hexOf(signature.subarray(0, 32)), s: hexOf(signature.subarray(32)), yParity: recid }
  }

  const recover = async (hash: Uint8Array, { r, s, yParity }: Signature): Promise<Hex> => {
    if (addon === undefined) {
      return (await recoverAddress({ hash: hexOf(hash), signature: { r, s, yParity } })).toLowerCase() as Hex
    }
    const compact = Buffer.concat(
      [bytes(r), bytes(s)].map((half) => Buffer.concat([Buffer.alloc(32 - half.length), half]))
    )
    return hexOf(digest(addon.ecdsaRecover(compact, yParity, hash, false).subarray(1)).subarray(-20))
  }

  const complete: Secp256k1["complete"] = async (hash, r, s, address) => {
    const [whole, half] = [BigInt(hexOf(r)), BigInt(hexOf(s))]
    if (whole <= 0n || whole >= order || half <= 0n || half >= order) return undefined
    const low = half > order / 2n ? order - half : half
    for (const yParity of [0, 1]) {
      const candidate = { r: word(whole), s: word(low), yParity }
      // Not every r belongs to a point of the curve.
      const sender = await recover(hash, candidate).catch(() => undefined)
      if (sender === address) return candidate
    }
    return undefined
  }

  const addressOf: Secp256k1["addressOf"] = (key) => {
    if (key.length !== 32) return undefined
    return Result.getOrUndefined(Result.try(() =>
      addon === undefined
        ? privateKeyToAddress(hexOf(key)).toLowerCase() as Hex
        : hexOf(digest(addon.publicKeyCreate(key, false).subarray(1)).subarray(-20))
    ))
  }

  const unsigned: Secp256k1["unsigned"] = (transaction) => {
    const serialized = bytes(serializeTransaction(transaction))
    return { bytes: serialized, digest: digest(serialized) }
  }

  return {
    unsigned,
    sign,
    complete,
    assemble: (transaction, signature) => serializeTransaction(transaction, signature),
    read: async (raw) => {
      const { r, s, yParity, ...transaction } = parsed(raw)
      if (r === undefined || s === undefined || yParity === undefined) throw new Error("bytes without a signature")
      const { digest: signedDigest } = unsigned({ ...transaction, type: "eip1559" })
      return { transaction, sender: await recover(signedDigest, { r, s, yParity }) }
    },
    hash: (raw) => hexOf(digest(bytes(raw))),
    addressOf
  }
}

export const make = async (): Promise<Secp256k1> => over(await createKeccak(256), native)
