/**
 * Answers plain reads without the platform's handler and router, which cost a read more than all that is its own: a GET
 * of an endpoint's exact path without a body. Every other request is left to the router; both pass the same gate and
 * are answered by the same function. While requests are neither traced nor logged, reads that are admitted by what is
 * in memory pass it by plain functions.
 */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { IncomingMessage, ServerResponse } from "node:http"
import { DirectListener } from "../gate/DirectListener.ts"
import * as Gate from "../gate/Gate.ts"
import type { Hosts } from "../gate/Hosts.ts"
import type { RateLimit } from "../gate/RateLimit.ts"
import { pathOf, type RequestHead } from "../wire/RequestHead.ts"
import type { Answer } from "./Arrived.ts"
import type { Admitted, ImmediateRead } from "./ImmediateRead.ts"

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

/** How the reads of a path are answered. */
export interface Read {
  readonly answer: Answer
  readonly immediate: ImmediateRead | undefined
}

/** Returns true when requests in this context leave no span and no line in the log. */
const isQuiet = (context: Context.Context<never>) =>
  !Context.get(context, References.TracerEnabled) &&
  LogLevel.isGreaterThan(Context.get(context, References.MinimumLogLevel), "Debug")

/** Serves these reads, by their paths, where the listener offers its requests. */
export const serve = (
  reads: ReadonlyMap<string, Read>
): Effect.Effect<void, never, RateLimit | Hosts | Scope.Scope> =>
  Effect.gen(function*() {
    const listener = yield* Effect.serviceOption(DirectListener)
    if (Option.isNone(listener)) return
    const gate = yield* Gate.make
    const context = Context.makeUnsafe<never>((yield* Effect.context<never>()).mapUnsafe, { maxDepth })
    const start = Effect.runForkWith(context)
    const clock = Context.get(context, Clock.Clock)
    const mayBeImmediate = isQuiet(context)
    /** Answers a read that was admitted. */
    const serveAdmitted = (head: RequestHead, admitted: Admitted, outgoing: ServerResponse, scope: Scope.Scope) => {
      const { refused, requestId } = gate.enter(head, clock.currentTimeMillisUnsafe())
      const respond = (response: HttpServerResponse.HttpServerResponse) =>
        send(outgoing, gate.complete(response, requestId))
      if (Option.isSome(refused)) return respond(refused.value)
      const disconnected = admitted.serve({ requestId, clock, scope, respond })
      if (disconnected === undefined) return
      outgoing.on("close", () => {
        if (!outgoing.writableEnded) disconnected()
      })
    }
    /**
     * Answers a read by plain functions; returns false for one that takes more. What they throw would end the process:
     * it is answered as a defect is.
     */
    const answeredAtOnce = (
      head: RequestHead,
      { immediate }: Read,
      outgoing: ServerResponse,
      scope: Scope.Scope
    ): boolean => {
      if (immediate === undefined || !mayBeImmediate) return false
      const answered = Result.try(() => {
        const admitted = immediate(head, clock)
        if (admitted !== undefined) serveAdmitted(head, admitted, outgoing, scope)
        return admitted !== undefined
      })
      if (Result.isSuccess(answered)) return answered.success
      start(Effect.logError("a read failed with a defect", answered.failure))
      sendError(outgoing)
      return true
    }
    yield* listener.value.offerTo((incoming, outgoing, scope) => {
      if (incoming.method !== "GET" || unusual.some((name) => incoming.headers[name] !== undefined)) return false
      const head = headOf(incoming)
      const read = reads.get(pathOf(head))
      if (read === undefined) return false
      if (answeredAtOnce(head, read, outgoing, scope)) return true
      const answered = Effect.matchCause(gate.pass(head, read.answer({ head, path: {}, incoming })), {
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
