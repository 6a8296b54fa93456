import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"
import { ApiKeyDigest } from "../../src/gas-wallet/ApiKeyDigest.ts"

const key = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
const digest = (text: string, pepper: string) =>
  Effect.flatMap(ApiKeyDigest, (digests) => digests.digest(Redacted.make(text))).pipe(
    Effect.provide(ApiKeyDigest.layer(Redacted.make(pepper)))
  )

describe("ApiKeyDigest", () => {
  it.effect("is the HMAC-SHA-256 of the key in lower case under the pepper", () =>
    Effect.gen(function*() {
      const expected = createHmac("sha256", "pepper").update(key).digest("hex")
      assert.strictEqual(yield* digest(key, "pepper"), expected)
      assert.strictEqual(yield* digest(key.toUpperCase(), "pepper"), expected)
      assert.notStrictEqual(yield* digest(key, "salt"), expected)
    }))
})
