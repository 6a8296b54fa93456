/**
 * The default key provider: private keys as ciphertexts in the rows of wallets. A key is in clear as bytes, for the time
 * of its use, and is erased afterwards.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { KeyUnusable, type Message, type WalletKey } from "../key-provider/KeyProvider.ts"
import * as Envelope from "./Envelope.ts"
import type { Secp256k1, Signature } from "./Secp256k1.ts"

const purpose = "wallet-key"

const digits = Buffer.from("0123456789abcdef", "latin1")

/** Returns the value of an ASCII hex digit in either case; -1 for any other byte. */
const valueOf = (digit: number) => digits.indexOf(digit >= 0x41 && digit <= 0x46 ? digit + 0x20 : digit)

/** Reads a key of 64 ASCII hex digits without making a string of it. */
export const parse = (text: Uint8Array): Buffer | undefined => {
  if (text.length !== 64) return undefined
  const key = Buffer.alloc(32)
  for (let place = 0; place < 32; place++) {
    const [high, low] = [valueOf(text[2 * place]!), valueOf(text[2 * place + 1]!)]
    if (high < 0 || low < 0) {
      key.fill(0)
      return undefined
    }
    key[place] = 16 * high + low
  }
  return key
}

/** Writes a key as 64 ASCII hex digits, the form in which it is encrypted. */
const format = (key: Uint8Array): Buffer => {
  const text = Buffer.alloc(64)
  for (let place = 0; place < 32; place++) {
    text[2 * place] = digits[key[place]! >> 4]!
    text[2 * place + 1] = digits[key[place]! & 15]!
  }
  return text
}

/** Signs in order; the key is erased by the caller. */
const signAll = async (curve: Secp256k1, key: Uint8Array, messages: ReadonlyArray<Message>) => {
  const signatures: Array<Signature> = []
  for (const { digest } of messages) signatures.push(await curve.sign(digest, key))
  return signatures
}

export const make = (kek: Envelope.Kek, curve: Secp256k1) => ({
  /** Encrypts a wallet's key; the caller erases it. */
  seal: (wallet: Address, key: Uint8Array): Effect.Effect<string> =>
    Effect.suspend(() => {
      const text = format(key)
      return Effect.ensuring(
        Envelope.encryptBytes(kek, purpose, wallet, text),
        Effect.sync(() => text.fill(0))
      )
    }),
  /** Signs messages of a wallet, whose key is decrypted once for all of them. */
  sign: (
    { reference, wallet }: WalletKey,
    messages: ReadonlyArray<Message>
  ): Effect.Effect<ReadonlyArray<Signature>, KeyUnusable> =>
    Envelope.withDecrypted(kek, purpose, wallet, reference, (text) =>
      Effect.acquireUseRelease(
        Effect.sync(() => parse(text)),
        (key) =>
          key === undefined
            ? new KeyUnusable({ message: `The stored key of wallet ${wallet} is not a private key.` })
            : Effect.promise(() => signAll(curve, key, messages)),
        (key) => Effect.sync(() => key?.fill(0))
      )).pipe(
        Effect.catchTag("CannotDecrypt", ({ message }) => new KeyUnusable({ message }))
      )
})
