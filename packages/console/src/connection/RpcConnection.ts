/** Typed calls to the service over one socket, which is opened again when it breaks. */
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
import type * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type * as RpcSchema from "effect/rpc/RpcSchema"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Socket from "effect/socket/Socket"
import * as Stream from "effect/Stream"
import { checkSession, forgetSession, whenItChanges } from "./Session.ts"

type Calls = RpcGroup.Rpcs<typeof ConsoleApi>

/** What is before the first dot of a call's name. */
type PrefixOf<Name> = Name extends `${infer Before}.${string}` ? Before : never

/** A call: with its parameters, for its answer; a stream of them where it has several. */
type Call<R extends Rpc.Any> = (asked: Rpc.Payload<R>) => [Rpc.SuccessSchema<R>] extends [RpcSchema.Stream<infer Each, infer _>]
  ? Stream.Stream<Each["Type"], unknown>
  : Effect.Effect<Rpc.Success<R>, unknown>

/** The calls by their names; those whose names have a dot, below what is before it. */
export type Client =
  & { readonly [R in Calls as R["_tag"] extends `${string}.${string}` ? never : R["_tag"]]: Call<R> }
  & { readonly [P in PrefixOf<Calls["_tag"]>]: { readonly [R in Calls as R["_tag"] extends `${P}.${infer Name}` ? Name : never]: Call<R> } }

const clientOf = (calls: Readonly<Record<string, unknown>>): Client => {
  const named = Object.entries(calls)
  const below = (prefix: string) => Object.fromEntries(named.flatMap(([name, call]) => name.startsWith(prefix) ? [[name.slice(prefix.length), call]] : []))
  // The types above say what the fold does, name by name.
  return Object.fromEntries(named.map(([name, call]) => {
    const dot = name.indexOf(".")
    return dot < 0 ? [name, call] : [name.slice(0, dot), below(name.slice(0, dot + 1))]
  })) as Client
}

class Service extends Context.Service<Service, Client>()("vault-trader/console/Service") {
  static readonly layer = Layer.effect(Service, Effect.map(RpcClient.make(ConsoleApi, { disableTracing: true }), clientOf)).pipe(
    Layer.provide(RpcClient.layerProtocolSocket({ retryTransientErrors: true, pingInterval: "10 seconds" })),
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
  if (Predicate.isTagged(failed, "TimeoutError")) return new Problem("The service did not answer in time. Look at the activity before you do it again.")
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
