/**
 * Calls the handlers of a group of procedures in this process, through their middleware and without messages. A client
 * and a server of the library connected in memory do the same for each call with two more fibers.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { RequestId } from "effect/rpc/RpcMessage"
import type * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { CallerAddress } from "../wire/CallerAddress.ts"
import { RequestSource } from "../wire/RequestSource.ts"
import { RequestState } from "../wire/RequestState.ts"

/**
 * Calls a procedure by its name, with decoded parameters; answers or fails as its handler or a middleware does. A
 * defect affects only its own call.
 */
export type Call = (name: string, params: Readonly<Record<string, unknown>>) => Effect.Effect<unknown, unknown>

type Handled = Effect.Effect<unknown, unknown>
type Middleware = (handler: Handled, options: unknown) => Handled

/** One procedure: makes the effect of a call. */
type Procedure = (params: Readonly<Record<string, unknown>>) => Handled

const client = new Rpc.ServerClient(0)
const requestId = RequestId("0")

/** Services that a request sets for its own fiber, and a handler reads. All others are the same for every request. */
const ofRequest = [
  RequestState,
  CallerAddress,
  Audit.Actor,
  RequestSource,
  Tracer.ParentSpan,
  References.CurrentLogAnnotations
] as ReadonlyArray<Context.Key<never, unknown>>

/** Layers of services that a request adds before a context is copied. */
const maxDepth = 24

/** Prepares the calls of one procedure: everything that does not depend on the parameters is looked up once. */
const procedureOf = (rpc: Rpc.AnyWithProps, services: Context.Context<never>): Procedure => {
  const entry = Context.getUnsafe(services, { key: rpc.key } as Context.Key<unknown, Rpc.Handler<string>>)
  const middlewares = Array.from(
    rpc.middlewares,
    (tag: RpcMiddleware.AnyService) => Context.getUnsafe(services, tag) as unknown as Middleware
  )
  const base = Context.makeUnsafe<never>(Context.merge(services, entry.context).mapUnsafe, { maxDepth })
  const withRequest = (context: Context.Context<never>): Context.Context<never> =>
    ofRequest.reduce((all, key) => {
      const value = Context.getOption(context, key)
      return Option.isSome(value) ? Context.add(all, key, value.value) : all
    }, base)
  return (params) => {
    const options = { rpc, client, requestId, headers: Headers.empty, payload: params }
    const result = entry.handler(params, options)
    const handler = (Rpc.isWrapper(result) ? result.value : result) as Handled
    return Effect.updateContext(
      Effect.scoped(middlewares.reduce((inner, middleware) => middleware(inner, options), handler)),
      withRequest
    )
  }
}

/**
 * Prepares the calls of a group's procedures, none of which may stream. When the scope closes, it interrupts the fibers
 * that are in a call, waits for them, and interrupts those that begin one later.
 */
export const make = <Rpcs extends Rpc.Any>(
  group: RpcGroup.RpcGroup<Rpcs>
): Effect.Effect<Call, never, Rpc.ToHandler<Rpcs> | Rpc.Middleware<Rpcs> | Scope.Scope> =>
  Effect.gen(function*() {
    const services = (yield* Effect.context<Rpc.ToHandler<Rpcs> | Rpc.Middleware<Rpcs>>()) as Context.Context<never>
    const procedures = new Map<string, Procedure>()
    for (const [name, rpc] of group.requests) {
      procedures.set(name, procedureOf(rpc as unknown as Rpc.AnyWithProps, services))
    }
    const calling = new Set<Fiber.Fiber<unknown, unknown>>()
    let isClosed = false
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        isClosed = true
        return Fiber.interruptAll(calling)
      })
    )
    return (name, params) =>
      Effect.withFiber<unknown, unknown>((fiber) => {
        if (isClosed) return Effect.interrupt
        const procedure = procedures.get(name)
        if (procedure === undefined) return Effect.die(new Error(`there is no procedure ${name}`))
        calling.add(fiber)
        return Effect.ensuring(Effect.suspend(() => procedure(params)), Effect.sync(() => calling.delete(fiber)))
      })
  })
