/** Signs with a server that speaks web3signer's HTTP API (`eth1/sign`), which hashes what it signs. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import { type KeyFailure, KeyUnavailable, KeyUnusable, type RemoteKeyProvider, type Signature } from "./KeyProvider.ts"
import * as ProviderClient from "./ProviderClient.ts"

export interface Web3SignerAccess {
  /** Base URL. */
  readonly url: string | undefined
}

const title = "web3signer"

/** Half of the order of the curve's group, as bytes: the largest s that Ethereum accepts. */
const maxS = Buffer.from("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0", "hex")

const failureOf = ({ status }: ProviderClient.Response): KeyFailure => {
  if (status === 429) {
    return new KeyUnavailable({ reason: "throttled", message: `${title} limits the rate of requests (HTTP 429).` })
  }
  if (status === 401 || status === 403) {
    return new KeyUnavailable({
      reason: "denied",
      message: `${title} denies this service the use of the key (HTTP ${status}).`
    })
  }
  if (status === 404) return new KeyUnusable({ message: `${title} has no such key (HTTP 404).` })
  return status >= 500
    ? new KeyUnavailable({ reason: "unreachable", message: `${title} failed (HTTP ${status}).` })
    : new KeyUnusable({ message: `${title} cannot sign with this key (HTTP ${status}).` })
}

/** Reads a signature of 65 bytes. The protocol promises a low s, so another one is refused. */
const readSignature = (text: string): Signature | undefined => {
  const [, hex] = /^"?0x([0-9a-fA-F]{128})(?:1b|1c|1B|1C|00|01)"?$/.exec(text.trim()) ?? []
  if (hex === undefined) return undefined
  const [r, s] = [Buffer.from(hex.slice(0, 64), "hex"), Buffer.from(hex.slice(64), "hex")]
  return s.compare(maxS) > 0 ? undefined : { r, s }
}

/** Returns a public key of 64 bytes from its hex form, with or without its prefix. */
const publicKeyOf = (text: string): Buffer | undefined => {
  const [, hex] = /^(?:0x)?(?:04)?([0-9a-fA-F]{128})$/.exec(text) ?? []
  return hex === undefined ? undefined : Buffer.from(hex, "hex")
}

export const make = (
  { url }: Web3SignerAccess,
  limits: ProviderClient.Limits
): Effect.Effect<RemoteKeyProvider, never, HttpClient.HttpClient> =>
  Effect.map(ProviderClient.make(title, limits), ({ concurrency, send }) => {
    const at = (path: string): Effect.Effect<string, KeyUnavailable> =>
      url === undefined
        ? new KeyUnavailable({ reason: "denied", message: `${title} is not configured: set WEB3SIGNER_URL.` })
        : Effect.succeed(`${url}${path}`)
    const refuse = (message: string) => new KeyUnusable({ message: `${title} ${message}` })

    return {
      title,
      sign: ({ reference }, messages) =>
        Effect.forEach(messages, ({ bytes }) => {
          const body = JSON.stringify({ data: `0x${Buffer.from(bytes).toString("hex")}` })
          const request = Effect.map(
            at(`/api/v1/eth1/sign/${encodeURIComponent(reference)}`),
            (place) => HttpClientRequest.post(place).pipe(HttpClientRequest.bodyText(body, "application/json"))
          )
          return send(request, (response) => {
            if (response.status !== 200) return Effect.fail(failureOf(response))
            const signature = readSignature(response.text)
            return signature === undefined
              ? refuse("answered with bytes that are no signature.")
              : Effect.succeed(signature)
          })
        }, { concurrency }),
      publicKey: (reference) =>
        Effect.gen(function*() {
          const wanted = publicKeyOf(reference)
          if (wanted === undefined) return yield* refuse("names a key by its public key: 0x and 128 hex characters.")
          const keys = yield* send(
            Effect.map(at("/api/v1/eth1/publicKeys"), (place) => HttpClientRequest.get(place)),
            (response) =>
              response.status === 200
                ? ProviderClient.decode(title, Schema.Array(Schema.String), response.text)
                : Effect.fail(failureOf(response))
          )
          return keys.some((key) => publicKeyOf(key)?.equals(wanted) === true)
            ? wanted
            : yield* refuse("holds no such key.")
        })
    }
  })
