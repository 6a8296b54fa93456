/**
 * Answers plain reads without the platform's handler and router, which cost a read more than all that is its own: a GET
 * of an endpoint's exact path without a body. Every other request is left to the router; both pass the same gate and
 * are answered by the same function.
 */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { IncomingMessage, ServerResponse } from "node:http"
import { DirectListener } from "../gate/DirectListener.ts"
import * as Gate from "../gate/Gate.ts"
import type { Hosts } from "../gate/Hosts.ts"
import type { RateLimit } from "../gate/RateLimit.ts"
import { pathOf, type RequestHead } from "../wire/RequestHead.ts"
import type { Answer } from "./Arrived.ts"

/** Layers of services that a request adds before the context is copied. */
const maxDepth = 24

/** Returns true for a path of a read that the router would match with exactly this text, without parameters in it. */
export const isPlain = ({ class: kind, isDocument, methods }: EndpointFacts, path: string): boolean =>
  kind === "readOnly" && !isDocument && methods.includes("GET") && /^(\/[\w-]+)+$/.test(path)

/** Headers of requests that have a body, or that the platform's handler answers in another way. */
const unusual = ["content-length", "transfer-encoding", "expect", "upgrade"] as const

const headOf = (incoming: IncomingMessage): RequestHead => ({
  method: incoming.method ?? "GET",
  url: incoming.url ?? "/",
  // Only Set-Cookie is a list, and no request has it.
  headers: incoming.headers as RequestHead["headers"],
  remoteAddress: Option.fromUndefinedOr(incoming.socket.remoteAddress)
})

/** Sends a complete response. A caller that has disconnected gets none. */
const send = (outgoing: ServerResponse, { body, headers, status }: HttpServerResponse.HttpServerResponse) => {
  if (outgoing.destroyed || outgoing.writableEnded) return
  outgoing.writeHead(status, headers)
  if (body._tag === "Uint8Array") outgoing.end(body.text ?? body.body)
  else outgoing.end()
}

/** Sends what is left to say when the gate itself failed. */
const sendError = (outgoing: ServerResponse) => {
  if (!outgoing.headersSent && !outgoing.destroyed) outgoing.writeHead(500)
  outgoing.end()
}

/** Serves these reads, by their paths, where the listener offers its requests. */
export const serve = (
  reads: ReadonlyMap<string, Answer>
): Effect.Effect<void, never, RateLimit | Hosts | Scope.Scope> =>
  Effect.gen(function*() {
    const listener = yield* Effect.serviceOption(DirectListener)
    if (Option.isNone(listener)) return
    const pass = yield* Gate.make
    const context = Context.makeUnsafe<never>((yield* Effect.context<never>()).mapUnsafe, { maxDepth })
    const start = Effect.runForkWith(context)
    yield* listener.value.offerTo((incoming, outgoing, scope) => {
      if (incoming.method !== "GET" || unusual.some((name) => incoming.headers[name] !== undefined)) return false
      const head = headOf(incoming)
      const answer = reads.get(pathOf(head))
      if (answer === undefined) return false
      const answered = Effect.matchCause(pass(head, answer({ head, path: {}, incoming })), {
        onSuccess: (response) => send(outgoing, response),
        onFailure: () => sendError(outgoing)
      })
      const fiber = Fiber.runIn(start(answered), scope)
      if (fiber.pollUnsafe() === undefined) {
        outgoing.on("close", () => {
          if (!outgoing.writableEnded) fiber.interruptUnsafe()
        })
      }
      return true
    })
  })
