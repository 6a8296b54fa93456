/** Who a console's request acts for: the manager who signed in. */
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"

/** There is no session, or it is over: sign in again. Nothing was done. */
export class SignedOut extends Schema.TaggedError<SignedOut>()("SignedOut", { message: Schema.String }) {}

/** The manager whose session a request came in. The only way to get one is `SessionAdmission`. */
export class SignedIn extends Context.Service<SignedIn, {
  readonly manager: Address
  /** The network a contract wallet signed in on, and speaks for; null for an account, which speaks for all of them. */
  readonly network: Network | null
}>()("vault-trader/core/console/SignedIn") {}

/** The session, looked up for every request, so that one that was closed is over at once; and how often it may ask. */
export class SessionAdmission extends RpcMiddleware.Service<SessionAdmission, { provides: SignedIn }>()("vault-trader/core/console/SessionAdmission", {
  error: Schema.Union([SignedOut, Failure])
}) {}
