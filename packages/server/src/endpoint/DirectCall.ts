/**
 * Calls the handlers of a group of procedures in this process, through their middleware and without messages. A client
 * and a server of the library connected in memory do the same for each call with two more fibers. Handlers of callers
 * that were admitted before are called without the middleware.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Actor } from "@vault-trader/core/audit/AuditEntry"
import { Admission, Caller } from "@vault-trader/core/endpoint/Admission"
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
import * as RequestState from "../wire/RequestState.ts"

/**
 * Calls a procedure by its name, with decoded parameters; answers or fails as its handler or a middleware does. A
 * defect affects only its own call.
 */
export type Call = (name: string, params: Params) => Effect.Effect<unknown, unknown>

type Params = Readonly<Record<string, unknown>>

/** The services that a request sets for its handler. */
export interface RequestServices {
  readonly state: RequestState.State
  readonly address: string
  readonly actor: Actor
  readonly requestId: string
  /** Undefined for a procedure without admission. */
  readonly caller: Caller["Service"] | undefined
}

/** Calls of one procedure in fibers of their own, by callers that were admitted. */
export interface AdmittedCalls {
  /** True for a procedure that has no middleware but the admission of an API key; otherwise it has none at all. */
  readonly needsCaller: boolean
  /** The services of every call. */
  readonly services: Context.Context<never>
  /** Returns false once the group's scope is closed. */
  readonly isOpen: () => boolean
  /** Calls the handler. */
  readonly start: (params: Params, services: RequestServices) => Fiber.Fiber<unknown, unknown>
}

/** The calls of a group. */
export interface Calls {
  readonly call: Call
  /** Prepares the calls of a procedure by admitted callers; undefined when its middleware does more than admit keys. */
  readonly admitted: (name: string) => AdmittedCalls | undefined
}

type Handled = Effect.Effect<unknown, unknown>
type Middleware = (handler: Handled, options: unknown) => Handled

interface Procedure {
  /** Makes the effect of a call through the middleware. */
  readonly call: (params: Params) => Handled
  /** Makes the effect of a call without it. */
  readonly handle: (params: Params) => Handled
  /** The services of every call. */
  readonly services: Context.Context<never>
  readonly middlewares: ReadonlyArray<RpcMiddleware.AnyService>
}

const client = new Rpc.ServerClient(0)
const requestId = RequestId("0")

/** Services that a request sets for its own fiber, and a handler reads. All others are the same for every request. */
const ofRequest = [
  RequestState.RequestState,
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
  const tags = Array.from(rpc.middlewares, (tag: RpcMiddleware.AnyService) => tag)
  const middlewares = tags.map((tag) => Context.getUnsafe(services, tag) as unknown as Middleware)
  const base = Context.makeUnsafe<never>(Context.merge(services, entry.context).mapUnsafe, { maxDepth })
  const withRequest = (context: Context.Context<never>): Context.Context<never> =>
    ofRequest.reduce((all, key) => {
      const value = Context.getOption(context, key)
      return Option.isSome(value) ? Context.add(all, key, value.value) : all
    }, base)
  const optionsOf = (params: Params) => ({ rpc, client, requestId, headers: Headers.empty, payload: params })
  const handle = (params: Params, options = optionsOf(params)) => {
    const result = entry.handler(params, options)
    return (Rpc.isWrapper(result) ? result.value : result) as Handled
  }
  return {
    handle: (params) => Effect.scoped(Effect.suspend(() => handle(params))),
    call: (params) => {
      const options = optionsOf(params)
      const handler = handle(params, options)
      return Effect.updateContext(
        Effect.scoped(middlewares.reduce((inner, middleware) => middleware(inner, options), handler)),
        withRequest
      )
    },
    services: base,
    middlewares: tags
  }
}

/** Adds the services of a request to those of every call. */
const withServices = (
  services: Context.Context<never>,
  { actor, address, caller, requestId: id, state }: RequestServices
): Context.Context<never> => {
  const ofAll = services.pipe(
    Context.add(RequestState.RequestState, state),
    Context.add(CallerAddress, address),
    Context.add(Audit.Actor, actor),
    Context.add(References.CurrentLogAnnotations, { request_id: id })
  )
  return caller === undefined ? ofAll : Context.add(ofAll, Caller, caller)
}

/**
 * Prepares the calls of a group's procedures, none of which may stream. When the scope closes, it interrupts the fibers
 * that are in a call, waits for them, and interrupts those that begin one later.
 */
export const make = <Rpcs extends Rpc.Any>(
  group: RpcGroup.RpcGroup<Rpcs>
): Effect.Effect<Calls, never, Rpc.ToHandler<Rpcs> | Rpc.Middleware<Rpcs> | Scope.Scope> =>
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
    return {
      call: (name, params) =>
        Effect.withFiber<unknown, unknown>((fiber) => {
          if (isClosed) return Effect.interrupt
          const procedure = procedures.get(name)
          if (procedure === undefined) return Effect.die(new Error(`there is no procedure ${name}`))
          calling.add(fiber)
          return Effect.ensuring(Effect.suspend(() => procedure.call(params)), Effect.sync(() => calling.delete(fiber)))
        }),
      admitted: (name) => {
        const procedure = procedures.get(name)
        if (procedure === undefined || procedure.middlewares.some((tag) => tag.key !== Admission.key)) return undefined
        return {
          needsCaller: procedure.middlewares.length > 0,
          services: procedure.services,
          isOpen: () => !isClosed,
          start: (params, services) => {
            const context = withServices(procedure.services, services)
            const fiber = Effect.runForkWith(context)(procedure.handle(params))
            if (fiber.pollUnsafe() !== undefined) return fiber
            calling.add(fiber)
            fiber.addObserver(() => calling.delete(fiber))
            // The scope may have closed while the handler began.
            if (isClosed) fiber.interruptUnsafe()
            return fiber
          }
        }
      }
    }
  })
