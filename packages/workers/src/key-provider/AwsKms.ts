/** Signs with keys of AWS KMS (ECC_SECG_P256K1) over its JSON protocol, with requests signed by Signature Version 4. */
import { AwsV4Signer } from "aws4fetch"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { readPublicKey, readSignature } from "./Der.ts"
import { type KeyFailure, KeyUnavailable, KeyUnusable, type RemoteKeyProvider } from "./KeyProvider.ts"
import * as ProviderClient from "./ProviderClient.ts"

export interface AwsAccess {
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: Redacted.Redacted<string> | undefined
  readonly sessionToken: Redacted.Redacted<string> | undefined
  /** Region of keys whose reference is not an ARN. */
  readonly region: string | undefined
  /** Base URL in place of the region's own. */
  readonly endpoint: string | undefined
}

const title = "AWS KMS"

/** The failures of KMS by their code. Every code that is not here counts as a failure of the service itself. */
const codes: Readonly<Record<string, KeyUnavailable["reason"] | "gone" | "unfit">> = {
  ThrottlingException: "throttled",
  LimitExceededException: "throttled",
  RequestLimitExceeded: "throttled",
  TooManyRequestsException: "throttled",
  AccessDeniedException: "denied",
  ExpiredTokenException: "denied",
  IncompleteSignatureException: "denied",
  InvalidClientTokenIdException: "denied",
  InvalidSignatureException: "denied",
  MissingAuthenticationTokenException: "denied",
  NotAuthorizedException: "denied",
  OptInRequired: "denied",
  RequestExpired: "denied",
  UnrecognizedClientException: "denied",
  DisabledException: "disabled",
  NotFoundException: "gone",
  InvalidArnException: "unfit",
  InvalidKeyUsageException: "unfit",
  UnsupportedOperationException: "unfit",
  ValidationException: "unfit"
}

const Failure = Schema.Struct({ __type: Schema.String, message: Schema.optional(Schema.String) })
const SignAnswer = Schema.Struct({ Signature: Schema.String })
const PublicKeyAnswer = Schema.Struct({
  PublicKey: Schema.String,
  KeySpec: Schema.String,
  KeyUsage: Schema.String
})

const failureOf = ({ status, text }: ProviderClient.Response): KeyFailure => {
  const parsed = Schema.decodeOption(Schema.fromJsonString(Failure))(text)
  const code = Option.match(parsed, {
    onNone: () => `HTTP ${status}`,
    onSome: ({ __type }) => __type.split("#").at(-1) ?? ""
  }).slice(0, 60)
  // The state is in the text only. A key that waits for its deletion can be kept, but not by waiting.
  const isEnding = code === "KMSInvalidStateException" && /pending deletion/i.test(text)
  const kind = isEnding ? "gone" : codes[code] ?? (status === 429 ? "throttled" : "unreachable")
  switch (kind) {
    case "gone":
      return new KeyUnusable({ message: `${title} no longer has this key (${code}).` })
    case "unfit":
      return new KeyUnusable({ message: `${title} cannot sign with this key (${code}).` })
    case "throttled":
      return new KeyUnavailable({ reason: kind, message: `${title} limits the rate of requests (${code}).` })
    case "denied":
      return new KeyUnavailable({ reason: kind, message: `${title} denies this service the use of the key (${code}).` })
    case "disabled":
      return new KeyUnavailable({ reason: kind, message: `The key at ${title} is disabled (${code}).` })
    case "unreachable":
      return new KeyUnavailable({ reason: kind, message: `${title} failed (${code}).` })
  }
}

const read = <A, I>(schema: Schema.Codec<A, I>) => (response: ProviderClient.Response): Effect.Effect<A, KeyFailure> =>
  response.status === 200 ? ProviderClient.decode(title, schema, response.text) : Effect.fail(failureOf(response))

/** Returns the region in a key's ARN. */
const regionIn = (reference: string): string | undefined => /^arn:aws[a-z-]*:kms:([a-z0-9-]+):/.exec(reference)?.[1]

const domainOf = (region: string) => region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"

/** Builds a signed request of one operation. */
const request = (
  { accessKeyId, endpoint, region: fallback, secretAccessKey, sessionToken }: AwsAccess,
  operation: "Sign" | "GetPublicKey",
  reference: string,
  parameters: object
): Effect.Effect<HttpClientRequest.HttpClientRequest, KeyFailure> =>
  Effect.gen(function*() {
    const region = regionIn(reference) ?? fallback
    if (accessKeyId === undefined || secretAccessKey === undefined || region === undefined) {
      return yield* new KeyUnavailable({
        reason: "denied",
        message: `${title} is not configured: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION.`
      })
    }
    const body = JSON.stringify({ KeyId: reference, ...parameters })
    const now = new Date(yield* Clock.currentTimeMillis)
    const signer = new AwsV4Signer({
      method: "POST",
      url: endpoint ?? `https://kms.${region}.${domainOf(region)}/`,
      headers: { "content-type": "application/x-amz-json-1.1", "x-amz-target": `TrentService.${operation}` },
      body,
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      ...(sessionToken === undefined ? {} : { sessionToken: Redacted.value(sessionToken) }),
      service: "kms",
      region,
      datetime: now.toISOString().replaceAll(/[:-]|\.\d{3}/g, "")
    })
    const { headers, url } = yield* Effect.promise(() => signer.sign())
    return HttpClientRequest.post(url.toString()).pipe(
      HttpClientRequest.bodyText(body, "application/x-amz-json-1.1"),
      HttpClientRequest.setHeaders(Object.fromEntries(headers))
    )
  })

export const make = (
  access: AwsAccess,
  limits: ProviderClient.Limits
): Effect.Effect<RemoteKeyProvider, never, HttpClient.HttpClient> =>
  Effect.map(ProviderClient.make(title, limits), ({ concurrency, send }) => ({
    title,
    sign: ({ reference }, messages) =>
      Effect.forEach(messages, ({ digest }) =>
        Effect.gen(function*() {
          const parameters = {
            Message: Buffer.from(digest).toString("base64"),
            MessageType: "DIGEST",
            SigningAlgorithm: "ECDSA_SHA_256"
          }
          const answer = yield* send(request(access, "Sign", reference, parameters), read(SignAnswer))
          const signature = readSignature(Buffer.from(answer.Signature, "base64"))
          return signature ??
            (yield* new KeyUnusable({ message: `${title} answered with bytes that are no signature.` }))
        }), { concurrency }),
    publicKey: (reference) =>
      Effect.gen(function*() {
        const answer = yield* send(request(access, "GetPublicKey", reference, {}), read(PublicKeyAnswer))
        const key = readPublicKey(Buffer.from(answer.PublicKey, "base64"))
        if (key === undefined || answer.KeySpec !== "ECC_SECG_P256K1" || answer.KeyUsage !== "SIGN_VERIFY") {
          return yield* new KeyUnusable({
            message: `The key at ${title} is not one for signatures on secp256k1 (ECC_SECG_P256K1, SIGN_VERIFY).`
          })
        }
        return key
      })
  }))
