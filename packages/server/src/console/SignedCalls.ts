/** Serves the endpoints for which the session is not enough: the manager's wallet signs each call. */
import type { Address } from "@vault-trader/core/chain/Address"
import { SignedCalls } from "@vault-trader/core/console/ConsoleApi"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { asManager, asWallet, fold } from "./SessionCalls.ts"
import { isSignedEndpoint, signedActions } from "./SignedAction.ts"

/**
 * Verifies the signature over the wallet and all other parameters, then makes the call: as the wallet, or as the manager
 * where the endpoint takes the manager's signature itself.
 */
export const SignedCallsLive = fold(SignedCalls, (facts, handler) =>
  Effect.gen(function*() {
    const { check } = yield* signedActions
    const call = yield* (facts.access === "apiKey" ? asWallet : asManager)(facts, handler)
    const action = facts.name
    if (!isSignedEndpoint(action)) return yield* Effect.die(new Error(`${action} has no signed form`))
    return ({ signature, wallet, ...params }, options) =>
      Effect.andThen(
        check({ action, wallet: wallet as Address, params }, signature as Redacted.Redacted<string>),
        call({ ...params, wallet }, options)
      )
  }))
