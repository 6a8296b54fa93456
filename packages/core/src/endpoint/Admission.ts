/** The authority of an admitted request. Only the admission middleware can provide it. */
import * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Context from "effect/Context"
import type { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"

/** The wallet an admitted request acts for, which signs and is billed, and the key that authenticated it. */
export class Caller extends Context.Service<Caller, {
  readonly wallet: Address
  readonly keyId: string
  /** The sub-key that authenticated the request in place of the key `keyId`, which made it, and its only vaults. */
  readonly subKey?: { readonly id: string; readonly vaults: ReadonlyArray<string> | null } | undefined
  /**
   * The intent, order or run that the request's idempotency key already names. Vault, trader and limits are not checked
   * in that case: the handler answers from the ledger and changes nothing.
   */
  readonly repeats?: string | undefined
}>()("vault-trader/core/endpoint/Caller") {}

/** Checks key → idempotency key → vault → trader, and refuses with the first error in the wire's order. */
export class Admission
  extends RpcMiddleware.Service<Admission, { provides: Caller }>()("vault-trader/core/endpoint/Admission", {
    error: Failure
  })
{}

/** The manager an admitted request acts for. The manager's signature over the request was verified. */
export class Manager extends Context.Service<Manager, Address>()("vault-trader/core/endpoint/Manager") {}

/** Checks the signature, then the rest in the wire's order. */
export class ManagerAdmission extends RpcMiddleware.Service<ManagerAdmission, { provides: Manager }>()(
  "vault-trader/core/endpoint/ManagerAdmission",
  {
    error: Failure
  }
) {}

/** The wallet or manager an admitted request acts for, on endpoints that accept either proof. */
export type PrincipalOf =
  | { readonly _tag: "key"; readonly caller: Caller["Service"] }
  | { readonly _tag: "manager"; readonly manager: Address }
export class Principal extends Context.Service<Principal, PrincipalOf>()("vault-trader/core/endpoint/Principal") {}

/**
 * The proof of authority over one wallet on endpoints that accept every kind of it, strongest first: the wallet's
 * private key (`owner`), the signature of a manager whose list has the wallet, or the wallet's API key.
 */
export type CredentialOf =
  | { readonly _tag: "owner"; readonly wallet: Address }
  | { readonly _tag: "manager"; readonly wallet: Address; readonly manager: Address }
  | { readonly _tag: "key"; readonly wallet: Address; readonly keyId: string }
export class Credential extends Context.Service<Credential, CredentialOf>()("vault-trader/core/endpoint/Credential") {}

/** Checks the strongest proof that is given. */
export class CredentialAdmission extends RpcMiddleware.Service<CredentialAdmission, { provides: Credential }>()(
  "vault-trader/core/endpoint/CredentialAdmission",
  {
    error: Failure
  }
) {}

/** Checks the key, or the signature when no key is given. */
export class EitherAdmission extends RpcMiddleware.Service<EitherAdmission, { provides: Principal }>()(
  "vault-trader/core/endpoint/EitherAdmission",
  {
    error: Failure
  }
) {}
