/**
 * The built console with given answers in place of the service: for pages that need many vaults and bots, a curve with
 * gaps, or a network that fails. Payloads and answers pass the console's own schemas.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Address } from "@vault-trader/core/chain/Address"
import { ConsoleApi, Reads } from "@vault-trader/core/console/ConsoleApi"
import { callOf } from "@vault-trader/core/console/LiveStreams"
import { SessionAdmission, SignedIn } from "@vault-trader/core/console/Session"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Assets from "@vault-trader/server/console/Assets"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Rpc from "effect/rpc/Rpc"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createServer } from "node:http"
import * as Path from "node:path"

/** Answers by the call's name, in the form of the wire. A string is a failure with that message; `hanging` never comes. */
export type Answers = Readonly<Record<string, (payload: never) => unknown>>

/** The answer of a node that accepts a request and never responds. */
export const hanging = Symbol("hanging")

/** The folder of the built console. */
export const builtConsole = Path.join(import.meta.dirname, "../../../console/dist")

/** How often a stream repeats its answer; the page then shows it as current. */
const interval = "2 seconds"

const admission = (manager: Address) =>
  Layer.succeed(
    SessionAdmission,
    (handler) => Effect.provideService(handler, SignedIn, { manager, network: null })
  )

/** Answers every call and every stream of the console from the table. */
const handlers = (answers: Answers, called: Array<string>) => {
  const answer = (tag: string, payload: unknown) =>
    Effect.suspend(() => {
      const found = answers[tag]
      const value = found === undefined ? `${tag} has no answer here.` : found(payload as never)
      if (value === hanging) return Effect.never
      if (typeof value === "string" && tag !== "resumeBot") {
        return new ValidationFailure({ code: "1010", message: value })
      }
      const { successSchema } = ConsoleApi.requests.get(tag) as unknown as Rpc.AnyWithProps
      return Effect.orDie(Schema.decodeUnknownEffect(successSchema as Schema.Codec<unknown>)(value))
    })
  const withText = (tag: string, data: unknown) => {
    const { successSchema } = ConsoleApi.requests.get(tag) as unknown as Rpc.AnyWithProps
    const encode = Schema.encodeUnknownEffect(successSchema as Schema.Codec<unknown>)
    return Effect.orDie(Effect.map(encode(data), (encoded) => ({ data, text: JSON.stringify(encoded) })))
  }
  const make = (tag: string) => {
    const call = callOf(tag)
    if (tag.startsWith("live.") && Reads.requests.has(call)) {
      return (payload: unknown) =>
        Stream.tick(interval).pipe(
          Stream.mapEffect(() => Effect.flatMap(answer(call, payload), (data) => withText(call, data))),
          // As the service does: an unchanged answer is not sent again.
          Stream.mapAccum((): string | undefined => undefined, (previous, { data, text }) => [
            text,
            [text === previous ? {} : { data }]
          ])
        )
    }
    return (payload: unknown) => {
      const isDryRun = (payload as { readonly dryRun?: boolean } | undefined)?.dryRun === true
      if (!isDryRun) called.push(tag)
      return answer(tag, payload)
    }
  }
  return ConsoleApi.toLayer(
    Object.fromEntries(Array.from(ConsoleApi.requests.keys(), (tag) => [tag, make(tag)])) as never
  )
}

/**
 * Serves the console until the scope closes, for a manager who is signed in unless `signedIn` is false. Returns its URL,
 * and the calls it has received besides streams and dry runs.
 */
export const serve = (
  manager: Address,
  answers: Answers,
  { folder = builtConsole, port = 0, signedIn = true }: {
    readonly folder?: string
    readonly port?: number
    readonly signedIn?: boolean
  } = {}
) =>
  Effect.gen(function*() {
    const called: Array<string> = []
    const session = signedIn
      ? { manager, expiresAt: "2099-01-01T00:00:00.000Z" }
      : { manager: null, expiresAt: null }
    const routes = Layer.mergeAll(
      Assets.layer(folder, []),
      HttpRouter.use((router) => router.add("GET", "/console/session", HttpServerResponse.json(session))),
      RpcServer.layer(ConsoleApi, { disableFatalDefects: true, disableTracing: true }).pipe(
        Layer.provide(RpcServer.layerProtocolWebsocket({ path: "/console/rpc" })),
        Layer.provide(RpcSerialization.layerNdjson),
        Layer.provide([handlers(answers, called), admission(manager)])
      )
    )
    const listening = HttpRouter.serve(routes, { disableListenLog: true, disableLogger: true }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port, gracefulShutdownTimeout: 0 }))
    )
    const context = yield* Layer.build(listening)
    const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
    return { url: `http://127.0.0.1:${address._tag === "InetAddressV4" ? address.port : 0}`, called }
  })
