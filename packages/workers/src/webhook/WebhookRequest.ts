/**
 * Sends one attempt: signed per Standard Webhooks, posted to the checked address without redirects. The response body
 * is not read.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import * as CheckedRequest from "./CheckedRequest.ts"
import { NotPermitted, type Target } from "./WebhookUrl.ts"

/** Timeout of a request, in milliseconds. */
const timeoutMillis = 10_000

/** Generates a signing secret: `whsec_` and the base64 of 32 random bytes. */
export const freshSecret = Effect.sync(() => Redacted.make(`whsec_${Crypto.randomBytes(32).toString("base64")}`))

/** Builds the headers of a message: its id, its timestamp (unix seconds), and the signature over both and the body. */
export const signedHeaders = (
  secret: Redacted.Redacted<string>,
  id: string,
  timestamp: number,
  body: string
): Readonly<Record<string, string>> => {
  const key = Buffer.from(Redacted.value(secret).replace(/^whsec_/, ""), "base64")
  const signature = Crypto.createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` }
}

/** Posts the body and returns the HTTP status. Fails with a readable message when there is no response. */
export const post = (
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string
): Effect.Effect<number, NotPermitted> =>
  CheckedRequest.send(target, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "user-agent": "vault-trader-webhooks/1" },
    body,
    maxBytes: 0,
    timeoutMillis
  }).pipe(
    Effect.map(({ status }) => status),
    Effect.mapError(({ message }) => new NotPermitted({ message }))
  )
