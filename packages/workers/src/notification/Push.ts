// The declaration belongs to this file wherever its source is compiled.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- an import cannot declare a module without types
/// <reference path="./http_ece.d.ts" />
/**
 * Push messages to browsers: encrypted for the browser (RFC 8291), so that the push service reads nothing, and signed by
 * the subscription's own key (RFC 8292). A repeat has the id of the first attempt, by which the console's service worker
 * replaces it.
 */
import type { PushSubscription } from "@vault-trader/core/notification/PushSubscription"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ece from "http_ece"
import * as Crypto from "node:crypto"
import * as CheckedRequest from "../webhook/CheckedRequest.ts"
import * as WebhookUrl from "../webhook/WebhookUrl.ts"
import * as Receiver from "./Receiver.ts"

/** Push services accept 4,096 bytes with the encryption; a character has at most three. */
const maxText = 1000

/** How long the push service keeps a message for a browser that is offline, in seconds. */
const keepSeconds = 86_400

/** For how long a signature is valid, in seconds; a day at most. */
const validSeconds = 43_200

/** Bytes of a response that are read. */
const maxBytes = 4096

const curve = "prime256v1"

/** Returns the key that signs for the push service. */
const signingKey = ({ privateKey, publicKey }: PushSubscription["vapid"]) => {
  const point = Buffer.from(publicKey, "base64url")
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")]
  return Crypto.createPrivateKey({ key: { kty: "EC", crv: "P-256", x, y, d: privateKey }, format: "jwk" })
}

/** Returns the public point of a private key; none for what is no private key of the curve. */
const pointOf = Option.liftThrowable((privateKey: string) => {
  const ecdh = Crypto.createECDH(curve)
  ecdh.setPrivateKey(Buffer.from(privateKey, "base64url"))
  return ecdh.getPublicKey("base64url")
})

/** Returns a public key in its short form; none for a point that is not on the curve. */
const compressed = Option.liftThrowable((point: string) =>
  Crypto.ECDH.convertKey(Buffer.from(point, "base64url"), curve, undefined, undefined, "compressed")
)

/** Returns why a subscription's keys cannot be used; `undefined` when they can. */
export const faultOf = ({ keys, vapid }: PushSubscription): string | undefined => {
  const point = pointOf(vapid.privateKey)
  if (Option.isNone(point)) return "vapid.privateKey is no private key of the curve P-256"
  if (point.value !== vapid.publicKey) return "vapid.privateKey is not the key of vapid.publicKey"
  return Option.isNone(compressed(keys.p256dh)) ? "keys.p256dh is no public key of the curve P-256" : undefined
}

/** Checks a subscription and returns the push service's host. */
export const hostOf = (subscription: PushSubscription, loopback: boolean) =>
  Effect.gen(function*() {
    const { url } = yield* Effect.mapError(
      WebhookUrl.resolve(subscription.endpoint, loopback),
      ({ message }) => new WebhookUrl.NotPermitted({ message: `its endpoint cannot be used: ${message}` })
    )
    const fault = faultOf(subscription)
    if (fault !== undefined) return yield* new WebhookUrl.NotPermitted({ message: fault })
    return url.host
  })

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Returns the header by which the push service recognises the sender. */
const authorizationOf = ({ contact, vapid }: PushSubscription, origin: string, now: number): string => {
  const claims = { aud: origin, exp: Math.floor(now / 1000) + validSeconds, sub: contact }
  const content = `${json({ typ: "JWT", alg: "ES256" })}.${json(claims)}`
  const key = { key: signingKey(vapid), dsaEncoding: "ieee-p1363" as const }
  const signature = Crypto.sign("sha256", Buffer.from(content), key).toString("base64url")
  return `vapid t=${content}.${signature}, k=${vapid.publicKey}`
}

/** Encrypts a content for the browser alone. */
const encrypted = ({ keys }: PushSubscription, content: unknown): Buffer => {
  const privateKey = Crypto.createECDH(curve)
  privateKey.generateKeys()
  return Ece.encrypt(Buffer.from(JSON.stringify(content)), {
    version: "aes128gcm",
    privateKey,
    dh: keys.p256dh,
    authSecret: keys.auth
  })
}

/** Reads a response. An ended subscription never comes back: the browser has to make a new one. */
const outcomeOf = (response: CheckedRequest.Response): Receiver.Outcome =>
  response.status === 404 || response.status === 410
    ? { _tag: "rejected", error: `HTTP ${response.status}: the browser no longer takes messages; add it again` }
    : Receiver.byStatus(response)

export const send: Receiver.Send = ({ loopback, secrets }, message) =>
  Receiver.outcome(Effect.gen(function*() {
    if (secrets.subscription === undefined) {
      return { _tag: "rejected", error: "the channel has no subscription" } as const
    }
    const subscription = Redacted.value(secrets.subscription)
    const target = yield* WebhookUrl.resolve(subscription.endpoint, loopback)
    const { id, link, title, urgent } = message
    const body = Receiver.textOf({ ...message, title: "", link: null, repeats: false }, maxText)
    const response = yield* CheckedRequest.send(target, {
      method: "POST",
      headers: {
        authorization: authorizationOf(subscription, target.url.origin, yield* Clock.currentTimeMillis),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        topic: id.replaceAll("-", ""),
        ttl: String(keepSeconds),
        urgency: urgent ? "high" : "normal",
        "user-agent": "vault-trader-notifications/1"
      },
      body: encrypted(subscription, { id, title, body, link, urgent }),
      maxBytes,
      timeoutMillis: yield* Receiver.RequestTimeout
    })
    return outcomeOf(response)
  }))
