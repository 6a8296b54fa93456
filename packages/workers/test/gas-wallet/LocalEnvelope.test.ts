/** Keys in the rows of wallets: as bytes in clear, as hex digits in the envelope. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as FastCheck from "fast-check"
import * as Envelope from "../../src/gas-wallet/Envelope.ts"
import * as LocalEnvelope from "../../src/gas-wallet/LocalEnvelope.ts"
import * as Secp256k1 from "../../src/gas-wallet/Secp256k1.ts"
import { holds } from "../Property.ts"

const kek = { version: 1, key: Redacted.make("a1".repeat(32)) }
const wallet = "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"

/** The ciphertext of the private key 1 in a database of the versions that encrypted a string. */
const oldCiphertext = "v1.1.uuKJCKNOoE01EUfnu1GHTl6k7K6YXSqW859K7992ckq8zrEmPxSS9q1EBaIAEIkeMBZi0ycoN7efJa8r." +
  "RZGclBX89XsMTcu2c/Ugk5tQAOl7mCabcw4cGY1X03xaai1cj6ZIsKW/LBgvPIjTtwz/w5G2oFPgoXNvQjd7jEXSxiSdyAKKt4PvwS82a3Rk7cTUSZyUliP8kjo="

const message = { bytes: Buffer.from("any"), digest: Buffer.alloc(32, 7) }
const provider = Effect.map(
  Effect.promise(() => Secp256k1.make()),
  (curve) => ({ curve, ...LocalEnvelope.make(kek, curve) })
)

describe("a key in an envelope", () => {
  it.effect("of an old database still signs", () =>
    Effect.gen(function*() {
      const { curve, sign } = yield* provider
      const [signature] = yield* sign({ wallet, reference: oldCiphertext }, [message])
      const key = Buffer.from(`${"0".repeat(63)}1`, "hex")
      assert.strictEqual(curve.addressOf(key), wallet)
      assert.deepStrictEqual(signature, yield* Effect.promise(() => curve.sign(message.digest, key)))
    }))

  it.effect("is read by the older versions, too, which expect hex digits", () =>
    Effect.gen(function*() {
      const { seal } = yield* provider
      const reference = yield* seal(wallet, Buffer.from("0f".repeat(32), "hex"))
      const text = yield* Envelope.decrypt(kek, "wallet-key", wallet, reference)
      assert.strictEqual(Redacted.value(text), "0f".repeat(32))
    }))

  it.effect("signs as the key itself, for any key", () =>
    holds([FastCheck.uint8Array({ minLength: 32, maxLength: 32 })], (bytes) =>
      Effect.gen(function*() {
        const { curve, seal, sign } = yield* provider
        const address = curve.addressOf(bytes)
        if (address === undefined) return
        const [signature] = yield* sign({ wallet: address, reference: yield* seal(address, bytes) }, [message])
        assert.deepStrictEqual(signature, yield* Effect.promise(() => curve.sign(message.digest, bytes)))
      }), { numRuns: 50 }))

  it.effect("signs nothing for another wallet, and nothing where the secret is not a key", () =>
    Effect.gen(function*() {
      const { seal, sign } = yield* provider
      const reference = yield* seal(wallet, Buffer.alloc(32, 1))
      const moved = yield* Effect.flip(sign({ wallet: `0x${"ab".repeat(20)}`, reference }, [message]))
      assert.match(moved.message, /^The wallet-key of 0x(ab){20} cannot be decrypted/)
      const noKey = yield* Envelope.encrypt(kek, "wallet-key", wallet, Redacted.make("x".repeat(64)))
      const failure = yield* Effect.flip(sign({ wallet, reference: noKey }, [message]))
      assert.strictEqual(failure.message, `The stored key of wallet ${wallet} is not a private key.`)
    }))

  it("is 64 hex digits in either case, and nothing else", () => {
    assert.deepStrictEqual(LocalEnvelope.parse(Buffer.from("aB".repeat(32))), Buffer.alloc(32, 0xab))
    for (const text of ["", "ab".repeat(31), "ab".repeat(33), `0x${"ab".repeat(31)}`, "g".repeat(64), "@".repeat(64)]) {
      assert.isUndefined(LocalEnvelope.parse(Buffer.from(text)))
    }
  })
})
