/** The fake key providers: one HTTP server on this machine. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer } from "node:http"
import type { Arrived } from "./AwsSignature.ts"
import * as FakeAwsKms from "./FakeAwsKms.ts"
import * as FakeGcpKms from "./FakeGcpKms.ts"
import * as FakeWeb3Signer from "./FakeWeb3Signer.ts"
import * as KeyFaults from "./KeyFaults.ts"
import * as SigningKey from "./SigningKey.ts"

const responseOf = ({ body, status }: FakeAwsKms.Answered) =>
  typeof body === "string"
    ? HttpServerResponse.text(body, { status })
    : HttpServerResponse.jsonUnsafe(body, { status, headers: { "x-devnet-fake": "not the real service" } })

const bound = ({ address }: HttpServer.HttpServer["Service"]) =>
  `127.0.0.1:${address._tag === "InetAddressV4" ? address.port : 0}`

const listen = Effect.gen(function*() {
  const node = createServer()
  const server = yield* NodeHttpServer.make(() => node, {
    host: "127.0.0.1",
    port: 0,
    disablePreemptiveShutdown: true
  })
  // Otherwise shutdown would wait for unanswered requests.
  yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
  return server
})

const arrivedOf = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  return {
    method: request.method,
    url: request.originalUrl.replace(/^https?:\/\/[^/]*/, ""),
    headers: request.headers,
    body: yield* request.text
  } satisfies Arrived
})

/** Serves until the scope closes. */
export const start = Effect.gen(function*() {
  const faults = yield* KeyFaults.make
  const server = yield* listen
  const host = bound(server)
  const aws = FakeAwsKms.make(faults)
  const gcp = FakeGcpKms.make(faults, `http://${host}/token`)
  const web3signer = FakeWeb3Signer.make(faults)
  const creators = { "aws-kms": aws.create, "gcp-kms": gcp.create, web3signer: web3signer.create }

  const answer = (arrived: Arrived): Effect.Effect<FakeAwsKms.Answered> => {
    const { body, url } = arrived
    if (url === "/aws/") return aws.handle(arrived)
    if (url === "/token") return gcp.answerToken(body)
    if (url.startsWith("/computeMetadata/")) return Effect.succeed(gcp.answerMetadata(arrived))
    if (url.startsWith("/gcp/")) return gcp.answerKms(arrived)
    if (url.startsWith("/web3signer/")) return web3signer.answer(arrived)
    return Effect.succeed({ status: 404, body: "These are fakes of key providers for tests." })
  }

  const app = Effect.map(Effect.flatMap(arrivedOf, answer), responseOf)
  yield* Effect.provideService(HttpServer.serveEffect(app), HttpServer.HttpServer, server)
  // The server waits for the requests that got no answer.
  yield* Effect.addFinalizer(() => faults.heal)
  return {
    faults,
    revokeTokens: gcp.revokeTokens,
    serviceAccount: gcp.serviceAccount,
    /** Creates a key at a provider, with the provider's name of it. */
    create: (provider: KeyFaults.ProviderName) =>
      Effect.sync(() => {
        const key = SigningKey.make()
        return { address: key.address, privateKey: key.privateKey, reference: creators[provider](key) }
      }),
    urls: {
      "aws-kms": `http://${host}/aws/`,
      "gcp-kms": `http://${host}/gcp`,
      web3signer: `http://${host}/web3signer`
    },
    metadataHost: host
  }
})

export type FakeKeyProviders = Effect.Success<typeof start>
