/**
 * Sends one attempt: signed per Standard Webhooks, posted to the checked address without redirects. The response body
 * is not read.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import * as Http from "node:http"
import * as Https from "node:https"
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
  { address, family, url }: Target,
  headers: Readonly<Record<string, string>>,
  body: string
): Effect.Effect<number, NotPermitted> =>
  Effect.callback<number, NotPermitted>((resume) => {
    const fail = (message: string) => resume(Effect.fail(new NotPermitted({ message })))
    const request = (url.protocol === "https:" ? Https : Http).request(url, {
      method: "POST",
      // Opens a new connection to the checked address. The certificate must still match the host name.
      agent: false,
      lookup: (_, options, done) =>
        options.all === true ? done(null, [{ address, family }]) : done(null, address, family),
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "vault-trader-webhooks/1"
      }
    }, (response) => {
      resume(Effect.succeed(response.statusCode ?? 0))
      request.destroy()
    })
    const timer = setTimeout(() => {
      fail("no response within 10 seconds")
      request.destroy()
    }, timeoutMillis)
    request.on("error", (error: NodeJS.ErrnoException) => fail(`the connection failed (${error.code ?? "unknown"})`))
    request.on("close", () => clearTimeout(timer))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })
