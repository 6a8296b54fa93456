/**
 * Requests that are answered without the platform's handler and router. The listener offers every request to the takers
 * that are registered here, before it calls the handler.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Takes a request and answers it in a fiber of the scope; returns false for a request that it leaves to the router. */
export type Take = (incoming: IncomingMessage, outgoing: ServerResponse, scope: Scope.Scope) => boolean

export class DirectListener extends Context.Service<DirectListener, {
  /** Offers requests to this one until the scope is closed. */
  readonly offerTo: (take: Take) => Effect.Effect<void, never, Scope.Scope>
  /** Offers a request. */
  readonly take: Take
}>()("vault-trader/server/gate/DirectListener") {
  static readonly layer: Layer.Layer<DirectListener> = Layer.sync(DirectListener, () => {
    const takers = new Set<Take>()
    return {
      offerTo: (take) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => takers.add(take)),
            () => Effect.sync(() => takers.delete(take))
          )
        ),
      take: (incoming, outgoing, scope) => {
        for (const take of takers) if (take(incoming, outgoing, scope)) return true
        return false
      }
    }
  })
}
