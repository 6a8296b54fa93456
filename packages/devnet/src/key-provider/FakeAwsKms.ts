/**
 * A fake of AWS KMS for tests: its JSON protocol, with keys that are in this process and worth nothing. It verifies
 * the signatures of requests, and half of its signatures have a high s, like the real one's.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AwsSignature from "./AwsSignature.ts"
import type { KeyFault, KeyFaults } from "./KeyFaults.ts"
import * as SigningKey from "./SigningKey.ts"

/** Credentials that only the fake accepts. */
export const credentials = {
  accessKeyId: "AKIADEVNETDEVNET",
  secretAccessKey: "devnet+secret/worth+nothing",
  sessionToken: "devnet-session"
}

export const region = "eu-west-1"

export interface Answered {
  readonly status: number
  readonly body: object | string
}

const refuse = (type: string, message: string, status = 400): Answered => ({
  status,
  body: { __type: type, message }
})

const faults: { readonly [K in KeyFault]?: (keyId: string) => Answered } = {
  throttled: () => refuse("ThrottlingException", "You have exceeded the rate at which you may call KMS."),
  denied: (keyId) => refuse("AccessDeniedException", `User: devnet is not authorized to perform: kms:Sign on ${keyId}`),
  disabled: (keyId) => refuse("DisabledException", `${keyId} is disabled.`),
  gone: (keyId) => refuse("NotFoundException", `Key '${keyId}' does not exist`),
  pendingDeletion: (keyId) => refuse("KMSInvalidStateException", `${keyId} is pending deletion.`),
  serverError: () =>
    refuse("KMSInternalException", "The request was rejected because an internal exception occurred.", 500)
}

const SignRequest = Schema.Struct({
  KeyId: Schema.String,
  Message: Schema.String,
  MessageType: Schema.Literal("DIGEST"),
  SigningAlgorithm: Schema.Literal("ECDSA_SHA_256")
})
const KeyRequest = Schema.Struct({ KeyId: Schema.String })

/** Returns the signature that the fault asks for. */
const signatureOf = async (key: SigningKey.SigningKey, digest: Buffer, fault: KeyFault | undefined) => {
  if (fault === "garbage") return Buffer.from("no signature")
  const signed = fault === "otherKey"
    ? await SigningKey.make().sign(digest)
    : await key.sign(fault === "otherDigest" ? Buffer.alloc(32, 1) : digest)
  return SigningKey.derOf(digest.at(-1)! % 2 === 0 ? signed : SigningKey.withHighS(signed))
}

/** Makes a service without keys. */
export const make = (board: KeyFaults) => {
  const keys = new Map<string, SigningKey.SigningKey>()

  const answer = (operation: string, body: string, fault: KeyFault | undefined) =>
    Effect.gen(function*() {
      const asked = Schema.decodeOption(Schema.fromJsonString(KeyRequest))(body)
      const keyId = Option.isSome(asked) ? asked.value.KeyId : ""
      const refusal = fault === undefined ? undefined : faults[fault]?.(keyId)
      if (refusal !== undefined) return refusal
      const key = keys.get(keyId)
      if (key === undefined) return faults.gone!(keyId)
      if (operation === "GetPublicKey") {
        return {
          status: 200,
          body: {
            KeyId: keyId,
            PublicKey: SigningKey.spkiOf(key).toString("base64"),
            KeySpec: "ECC_SECG_P256K1",
            KeyUsage: "SIGN_VERIFY",
            SigningAlgorithms: ["ECDSA_SHA_256"]
          }
        }
      }
      const request = Schema.decodeOption(Schema.fromJsonString(SignRequest))(body)
      const digest = Buffer.from(Option.isSome(request) ? request.value.Message : "", "base64")
      if (digest.length !== 32) return refuse("ValidationException", "Digest is invalid length for algorithm")
      const signature = yield* Effect.promise(() => signatureOf(key, digest, fault))
      return {
        status: 200,
        body: { KeyId: keyId, Signature: signature.toString("base64"), SigningAlgorithm: "ECDSA_SHA_256" }
      }
    })

  return {
    /** Creates a key and returns its ARN. */
    create: (key: SigningKey.SigningKey): string => {
      const keyId = `arn:aws:kms:${region}:111122223333:key/1234abcd-12ab-34cd-56ef-${key.address.slice(2, 14)}`
      keys.set(keyId, key)
      return keyId
    },
    handle: (arrived: AwsSignature.Arrived): Effect.Effect<Answered> =>
      Effect.gen(function*() {
        const operation = (arrived.headers["x-amz-target"] ?? "").replace("TrentService.", "")
        const fault = yield* board.meet("aws-kms", operation === "Sign")
        const now = yield* Clock.currentTimeMillis
        const refusal = AwsSignature.refusalOf(arrived, credentials, "kms", now)
        if (refusal !== undefined) return refuse(refusal, "The request signature we calculated does not match.")
        if (arrived.headers["x-amz-security-token"] !== credentials.sessionToken) {
          return refuse("UnrecognizedClientException", "The security token included in the request is invalid.")
        }
        if (operation !== "Sign" && operation !== "GetPublicKey") return refuse("UnknownOperationException", "")
        return yield* answer(operation, arrived.body, fault)
      })
  }
}
