/** Typed calls to the service over one socket, which is opened again when it breaks. */
import * as Socket from "effect/socket/Socket"
import * as RpcClient from "effect/rpc/RpcClient"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { checkSession, forgetSession, whenItChanges } from "./session/Session.ts"

export type Client = RpcClient.FromGroup<typeof ConsoleApi, RpcClientError>

class Service extends Context.Service<Service, Client>()("vault-trader/console/Service") {
  static readonly layer = Layer.effect(Service, RpcClient.make(ConsoleApi, { disableTracing: true })).pipe(
    Layer.provide(RpcClient.layerProtocolSocket({ retryTransientErrors: true })),
    Layer.provide([Socket.layerWebSocket(`${location.origin.replace(/^http/, "ws")}/console/rpc`), RpcSerialization.layerNdjson]),
    Layer.provide(Socket.layerWebSocketConstructorGlobal)
  )
}

let runtime = ManagedRuntime.make(Service.layer)

// A socket stays the session's in which it was opened: another manager gets another one.
whenItChanges(() => {
  const old = runtime
  runtime = ManagedRuntime.make(Service.layer)
  void old.dispose()
})

/** How long the page waits for an answer before it says so. */
const patience = "40 seconds"

/** What failed, in a sentence for people; the service's own, where it said one. */
export class Problem extends Error {}

/** The service cannot be reached at the moment. What was seen before stays on the page until it can be. */
export class Disconnected extends Problem {}

const problemOf = (cause: Cause.Cause<unknown>): Problem => {
  const failed = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (Predicate.isTagged(failed, "SignedOut")) forgetSession()
  if (Predicate.isTagged(failed, "TimeoutException")) return new Problem("The service did not answer in time. Look at the activity before you do it again.")
  if (Predicate.isTagged(failed, "RpcClientError") || Cause.hasInterruptsOnly(cause)) {
    // A connection is refused where there is no session any more.
    checkSession()
    return new Disconnected("The connection to the service is broken; it is opened again by itself.")
  }
  return new Problem(Predicate.hasProperty(failed, "message") ? String(failed.message) : "The service failed on this; its log says why.")
}

/** One call. Rejects with a `Problem`; an aborted one is interrupted. */
export const call = async <A, E>(use: (client: Client) => Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  const exit = await runtime.runPromiseExit(Effect.timeout(Effect.flatMap(Service, use), patience), signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (signal?.aborted === true) throw new Problem("Nobody waits for this answer any more.")
  throw problemOf(exit.cause)
}

/** A stream of the service: what a call answers now, and again when that has changed. Without `data`, what was told before is still true. */
export type Watch<A> = (client: Client) => Stream.Stream<{ readonly data?: A | undefined }, unknown>

/** Follows a stream until it is told to stop; opens it again whenever it breaks. Answers with the way to stop. */
export const follow = <A>(watch: Watch<A>, { failed, seen }: { readonly seen: (data: A | undefined) => void; readonly failed: (problem: Problem) => void }): () => void => {
  const once = Effect.flatMap(Service, (client) => Stream.runForEach(watch(client), ({ data }) => Effect.sync(() => seen(data))))
  const again = Effect.flatMap(Effect.exit(once), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.sleep("1 second")
    const problem = problemOf(exit.cause)
    failed(problem)
    return Effect.sleep(problem instanceof Disconnected ? "1 second" : "5 seconds")
  })
  const fiber = runtime.runFork(Effect.forever(again))
  // Not by the runtime, which would open a socket for it where nobody is signed in any more.
  return () => void Effect.runFork(Fiber.interrupt(fiber))
}

/** What a stream tells first. Rejects with a `Problem`. */
export const first = <A>(watch: Watch<A>, signal: AbortSignal): Promise<A> =>
  call((client) => Effect.map(Stream.runHead(watch(client)), (told) => Option.getOrThrow(told).data as A), signal)
