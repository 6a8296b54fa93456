/**
 * The handlers of a group's endpoints. A handler returns its response's fields; `status: "success"` is added here, once
 * for every transport.
 */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"

/** A response as its handler returns it: a success without its status, any other response whole. */
type Fields<Response> = Response extends { readonly status: "success" } ? Omit<Response, "status"> : Response

/** The same endpoint, with a response as its handler returns it. */
type Handled<R> = R extends
  Rpc.Rpc<infer Tag, infer Payload, infer Success, infer Error, infer Middleware, infer Requires>
  ? Rpc.Rpc<Tag, Payload, Schema.Codec<Fields<Success["Type"]>>, Error, Middleware, Requires>
  : never

type HandlersOf<R extends Rpc.Any> = RpcGroup.HandlersFrom<Handled<R>>

/** The decoded parameters of a group's endpoint. */
export type Params<Group, Name extends string> = Rpc.Payload<Rpc.ExtractTag<RpcGroup.Rpcs<Group>, Name>>

/** Adds the status of a success. A response that has another status keeps it. */
const withStatus = (fields: object) => ({ status: "success", ...fields })

type AnyHandler = (...args: ReadonlyArray<unknown>) => Effect.Effect<object>

/** Serves a group's endpoints with these handlers. */
export const layer = <R extends Rpc.Any, Handlers extends HandlersOf<R>, EX = never, RX = never>(
  group: RpcGroup.RpcGroup<R>,
  build: Effect.Effect<Handlers, EX, RX>
): Layer.Layer<Rpc.ToHandler<R>, EX, Exclude<RX, Scope> | RpcGroup.HandlersServices<Handled<R>, Handlers>> => {
  const whole = Effect.map(build, (handlers) =>
    Record.map(
      handlers as unknown as Record<string, AnyHandler>,
      (handler) => (...args: ReadonlyArray<unknown>) => Effect.map(handler(...args), withStatus)
    ))
  // The types above describe this fold over the handlers, which TypeScript cannot derive from the values.
  return group.toLayer(whole as never)
}

/** Types a part of a group's handlers, for a group whose handlers are built by several functions. */
export const part = <R extends Rpc.Any, Handlers extends Partial<HandlersOf<R>>, EX = never, RX = never>(
  _group: RpcGroup.RpcGroup<R>,
  build: Effect.Effect<Handlers, EX, RX>
): Effect.Effect<Handlers, EX, RX> => build
