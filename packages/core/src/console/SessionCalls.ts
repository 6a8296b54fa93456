/**
 * The catalogue's endpoints as the console calls them: the same parameters and answers, but a wallet of the manager's list stands where an
 * API key stood, or the session itself where the manager's signature did. A fold: an endpoint needs no line of its own.
 */
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Declared, factsOf } from "../endpoint/Endpoint.ts"
import type * as Param from "../endpoint/Param.ts"
import { SessionAdmission } from "./Session.ts"

/** Parameters that prove who asks. */
const proofs = ["apiKey", "gas_wallet_api_key", "manager", "signature"] as const
type Proofs = typeof proofs[number]

/** An endpoint that acts as a wallet, for a manager who has it in the list. */
export type ForWallet<R> = R extends Rpc.Rpc<infer Tag, Schema.Struct<infer Fields>, infer Success, infer Failed, infer _>
  ? Rpc.Rpc<`wallet.${Tag}`, Schema.Struct<Omit<Fields, Proofs> & { readonly wallet: typeof Address }>, Success, Failed, typeof SessionAdmission>
  : never

/** An endpoint that acts as a manager. */
export type ForManager<R> = R extends Rpc.Rpc<infer Tag, Schema.Struct<infer Fields>, infer Success, infer Failed, infer _>
  ? Rpc.Rpc<`manager.${Tag}`, Schema.Struct<Omit<Fields, Proofs>>, Success, Failed, typeof SessionAdmission>
  : never

/** These procedures of a group; one by one, because a procedure's type holds its name exactly. */
type Of<Rpcs extends Rpc.Any, Name extends Rpcs["_tag"]> = Name extends unknown ? Rpc.ExtractTag<Rpcs, Name> : never

const fold = (group: RpcGroup.RpcGroup<Rpc.Any>, names: ReadonlyArray<string>, prefix: "wallet" | "manager", more: Param.Fields) =>
  RpcGroup.make(...names.map((name) => {
    const rpc = group.requests.get(name) as unknown as Rpc.AnyWithProps
    const { fields } = rpc.payloadSchema as unknown as Schema.Struct<Param.Fields>
    const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !proofs.some((proof) => proof === field)))
    return Rpc.make(`${prefix}.${name}`, { payload: Schema.Struct({ ...own, ...more }), success: rpc.successSchema, error: rpc.errorSchema })
      .annotate(Declared, factsOf(rpc))
      .middleware(SessionAdmission)
  }))

/** These endpoints of a group, on behalf of a wallet. */
export const forWallet = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  ...names: ReadonlyArray<Name>
): RpcGroup.RpcGroup<ForWallet<Of<Rpcs, Name>>> =>
  // The types above say what the fold does, endpoint by endpoint.
  fold(group as unknown as RpcGroup.RpcGroup<Rpc.Any>, names, "wallet", { wallet: Address }) as never

/** The same on behalf of the manager. */
export const forManager = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  ...names: ReadonlyArray<Name>
): RpcGroup.RpcGroup<ForManager<Of<Rpcs, Name>>> => fold(group as unknown as RpcGroup.RpcGroup<Rpc.Any>, names, "manager", {}) as never
