/** Typed calls to the service over one socket, which is opened again when it breaks. */
import * as Socket from "@effect/platform/Socket"
import * as RpcClient from "@effect/rpc/RpcClient"
import type { RpcClientError } from "@effect/rpc/RpcClientError"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { forgetSession, whenItChanges } from "./session/Session.ts"

type Client = RpcClient.FromGroup<typeof ConsoleApi, RpcClientError>

class Service extends Context.Tag("vault-trader/console/Service")<Service, Client>() {
  static readonly layer = Layer.scoped(Service, RpcClient.make(ConsoleApi, { disableTracing: true })).pipe(
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

const problemOf = (cause: Cause.Cause<unknown>): Problem => {
  const failed = Option.getOrUndefined(Cause.failureOption(cause))
  if (Predicate.isTagged(failed, "SignedOut")) forgetSession()
  if (Predicate.isTagged(failed, "TimeoutException")) return new Problem("The service did not answer in time. Look at the activity before you do it again.")
  if (Predicate.isTagged(failed, "RpcClientError")) return new Problem("The connection to the service is broken; it is opened again by itself.")
  return new Problem(Predicate.hasProperty(failed, "message") ? String(failed.message) : "The service failed on this; its log says why.")
}

/** One call. Rejects with a `Problem`; an aborted one is interrupted. */
export const call = async <A, E>(use: (client: Client) => Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  const exit = await runtime.runPromiseExit(Effect.timeout(Effect.flatMap(Service, use), patience), signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw problemOf(exit.cause)
}
