/** A new API key: the text, which is shown once, and what is stored of it. */
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** Generates an API key that no wallet has yet, and the row that is stored for it. */
export const generate = ({ digest }: ApiKeyDigest["Service"]) =>
  Effect.gen(function*() {
    const apiKey = Redacted.make(crypto.randomUUID())
    return { apiKey, row: { digest: yield* digest(apiKey), lastFour: Redacted.value(apiKey).slice(-4) } }
  })
