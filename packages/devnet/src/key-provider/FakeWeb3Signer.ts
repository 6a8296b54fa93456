/** A fake of web3signer's `eth1` API for tests, with keys that are in this process and worth nothing. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hexToBytes, keccak256 } from "viem"
import type { Arrived } from "./AwsSignature.ts"
import type { Answered } from "./FakeAwsKms.ts"
import type { KeyFault, KeyFaults } from "./KeyFaults.ts"
import * as SigningKey from "./SigningKey.ts"

const faults: { readonly [K in KeyFault]?: Answered } = {
  throttled: { status: 429, body: "Too Many Requests" },
  denied: { status: 403, body: "Forbidden" },
  disabled: { status: 403, body: "Forbidden" },
  gone: { status: 404, body: "Public Key not found" },
  pendingDeletion: { status: 404, body: "Public Key not found" },
  serverError: { status: 500, body: "Internal Server Error" }
}

const SignRequest = Schema.Struct({ data: Schema.TemplateLiteral(["0x", Schema.String]) })

/** Returns the signature that the fault asks for: r, s and 27 or 28. */
const signatureOf = async (key: SigningKey.SigningKey, digest: Uint8Array, fault: KeyFault | undefined) => {
  if (fault === "garbage") return "0x1234"
  const low = fault === "otherKey"
    ? await SigningKey.make().sign(digest)
    : await key.sign(fault === "otherDigest" ? Buffer.alloc(32, 1) : digest)
  const { r, s, yParity } = fault === "highS" ? SigningKey.withHighS(low) : low
  return `0x${SigningKey.word(r)}${SigningKey.word(s)}${(27 + yParity).toString(16)}`
}

/** Makes a server without keys. */
export const make = (board: KeyFaults) => {
  const keys = new Map<string, SigningKey.SigningKey>()
  const prefix = "/web3signer/api/v1/eth1/sign/"
  return {
    /** Creates a key and returns its public key, by which it is named. */
    create: (key: SigningKey.SigningKey): string => {
      const identifier = `0x${Buffer.from(key.publicKey).toString("hex")}`
      keys.set(identifier, key)
      return identifier
    },
    answer: ({ body, method, url }: Arrived): Effect.Effect<Answered> =>
      Effect.gen(function*() {
        const isSigning = url.startsWith(prefix)
        const fault = yield* board.meet("web3signer", isSigning)
        const refusal = fault === undefined ? undefined : faults[fault]
        if (refusal !== undefined) return refusal
        if (method === "GET" && url === "/web3signer/api/v1/eth1/publicKeys") {
          return { status: 200, body: [...keys.keys()] }
        }
        const key = keys.get(url.slice(prefix.length))
        if (method !== "POST" || !isSigning || key === undefined) return faults.gone!
        const request = Schema.decodeOption(Schema.fromJsonString(SignRequest))(body)
        if (Option.isNone(request)) return { status: 400, body: "Bad request format" }
        const digest = hexToBytes(keccak256(request.value.data))
        return { status: 200, body: yield* Effect.promise(() => signatureOf(key, digest, fault)) }
      })
  }
}
