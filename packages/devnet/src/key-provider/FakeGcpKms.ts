/**
 * A fake of Google Cloud KMS, of Google's token service and of the metadata server for tests, with keys that are in
 * this process and worth nothing. It verifies tokens, assertions and checksums.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import type { Arrived } from "./AwsSignature.ts"
import type { Answered } from "./FakeAwsKms.ts"
import type { KeyFault, KeyFaults } from "./KeyFaults.ts"
import * as SigningKey from "./SigningKey.ts"

/** Computes CRC-32C (Castagnoli) bit by bit. */
export const crc32c = (data: Uint8Array): string => {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
  }
  return String((crc ^ 0xffffffff) >>> 0)
}

const refuse = (code: number, status: string, message: string): Answered => ({
  status: code,
  body: { error: { code, message, status } }
})

const faults: { readonly [K in KeyFault]?: (name: string) => Answered } = {
  throttled: () => refuse(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Cryptographic requests'."),
  denied: (name) => refuse(403, "PERMISSION_DENIED", `Permission denied on resource '${name}' (or it may not exist).`),
  disabled: (name) => refuse(400, "FAILED_PRECONDITION", `${name} is not enabled, current state is: DISABLED.`),
  gone: (name) => refuse(404, "NOT_FOUND", `${name} not found.`),
  pendingDeletion: (name) =>
    refuse(400, "FAILED_PRECONDITION", `${name} is not enabled, current state is: DESTROY_SCHEDULED.`),
  serverError: () => refuse(500, "INTERNAL", "Internal error encountered.")
}

const SignRequest = Schema.Struct({
  digest: Schema.Struct({ sha256: Schema.String }),
  digestCrc32c: Schema.String
})

const Claims = Schema.Struct({
  iss: Schema.String,
  scope: Schema.String,
  aud: Schema.String,
  iat: Schema.Number,
  exp: Schema.Number
})

const email = "signer@devnet.iam.gserviceaccount.com"

const jsonOf = (part: string | undefined) => Buffer.from(part ?? "", "base64url").toString("utf8")

const signatureOf = async (key: SigningKey.SigningKey, digest: Buffer, fault: KeyFault | undefined) => {
  if (fault === "garbage") return Buffer.from("no signature")
  const signed = fault === "otherKey"
    ? await SigningKey.make().sign(digest)
    : await key.sign(fault === "otherDigest" ? Buffer.alloc(32, 1) : digest)
  return SigningKey.derOf(digest.at(-1)! % 2 === 0 ? signed : SigningKey.withHighS(signed))
}

/** Checks the signature and the claims of an assertion. */
const isRight = (assertion: string, now: number, publicKey: Crypto.KeyObject, tokenUri: string) => {
  const [header, claims, signature] = assertion.split(".")
  const parsed = Schema.decodeOption(Schema.fromJsonString(Claims))(jsonOf(claims))
  if (Option.isNone(parsed) || !/"alg":"RS256"/.test(jsonOf(header))) return false
  const { aud, exp, iat, iss, scope } = parsed.value
  const isSigned = Crypto.verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature ?? "", "base64url")
  )
  const isTimely = Math.abs(now / 1000 - iat) < 300 && exp > iat && exp - iat <= 3600
  return isSigned && isTimely && aud === tokenUri && iss === email &&
    scope === "https://www.googleapis.com/auth/cloudkms"
}

/** Answers a request for a signature. */
const sign = (name: string, key: SigningKey.SigningKey, body: string, fault: KeyFault | undefined) =>
  Effect.gen(function*() {
    const request = Schema.decodeOption(Schema.fromJsonString(SignRequest))(body)
    const digest = Buffer.from(Option.isSome(request) ? request.value.digest.sha256 : "", "base64")
    if (Option.isNone(request) || digest.length !== 32 || crc32c(digest) !== request.value.digestCrc32c) {
      return refuse(400, "INVALID_ARGUMENT", "The checksum in field digest_crc32c did not match.")
    }
    const signature = yield* Effect.promise(() => signatureOf(key, digest, fault))
    const checksum = crc32c(fault === "wrongChecksum" ? digest : signature)
    return {
      status: 200,
      body: {
        signature: signature.toString("base64"),
        signatureCrc32c: checksum,
        verifiedDigestCrc32c: true,
        name,
        protectionLevel: "HSM"
      }
    }
  })

/** Makes a service without keys; `tokenUri`: the address of the token service. */
export const make = (board: KeyFaults, tokenUri: string) => {
  const keys = new Map<string, SigningKey.SigningKey>()
  const account = Crypto.generateKeyPairSync("rsa", { modulusLength: 2048 })
  const tokens = new Set<string>()

  const issue = (): Answered => {
    const token = Crypto.randomUUID()
    tokens.add(token)
    return { status: 200, body: { access_token: token, expires_in: 3599, token_type: "Bearer" } }
  }

  const answerToken = (body: string) =>
    Effect.map(Clock.currentTimeMillis, (now): Answered => {
      const form = new URLSearchParams(body)
      const isKnown = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
        isRight(form.get("assertion") ?? "", now, account.publicKey, tokenUri)
      return isKnown ? issue() : { status: 400, body: { error: "invalid_grant" } }
    })

  const answerMetadata = ({ headers }: Arrived): Answered =>
    headers["metadata-flavor"] === "Google" ? issue() : { status: 403, body: "Missing Metadata-Flavor:Google header." }

  const answerKms = ({ body, headers, method, url }: Arrived) =>
    Effect.gen(function*() {
      const isSigning = url.endsWith(":asymmetricSign")
      const fault = yield* board.meet("gcp-kms", isSigning)
      if (!tokens.has((headers["authorization"] ?? "").replace(/^Bearer /, ""))) {
        return refuse(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
      }
      const [, name = "", operation] = /^\/gcp\/v1\/(projects\/.*?)(:asymmetricSign|\/publicKey)$/.exec(url) ?? []
      const refusal = fault === undefined ? undefined : faults[fault]?.(name)
      if (refusal !== undefined) return refusal
      const key = keys.get(name)
      if (key === undefined || method !== (isSigning ? "POST" : "GET")) return faults.gone!(name)
      if (operation === ":asymmetricSign") return yield* sign(name, key, body, fault)
      const pem = SigningKey.pemOf(key)
      const answer = { pem, pemCrc32c: crc32c(Buffer.from(pem)), name, protectionLevel: "HSM" }
      return { status: 200, body: { ...answer, algorithm: "EC_SIGN_SECP256K1_SHA256" } }
    })

  return {
    /** Creates a key and returns the full name of its version. */
    create: (key: SigningKey.SigningKey): string => {
      const ring = "projects/devnet/locations/europe-west1/keyRings/wallets"
      const name = `${ring}/cryptoKeys/${key.address.slice(2, 14)}/cryptoKeyVersions/1`
      keys.set(name, key)
      return name
    },
    /** Content of the file of GOOGLE_APPLICATION_CREDENTIALS. */
    serviceAccount: JSON.stringify({
      type: "service_account",
      project_id: "devnet",
      private_key_id: "1",
      private_key: account.privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: email,
      token_uri: tokenUri
    }),
    /** Ends all tokens, as an operator does who revokes an account's access. */
    revokeTokens: Effect.sync(() => tokens.clear()),
    answerKms,
    answerMetadata,
    answerToken
  }
}
