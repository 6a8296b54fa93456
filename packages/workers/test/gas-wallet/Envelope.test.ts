import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as FastCheck from "fast-check"
import { format, inspect } from "node:util"
import * as Envelope from "../../src/gas-wallet/Envelope.ts"
import { holds } from "../Property.ts"

const kek = { version: 1, key: Redacted.make("a1".repeat(32)) }
const secret = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
const sealed = Envelope.encrypt(kek, "wallet-key", "0xabc", Redacted.make(secret))

/** Decrypts with only this changed. */
const refused = (changed: {
  readonly kek?: Envelope.Kek
  readonly purpose?: string
  readonly record?: string
  readonly ciphertext?: (text: string) => string
}) =>
  Effect.gen(function*() {
    const text = yield* sealed
    const ciphertext = changed.ciphertext?.(text) ?? text
    const failure = yield* Effect.flip(
      Envelope.decrypt(changed.kek ?? kek, changed.purpose ?? "wallet-key", changed.record ?? "0xabc", ciphertext)
    )
    assert.instanceOf(failure, Envelope.CannotDecrypt)
    for (const shown of [failure.message, String(failure), JSON.stringify(failure), inspect(failure, { depth: 9 })]) {
      assert.notInclude(shown, secret)
      assert.notInclude(shown, Redacted.value(kek.key))
    }
    return failure
  })

/** Returns the ciphertext with `change` applied to one of its two base64 parts. */
const part = (index: 2 | 3, change: (bytes: Buffer) => Buffer) => (text: string) =>
  text.split(".").map((piece, at) => at === index ? change(Buffer.from(piece, "base64")).toString("base64") : piece)
    .join(".")

const flipped = (position: number) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  copy[position % copy.length]! ^= 1 << (position % 8)
  return copy
}

