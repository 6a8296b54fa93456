/** Which action carries out which request. Capabilities come after this folder, so the composition hands them in. */
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Action, Decision, ActionResult, PlanContext, Unconfirmed } from "./Action.ts"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"

/** One action for every request there is; `R` is what they plan with. */
export type ActionTable<R> = { readonly [K in IntentRequest["_tag"]]: Action<Extract<IntentRequest, { readonly _tag: K }>, R> }

/** What the actions of a table plan with, all together. */
type Needs<T extends ActionTable<unknown>> = Effect.Services<ReturnType<T[IntentRequest["_tag"]]["plan"]>>

/** An action closed over the request it is to carry out. */
export interface BoundAction extends Omit<Action<never, never>, "plan" | "confirm"> {
  readonly plan: (place: PlanContext) => Effect.Effect<Decision<unknown>, Failure>
  readonly confirm?: (...told: Parameters<NonNullable<Action<never, never>["confirm"]>>) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed>
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
          // Whoever plans brings a span of their own, which must not be that of the layer's making.
          const bound = <A, E>(effect: Effect.Effect<A, E, Needs<T>>) => Effect.updateContext(effect, (own: Context.Context<never>) => Context.merge(context, own))
          const { confirm, ...rest } = action
          return {
            ...rest,
            plan: (place) => bound(action.plan(place, request)),
            ...(confirm === undefined ? {} : { confirm: (...told: Parameters<typeof confirm>) => bound(confirm(...told)) })
          }
        }
      }))
    )
}
