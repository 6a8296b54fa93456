/**
 * Maps each request to the action that executes it. The actions' folders import this one, so the composition root
 * passes them in.
 */
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Action, Decision, ActionResult, PlanContext, Unconfirmed } from "./Action.ts"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"

/** One action for every kind of request; `R` is the services that they plan with. */
export type ActionTable<R> = {
  readonly [K in IntentRequest["_tag"]]: Action<Extract<IntentRequest, { readonly _tag: K }>, R>
}

/** All services that the actions of a table plan with. */
type Needs<T extends ActionTable<unknown>> = Effect.Services<ReturnType<T[IntentRequest["_tag"]]["plan"]>>

/** An action bound to the request that it executes. */
export interface BoundAction extends Omit<Action<never, never>, "plan" | "confirm"> {
  readonly plan: (place: PlanContext) => Effect.Effect<Decision<unknown>, Failure>
  readonly confirm?: (
    ...args: Parameters<NonNullable<Action<never, never>["confirm"]>>
  ) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed>
}

export class Actions extends Context.Service<Actions, {
  readonly of: (request: IntentRequest) => BoundAction
}>()("vault-trader/workers/vault/Actions") {
  static readonly layer = <T extends ActionTable<unknown>>(table: T): Layer.Layer<Actions, never, Needs<T>> =>
    Layer.effect(
      Actions,
      Effect.map(Effect.context<Needs<T>>(), (context) => ({
        of: (request) => {
          // The table's type pairs each request with its action; the lookup by tag cannot carry that pairing.
          const action = table[request._tag] as Action<IntentRequest, Needs<T>>
          // The planner's own context wins, so that its span is the parent and not the span that built the layer.
          const bound = <A, E>(effect: Effect.Effect<A, E, Needs<T>>) =>
            Effect.updateContext(effect, (own: Context.Context<never>) => Context.merge(context, own))
          const { confirm, ...rest } = action
          return {
            ...rest,
            plan: (place) => bound(action.plan(place, request)),
            ...(confirm === undefined
              ? {}
              : { confirm: (...args: Parameters<typeof confirm>) => bound(confirm(...args)) })
          }
        }
      }))
    )
}
