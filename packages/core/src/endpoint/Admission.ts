/** The authority a request has once admitted. The only way to get a `Caller` is the one `Admission` middleware. */
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Context from "effect/Context"
import type { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"

/** Who an admitted request acts for: the wallet that signs and is billed, and the key that proved it. */
export class Caller extends Context.Service<Caller, {
  readonly wallet: Address
  readonly keyId: string
  /**
   * The intent, order or run that the request's idempotency key names already. Vault, trader and limits were not checked then: the
   * handler answers from the ledger and changes nothing.
   */
  readonly repeats?: string | undefined
}>()("vault-trader/core/endpoint/Caller") {}

/** Key → idempotency key → vault → trader; refuses with the first thing that is wrong, in the wire's order. */
export class Admission extends RpcMiddleware.Service<Admission, { provides: Caller }>()("vault-trader/core/endpoint/Admission", {
  error: Failure
}) {}

/** The manager an admitted request acts for, whose signature over it was verified. */
export class Manager extends Context.Service<Manager, Address>()("vault-trader/core/endpoint/Manager") {}

/** Signature → rest, in the wire's order. */
export class ManagerAdmission extends RpcMiddleware.Service<ManagerAdmission, { provides: Manager }>()("vault-trader/core/endpoint/ManagerAdmission", {
  error: Failure
}) {}

/** Who an admitted request acts for, where either will do. */
export type PrincipalOf =
  | { readonly _tag: "key"; readonly caller: Caller["Service"] }
  | { readonly _tag: "manager"; readonly manager: Address }
export class Principal extends Context.Service<Principal, PrincipalOf>()("vault-trader/core/endpoint/Principal") {}

/** Key, or signature where none is given. */
export class EitherAdmission extends RpcMiddleware.Service<EitherAdmission, { provides: Principal }>()("vault-trader/core/endpoint/EitherAdmission", {
  error: Failure
}) {}
