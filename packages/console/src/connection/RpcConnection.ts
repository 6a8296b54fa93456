/** Typed calls to the service over one WebSocket, which reconnects automatically. */
import { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import {
  type ErrorType,
  ExecutionFailure,
  executionCodes,
  type ValidationCode,
  ValidationFailure
} from "@vault-trader/core/failure/Failure"
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
import { checkSession, forgetSession, onSessionChange } from "./Session.ts"

type Calls = RpcGroup.Rpcs<typeof ConsoleApi>

/** The part of a call's name before the first dot. */
type PrefixOf<Name> = Name extends `${infer Before}.${string}` ? Before : never

/** A call with its parameters. Returns the response, or a stream of responses for a streaming call. */
type Call<R extends Rpc.Any> = (
  payload: Rpc.Payload<R>
) => [Rpc.SuccessSchema<R>] extends [RpcSchema.Stream<infer Each, infer _>] ? Stream.Stream<Each["Type"], unknown>
  : Effect.Effect<Rpc.Success<R>, unknown>

/** The calls by name. Calls with a dot in their name are grouped under the part before it. */
export type Client =
  & { readonly [R in Calls as R["_tag"] extends `${string}.${string}` ? never : R["_tag"]]: Call<R> }
  & {
    readonly [P in PrefixOf<Calls["_tag"]>]: {
      readonly [R in Calls as R["_tag"] extends `${P}.${infer Name}` ? Name : never]: Call<R>
    }
  }

const clientOf = (calls: Readonly<Record<string, unknown>>): Client => {
  const entries = Object.entries(calls)
  const below = (prefix: string) =>
    Object.fromEntries(
      entries.flatMap(([name, call]) => name.startsWith(prefix) ? [[name.slice(prefix.length), call]] : [])
    )
  // The type above describes the result of this fold.
  return Object.fromEntries(entries.map(([name, call]) => {
    const dot = name.indexOf(".")
    return dot < 0 ? [name, call] : [name.slice(0, dot), below(name.slice(0, dot + 1))]
  })) as Client
}

class Service extends Context.Service<Service, Client>()("vault-trader/console/Service") {
  static readonly layer = Layer.effect(
    Service,
    Effect.map(RpcClient.make(ConsoleApi, { disableTracing: true }), clientOf)
  ).pipe(
    Layer.provide(RpcClient.layerProtocolSocket({ retryTransientErrors: true, pingInterval: "10 seconds" })),
    Layer.provide([
      Socket.layerWebSocket(`${location.origin.replace(/^http/, "ws")}/console/rpc`),
      RpcSerialization.layerNdjson
    ]),
    Layer.provide(Socket.layerWebSocketConstructorGlobal)
  )
}

let runtime = ManagedRuntime.make(Service.layer)

// A socket belongs to the session in which it was opened; another manager needs a new one.
onSessionChange(() => {
  const old = runtime
  runtime = ManagedRuntime.make(Service.layer)
  void old.dispose()
})

/** Timeout of a call. */
const callTimeout = "40 seconds"

/** A failure's code on the wire: "1006", "2004". */
type FailureCode = ValidationCode | typeof executionCodes[ErrorType]

/** A failure with a sentence for the user, from the service if available. */
export class Problem extends Error {
  /** Undefined unless the service refused or failed the call. */
  readonly code: FailureCode | undefined

  constructor(message: string, code?: FailureCode) {
    super(message)
    this.code = code
  }
}

/** Returns true if the service failed the call with this code. */
export const hasCode = (error: Error, code: FailureCode): boolean => error instanceof Problem && error.code === code

/** The service cannot be reached at the moment. The page keeps showing old data until it reconnects. */
export class Disconnected extends Problem {}

const codeOf = (failure: unknown): FailureCode | undefined =>
  failure instanceof ValidationFailure
    ? failure.code
    : failure instanceof ExecutionFailure
    ? executionCodes[failure.errorType]
    : undefined

const problemOf = (cause: Cause.Cause<unknown>): Problem => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (Predicate.isTagged(failure, "SignedOut")) forgetSession()
  if (Predicate.isTagged(failure, "TimeoutError")) {
    return new Problem("The service did not respond in time. Check the activity before you try again.")
  }
  if (Predicate.isTagged(failure, "RpcClientError") || Cause.hasInterruptsOnly(cause)) {
    // The connection is refused when the session has ended.
    checkSession()
    return new Disconnected("Connection lost. Reconnecting…")
  }
  return new Problem(
    Predicate.hasProperty(failure, "message") ? String(failure.message) : "The service failed; its log has the reason.",
    codeOf(failure)
  )
}

/** Makes one call. Rejects with a `Problem`; aborting interrupts the call. */
export const call = async <A, E>(use: (client: Client) => Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  const exit = await runtime.runPromiseExit(
    Effect.timeout(Effect.flatMap(Service, use), callTimeout),
    signal === undefined ? {} : { signal }
  )
  if (Exit.isSuccess(exit)) return exit.value
  if (signal?.aborted === true) throw new Problem("Request cancelled.")
  throw problemOf(exit.cause)
}

/**
 * A stream of the service: a call's current result, and each new one when it changes. An item without `data` confirms
 * the last one.
 */
export type Watch<A> = (client: Client) => Stream.Stream<{ readonly data?: A | undefined }, unknown>

/** Subscribes to a stream and reopens it whenever it breaks. Returns a function that unsubscribes. */
export const follow = <A>(
  watch: Watch<A>,
  { onData, onFailure }: {
    readonly onData: (data: A | undefined) => void
    readonly onFailure: (problem: Problem) => void
  }
): () => void => {
  const once = Effect.flatMap(
    Service,
    (client) => Stream.runForEach(watch(client), ({ data }) => Effect.sync(() => onData(data)))
  )
  const subscribeOnce = Effect.flatMap(Effect.exit(once), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.sleep("1 second")
    const problem = problemOf(exit.cause)
    onFailure(problem)
    return Effect.sleep(problem instanceof Disconnected ? "1 second" : "5 seconds")
  })
  const fiber = runtime.runFork(Effect.forever(subscribeOnce))
  // Not run by the runtime, which would open a socket even after sign-out.
  return () => void Effect.runFork(Fiber.interrupt(fiber))
}

/** Returns the first item of a stream. Rejects with a `Problem`. */
export const first = <A>(watch: Watch<A>, signal: AbortSignal): Promise<A> =>
  call((client) => Effect.map(Stream.runHead(watch(client)), (item) => Option.getOrThrow(item).data as A), signal)
