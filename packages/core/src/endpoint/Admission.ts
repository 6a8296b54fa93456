/** The authority a request has once admitted. The only way to get a `Caller` is the one `Admission` middleware. */
import * as RpcMiddleware from "@effect/rpc/RpcMiddleware"
import * as Context from "effect/Context"
import type { Address } from "../chain/Address.ts"
import { Failure } from "./Failure.ts"

/** Who an admitted request acts for: the wallet that signs and is billed, and the key that proved it. */
export class Caller extends Context.Tag("vault-trader/core/endpoint/Caller")<Caller, {
  readonly wallet: Address
  readonly keyId: string
}>() {}

/** Key → vault → trader, in the wire's order; refuses with the first thing that is wrong. */
export class Admission extends RpcMiddleware.Tag<Admission>()("vault-trader/core/endpoint/Admission", {
  provides: Caller,
  failure: Failure
}) {}
