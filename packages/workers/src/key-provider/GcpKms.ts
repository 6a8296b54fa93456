/** Signs with key versions of Google Cloud KMS (EC_SIGN_SECP256K1_SHA256) over its REST API. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { crc32 } from "hash-wasm"
import { readPublicKey, readSignature } from "./Der.ts"
import * as GcpToken from "./GcpToken.ts"
import { type KeyFailure, KeyUnavailable, KeyUnusable, type RemoteKeyProvider } from "./KeyProvider.ts"
import * as ProviderClient from "./ProviderClient.ts"

const title = "Google Cloud KMS"

/** The polynomial of CRC-32C (Castagnoli), reversed. */
const castagnoli = 0x82f63b78

/** The full name of a key version, which is part of a URL. */
const versionName =
  /^projects\/[\w.:-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/\d+$/

/** Returns the CRC-32C of bytes as a decimal number, the form that Google's JSON uses. */
const crc32c = (data: Uint8Array): Effect.Effect<string> =>
  Effect.map(Effect.promise(() => crc32(data, castagnoli)), (hex) => String(Number.parseInt(hex, 16)))

const Failure = Schema.Struct({
  error: Schema.Struct({ status: Schema.optional(Schema.String), message: Schema.optional(Schema.String) })
})
const SignAnswer = Schema.Struct({
  signature: Schema.String,
  signatureCrc32c: Schema.String,
  verifiedDigestCrc32c: Schema.optional(Schema.Boolean)
})
const PublicKeyAnswer = Schema.Struct({ pem: Schema.String, pemCrc32c: Schema.String, algorithm: Schema.String })

const unavailable = (reason: KeyUnavailable["reason"], message: string) => new KeyUnavailable({ reason, message })

const failureOf = ({ status, text }: ProviderClient.Response): KeyFailure => {
  const { message = "", status: name } = Option.match(Schema.decodeOption(Schema.fromJsonString(Failure))(text), {
    onNone: () => ({}),
    onSome: ({ error }) => error
  }) as typeof Failure.Type["error"]
  const code = (name ?? `HTTP ${status}`).slice(0, 60)
  if (status === 429) return unavailable("throttled", `${title} limits the rate of requests (${code}).`)
  if (status === 401 || status === 403) {
    return unavailable("denied", `${title} denies this service the use of the key (${code}).`)
  }
  if (status === 404) return new KeyUnusable({ message: `${title} has no such key version (${code}).` })
  // The state of the key version is in the text only.
  if (name === "FAILED_PRECONDITION") {
    return /DESTROY/.test(message)
      ? new KeyUnusable({ message: `The key version at ${title} is destroyed (${code}).` })
      : unavailable("disabled", `The key version at ${title} is not enabled (${code}).`)
  }
  if (status >= 500) return unavailable("unreachable", `${title} failed (${code}).`)
  return new KeyUnusable({ message: `${title} cannot sign with this key version (${code}).` })
}

const damaged = unavailable("unreachable", `A checksum of ${title} does not match; the answer was discarded.`)

/** Decodes base64, and compares the bytes with their checksum. */
const checked = (data: Buffer, checksum: string) =>
  Effect.flatMap(crc32c(data), (expected) => expected === checksum ? Effect.succeed(data) : Effect.fail(damaged))

export const make = (
  access: GcpToken.GcpAccess,
  limits: ProviderClient.Limits
): Effect.Effect<RemoteKeyProvider, never, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const client = yield* ProviderClient.make(title, limits)
    // A client of its own: a request that waits for a token holds a permit of the other one.
    const token = yield* GcpToken.make(access, yield* ProviderClient.make("Google's token service", limits))

    const authorised = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.map(token.current, (bearer) => HttpClientRequest.bearerToken(request, Redacted.value(bearer)))
    const read = <A, I>(schema: Schema.Codec<A, I>) => (response: ProviderClient.Response) =>
      response.status === 200
        ? ProviderClient.decode(title, schema, response.text)
        : Effect.andThen(response.status === 401 ? token.forget : Effect.void, Effect.fail(failureOf(response)))

    const urlOf = (reference: string) =>
      versionName.test(reference)
        ? Effect.succeed(`${access.url}/v1/${reference}`)
        : new KeyUnusable({
          message: `${title} names a key version projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/<n>.`
        })

    const signOne = (reference: string, digest: Uint8Array) =>
      Effect.gen(function*() {
        const body = JSON.stringify({
          digest: { sha256: Buffer.from(digest).toString("base64") },
          digestCrc32c: yield* crc32c(digest)
        })
        const request = HttpClientRequest.post(`${yield* urlOf(reference)}:asymmetricSign`).pipe(
          HttpClientRequest.bodyText(body, "application/json")
        )
        const answer = yield* client.send(authorised(request), read(SignAnswer))
        if (answer.verifiedDigestCrc32c !== true) return yield* damaged
        const signature = readSignature(
          yield* checked(Buffer.from(answer.signature, "base64"), answer.signatureCrc32c)
        )
        return signature ?? (yield* new KeyUnusable({ message: `${title} answered with bytes that are no signature.` }))
      })

    return {
      title,
      sign: ({ reference }, messages) =>
        Effect.forEach(messages, ({ digest }) => signOne(reference, digest), { concurrency: client.concurrency }),
      publicKey: (reference) =>
        Effect.gen(function*() {
          const request = HttpClientRequest.get(`${yield* urlOf(reference)}/publicKey`)
          const { algorithm, pem, pemCrc32c } = yield* client.send(authorised(request), read(PublicKeyAnswer))
          yield* checked(Buffer.from(pem), pemCrc32c)
          const key = readPublicKey(pem)
          if (key === undefined || algorithm !== "EC_SIGN_SECP256K1_SHA256") {
            return yield* new KeyUnusable({
              message: `The key version at ${title} is not one for signatures on secp256k1 (EC_SIGN_SECP256K1_SHA256).`
            })
          }
          return key
        })
    }
  })
