/**
 * Serves the catalogue over HTTP by one fold. No endpoint is named here; if one needs a line of its own, the fold is
 * wrong.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { type EndpointFacts, factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Scope from "effect/Scope"
import { GracefulShutdown } from "../gate/GracefulShutdown.ts"
import type { Hosts } from "../gate/Hosts.ts"
import { IdempotentWrites } from "../gate/IdempotentWrites.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import * as CachedDocument from "../wire/CachedDocument.ts"
import type { RequestHead } from "../wire/RequestHead.ts"
import * as RequestState from "../wire/RequestState.ts"
import * as Wire from "../wire/Wire.ts"
import type { Answer } from "./Arrived.ts"
import * as DirectCall from "./DirectCall.ts"
import * as DirectReads from "./DirectReads.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import * as ImmediateRead from "./ImmediateRead.ts"
import * as RequestAnswer from "./RequestAnswer.ts"

const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Returns true for a HEAD request of an endpoint that changes something: the router treats HEAD as GET, but only reads
 * may answer it.
 */
const isHeadOfChange = (facts: EndpointFacts, { method }: RequestHead) =>
  method === "HEAD" && facts.class !== "readOnly"

interface Mounting {
  /**
   * Returns an additional path for one of the catalogue's, if any. It is not documented, and the catalogue's own paths
   * win over it.
   */
  readonly also?: (path: `/${string}`) => `/${string}` | undefined
}

/** Returns every path of an endpoint, without additional paths that are `taken`. */
const pathsOf = ({ paths }: EndpointFacts, { also }: Mounting, taken: ReadonlySet<string>) => {
  const further = paths.flatMap((path) => also?.(path) ?? []).filter((path) => !taken.has(path))
  return new Set([...paths, ...further])
}

/** Answers at a route: a HEAD of a change is refused as any other method. */
const routed = (facts: EndpointFacts, answer: Answer, refuse: Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (head) =>
      isHeadOfChange(facts, head) ?
        refuse :
        Effect.flatMap(
          HttpRouter.RouteContext,
          ({ params }) => answer({ head, path: params, incoming: NodeHttpServerRequest.toIncomingMessage(head) })
        )
  )

/** Mounts every endpoint of a group at all its paths and methods; other methods return 405. */
export const layer = <Rpcs extends Rpc.Any>(
  group: RpcGroup.RpcGroup<Rpcs>,
  mounting: Mounting = {}
): Layer.Layer<
  never,
  never,
  | HttpRouter.HttpRouter
  | RateLimit
  | Hosts
  | Gatekeeper
  | IdempotentWrites
  | GracefulShutdown
  | Rpc.ToHandler<Rpcs>
  | Rpc.Middleware<Rpcs>
> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const ending = yield* GracefulShutdown
    const calls = yield* DirectCall.make(group)
    const seconds = yield* RequestState.RequestSeconds
    // A separate scope: fibers forked into this layer's scope would be interrupted first.
    const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    // Resources acquired before this finalizer stay available until the requests in progress are answered.
    yield* Effect.addFinalizer(() => ending.drain)
    const serving: RequestAnswer.Serving = {
      // The fiber of a routed request has the listener's services, not those of this layer.
      begin: Effect.provideService(RequestState.begin, RequestState.RequestSeconds, seconds),
      seconds,
      calls,
      documents: CachedDocument.make(),
      ending,
      gatekeeper: yield* Gatekeeper,
      limiter: yield* RateLimit,
      scope,
      writes: yield* IdempotentWrites
    }
    const taken = new Set<string>(factsOfGroup(group).flatMap(({ paths }) => paths))
    const reads = new Map<string, DirectReads.Read>()
    for (const facts of factsOfGroup(group)) {
      const refuse = Effect.succeed(
        Wire.error(405, `${facts.name} is called with ${facts.methods.join(" or ")}.`).pipe(
          HttpServerResponse.setHeader("Allow", facts.methods.join(", "))
        )
      )
      const answer = RequestAnswer.make(facts, serving)
      const immediate = ImmediateRead.make(facts, serving)
      const atRoute = routed(facts, answer, refuse)
      for (const path of pathsOf(facts, mounting, taken)) {
        if (DirectReads.isPlain(facts, path)) reads.set(path, { answer, immediate })
        for (const method of httpMethods) {
          yield* router.add(method, path, facts.methods.some((allowed) => allowed === method) ? atRoute : refuse)
        }
      }
    }
    yield* DirectReads.serve(reads)
  }))
