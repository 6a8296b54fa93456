/** A secp256k1 key of a fake key provider, with the encodings in which real providers answer. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { bytesToHex, hexToBytes } from "viem"
import { generatePrivateKey, privateKeyToAccount, sign } from "viem/accounts"

/** A signature as two numbers. */
export interface RawSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: number
}

export interface SigningKey {
  readonly address: Address
  readonly privateKey: Hex
  /** 64 bytes, x and y. */
  readonly publicKey: Uint8Array
  /** Signs a digest; s is low. */
  readonly sign: (digest: Uint8Array) => Promise<RawSignature>
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export const make = (): SigningKey => {
  const privateKey = generatePrivateKey()
  const { address, publicKey } = privateKeyToAccount(privateKey)
  return {
    address: address.toLowerCase() as Address,
    privateKey,
    publicKey: hexToBytes(publicKey).subarray(1),
    sign: async (digest) => {
      const { r, s, yParity = 0 } = await sign({ hash: bytesToHex(digest), privateKey })
      return { r: BigInt(r), s: BigInt(s), yParity }
    }
  }
}

/** Returns the same signature with its s in the upper half of the order, which verifies as well. */
export const withHighS = (signature: RawSignature): RawSignature => ({
  r: signature.r,
  s: order - signature.s,
  yParity: 1 - signature.yParity
})

export const word = (value: bigint): string => value.toString(16).padStart(64, "0")

const integer = (value: bigint): Buffer => {
  const hex = value.toString(16)
  const digits = Buffer.from(hex.padStart(hex.length + hex.length % 2, "0"), "hex")
  const content = digits[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits
  return Buffer.concat([Buffer.from([0x02, content.length]), content])
}

/** Encodes a signature as ASN.1's DER. */
export const derOf = ({ r, s }: RawSignature): Buffer => {
  const content = Buffer.concat([integer(r), integer(s)])
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}

/** The part of a public key's DER before its point: an elliptic curve key on secp256k1, uncompressed. */
const spkiPrefix = Buffer.from("3056301006072a8648ce3d020106052b8104000a03420004", "hex")

export const spkiOf = ({ publicKey }: SigningKey): Buffer => Buffer.concat([spkiPrefix, publicKey])

export const pemOf = (key: SigningKey): string => {
  const lines = spkiOf(key).toString("base64").match(/.{1,64}/g) ?? []
  return ["-----BEGIN PUBLIC KEY-----", ...lines, "-----END PUBLIC KEY-----", ""].join("\n")
}
