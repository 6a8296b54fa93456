/** API keys are stored as HMAC-SHA-256 under a pepper that is not in the database. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

export class ApiKeyDigest extends Context.Service<ApiKeyDigest, {
  /** 64 hex characters; the same key always gives the same digest. */
  readonly digest: (apiKey: Redacted.Redacted<string>) => Effect.Effect<string>
}>()("vault-trader/core/gas-wallet/ApiKeyDigest") {
  static readonly layer = (pepper: Redacted.Redacted<string>): Layer.Layer<ApiKeyDigest> =>
    Layer.effect(
      ApiKeyDigest,
      Effect.gen(function*() {
        const encoder = new TextEncoder()
        const key = yield* Effect.promise(() =>
          crypto.subtle.importKey(
            "raw",
            encoder.encode(Redacted.value(pepper)),
            { name: "HMAC", hash: "SHA-256" },
            false,
            ["sign"]
          )
        )
        return {
          digest: (apiKey) =>
            Effect.map(
              Effect.promise(() =>
                crypto.subtle.sign("HMAC", key, encoder.encode(Redacted.value(apiKey).toLowerCase()))
              ),
              (mac) => Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, "0")).join("")
            )
        }
      })
    )
}
