/** The session of a console request, which acts for the manager who signed in. */
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"

/** The request has no session, or its session is over. Nothing was done; the manager must sign in again. */
export class SignedOut extends Schema.TaggedError<SignedOut>()("SignedOut", { message: Schema.String }) {}

/** The manager of the request's session. Only `SessionAdmission` provides it. */
export class SignedIn extends Context.Service<SignedIn, {
  readonly manager: Address
  /**
   * The network on which a contract wallet signed in and has authority; null for an account, which has authority on all
   * networks.
   */
  readonly network: Network | null
}>()("vault-trader/core/console/SignedIn") {}

/** Reads the session on every request, so that closing it takes effect at once, and applies its rate limit. */
export class SessionAdmission extends RpcMiddleware.Service<SessionAdmission, { provides: SignedIn }>()(
  "vault-trader/core/console/SessionAdmission",
  {
    error: Schema.Union([SignedOut, Failure])
  }
) {}