describe("an envelope", () => {
  it.effect("decrypts to the secret that was encrypted, for any purpose and record", () =>
    holds(
      [FastCheck.string({ unit: "binary" }), FastCheck.string(), FastCheck.string(), FastCheck.nat()],
      (plain, purpose, record, version) =>
        Effect.gen(function*() {
          const own = { ...kek, version }
          const ciphertext = yield* Envelope.encrypt(own, purpose, record, Redacted.make(plain))
          assert.strictEqual(Redacted.value(yield* Envelope.decrypt(own, purpose, record, ciphertext)), plain)
          assert.match(ciphertext, new RegExp(`^v1\\.${version}\\.[A-Za-z0-9+/]+=*\\.[A-Za-z0-9+/]+=*$`))
        })
    ))

  it.effect("does not contain the secret, in clear or in base64", () =>
    Effect.gen(function*() {
      const ciphertext = yield* sealed
      const bytes = ciphertext.split(".").slice(2).map((piece) => Buffer.from(piece, "base64"))
      assert.notInclude(ciphertext, secret)
      for (const piece of bytes) {
        assert.isFalse(piece.includes(secret))
        assert.isFalse(piece.includes(Buffer.from(secret, "hex")))
        assert.isFalse(piece.includes(Buffer.from(Redacted.value(kek.key), "hex")))
      }
    }))

  it.effect("is different each time, in both of its parts", () =>
    Effect.gen(function*() {
      const [first, second] = [(yield* sealed).split("."), (yield* sealed).split(".")]
      assert.notStrictEqual(first[2], second[2])
      assert.notStrictEqual(first[3], second[3])
    }))

  it.effect("opens for no other purpose", () => refused({ purpose: "exchange-key" }))
  it.effect("opens for no other record", () => refused({ record: "0xabd" }))
  it.effect("opens with no other key-encryption key", () =>
    refused({ kek: { version: 1, key: Redacted.make("a2".repeat(32)) } }))
  it.effect("opens with no other version of the key-encryption key", () => refused({ kek: { ...kek, version: 2 } }))
  it.effect("cannot be relabelled to another version", () =>
    refused({ kek: { ...kek, version: 2 }, ciphertext: (text) => text.replace("v1.1.", "v1.2.") }))
  it.effect("cannot be moved over the border between purpose and record", () =>
    refused({ purpose: "wallet", record: "key|0xabc" }))

  it.effect("cannot be combined from two envelopes of the same record", () =>
    Effect.gen(function*() {
      const other = yield* sealed
      yield* refused({ ciphertext: (text) => [...text.split(".").slice(0, 3), other.split(".")[3]].join(".") })
    }))

  it.effect("does not open with one bit flipped anywhere in either part", () =>
    holds(
      [FastCheck.constantFrom(2 as const, 3 as const), FastCheck.nat(4096)],
      (index, position) => refused({ ciphertext: part(index, flipped(position)) })
    ))

  it.effect("does not open when either part is truncated, however little", () =>
    holds(
      [FastCheck.constantFrom(2 as const, 3 as const), FastCheck.nat(200)],
      (index, length) => refused({ ciphertext: part(index, (bytes) => bytes.subarray(0, length % bytes.length)) })
    ))

  it.effect("does not open a text that is not an envelope", () =>
    holds([FastCheck.string()], (text) => refused({ ciphertext: () => text })))

  it.effect("names in its failure what could not be decrypted, for the operator", () =>
    Effect.gen(function*() {
      const failure = yield* refused({ kek: { ...kek, version: 7 } })
      assert.strictEqual(failure.message, "The wallet-key of 0xabc cannot be decrypted with key-encryption key v1.")
    }))

  it.effect("opens with the KEK that wrapped it while another one wraps new secrets", () =>
    Effect.gen(function*() {
      const newer: Envelope.Kek = {
        version: 2,
        key: Redacted.make("b2".repeat(32)),
        other: (version) => version === 1 ? kek.key : undefined
      }
      assert.strictEqual(Redacted.value(yield* Envelope.decrypt(newer, "wallet-key", "0xabc", yield* sealed)), secret)
      const wrapped = yield* Envelope.encrypt(newer, "wallet-key", "0xabc", Redacted.make(secret))
      assert.strictEqual(Envelope.versionOf(wrapped), 2)
      // The version is authenticated: the same bytes with another number do not decrypt.
      yield* refused({ kek: newer, ciphertext: (text) => text.replace("v1.1.", "v1.2.") })
    }))

  it.effect("decrypts to bytes, which are erased after their use", () =>
    Effect.gen(function*() {
      let held: Uint8Array = new Uint8Array()
      const length = yield* Envelope.withDecrypted(kek, "wallet-key", "0xabc", yield* sealed, (bytes) =>
        Effect.sync(() => {
          held = bytes
          return bytes.toString("latin1") === secret ? bytes.length : 0
        }))
      assert.strictEqual(length, 64)
      assert.deepStrictEqual(
        [...held],
        Array.from({ length: 64 }, () =>
          0)
      )
    }))

  it.effect("is encrypted again for the newest KEK only, with the same secret", () =>
    Effect.gen(function*() {
      const newer: Envelope.Kek = {
        version: 2,
        key: Redacted.make("b2".repeat(32)),
        other: (version) => version === 1 ? kek.key : undefined
      }
      const fresh = yield* Envelope.rewrap(newer, "wallet-key", "0xabc", yield* sealed)
      assert.strictEqual(Envelope.versionOf(fresh), 2)
      const { key, version } = newer
      assert.strictEqual(
        Redacted.value(yield* Envelope.decrypt({ key, version }, "wallet-key", "0xabc", fresh)),
        secret
      )
      yield* refused({ ciphertext: () => fresh })
    }))

  it.effect("returns the secret redacted", () =>
    Effect.gen(function*() {
      const opened = yield* Envelope.decrypt(kek, "wallet-key", "0xabc", yield* sealed)
      for (
        const shown of [format("%s %o", opened, opened), JSON.stringify(opened), inspect(opened, { depth: 9 })]
      ) assert.notInclude(shown, secret)
    }))
})
