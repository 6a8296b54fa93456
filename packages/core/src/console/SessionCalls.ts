/**
 * Derives the console's calls from the catalogue's endpoints. Parameters and responses are the same, except that a
 * wallet of the manager's list replaces the API key, and the session replaces the manager's signature.
 */
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Declared, factsOf } from "../endpoint/Endpoint.ts"
import type * as Param from "../endpoint/Param.ts"
import { SessionAdmission } from "./Session.ts"

/** Parameters that authenticate the caller. */
const proofs = ["apiKey", "gas_wallet_api_key", "manager", "signature", "privateKey"] as const
type Proofs = typeof proofs[number]

/** The call of an endpoint that acts as a wallet of the manager's list. */
type ForWallet<R> = R extends Rpc.Rpc<infer Tag, Schema.Struct<infer Fields>, infer Success, infer Failed, infer _> ?
  Rpc.Rpc<
    `wallet.${Tag}`,
    Schema.Struct<Omit<Fields, Proofs | "wallet"> & { readonly wallet: typeof Address }>,
    Success,
    Failed,
    typeof SessionAdmission
  >
  : never

/** The call of an endpoint that acts as the manager. */
type ForManager<R> = R extends Rpc.Rpc<infer Tag, Schema.Struct<infer Fields>, infer Success, infer Failed, infer _>
  ? Rpc.Rpc<`manager.${Tag}`, Schema.Struct<Omit<Fields, Proofs>>, Success, Failed, typeof SessionAdmission>
  : never

/** The call of an endpoint on a wallet of the list that the manager's wallet signs. */
type Signed<R> = R extends Rpc.Rpc<infer Tag, Schema.Struct<infer Fields>, infer Success, infer Failed, infer _> ?
  Rpc.Rpc<
    `signed.${Tag}`,
    Schema.Struct<Omit<Fields, Proofs | "wallet"> & { readonly wallet: typeof Address; readonly signature: Signature }>,
    Success,
    Failed,
    typeof SessionAdmission
  >
  : never

/** The manager's signature over the result of `toSign`. */
const signature = Schema.RedactedFromValue(Schema.String)
type Signature = typeof signature

/**
 * The procedures of a group with these names. Distributes over the names, because a procedure's type contains its exact
 * name.
 */
type Of<Rpcs extends Rpc.Any, Name extends Rpcs["_tag"]> = Name extends unknown ? Rpc.ExtractTag<Rpcs, Name> : never

const derive = (
  group: RpcGroup.RpcGroup<Rpc.Any>,
  names: ReadonlyArray<string>,
  prefix: "wallet" | "manager" | "signed",
  extra: Param.Fields
) =>
  RpcGroup.make(...names.map((name) => {
    const rpc = group.requests.get(name) as unknown as Rpc.AnyWithProps
    const { fields } = rpc.payloadSchema as unknown as Schema.Struct<Param.Fields>
    const remaining = Object.fromEntries(
      Object.entries(fields).filter(([field]) => !proofs.some((proof) => proof === field))
    )
    return Rpc.make(`${prefix}.${name}`, {
      payload: Schema.Struct({ ...remaining, ...extra }),
      success: rpc.successSchema,
      error: rpc.errorSchema
    })
      .annotate(Declared, factsOf(rpc))
      .middleware(SessionAdmission)
  }))

/** Derives the calls of these endpoints on behalf of a wallet. */
export const forWallet = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  ...names: ReadonlyArray<Name>
): RpcGroup.RpcGroup<ForWallet<Of<Rpcs, Name>>> =>
  // `ForWallet` describes the result of `derive` for each endpoint.
  derive(group as unknown as RpcGroup.RpcGroup<Rpc.Any>, names, "wallet", { wallet: Address }) as never

/** Derives the calls of these endpoints on behalf of the manager. */
export const forManager = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  ...names: ReadonlyArray<Name>
): RpcGroup.RpcGroup<ForManager<Of<Rpcs, Name>>> =>
  derive(group as unknown as RpcGroup.RpcGroup<Rpc.Any>, names, "manager", {}) as never

/**
 * Derives the calls of these endpoints for which the session is not enough: the manager's wallet signs each one, with all
 * its parameters.
 */
export const forSigned = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  ...names: ReadonlyArray<Name>
): RpcGroup.RpcGroup<Signed<Of<Rpcs, Name>>> =>
  derive(group as unknown as RpcGroup.RpcGroup<Rpc.Any>, names, "signed", { wallet: Address, signature }) as never
