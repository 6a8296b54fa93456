/**
 * A fake push service (RFC 8030) with one browser, for tests. It checks the sender's signature (RFC 8292) and sizes as
 * the real ones do, and reads messages as the browser does (RFC 8291), by code of its own.
 */
import type { PushSubscription } from "@vault-trader/core/notification/PushSubscription"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as FakeServer from "./FakeServer.ts"

const curve = "prime256v1"

/** Bytes of a message that push services accept. */
const maxBytes = 4096

/** Seconds for which a signature may be valid. */
const maxValidSeconds = 86_400

const Claims = Schema.Struct({ aud: Schema.String, exp: Schema.Number, sub: Schema.String })
const Header = Schema.Struct({ typ: Schema.String, alg: Schema.String })

/** A message as its browser reads it. */
const Shown = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  body: Schema.String,
  link: Schema.NullOr(Schema.String),
  urgent: Schema.Boolean
})

const jsonOf = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString("utf8"))

/** Returns an uncompressed point as a public key. */
const publicKeyOf = (point: string) => {
  const bytes = Buffer.from(point, "base64url")
  const [x, y] = [bytes.subarray(1, 33).toString("base64url"), bytes.subarray(33).toString("base64url")]
  return Crypto.createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" })
}

/** Returns why a sender is not recognised; `undefined` when it is the one that subscribed. */
const strangerOf = (authorization: string, expected: { origin: string; key: string; now: number }) => {
  const { header, key, payload, signature } =
    /^vapid t=(?<header>[\w-]+)\.(?<payload>[\w-]+)\.(?<signature>[\w-]+), ?k=(?<key>[\w-]+)$/.exec(authorization)
      ?.groups ?? {}
  if (header === undefined || key === undefined || payload === undefined || signature === undefined) {
    return "no signature"
  }
  if (key !== expected.key) return "another key than that of the subscription"
  const signed = { key: publicKeyOf(key), dsaEncoding: "ieee-p1363" as const }
  if (!Crypto.verify("sha256", Buffer.from(`${header}.${payload}`), signed, Buffer.from(signature, "base64url"))) {
    return "a wrong signature"
  }
  const { alg } = Schema.decodeUnknownSync(Header)(jsonOf(header))
  const { aud, exp, sub } = Schema.decodeUnknownSync(Claims)(jsonOf(payload))
  const left = exp - expected.now / 1000
  return alg !== "ES256" || aud !== expected.origin || left <= 0 || left > maxValidSeconds ||
      !/^(mailto:|https:)/.test(sub)
    ? "claims that are not valid"
    : undefined
}

/** Decrypts a message by the browser's keys. */
export const decrypt = (bytes: Buffer, receiver: Crypto.ECDH, auth: Buffer): string => {
  const [salt, size] = [bytes.subarray(0, 16), bytes.readUInt8(20)]
  const [sender, record] = [bytes.subarray(21, 21 + size), bytes.subarray(21 + size)]
  const derive = (key: Buffer, by: Buffer, info: Buffer, length: number) =>
    Buffer.from(Crypto.hkdfSync("sha256", key, by, info, length))
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver.getPublicKey(), sender])
  const key = derive(receiver.computeSecret(sender), auth, info, 32)
  const nonce = derive(key, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const cipher = Crypto.createDecipheriv(
    "aes-128-gcm",
    derive(key, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16),
    nonce
  )
  cipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8")
}

/** Serves one browser's subscription until the scope ends. A message replaces the one with its topic. */
export const make = Effect.gen(function*() {
  const browser = Crypto.createECDH(curve)
  browser.generateKeys()
  const auth = Crypto.randomBytes(16)
  const shown = new Map<string, typeof Shown.Type>()
  const arrived: Array<FakeServer.Arrived> = []
  const next: Array<FakeServer.Answer> = []
  const clock = yield* Clock.Clock
  const base: string = yield* FakeServer.serve((request) => {
    arrived.push(request)
    const fault = next.shift()
    if (fault !== undefined) return fault
    const { bytes, headers, path } = request
    if (!/^\d+$/.test(headers["ttl"] ?? "")) return { status: 400, body: "a TTL is missing" }
    if (headers["content-encoding"] !== "aes128gcm") return { status: 400, body: "not encrypted" }
    if (bytes.length > maxBytes) return { status: 413 }
    const key = new URL(path, base).searchParams.get("key") ?? ""
    const now = clock.currentTimeMillisUnsafe()
    const stranger = strangerOf(headers["authorization"] ?? "", { origin: base, key, now })
    if (stranger !== undefined) return { status: 403, body: stranger }
    shown.set(
      headers["topic"] ?? String(arrived.length),
      Schema.decodeUnknownSync(Shown)(
        JSON.parse(decrypt(bytes, browser, auth))
      )
    )
    return { status: 201 }
  })
  const keys = { p256dh: browser.getPublicKey("base64url"), auth: auth.toString("base64url") }
  /** The browser's endpoint for a sender's public key. */
  const endpointOf = (publicKey: string) => `${base}/push/secret-of-the-browser?key=${publicKey}`
  return {
    ...{ arrived, keys, endpointOf },
    /** Subscribes with a new key pair, as a page does. */
    subscription: Effect.sync((): PushSubscription => {
      const { d = "", x = "", y = "" } = Crypto.generateKeyPairSync("ec", { namedCurve: curve }).privateKey.export({
        format: "jwk"
      })
      const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")])
      const vapid = { publicKey: point.toString("base64url"), privateKey: d }
      return { endpoint: endpointOf(vapid.publicKey), keys, vapid, contact: "mailto:operator@example.com" }
    }),
    shown: Effect.sync(() => [...shown.values()]),
    answerNext: (...answers: ReadonlyArray<FakeServer.Answer>) =>
      Effect.sync(() => {
        next.push(...answers)
      })
  }
})
