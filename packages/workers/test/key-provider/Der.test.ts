import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Crypto from "node:crypto"
import * as SigningKey from "@vault-trader/devnet/key-provider/SigningKey"
import * as Der from "../../src/key-provider/Der.ts"
import { holds } from "../Property.ts"

const words = FastCheck.bigInt({ min: 1n, max: 2n ** 256n - 1n })

describe("a signature in DER", () => {
  it.effect("is read back, whatever its numbers", () =>
    holds([words, words], (r, s) =>
      Effect.sync(() => {
        const read = Der.readSignature(SigningKey.derOf({ r, s, yParity: 0 }))!
        const hex = (word: Uint8Array) => Buffer.from(word).toString("hex")
        assert.deepStrictEqual([hex(read.r), hex(read.s)], [SigningKey.word(r), SigningKey.word(s)])
      })))

  it("is read as OpenSSL writes it", () => {
    const { privateKey } = Crypto.generateKeyPairSync("ec", { namedCurve: "secp256k1" })
    for (let round = 0; round < 20; round++) {
      const options = { key: privateKey, dsaEncoding: "ieee-p1363" } as const
      const compact = Crypto.sign("sha256", Buffer.from([round]), options)
      const der = SigningKey.derOf({
        r: BigInt(`0x${compact.subarray(0, 32).toString("hex")}`),
        s: BigInt(`0x${compact.subarray(32).toString("hex")}`),
        yParity: 0
      })
      assert.isTrue(Crypto.verify("sha256", Buffer.from([round]), privateKey, der))
      const read = Der.readSignature(Crypto.sign("sha256", Buffer.from([round]), privateKey))
      assert.strictEqual(read?.r.length, 32)
      assert.strictEqual(read?.s.length, 32)
    }
  })

  it.effect("is refused when it is cut, extended or changed in its structure", () =>
    holds([words, words, FastCheck.nat(80)], (r, s, at) =>
      Effect.sync(() => {
        const der = SigningKey.derOf({ r, s, yParity: 0 })
        assert.isUndefined(Der.readSignature(der.subarray(0, at % der.length)))
        assert.isUndefined(Der.readSignature(Buffer.concat([der, Buffer.from([0])])))
        for (const place of [0, 1, 2, 3]) {
          const changed = Buffer.from(der)
          changed[place]! ^= 0x40
          assert.isUndefined(Der.readSignature(changed))
        }
      })))

  it("is refused with negative numbers, longer numbers, and numbers with needless zeros", () => {
    for (
      const hex of [
        "3006020180020101",
        "3007020200010201" + "01",
        "30260221" + "01" + "00".repeat(32) + "020101",
        "30060201010200",
        "30080201010201010201",
        "3080020101020101",
        ""
      ]
    ) assert.isUndefined(Der.readSignature(Buffer.from(hex, "hex")), hex)
    const { r, s } = Der.readSignature(Buffer.from("3006020101020102", "hex"))!
    assert.deepStrictEqual([r[31], s[31]], [1, 2])
  })
})

describe("a public key", () => {
  it("is read from DER and PEM", () => {
    const key = SigningKey.make()
    assert.deepStrictEqual(Der.readPublicKey(SigningKey.spkiOf(key)), Buffer.from(key.publicKey))
    assert.deepStrictEqual(Der.readPublicKey(SigningKey.pemOf(key)), Buffer.from(key.publicKey))
  })

  it("is refused on another curve, of another kind, and as anything else", () => {
    const curve = Crypto.generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey
    const rsa = Crypto.generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey
    for (const key of [curve, rsa]) {
      assert.isUndefined(Der.readPublicKey(key.export({ type: "spki", format: "der" })))
      assert.isUndefined(Der.readPublicKey(String(key.export({ type: "spki", format: "pem" }))))
    }
    const off = SigningKey.spkiOf(SigningKey.make())
    off[off.length - 1]! ^= 1
    assert.isUndefined(Der.readPublicKey(off))
    assert.isUndefined(Der.readPublicKey("a key"))
  })
})
