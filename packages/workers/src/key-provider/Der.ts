/** The encodings of signatures and public keys in ASN.1's DER, as key management services return them. */
import * as Result from "effect/Result"
import * as Crypto from "node:crypto"
import type { Signature } from "./KeyProvider.ts"

const sequenceTag = 0x30
const integerTag = 0x02

/** Reads an element of fewer than 128 bytes at an offset; `undefined` where there is none. */
const element = (der: Uint8Array, offset: number, tag: number) => {
  const length = der[offset + 1]
  if (der[offset] !== tag || length === undefined || length >= 0x80) return undefined
  const end = offset + 2 + length
  return end > der.length ? undefined : { content: der.subarray(offset + 2, end), end }
}

/** Returns a positive integer as 32 bytes; `undefined` where it is negative, longer, or not in its shortest form. */
const word = (integer: Uint8Array): Uint8Array | undefined => {
  const [first, second] = integer
  if (first === undefined || first >= 0x80) return undefined
  if (first === 0 && (second === undefined || second < 0x80)) return undefined
  const digits = first === 0 ? integer.subarray(1) : integer
  if (digits.length > 32) return undefined
  const padded = new Uint8Array(32)
  padded.set(digits, 32 - digits.length)
  return padded
}

/** Reads an ECDSA signature: a sequence of r and s and nothing else. */
export const readSignature = (der: Uint8Array): Signature | undefined => {
  const sequence = element(der, 0, sequenceTag)
  if (sequence === undefined || sequence.end !== der.length) return undefined
  const first = element(sequence.content, 0, integerTag)
  const second = first === undefined ? undefined : element(sequence.content, first.end, integerTag)
  if (first === undefined || second === undefined || second.end !== sequence.content.length) return undefined
  const [r, s] = [word(first.content), word(second.content)]
  return r === undefined || s === undefined ? undefined : { r, s }
}

/** Reads a secp256k1 public key (SPKI, as DER or PEM) to 64 bytes, x and y; `undefined` for anything else. */
export const readPublicKey = (key: Buffer | string): Uint8Array | undefined => {
  const jwk = Result.getOrUndefined(
    Result.try(() =>
      (typeof key === "string"
        ? Crypto.createPublicKey(key)
        : Crypto.createPublicKey({ key, format: "der", type: "spki" }))
        .export({ format: "jwk" })
    )
  )
  if (jwk?.crv !== "secp256k1" || jwk.x === undefined || jwk.y === undefined) return undefined
  return Buffer.concat([Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.y, "base64url")])
}
