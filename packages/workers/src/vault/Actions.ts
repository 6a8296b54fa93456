/** Which action carries out which request. Capabilities come after this folder, so the composition hands them in. */
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Tokens } from "../chain/Tokens.ts"
import type { Action, Decision, Place } from "./Action.ts"
import type { Failure } from "@vault-trader/core/endpoint/Failure"

/** One action for every request there is. */
export type ActionTable = { readonly [K in IntentRequest["_tag"]]: Action<Extract<IntentRequest, { readonly _tag: K }>, Tokens> }

/** An action closed over the request it is to carry out. */
export interface BoundAction extends Omit<Action<never, never>, "plan"> {
  readonly plan: (place: Place) => Effect.Effect<Decision<unknown>, Failure>
}

export class Actions extends Context.Tag("vault-trader/workers/vault/Actions")<Actions, {
  readonly of: (request: IntentRequest) => BoundAction
}>() {
  static readonly layer = (table: ActionTable): Layer.Layer<Actions, never, Tokens> =>
    Layer.effect(
      Actions,
      Effect.map(Tokens, (tokens) => ({
        of: (request) => {
          // The table's type pairs each request with its action; the lookup by tag cannot carry that pairing.
          const action = table[request._tag] as Action<IntentRequest, Tokens>
          return { ...action, plan: (place) => Effect.provideService(action.plan(place, request), Tokens, tokens) }
        }
      }))
    )
}
